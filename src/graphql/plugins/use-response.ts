import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type ErrorLog, formatErrors } from '../execution/format-errors.ts';
import type { GraphqlRequest } from '../execution/graphql-request.ts';
import { mediaTypeFor } from '../execution/media-type.ts';
import { responseHeaders, statusOf } from '../execution/response.ts';

/** Told of the code of every error in an answer. */
export type ReportRefusal = (response: ServerResponse, code: ErrorCode) => void;

/**
 * Turns a result into the HTTP response: errors formatted and masked, the status that they call for, the headers of
 * the contract. The answer is left on the request for the handler to send: through Yoga's Response it would be sent
 * in chunks, its head apart from its body.
 */
export function useResponse(
  log: ErrorLog,
  reportRefusal: ReportRefusal,
): Plugin<GraphqlRequest, GraphqlRequest> {
  return {
    onResultProcess({ serverContext, setResultProcessor }) {
      const mediaType = mediaTypeFor(serverContext.req.headers.accept);
      setResultProcessor((result, fetchAPI) => {
        const { data, errors } = result as ExecutionResult;
        const formatted = errors?.length ? formatErrors(errors, serverContext, log) : undefined;
        for (const { extensions } of formatted ?? []) reportRefusal(serverContext.res, extensions.code);
        const status = formatted ? statusOf(data, formatted) : 200;
        const body = JSON.stringify({ data: data ?? null, errors: formatted });
        serverContext.answer = { status, headers: responseHeaders(serverContext, mediaType, status), body };
        return new fetchAPI.Response(null, { status });
      }, mediaType);
    },
  };
}
