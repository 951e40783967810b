import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { prepareOperation } from '../execution/prepared-operation.ts';

/** Documents that can be prepared are, when they are first executed; the executor has the others. */
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
