import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/open-database.ts';
import type { GraphiqlOptions } from '../../graphql/graphiql.ts';
import { createLogger } from '../../http/logger.ts';
import { networkOf } from '../../http/network.ts';
import { OpenConnections } from '../connections/open-connections.ts';
import { connectionsWithin } from '../connections/open-files.ts';
import { type AnswerOwner, UnsentAnswers } from '../connections/unsent-answers.ts';
import type { DemoShop } from '../pages/demo-shop.ts';
import { answerMalformed } from '../requests/malformed-requests.ts';
import { sendError } from '../requests/send-error.ts';
import { Health } from '../service/health.ts';
import { openService, type Service } from '../service/service.ts';
import { createApp } from './app.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long a connection may transfer nothing, in any state. Far longer than any request takes. */
const SILENCE_TIMEOUT_MS = 120_000;
/** How often Node looks for requests and headers that take too long. */
const LOOK_EVERY_MS = 5_000;
const MOST_HEADERS = 100;
const SLOWEST_BYTES_PER_SECOND = 65_536;
const MOST_REQUESTS_OF_ONE_CONNECTION = 100_000;
const MAX_HEADER_BYTES = 16_384;

/** An HTTP server that listens. */
export interface RunningServer {
  /** The URL at which this machine reaches it, such as `http://127.0.0.1:4000`. */
  url: string;
  /** This process's metrics, as Prometheus reads them. */
  metrics(): Promise<string>;
  /**
   * Takes no more connections, finishes the accepted requests within `shutdownSeconds`, then closes the connections to
   * the database.
   */
  close(): Promise<void>;
}

export interface ServerOptions {
  config: Config;
  database: Pick<Database, 'serverUrl' | 'serverRole' | 'operatorUrl' | 'operatorRole'>;
  graphiql: GraphiqlOptions;
  demoShop?: DemoShop | null;
  /** Returns the text of /metrics. Absent: that of this process alone. */
  readMetrics?: () => Promise<string>;
}

/** Serves HTTP on the configured port. @throws if the port is taken */
export async function startServer({
  config,
  database,
  graphiql,
  demoShop = null,
  readMetrics,
}: ServerOptions): Promise<RunningServer> {
  const logger = createLogger(config.logLevel);
  const service = await openService(config, database, logger);
  const health = new Health(service.readinessPool, config);
  const metrics = (): Promise<string> => service.metrics.registry.metrics();
  const app = createApp({ service, health, logger, graphiql, demoShop, readMetrics: readMetrics ?? metrics });
  const server = createServer({
    ...app.messages,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
    keepAliveTimeout: config.keepAliveSeconds * 1000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused with all other requests that are no good, in the same form.
    requireHostHeader: false,
    noDelay: true,
  });
  server.timeout = SILENCE_TIMEOUT_MS;
  server.maxHeadersCount = MOST_HEADERS;
  const unsent = new UnsentAnswers({
    limitBytes: config.unsentLimitBytes,
    ownerOf: (request) => ownerOf(service.authenticator, request),
    onCutOff: () => service.metrics.countCutOff(),
  });
  const connections = new OpenConnections(server, app.listener, {
    unsent,
    connections: connectionsWithin(config, logger),
    // Node's own limit answers what is sent after it with a bare 503.
    requestsOfOne: MOST_REQUESTS_OF_ONE_CONNECTION,
    writeTimeoutMs: config.writeTimeoutSeconds * 1000,
    slowestBytesPerSecond: SLOWEST_BYTES_PER_SECOND,
    refuse(response) {
      service.metrics.countRefusal('rate_limited');
      refuseTooMany(response);
    },
  });
  answerMalformed(server, {
    mayAnswer: (socket) => connections.mayAnswerMalformed(socket),
    countRefusal: (code) => service.metrics.countRefusal(code),
  });
  try {
    await listen(server, config);
  } catch (error) {
    await service.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  logger.debug({ port }, 'Serving');
  return {
    url: localUrl(config.host, port),
    metrics,
    async close() {
      health.draining = true;
      await connections.drain(config.shutdownSeconds * 1000);
      await service.close();
      logger.debug('Stopped');
    },
  };
}

/**
 * Whose answer it is: the key's, where it was checked lately, and otherwise that of the address from which the request
 * comes.
 */
function ownerOf(
  authenticator: Pick<Service['authenticator'], 'proven'>,
  { headers, socket }: IncomingMessage,
): AnswerOwner {
  const environment = headers['x-environment'];
  const caller =
    typeof environment === 'string' ? authenticator.proven(headers.authorization, environment) : null;
  return caller
    ? { credential: caller.keyId, environmentId: caller.environmentId }
    : { credential: networkOf(socket.remoteAddress ?? ''), environmentId: null };
}

function refuseTooMany(response: ServerResponse): void {
  response.setHeader('Retry-After', '1');
  sendError(response, 429, 'rate_limited', 'Too many requests under way on one connection.');
}

/**
 * The URL at which this machine reaches a server. The addresses that stand for all interfaces are none that a client
 * can open, at least not on every system: for them it is the loopback address.
 */
export function localUrl(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
