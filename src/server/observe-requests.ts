import type { RequestHandler } from 'express';
import { routes } from '../../rest-adapter/routes.ts';
import type { Logger } from '../http/logger.ts';
import type { Metrics } from './metrics.ts';
import type { Refusals } from './refusals.ts';

const SURFACES = [
  ...new Set(routes.map((route) => `/api/v1${/^\/[a-z-]+/.exec(route.path)?.[0] ?? ''}`)),
  '/api/graphql',
  '/graphiql',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/schemas',
];
const END = new Set(['', '/', '?']);
const SLOW_SECONDS = 1;
const WARN_EVERY_MS = 1_000;

/**
 * Measures each request, and logs it: at level debug, or as a warning where it failed or was slow. Paths can name a
 * customer, so what is kept of one is the part that cannot.
 */
export function observeRequests(metrics: Metrics, refusals: Refusals, logger: Logger): RequestHandler {
  const warn = sparingly((line, unmentioned) => {
    logger.warn({ ...line, unmentioned }, 'A request failed or was slow');
  });
  return (request, response, next) => {
    const begun = performance.now();
    const path = request.url;
    const method = request.method;
    response.once('close', () => {
      const seconds = (performance.now() - begun) / 1000;
      const status = response.writableFinished ? response.statusCode : 499;
      const surface = surfaceOf(path);
      metrics.observeRequest(surface, method, status, seconds);
      const remarkable = status >= 500 || seconds > SLOW_SECONDS;
      if (!remarkable && !logger.isLevelEnabled('debug')) return;
      const requestId = response.getHeader('x-request-id');
      const line = { requestId, method, surface, status, seconds, code: refusals.codeOf(response) };
      if (remarkable) warn(line);
      else logger.debug(line, 'Request');
    });
    next();
  };
}

/** Passes one line a second on, with the number of those it has kept back: an overload must not be made worse by its log. */
function sparingly(write: (line: object, unmentioned: number) => void): (line: object) => void {
  let next = 0;
  let unmentioned = 0;
  return (line) => {
    const now = performance.now();
    if (now < next) {
      unmentioned += 1;
      return;
    }
    write(line, unmentioned);
    next = now + WARN_EVERY_MS;
    unmentioned = 0;
  };
}

/**
 * The part of a path that a client cannot choose: `/api/v1/members/…` is `/api/v1/members`. Paths that are not served
 * are one and the same, or each would leave a name of somebody's choice in the logs and a series in the metrics.
 */
function surfaceOf(path: string): string {
  return (
    SURFACES.find((surface) => path.startsWith(surface) && END.has(path.charAt(surface.length))) ?? 'other'
  );
}
