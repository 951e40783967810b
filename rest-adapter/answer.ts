import type { ServerResponse } from 'node:http';
import type { GraphQLError } from 'graphql';
import type { Exchange, Headers } from './exchange.ts';
import { type ErrorCode, httpStatusOf } from './generated/error-codes.ts';
import type { Detail, Failure } from './host.ts';

const RETRY_AFTER_SECONDS = 1;

/** Sends a JSON body. Responses contain data of members, so no cache may store them. */
export function answer(response: ServerResponse, status: number, headers: Headers, body: object): void {
  const text = JSON.stringify(body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(text));
  headers['Cache-Control'] = 'no-store';
  response.writeHead(status, headers).end(text);
}

/**
 * Sends an error body.
 * @param status given where a route's status for the code differs from that in the contract's table
 */
export function answerFailure(
  { response, headers, requestId }: Pick<Exchange, 'response' | 'headers' | 'requestId'>,
  failure: Failure,
  status: number = httpStatusOf[failure.code],
): void {
  const { code, message, details, retryAfterSeconds } = failure;
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 429 || status === 503) headers['Retry-After'] = retryAfter(headers, retryAfterSeconds);
  answer(response, status, headers, { error: { code, message, requestId, ...(details && { details }) } });
}

function retryAfter(headers: Headers, seconds: number | undefined): string {
  return seconds === undefined ? (headers['Retry-After'] ?? String(RETRY_AFTER_SECONDS)) : String(seconds);
}

/** The refusal in the extensions of a GraphQL error, or null if there is none: such an error is unexpected. */
export function failureOf(error: GraphQLError): Failure | null {
  const { code, details, retryAfterSeconds } = error.extensions;
  if (!isErrorCode(code) || code === 'internal_error') return null;
  const failure: Failure = { code, message: error.message };
  if (Array.isArray(details)) failure.details = details as Detail[];
  if (typeof retryAfterSeconds === 'number') failure.retryAfterSeconds = retryAfterSeconds;
  return failure;
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(httpStatusOf, code);
}
