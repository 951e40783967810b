import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { type RefuseCommand, refuseMutation } from '../execution/refuse-mutation.ts';

/** Refuses a mutation under overload before it is validated. Queries go on. */
export function useOverloadRefusal(refuseCommand: RefuseCommand): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onValidate({ context }) {
      const error = refuseMutation(context, refuseCommand);
      if (error) throw error;
    },
  };
}
