import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { takeUnit } from '../execution/rate-unit.ts';

/**
 * Makes an operation without top-level fields of the service (`__typename`, introspection) take a unit of the rate
 * limit before it executes. Over the limit, the 429 is its only error.
 */
export function useRateUnit(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onExecute({ context, setResultAndStopExecution }) {
      const operation = context.operation;
      if (operation !== null && operation.fields > operation.introspectionFields) return;
      return takeUnit(context as GraphqlRequest).then((error) => {
        if (error) setResultAndStopExecution({ errors: [error] });
      });
    },
  };
}
