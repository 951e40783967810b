import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { createRestAdapter } from '../../rest-adapter/adapter.ts';
import { createGraphiqlHandler, type GraphiqlOptions } from '../graphql/graphiql.ts';
import { createExecutableSchema } from '../graphql/schema/executable-schema.ts';
import { createPublicSchema, printSdl } from '../graphql/schema/public-schema.ts';
import { resolvers } from '../graphql/schema/resolvers.ts';
import { createGraphqlHandler, graphqlPath } from '../graphql/yoga.ts';
import type { Logger } from '../http/logger.ts';
import { newUuid, toTypeId } from '../ids.ts';
import type { Health } from './health.ts';
import { observeRequests } from './observe-requests.ts';
import { createRestHost } from './rest-host.ts';
import type { Service } from './service.ts';

const root = new URL('../../', import.meta.url);

export interface AppOptions {
  service: Service;
  health: Health;
  logger: Logger;
  /** What Prometheus reads: this process's own metrics, or those of all workers. */
  readMetrics(): Promise<string>;
  /** GraphiQL's page, with the demo's headers where there is one. */
  graphiql: GraphiqlOptions;
}

/** The whole HTTP surface of the service, as one Express application. */
export function createApp({ service, health, logger, readMetrics, graphiql }: AppOptions): Express {
  const newRequestId = (): string => toTypeId('req', newUuid());
  const schema = createExecutableSchema(readFileSync(new URL('schema.graphql', root), 'utf8'), resolvers);
  const publicSchema = createPublicSchema(schema);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).enable('case sensitive routing');
  app.use(observeRequests(service.metrics, logger));
  app.use('/api', securityHeaders);
  app.use('/api/v1', createRestAdapter(createRestHost(service, schema, newRequestId, logger)));
  app.get(`${graphqlPath}/schema.graphql`, text('text/plain', printSdl(publicSchema)));
  app.all(
    graphqlPath,
    createGraphqlHandler({
      schema: publicSchema,
      authenticate: (authorization, environment) =>
        service.authenticator.authenticate(authorization, environment),
      takeRateUnit: (keyId) => service.rateLimiter.take(keyId),
      commands: service.writer,
      queries: service.queries,
      logger,
      newRequestId,
    }),
  );
  app.get('/graphiql', createGraphiqlHandler(graphiql));
  app.use(helmet());
  app.get('/openapi.json', text('application/json', readFileSync(new URL('openapi.json', root), 'utf8')));
  app.get(
    '/schemas/program.v1.json',
    text(
      'application/schema+json',
      readFileSync(new URL('src/programs/document/program.schema.json', root), 'utf8'),
    ),
  );
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    const problem = await health.problem();
    response.status(problem ? 503 : 200).json(problem ? { status: 'unready', problem } : { status: 'ready' });
  });
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await readMetrics());
  });
  app.use((_request, response) =>
    sendError(response, 404, 'not_found', 'There is no such path.', newRequestId()),
  );
  app.use(failed(logger, newRequestId));
  return app;
}

/**
 * What helmet would set that matters for JSON, written once: helmet's own dozen of functions cost more than the
 * routing of a request. The pages that a browser shows have helmet itself.
 */
const securityHeaders: RequestHandler = (_request, response, next) => {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  next();
};

function text(type: string, body: string): RequestHandler {
  return (_request, response) => void response.type(type).send(body);
}

function failed(logger: Logger, newRequestId: () => string): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, _request, response, _next) => {
    const requestId = newRequestId();
    const status = statusOf(error);
    if (status === 500) logger.error({ err: error, requestId }, 'A request failed');
    if (response.headersSent) response.destroy();
    else if (status === 500) sendError(response, 500, 'internal_error', 'Internal error', requestId);
    else sendError(response, status, 'validation_failed', 'The path is not well encoded.', requestId);
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : 500;
  return status === 400 ? 422 : 500;
}

function sendError(
  response: ServerResponse<IncomingMessage>,
  status: number,
  code: string,
  message: string,
  requestId: string,
): void {
  const body = JSON.stringify({ error: { code, message, requestId } });
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
    })
    .end(body);
}
