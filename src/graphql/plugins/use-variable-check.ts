import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { checkVariables } from '../execution/check-variables.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/** Refuses variables that do not fit the types that the operation declares. */
export function useVariableCheck(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onExecute({ args, context, setResultAndStopExecution }) {
      const { requestId } = context as GraphqlRequest;
      const definitions = getOperationAST(args.document, args.operationName)?.variableDefinitions;
      const errors = checkVariables(args.schema, definitions, args.variableValues ?? {}, requestId);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}
