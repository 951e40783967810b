import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const postOnly = refuse('method_not_allowed', 'The GraphQL endpoint takes POST alone');

/** Answers every method but POST with 405: a query in a URL would end up in logs and caches. */
export function usePostOnly(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onRequestParse({ serverContext }) {
      if (serverContext.req.method !== 'POST') throw refusalError(postOnly, serverContext.requestId);
    },
  };
}
