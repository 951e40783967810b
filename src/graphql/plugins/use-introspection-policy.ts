import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const closed = refuse(
  'introspection_disabled',
  'Introspection is closed in Production: the SDL is served at GET /api/graphql/schema.graphql',
);

/** Allows `__schema` and `__type` in Sandbox only. */
export function useIntrospectionPolicy(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, credential, requestId } }) {
      if (operation && operation.introspectionDepth > 0 && credential.environmentKind === 'production') {
        throw refusalError(closed, requestId);
      }
    },
  };
}
