import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { prepareOperation } from '../execution/prepared-operation.ts';

/** Prepares documents that can be prepared when they are first executed; the executor runs the others. */
export function usePreparedOperation(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onExecute({ args, context, setExecuteFn }) {
      const { document } = context as GraphqlRequest;
      if (!document) return;
      if (document.prepared === undefined) document.prepared = prepareOperation(args.schema, document.ast);
      const { prepared } = document;
      if (prepared)
        setExecuteFn(({ variableValues, contextValue }) => prepared(variableValues ?? {}, contextValue));
    },
  };
}
