import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import { type ErrorCode, httpStatusOf } from './generated/error-codes.ts';
import type { Detail, Failure } from './host.ts';

/** Headers of an answer besides its content's own. */
export type Headers = Record<string, string>;

const RETRY_AFTER_SECONDS = '1';

/** Sends a JSON body. What a response carries is a member's, so no cache keeps it. */
export function answer(response: ServerResponse, status: number, headers: Headers, body: object): void {
  const text = JSON.stringify(body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  headers['Cache-Control'] = 'no-store';
  response.writeHead(status, headers).end(text);
}

/**
 * Sends an error body.
 * @param status where a route answers a code otherwise than the contract's table does
 */
export function answerFailure(
  response: ServerResponse,
  headers: Headers,
  requestId: string,
  failure: Failure,
  status: number = httpStatusOf[failure.code],
): void {
  const { code, message, details } = failure;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if ((status === 429 || status === 503) && headers['Retry-After'] === undefined) {
    headers['Retry-After'] = RETRY_AFTER_SECONDS;
  }
  answer(response, status, headers, { error: { code, message, requestId, ...(details && { details }) } });
}

/** The refusal that a GraphQL error carries in its extensions, or null where it carries none: then it is broken. */
export function failureOf(error: GraphQLError): Failure | null {
  const { code, details } = error.extensions;
  if (!isErrorCode(code) || code === 'internal_error') return null;
  const failure: Failure = { code, message: error.message };
  if (Array.isArray(details)) failure.details = details as Detail[];
  return failure;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(httpStatusOf, code);
}
