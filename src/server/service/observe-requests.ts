import type { RequestHandler } from 'express';
import { customerSurface, merchantSurface } from '../../../rest-adapter/surface.ts';
import type { Logger } from '../../http/logger.ts';
import { sparingly } from '../../http/sparingly.ts';
import type { Metrics } from './metrics.ts';
import type { Refusals } from './refusals.ts';

const SURFACES = [
  ...new Set(
    [merchantSurface, customerSurface].flatMap(({ prefix, routes }) =>
      routes.map((route) => `${prefix}${/^\/[a-z-]+/.exec(route.path)?.[0] ?? ''}`),
    ),
  ),
  '/api/graphql',
  '/graphiql',
  '/healthz',
  '/readyz',
  '/metrics',
  merchantSurface.openapi,
  customerSurface.openapi,
  '/schemas',
];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const END = new Set(['', '/', '?']);
const SLOW_SECONDS = 1;

/**
 * Measures each request and logs it: at level debug, or as a warning if it failed or was slow. Paths can name a
 * customer, so only the fixed part of a path is recorded.
 */
export function observeRequests(metrics: Metrics, refusals: Refusals, logger: Logger): RequestHandler {
  const warn = sparingly<object>((line, unmentioned) => {
    logger.warn({ ...line, unmentioned }, 'A request failed or was slow');
  });
  return (request, response, next) => {
    const startedAt = performance.now();
    const path = request.url;
    // Node accepts thirty more, and each would be a series of its own for each surface and status.
    const method = METHODS.has(request.method) ? request.method : 'other';
    response.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const status = response.writableFinished ? response.statusCode : 499;
      const surface = surfaceOf(path);
      metrics.observeRequest(surface, method, status, seconds);
      const remarkable = status >= 500 || seconds > SLOW_SECONDS;
      if (!remarkable && !logger.isLevelEnabled('debug')) return;
      // Node keeps what is given to writeHead only where headers were set before, as those of security are.
      const requestId = response.getHeader('x-request-id');
      const line = { requestId, method, surface, status, seconds, code: refusals.codeOf(response) };
      if (remarkable) warn(line);
      else logger.debug(line, 'Request');
    });
    next();
  };
}

/**
 * The fixed part of a path: `/api/v1/members` for `/api/v1/members/…`. All paths outside the list are `other`:
 * otherwise clients could choose names that appear in the logs and add series to the metrics.
 */
function surfaceOf(path: string): string {
  return (
    SURFACES.find((surface) => path.startsWith(surface) && END.has(path.charAt(surface.length))) ?? 'other'
  );
}
