import type { Request, RequestHandler } from 'express';
import { requestIdOf } from './send-error.ts';

const PREFLIGHT_SECONDS = '600';

/** The header that lets pages of an origin read a response. */
export const ALLOWED_ORIGIN = 'Access-Control-Allow-Origin';

/** What pages of an origin that is let in may send and read: names, separated by commas. */
export interface CorsPolicy {
  methods: string;
  requestHeaders: string;
  responseHeaders: string;
}

/**
 * Answers preflights, and lets the pages of some origins read responses.
 * @param originsOf the origins whose pages may read the response to a request
 */
export function cors(
  { methods, requestHeaders, responseHeaders }: CorsPolicy,
  originsOf: (request: Request) => Promise<ReadonlySet<string>>,
): RequestHandler {
  return async (request, response, next) => {
    const { origin } = request.headers;
    response.setHeader('Vary', 'Origin');
    // Without the database no origin is known. The request itself tells that it cannot be reached.
    const isAllowed = origin !== undefined && (await originsOf(request).catch(() => NONE)).has(origin);
    if (isAllowed) {
      response.setHeader(ALLOWED_ORIGIN, origin);
      response.setHeader('Access-Control-Expose-Headers', responseHeaders);
    }
    if (request.method !== 'OPTIONS') return next();
    if (isAllowed) {
      response.setHeader('Access-Control-Allow-Methods', methods);
      response.setHeader('Access-Control-Allow-Headers', requestHeaders);
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    }
    response.writeHead(204, { 'Cache-Control': 'no-store', 'X-Request-Id': requestIdOf(request) }).end();
  };
}

const NONE: ReadonlySet<string> = new Set();
