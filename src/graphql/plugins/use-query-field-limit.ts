import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const fieldLimit = 5;

const tooManyFields = refuse('too_many_fields', `A query has at most ${fieldLimit} top-level fields`);

/** Limits a query to five top-level fields, counted with fragments expanded and without `__typename`. */
export function useQueryFieldLimit(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, requestId } }) {
      if (operation?.kind === 'query' && operation.fields > fieldLimit) {
        throw refusalError(tooManyFields, requestId);
      }
    },
  };
}
