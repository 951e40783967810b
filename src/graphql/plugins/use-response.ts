import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import { type ErrorLog, formatErrors, type RestOnlyFields } from '../execution/format-errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { mediaTypeFor } from '../execution/media-type.ts';
import { responseHeaders, statusOf } from '../execution/response.ts';

/** Called with the code of every error in a response. */
export type ReportRefusal = (response: ServerResponse, code: ErrorCode) => void;

/**
 * Turns a result into the HTTP response: the formatted and masked errors, the status that follows from them, and the
 * headers of the contract. The response is stored in the request, and the handler sends it: Yoga would send it in chunks,
 * with the head separate from the body.
 */
export function useResponse(
  log: ErrorLog,
  reportRefusal: ReportRefusal,
  restOnly: RestOnlyFields,
): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onResultProcess({ serverContext, setResultProcessor }) {
      const mediaType = mediaTypeFor(serverContext.req.headers.accept);
      setResultProcessor((result, fetchAPI) => {
        const { data, errors } = result as ExecutionResult;
        const formatted = errors?.length ? formatErrors(errors, serverContext, log, restOnly) : undefined;
        for (const { extensions } of formatted ?? []) reportRefusal(serverContext.res, extensions.code);
        const status = formatted ? statusOf(data, formatted) : 200;
        const body = JSON.stringify({ data: data ?? null, errors: formatted });
        serverContext.answer = { status, headers: responseHeaders(serverContext, mediaType, status), body };
        return new fetchAPI.Response(null, { status });
      }, mediaType);
    },
  };
}
