import type { Plugin } from 'graphql-yoga';
import type { Authenticate } from '../../auth/credential.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const unauthorized = refuse(
  'unauthorized',
  'Send a valid key as `Authorization: Bearer <API_KEY>` and its environment as `X-Environment`',
);

/** No byte of the body is read before the credential has proved itself. */
export function useAuthentication(authenticate: Authenticate): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    async onRequestParse({ serverContext }) {
      const { authorization, 'x-environment': environment } = serverContext.req.headers;
      const credential = await authenticate(
        authorization,
        typeof environment === 'string' ? environment : undefined,
      );
      if (credential === null) throw refusalError(unauthorized, serverContext.requestId);
      serverContext.authenticated = credential;
    },
  };
}
