import type { RequestHandler } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, X-Environment, X-Request-Id';
const RESPONSE_HEADERS = 'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed';
const PREFLIGHT_SECONDS = '600';

/** The header that lets pages of an origin read a response. */
export const ALLOWED_ORIGIN = 'Access-Control-Allow-Origin';

/**
 * Answers preflights, and lets the pages of issuers' origins read responses. A preflight has neither environment nor token,
 * so it is answered by the origins of all issuers, and so is a request whose token is refused. Once the issuer of a request
 * is known, the response is for that issuer's origins alone (customer-host.ts).
 * @param origins the origins of all issuers
 */
export function customerCors(origins: () => Promise<ReadonlySet<string>>): RequestHandler {
  return async (request, response, next) => {
    const { origin } = request.headers;
    response.setHeader('Vary', 'Origin');
    // Without the database no origin is known. The request itself tells that it cannot be reached.
    const known = origin !== undefined && (await origins().catch(() => NONE)).has(origin);
    if (known) {
      response.setHeader(ALLOWED_ORIGIN, origin);
      response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
    }
    if (request.method !== 'OPTIONS') return next();
    if (known) {
      response.setHeader('Access-Control-Allow-Methods', METHODS);
      response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    }
    response.writeHead(204).end();
  };
}

const NONE: ReadonlySet<string> = new Set();
