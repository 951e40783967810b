import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { answerFailure } from '../../rest-adapter/answer.ts';
import { readQuery } from '../../rest-adapter/query-parameters.ts';
import { BODY_LIMIT_BYTES } from '../../rest-adapter/read-variables.ts';
import { refuseUnavailable } from '../graphql/errors/unavailable.ts';
import type { Logger } from '../http/logger.ts';
import { discardBody } from '../http/read-json-body.ts';
import { includesTag } from '../http/static-document.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { WidgetDeployment } from '../widget/widget-document.ts';
import { type CorsPolicy, cors } from './cors.ts';
import type { Refusals } from './refusals.ts';
import { requestIdOf } from './send-error.ts';
import { ANONYMOUS_SECONDS, type RenderedSurface, type Widgets } from './widgets.ts';

/** Where the widgets' routes are mounted. */
export const WIDGETS_PREFIX = '/api/v1/widgets';

const POLICY: CorsPolicy = {
  methods: 'GET, POST',
  requestHeaders: 'Authorization, Content-Type, If-Match, If-None-Match',
  responseHeaders: 'ETag, Retry-After, X-Request-Id',
};

const BEARER = /^bearer /i;
const BEARER_LENGTH = 'Bearer '.length;

const noDeployment = refuse('deployment_not_found', 'There is no widget deployment of this id.');
const noSession = refuse(
  'unauthorized',
  'The Authorization header is not of the form Bearer <SESSION>. Without the header, the surface is the anonymous one.',
);
const wrongMethod = refuse('method_not_allowed', 'The path does not take this method: it takes GET, HEAD.');

export interface WidgetRouteOptions {
  widgets: Widgets;
  logger: Logger;
  reportRefusal: Refusals['note'];
}

/** The routes of widgets, below `WIDGETS_PREFIX`. What is none of them goes on to the REST API. */
export function createWidgetRoutes({ widgets, logger, reportRefusal }: WidgetRouteOptions): RequestHandler {
  const { directory } = widgets;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    '/:deploymentId',
    cors(POLICY, async ({ params: { deploymentId } }) => {
      const deployment = await directory.find(String(deploymentId));
      return new Set(deployment?.document.origins);
    }),
  );
  router
    .route('/:deploymentId/surface')
    .get(async (request, response) => {
      const requestId = requestIdOf(request);
      const read = await readSurface(request, request.params.deploymentId).catch((error: unknown) => {
        const unavailable = refuseUnavailable(error);
        if (!unavailable)
          logger.error({ err: error, requestId }, 'The surface of a widget could not be made');
        return unavailable ?? refuse('internal_error', 'Internal error');
      });
      if (isRefusal(read)) fail(response, read, requestId);
      else send(request, response, read, requestId);
    })
    .all((request, response) => {
      discardBody(request, response, BODY_LIMIT_BYTES);
      response.setHeader('Allow', 'GET, HEAD');
      fail(response, wrongMethod, requestIdOf(request));
    });
  return router;

  async function readSurface(request: IncomingMessage, deploymentId: string): Promise<Read | Refusal> {
    const deployment = await directory.find(deploymentId);
    if (!deployment) return noDeployment;
    const [, query = ''] = (request.url ?? '').split('?', 2);
    const { details } = readQuery(query, null);
    const [first] = details;
    if (first) {
      const message = `The request violates the contract: ${first.path} ${first.message}.`;
      return refuse('validation_failed', message, details);
    }
    const session = await sessionOf(request, deployment);
    if (session && isRefusal(session)) return session;
    const rendered = await widgets.surfaces.read(deployment, session);
    return isRefusal(rendered) ? rendered : { ...rendered, personalized: session !== null };
  }

  async function sessionOf(request: IncomingMessage, deployment: WidgetDeployment) {
    const { authorization, origin } = request.headers;
    if (authorization === undefined) return null;
    if (!BEARER.test(authorization)) return noSession;
    return widgets.openSession(authorization.slice(BEARER_LENGTH), deployment, origin);
  }

  function fail(response: ServerResponse, { code, message, details }: Refusal, requestId: string): void {
    reportRefusal(response, code);
    const failure = { code, message, ...(details && { details }) };
    answerFailure(response, { 'X-Request-Id': requestId }, requestId, failure);
  }
}

type Read = RenderedSurface & { personalized: boolean };

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { body, etag, personalized }: Read,
  requestId: string,
): void {
  const headers = {
    'X-Request-Id': requestId,
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
