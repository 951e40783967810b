import type { ServerResponse } from 'node:http';
import type { ExecutionResult, GraphQLError } from 'graphql';
import type { ErrorCode } from '../../contract/generated/error-codes.ts';
import { rateLimitHeader, rateLimitPolicyHeader } from '../../http/rate-limit.ts';
import { type ErrorLog, type FormattedError, formatErrors, type RestOnlyFields } from './format-errors.ts';
import type { GraphqlRequest } from './graphql-request.ts';
import { type MediaType, mediaTypeFor } from './media-type.ts';

/** What responses are made with. */
export interface ResponseParts {
  /** Gets every error that is sent masked. */
  logger: ErrorLog;
  /** Called with the code of every error in a response, and with the root field that it is of. */
  reportRefusal(response: ServerResponse, code: ErrorCode, operation?: string): void;
  restOnly: RestOnlyFields;
}

/** The statuses of refusals that become the response's status if nothing was executed. */
const transportStatuses: ReadonlySet<number> = new Set([400, 401, 403, 405, 413, 415, 429, 500, 503]);
/** The statuses of refusals that become the response's status if every top-level field was refused with them. */
const sharedStatuses = [403, 429, 503] as const;
/** How long a client should wait after a 503: a full queue drains, or the database is back, within seconds. */
const unavailableRetrySeconds = 1;

/**
 * Sends a result as the HTTP response: with formatted and masked errors, the status that follows from them, and the
 * headers of the contract, in one piece.
 */
export function sendResult(
  request: GraphqlRequest,
  { data = null, errors }: ExecutionResult,
  { logger, reportRefusal, restOnly }: ResponseParts,
): void {
  const { req, res } = request;
  const formatted = errors?.length ? formatErrors(errors, request, logger, restOnly) : undefined;
  formatted?.forEach(({ extensions }, index) => {
    reportRefusal(res, extensions.code, fieldOf(errors?.[index]));
  });
  const status = formatted ? statusOf(data, formatted) : 200;
  const body = JSON.stringify({ data, errors: formatted });
  const headers = responseHeaders(request, mediaTypeFor(req.headers.accept), status);
  headers['Content-Length'] = String(Buffer.byteLength(body));
  res.writeHead(status, headers).end(body);
}

/** The root field that an error is of; undefined where the document was not executed. */
function fieldOf(error: GraphQLError | undefined): string | undefined {
  const [node] = error?.path?.length === 1 ? (error.nodes ?? []) : [];
  return node?.kind === 'Field' ? node.name.value : undefined;
}

/**
 * The HTTP status of a result with errors. Any unexpected error makes it 500. If every top-level field was refused for
 * its scope, the rate limit or load, it is the status of that refusal. Other refusals of executed fields leave it 200.
 * @param data undefined or null if nothing was executed
 */
function statusOf(data: unknown, errors: readonly FormattedError[]): number {
  for (const error of errors) if (error.extensions.httpStatus === 500) return 500;
  if (data === undefined || data === null) {
    const status = errors[0]?.extensions.httpStatus ?? 200;
    return transportStatuses.has(status) ? status : 200;
  }
  const answers = Object.values(data);
  // A root field's result is an object or null: a string is a `__typename`.
  const fields = answers.filter((answer) => typeof answer !== 'string').length;
  for (const status of sharedStatuses) {
    const refused = errors.filter(
      ({ path, extensions }) => path?.length === 1 && extensions.httpStatus === status,
    ).length;
    if (refused > 0 && refused === fields) return status;
  }
  return 200;
}

/** The headers of a response, with their names in the case in which they are sent. */
function responseHeaders(
  request: GraphqlRequest,
  mediaType: MediaType,
  status: number,
): Record<string, string> {
  const headers: Record<string, string> = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'X-Request-Id': request.requestId,
  };
  const verdict = request.rateVerdict;
  if (verdict) {
    headers['RateLimit-Policy'] = rateLimitPolicyHeader(verdict.limit);
    headers.RateLimit = rateLimitHeader(verdict);
  }
  if (status === 429 && verdict) headers['Retry-After'] = String(verdict.resetSeconds);
  else if (status === 503) headers['Retry-After'] = String(unavailableRetrySeconds);
  else if (status === 405) headers.Allow = 'POST';
  else if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}
