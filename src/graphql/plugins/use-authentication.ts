import type { Plugin } from 'graphql-yoga';
import type { Authenticate } from '../../auth/credential.ts';
import { isRefusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/** Authenticates each request before any byte of its body is read. */
export function useAuthentication(authenticate: Authenticate): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    async onRequestParse({ serverContext }) {
      const { authorization, 'x-environment': environment } = serverContext.req.headers;
      const credential = await authenticate(
        authorization,
        typeof environment === 'string' ? environment : undefined,
      );
      if (isRefusal(credential)) throw refusalError(credential, serverContext.requestId);
      serverContext.authenticated = credential;
    },
  };
}
