import { getOperationAST } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import { findVariableErrors } from '../errors/variable-errors.ts';
import { errorLimit } from '../execution/format-errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

const tooManyErrors = refuse(
  'graphql_validation_failed',
  'Too many errors in the variables: the others are not listed',
);

/**
 * Checks that variables fit the types that the operation declares. The executor checks the same, but repeats the whole
 * value in each of up to fifty errors, and its error that there are more looks like an internal error.
 */
export function useVariableCheck(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onExecute({ args, context, setResultAndStopExecution }) {
      const definitions = getOperationAST(args.document, args.operationName)?.variableDefinitions;
      if (!definitions?.length) return;
      const errors = findVariableErrors(args.schema, definitions, args.variableValues ?? {}, errorLimit);
      if (errors.length === 0) return;
      if (errors.length === errorLimit) {
        errors[errorLimit - 1] = refusalError(tooManyErrors, (context as GraphqlRequest).requestId);
      }
      setResultAndStopExecution({ errors });
    },
  };
}
