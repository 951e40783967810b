import { readFileSync } from 'node:fs';
import type { RequestListener, ServerOptions } from 'node:http';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { createRestAdapter } from '../../../rest-adapter/adapter.ts';
import { BODY_LIMIT_BYTES } from '../../../rest-adapter/read-variables.ts';
import { customerSurface, merchantSurface } from '../../../rest-adapter/surface.ts';
import { httpStatusOf } from '../../contract/generated/error-codes.ts';
import { createGraphiqlHandler, type GraphiqlOptions } from '../../graphql/graphiql.ts';
import { createGraphqlHandler } from '../../graphql/handler.ts';
import { createExecutableSchema } from '../../graphql/schema/executable-schema.ts';
import { createPublicSchema, printSdl } from '../../graphql/schema/public-schema.ts';
import { resolvers } from '../../graphql/schema/resolvers.ts';
import { graphqlPath } from '../../graphql/yoga.ts';
import { isLocal } from '../../http/local-request.ts';
import type { Logger } from '../../http/logger.ts';
import { toOriginForm } from '../../http/origin-form.ts';
import { discardBody } from '../../http/read-json-body.ts';
import { refuseRepeatedHeaders } from '../../http/repeated-headers.ts';
import { StaticDocument } from '../../http/static-document.ts';
import { type DemoShop, serveDemoShop } from '../pages/demo-shop.ts';
import { type DocumentationPage, readDocumentation } from '../pages/documentation.ts';
import { createFrontPage } from '../pages/front-page.ts';
import { serveSignIn } from '../people/serve-sign-in.ts';
import { cors } from '../requests/cors.ts';
import { expressMessages } from '../requests/express-messages.ts';
import { type FailureLog, failureLog } from '../requests/outage-log.ts';
import { SECURITY_HEADERS } from '../requests/security-headers.ts';
import { newRequestId, requestIdOf, sendError } from '../requests/send-error.ts';
import { atMostOnceIn } from '../service/at-most-once.ts';
import { CUSTOMER_CORS } from '../service/customers.ts';
import type { Health } from '../service/health.ts';
import { observeRequests } from '../service/observe-requests.ts';
import { Refusals } from '../service/refusals.ts';
import { createOverloadRefusal, refuseCommand } from '../service/refuse-overload.ts';
import { createCustomerHost, createRestHost, type HostParts } from '../service/rest-host.ts';
import { restOnlyFields } from '../service/rest-only-fields.ts';
import { createSandboxServed } from '../service/sandbox-served.ts';
import type { Service } from '../service/service.ts';
import { AgentDoor } from '../widgets/agent-door.ts';
import { serveWidgetFiles } from '../widgets/widget-files.ts';
import { createWidgetMcp } from '../widgets/widget-mcp.ts';
import { createWidgetRoutes, WIDGETS_PREFIX } from '../widgets/widget-routes.ts';

/** How old metrics may be: summing them up takes work, and anyone can request them without a key. */
const SCRAPE_EVERY_MS = 1_000;
const GRAPHIQL = '/graphiql';
const root = new URL('../../../', import.meta.url);

export interface AppOptions {
  service: Service;
  health: Health;
  logger: Logger;
  /** Returns the text that Prometheus reads: the metrics of this process, or of all workers. */
  readMetrics(): Promise<string>;
  /** Options of GraphiQL's page: the demo's values, if there is a demo. */
  graphiql: GraphiqlOptions;
  /** Null where there is no demo: its page is not served then. */
  demoShop: DemoShop | null;
}

/** What an HTTP server serves, and the classes of its requests and responses. */
export interface App {
  listener: RequestListener;
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** Creates the Express application that serves every path of the service. */
export function createApp({ service, health, logger, readMetrics, graphiql, demoShop }: AppOptions): App {
  const schema = createExecutableSchema(readFileSync(new URL('schema.graphql', root), 'utf8'), resolvers);
  const refusals = new Refusals(service.metrics, logger);
  const reportRefusal = refusals.note.bind(refusals);
  const sandboxServed = createSandboxServed(service.pool);
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false).enable('case sensitive routing');
  app.use(observeRequests(service.metrics, refusals, logger));
  // Requests that fail because the database is away have one line a second, and not one each.
  const failures = failureLog(logger);
  const parts = { schema, newRequestId, logger: failures, reportRefusal };
  app.use(['/api', customerSurface.prefix, GRAPHIQL], securityHeaders);
  const mcp = createWidgetMcp(new AgentDoor({ ...parts, service }), reportRefusal);
  app.use(WIDGETS_PREFIX, createWidgetRoutes({ ...parts, widgets: service.widgets, mcp }));
  app.use(merchantSurface.prefix, createRestAdapter(createRestHost(service, parts), merchantSurface));
  app.use(
    customerSurface.prefix,
    cors(CUSTOMER_CORS, () => service.customers.directory.origins()),
    createRestAdapter(createCustomerHost(service, parts), customerSurface),
  );
  serveGraphql(app, service, parts);
  app.use(identified);
  app.get(GRAPHIQL, onlyWhere(sandboxServed), createGraphiqlHandler(graphiql));
  app.use(helmet());
  serveFrontPage(app, sandboxServed, demoShop !== null);
  serveDescriptions(app);
  serveWidgetFiles(app);
  if (demoShop) serveDemoShop(app, demoShop, reportRefusal);
  serveSignIn(app, { ...service.people, management: service.management, reportRefusal });
  serveHealth(app, health, readMetrics);
  app.use((_request, response) => {
    reportRefusal(response, 'not_found');
    sendError(response, 404, 'not_found', 'There is no such path. GET / lists what is served.');
  });
  app.use(failed(failures, reportRefusal));
  const refuseOverload = createOverloadRefusal(service);
  const listener: RequestListener = (request, response) => {
    const refusal = refuseRepeatedHeaders(request) ?? toOriginForm(request) ?? refuseOverload(request);
    if (!refusal) return void app(request, response);
    service.metrics.countRefusal(refusal.code);
    discardBody(request, response, BODY_LIMIT_BYTES);
    const status = httpStatusOf[refusal.code];
    if (status === 503) response.setHeader('Retry-After', '1');
    sendError(response, status, refusal.code, refusal.message);
  };
  return { listener, messages: expressMessages(app) };
}

/** Serves the GraphQL endpoint and the SDL of its schema. */
function serveGraphql(app: Express, service: Service, { schema, ...parts }: HostParts): void {
  const { authenticator, rateLimiter, writer, queries, couponGuesses, searches } = service;
  const { recentOwners, sweep, webhookSettings, widgets, management } = service;
  const publicSchema = createPublicSchema(schema);
  app.all(
    graphqlPath,
    createGraphqlHandler({
      ...parts,
      schema: publicSchema,
      authenticate: (authorization, environment) => authenticator.authenticate(authorization, environment),
      takeRateUnit: (keyId) => rateLimiter.take(keyId),
      exhaustedRate: (keyId) => rateLimiter.exhausted(keyId),
      refuseCommand: ({ environmentId, principal }) => refuseCommand(writer, environmentId, principal),
      ...{
        commands: writer,
        queries,
        couponGuesses,
        searches,
        recentOwners,
        sweep,
        webhookSettings,
        widgets,
      },
      management,
      restOnly: restOnlyFields(schema),
    }),
  );
  const sdl = document('text/plain', () => printSdl(publicSchema));
  app.get(`${graphqlPath}/schema.graphql`, identified, sdl);
}

/**
 * Serves a page for browsers at `/` and `/docs`, and the documentation that it links to. Both are read at the first
 * request.
 */
function serveFrontPage(app: Express, sandboxServed: () => Promise<boolean>, isDemo: boolean): void {
  let documentation: DocumentationPage[] | null = null;
  const pages = new Map<string, StaticDocument>();
  const read = (): DocumentationPage[] => {
    documentation ??= readDocumentation(root);
    return documentation;
  };
  app.get(['/', '/docs'], async (request, response, next) => {
    if (!/\btext\/html\b|\*\/\*/i.test(request.headers.accept ?? '')) {
      response.setHeader('Vary', 'Accept, Accept-Encoding');
      return next();
    }
    // The page is also served if the database cannot be reached.
    const graphiql = await sandboxServed().catch(() => false);
    const demo = isDemo && isLocal(request);
    const key = `${graphiql} ${demo}`;
    const page = pages.get(key) ?? createFrontPage({ graphiql, demo }, read());
    pages.set(key, page);
    await page.send(request, response);
  });
  app.get(['/README.md', '/docs/*path'], async (request, response, next) => {
    const page = read().find(({ path }) => path === request.path);
    if (!page) return next();
    await page.document.send(request, response);
  });
}

/** Serves what says whether the process lives and can serve, and its metrics. */
function serveHealth(app: Express, health: Health, readMetrics: () => Promise<string>): void {
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    const problem = await health.problem();
    if (problem) return void response.status(503).json({ status: 'unready', problem });
    const warning = await health.warning();
    response.json({ status: 'ready', ...(warning && { warning }) });
  });
  const scrape = atMostOnceIn(SCRAPE_EVERY_MS, readMetrics);
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await scrape());
  });
}

/** Serves the files that describe the service to programs. */
function serveDescriptions(app: Express): void {
  const serve = (path: string, type: string, file: string): void => {
    app.get(
      path,
      document(type, () => readFileSync(new URL(file, root), 'utf8')),
    );
  };
  const schema = 'application/schema+json';
  const generated = 'src/contract/generated';
  for (const { openapi } of [merchantSurface, customerSurface])
    serve(openapi, 'application/json', openapi.slice(1));
  serve('/schemas/program.v1.json', schema, 'src/programs/program.schema.json');
  serve('/schemas/widget.v1.json', schema, 'src/widget/widget.schema.json');
  serve('/schemas/agent-rewards-surface.v1.json', schema, 'src/widget/agent-rewards-surface.v1.schema.json');
  serve('/schemas/webhook-events.v1.json', schema, `${generated}/webhook-events.schema.json`);
  serve('/schemas/webhook-events.v1.ts', 'text/plain', `${generated}/webhook-events.ts`);
}

const securityHeaderList = Object.entries(SECURITY_HEADERS);

/** Helmet serves the paths outside the APIs and GraphiQL, whose page has a policy of its own. */
const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of securityHeaderList) response.setHeader(name, value);
  next();
};

/** What the APIs set by themselves. Documents say how long they may be kept. */
const identified: RequestHandler = (request, response, next) => {
  response.setHeader('X-Request-Id', requestIdOf(request));
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** Serves a document. It is made at its first request, for most processes are never asked for it. */
function document(type: string, make: () => string): RequestHandler {
  let cached: StaticDocument | null = null;
  return (request, response) => {
    cached ??= new StaticDocument(make(), { 'Content-Type': `${type}; charset=utf-8` });
    return cached.send(request, response);
  };
}

/** Serves a path only while a condition is true. Otherwise the path is unknown. */
function onlyWhere(holds: () => Promise<boolean>): RequestHandler {
  return async (_request, _response, next) => next((await holds()) ? undefined : 'route');
}

function failed(logger: FailureLog, reportRefusal: Refusals['note']): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, request, response, _next) => {
    const requestId = requestIdOf(request);
    const status = statusOf(error);
    if (status === 500) logger.error({ err: error, requestId }, 'A request failed');
    reportRefusal(response, status === 500 ? 'internal_error' : 'validation_failed');
    if (response.headersSent) response.destroy();
    else if (status === 500) sendError(response, 500, 'internal_error', 'Internal error', requestId);
    else sendError(response, status, 'validation_failed', 'The path is not well encoded.', requestId);
  };
}

function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : 500;
  return status === 400 ? 422 : 500;
}
