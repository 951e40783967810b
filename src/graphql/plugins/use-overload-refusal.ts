import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { checkOverload, type RefuseCommand } from '../execution/overload.ts';

/**
 * Refuses a mutation as soon as the document says that it is one, before it is validated and anything is looked up for
 * it. Queries go on.
 */
export function useOverloadRefusal(refuseCommand: RefuseCommand): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context }) {
      checkOverload(context, refuseCommand);
    },
  };
}
