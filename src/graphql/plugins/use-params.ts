import type { Plugin } from 'graphql-yoga';
import type { GraphqlRequest } from '../execution/graphql-request.ts';

/**
 * Gives Yoga the parameters that were read before, and stores its result in the request. Yoga's own parsers, which also
 * take forms, multipart and bare GraphQL, never run, and its response is not sent.
 */
export function useParams(): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      setRequestParser(() => serverContext.params);
    },
    onResultProcess({ serverContext, setResultProcessor }) {
      setResultProcessor((result, fetchAPI) => {
        // An ExecutionResult, because nothing here makes lists or streams of them.
        serverContext.result = result as GraphqlRequest['result'];
        return new fetchAPI.Response(null);
      }, 'application/json');
    },
  };
}
