import type { Pool } from 'pg';
import { AdminNotices } from '../auth/admin-notices.ts';
import { Authenticator } from '../auth/authenticator.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import { createPool } from '../db/pool.ts';
import type { Logger } from '../http/logger.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { oldestDueSeconds } from '../jobs/due.ts';
import { periodicTasks } from '../jobs/periodic-tasks.ts';
import { startJobs } from '../jobs/runner.ts';
import { createLanePool } from '../ledger/batch/lane-pool.ts';
import { Writer } from '../ledger/batch/writer.ts';
import { ProgramCatalog } from '../programs/published/program-catalog.ts';
import { createQueries } from '../queries/postgres-queries.ts';
import type { Queries } from '../queries/queries.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** Batches of one environment in flight at once; there are connections for two environments. */
const LANES = 2;
const RECORD_USE_MS = 30_000;

/** Everything that a serving process holds, below HTTP. */
export interface Service {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  writer: Writer;
  queries: Queries;
  metrics: Metrics;
  pool: Pool;
  /** Waits for the commands that were accepted, then lets go of every connection. */
  close(): Promise<void>;
}

/** Opens the pools, the one door and what stands beside it, with the privileges of `rewards_app`. */
export async function openService(
  config: Config,
  database: Pick<Database, 'serverUrl' | 'serverRole'>,
  logger: Logger,
): Promise<Service> {
  const connection = {
    url: database.serverUrl,
    statementTimeoutMs: config.statementTimeoutMs,
    ...(database.serverRole ? { role: database.serverRole } : {}),
    onError: (error: Error) => logger.warn({ err: error }, 'A database connection broke while idle'),
  };
  const pool = createPool({ ...connection, size: config.databasePoolSize, applicationName: 'rewards' });
  const lanePool = createLanePool({ ...connection, size: LANES * 2, applicationName: 'rewards writer' });
  const metrics = createMetrics({
    waiting: () => writer.waiting,
    oldestDueSeconds: () => oldestDueSeconds(pool),
  });
  const catalog = new ProgramCatalog();
  const writer = new Writer({
    pool: lanePool,
    catalog,
    lanes: LANES,
    maxWaiting: config.queueLimit,
    onBatch: (commands, milliseconds) => metrics.observeBatch(commands, milliseconds / 1000),
  });
  const authenticator = new Authenticator(pool);
  const notices = noticesFor(authenticator, database.serverUrl, logger);
  await notices.start();
  const rateLimiter = createRateLimiter({
    unitsPerMinute: config.rateLimitPerMinute,
    ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
    warn: (error, message) => logger.warn({ err: error }, message),
  });
  const recordUse = (): Promise<void> =>
    authenticator
      .recordUse()
      .catch((error: Error) => logger.warn({ err: error }, 'The use of keys was not recorded'));
  const timer = setInterval(() => void recordUse(), RECORD_USE_MS);
  timer.unref();
  const tasks = periodicTasks({
    door: writer,
    logger,
    sweepSeconds: config.sweepSeconds,
    onSwept: ({ profiles }) => metrics.countSettled(profiles),
    onFailed: (task) => metrics.countFailedSweep(task),
  });
  const jobs = startJobs(connection, tasks, logger);
  return {
    authenticator,
    rateLimiter,
    writer,
    queries: createQueries(pool, catalog),
    metrics,
    pool,
    async close() {
      clearInterval(timer);
      await jobs.close();
      await writer.close();
      await recordUse();
      await notices.close();
      await rateLimiter.close();
      await Promise.all([pool.end(), lanePool.end()]);
    },
  };
}

/** Lets the authenticator forget keys and environments as soon as administration has changed them. */
function noticesFor(authenticator: Authenticator, serverUrl: string, logger: Logger): AdminNotices {
  return new AdminNotices({
    connection: { connectionString: serverUrl, application_name: 'rewards notices', keepAlive: true },
    onChange: (environmentId) => authenticator.forget(environmentId),
    onListening: () => authenticator.forget(),
    onHeard: (at) => authenticator.heard(at),
    warn: (error, message) => logger.warn({ err: error }, message),
  });
}
