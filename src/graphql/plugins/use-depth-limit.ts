import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const depthLimit = 12;
/** The standard introspection query is 13 deep. */
const introspectionDepthLimit = 16;

const tooDeep = refuse('depth_limit_exceeded', `The operation is more than ${depthLimit} fields deep`);
const introspectionTooDeep = refuse(
  'depth_limit_exceeded',
  `The introspection is more than ${introspectionDepthLimit} fields deep`,
);

/**
 * Limits an operation to twelve levels of fields, counted with the top-level field and with fragments expanded; and
 * introspection, alone or with data, to sixteen.
 */
export function useDepthLimit(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context: { operation, requestId } }) {
      if (operation === null) return;
      if (operation.depth > depthLimit) throw refusalError(tooDeep, requestId);
      if (operation.introspectionDepth > introspectionDepthLimit) {
        throw refusalError(introspectionTooDeep, requestId);
      }
    },
  };
}
