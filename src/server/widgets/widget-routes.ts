import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, type RequestHandler, Router } from 'express';
import { answerFailure } from '../../../rest-adapter/answer.ts';
import type { Headers } from '../../../rest-adapter/exchange.ts';
import { BODY_LIMIT_BYTES } from '../../../rest-adapter/read-variables.ts';
import { refuseUnavailable } from '../../graphql/errors/unavailable.ts';
import { discardBody } from '../../http/read-json-body.ts';
import { includesTag } from '../../http/static-document.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type CorsPolicy, cors } from '../requests/cors.ts';
import type { FailureLog } from '../requests/outage-log.ts';
import { refuseQuery } from '../requests/refuse-query.ts';
import { requestIdOf } from '../requests/send-error.ts';
import type { Refusals } from '../service/refusals.ts';
import { admitVisitor } from './admit-visitor.ts';
import { ANONYMOUS_SECONDS, type RenderedSurface, type Widgets } from './widgets.ts';

/** Where the widgets' routes are mounted. */
export const WIDGETS_PREFIX = '/api/v1/widgets';

const POLICY: CorsPolicy = {
  methods: 'GET, POST',
  requestHeaders: 'Authorization, Content-Type, If-Match, If-None-Match, X-Request-Id, MCP-Protocol-Version',
  responseHeaders: 'ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed',
};

/**
 * What pages of a shop call. `/sessions` is not among them: it takes a server key, which no page may have, so no
 * browser is told that a page may call it.
 */
const FOR_PAGES = ['surface', 'actions', 'mcp'].map((path) => `/:deploymentId/${path}`);

const wrongMethod = refuse('method_not_allowed', 'The path does not take this method: it takes GET, HEAD.');

export interface WidgetRouteOptions {
  widgets: Widgets;
  logger: FailureLog;
  reportRefusal: Refusals['note'];
  /** Handles the messages of agents. */
  mcp: RequestHandler<{ deploymentId: string }>;
}

/** The routes of widgets, below `WIDGETS_PREFIX`. What is none of them goes on to the REST API. */
export function createWidgetRoutes({
  widgets,
  logger,
  reportRefusal,
  mcp,
}: WidgetRouteOptions): RequestHandler {
  const { directory } = widgets;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    FOR_PAGES,
    cors(POLICY, async ({ params: { deploymentId } }) => {
      const deployment = await directory.find(String(deploymentId));
      return new Set(deployment?.document.origins);
    }),
  );
  router.all('/:deploymentId/mcp', mcp);
  router
    .route('/:deploymentId/surface')
    .get(async (request, response) => {
      const requestId = requestIdOf(request);
      const headers: Headers = { 'X-Request-Id': requestId };
      const read = await readSurface(widgets, request, headers).catch((error: unknown) => {
        const unavailable = refuseUnavailable(error);
        if (!unavailable)
          logger.error({ err: error, requestId }, 'The surface of a widget could not be made');
        return unavailable ?? refuse('internal_error', 'Internal error');
      });
      if (isRefusal(read)) fail(response, read, requestId, headers);
      else send(request, response, read, headers);
    })
    .all((request, response) => {
      discardBody(request, response, BODY_LIMIT_BYTES);
      response.setHeader('Allow', 'GET, HEAD');
      const requestId = requestIdOf(request);
      fail(response, wrongMethod, requestId, { 'X-Request-Id': requestId });
    });
  return router;

  function fail(
    response: ServerResponse,
    { code, message, details }: Refusal,
    requestId: string,
    headers: Headers,
  ): void {
    reportRefusal(response, code);
    answerFailure({ response, headers, requestId }, { code, message, ...(details && { details }) });
  }
}

type Read = RenderedSurface & { personalized: boolean };

/** Reads the surface that a request asks for, and adds to the headers of its response. */
async function readSurface(
  widgets: Widgets,
  request: Request<{ deploymentId: string }>,
  headers: Headers,
): Promise<Read | Refusal> {
  const { visitor, headers: ofAdmission } = await admitVisitor(widgets, request, request.params.deploymentId);
  Object.assign(headers, ofAdmission);
  if (isRefusal(visitor)) return visitor;
  const asked = refuseQuery(request);
  if (asked) return asked;
  const { deployment, session } = visitor;
  const rendered = await widgets.surfaces.read(deployment, session);
  return isRefusal(rendered) ? rendered : { ...rendered, personalized: session !== null };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { body, etag, personalized }: Read,
  baseHeaders: Headers,
): void {
  const headers = {
    ...baseHeaders,
    ETag: etag,
    'Cache-Control': personalized ? 'private, no-store' : `public, max-age=${ANONYMOUS_SECONDS}`,
    Vary: 'Origin, Authorization',
  };
  if (includesTag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response
    .writeHead(200, {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    })
    .end(body);
}
