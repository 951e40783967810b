import type { Pool } from 'pg';
import { AdminNotices } from '../../auth/admin-notices.ts';
import { Authenticator } from '../../auth/authenticator.ts';
import type { WebhookSettings } from '../../auth/webhook-settings.ts';
import type { Config } from '../../config.ts';
import type { SandboxSweep } from '../../contract/generated/types.ts';
import { noteDatabaseTime } from '../../database-clock.ts';
import type { Database } from '../../db/open-database.ts';
import { LIST_READS } from '../../db/planner-settings.ts';
import { createClient, createPool, type PoolOptions } from '../../db/pool.ts';
import { commitsAlone } from '../../db/standby.ts';
import { CouponGuesses } from '../../graphql/execution/coupon-guesses.ts';
import { RecentOwners } from '../../graphql/execution/recent-owners.ts';
import type { Logger } from '../../http/logger.ts';
import { createRateLimiter, type RateLimiter, type RateLimiterOptions } from '../../http/rate-limit.ts';
import { oldestDueSeconds } from '../../jobs/due.ts';
import { periodicTasks } from '../../jobs/periodic-tasks.ts';
import { startJobs } from '../../jobs/runner.ts';
import { sweepEnvironment } from '../../jobs/sweep-environment.ts';
import { createLanePool } from '../../ledger/batch/lane-pool.ts';
import { Writer } from '../../ledger/batch/writer.ts';
import type { UnreadableReceipt } from '../../ledger/receipts/stored-receipt.ts';
import { OPERATIONS_CHANNEL } from '../../ledger/tables/operations.ts';
import { DELIVERIES_CHANNEL } from '../../ledger/tables/webhook-deliveries.ts';
import { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { BoundedQueries } from '../../queries/bounded-queries.ts';
import { boundQueries } from '../../queries/bounded-queries.ts';
import { createQueries } from '../../queries/queries.ts';
import { Replica } from '../../queries/shared/replica.ts';
import { readWaitingDeliveries } from '../../webhooks/delivery-statements.ts';
import { openPeople, type People } from '../people/people.ts';
import { openWidgets, type Widgets } from '../widgets/widgets.ts';
import { type Customers, openCustomers } from './customers.ts';
import { createManagement, type Management } from './management.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { openWebhooks, type Webhooks } from './webhooks.ts';

/** How many batches of one environment run at once. There are connections for the lanes of two environments. */
const LANES = 2;
/**
 * The expected wait at which an environment's commands begin to be refused: what is accepted is answered within a
 * second.
 */
const MOST_WAIT_MS = 250;
const SEARCHES_PER_MINUTE = 60;
const RECORD_USE_MS = 30_000;
/** Two reports of an environment, or of two, and one connection to ask how far the replica is. */
const REPLICA_CONNECTIONS = 5;
const REPLICA_CONNECT_MS = 2_000;

/** Everything that a serving process needs below HTTP. */
export interface Service {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  customers: Customers;
  couponGuesses: CouponGuesses;
  /** Counts the searches of keys. */
  searches: RateLimiter;
  widgets: Widgets;
  writer: Writer;
  queries: BoundedQueries;
  recentOwners: RecentOwners;
  /** Does what is due in an environment by its clock. @param environmentId UUID */
  sweep(environmentId: string): Promise<SandboxSweep>;
  webhookSettings: WebhookSettings;
  management: Management;
  people: People;
  metrics: Metrics;
  pool: Pool;
  /** A pool of one connection, with which readiness is checked even if every connection of `pool` is in use. */
  readinessPool: Pool;
  /** Waits for the commands that were accepted, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens the pools, the writer, which runs every command, and the other services of a process, with the privileges of
 * `rewards_app`.
 */
export async function openService(
  config: Config,
  database: Pick<Database, 'serverUrl' | 'serverRole' | 'operatorUrl' | 'operatorRole'>,
  logger: Logger,
): Promise<Service> {
  const { connection, pool, readinessPool, lanePool } = openPools(config, database, logger);
  const metrics = createMetrics({
    waiting: () => writer.waiting,
    oldestDueSeconds: () => oldestDueSeconds(pool),
    commitsAlone: config.requireStandby ? () => commitsAlone(pool) : null,
    waitingDeliveries: () => readWaitingDeliveries(pool),
  });
  const catalog = new ProgramCatalog();
  const webhooks = openWebhooks({
    ...{ connection, config, logger },
    door: { submit: (command) => writer.submit(command) },
    onAttempt: metrics.observeAttempt,
  });
  const writer = new Writer({
    pool: lanePool,
    catalog,
    lanes: LANES,
    maxWaiting: config.queueLimit,
    maxWaitMs: MOST_WAIT_MS,
    onBatch: (commands, milliseconds, environmentId) => {
      metrics.observeBatch(commands, milliseconds / 1000);
      webhooks.wake(environmentId);
    },
    onRetry: metrics.countRetry,
  });
  const authenticator = new Authenticator(pool);
  const customers = openCustomers(config, pool, logger);
  const replica = replicaOf(config, metrics, logger);
  const onUnreadable = tellUnreadable(metrics, logger);
  const queries = boundQueries(createQueries(pool, catalog, replica, onUnreadable));
  const widgets = openWidgets(config, pool, queries, logger);
  const keepers = [authenticator, customers.directory, widgets.directory, widgets.surfaces];
  const notices = noticesFor(keepers, webhooks, connection, logger);
  await notices.start();
  await readDatabaseTime(pool);
  const limiters = limitersFor(config, logger);
  const recording = recordUse(authenticator, logger);
  const jobs = startJobs(connection, tasksFor(config, writer, metrics, logger), logger);
  const management = createManagement(config, database, logger, customers);
  const people = openPeople(config, pool, (window) => rateLimiterFor(config, logger, window));
  const stopping = new AbortController();
  return {
    ...{ ...limiters, authenticator, customers, widgets, writer, queries },
    recentOwners: new RecentOwners(),
    webhookSettings: webhooks.settings,
    sweep: sweepsOf(pool, writer, logger, stopping.signal),
    ...{ management, people, metrics, pool, readinessPool },
    async close() {
      stopping.abort();
      recording.pause();
      await jobs.close();
      await writer.close();
      await webhooks.close();
      await recording.now();
      await notices.close();
      await management.close();
      await Promise.all([...Object.values(limiters), customers, people, widgets].map((each) => each.close()));
      await Promise.all([pool, readinessPool, lanePool, replica?.pool].map((one) => one?.end()));
    },
  };
}

function tellUnreadable(metrics: Metrics, logger: Logger): (error: UnreadableReceipt) => void {
  return (error) => {
    metrics.countUnreadableReceipt();
    logger.error({ err: error }, 'A receipt cannot be read: rewards verify ledger lists all of them');
  };
}

/** Ids that are made before the first batch have the database's time too. Batches go on to read it. */
async function readDatabaseTime(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now');
  if (rows[0]) noteDatabaseTime(rows[0].now);
}

/** The pools of a process: for reads, for the look whether it is ready, and for the lanes of the writer. */
function openPools(config: Config, database: Pick<Database, 'serverUrl' | 'serverRole'>, logger: Logger) {
  const connection = {
    url: database.serverUrl,
    statementTimeoutMs: config.statementTimeoutMs,
    ...(database.serverRole ? { role: database.serverRole } : {}),
    onError: (error: Error) => logger.warn({ err: error }, 'A database connection broke while idle'),
  };
  return {
    connection,
    pool: createPool({
      ...connection,
      size: config.databasePoolSize,
      applicationName: 'rewards',
      settings: LIST_READS,
    }),
    readinessPool: createPool({ ...connection, size: 1, applicationName: 'rewards readiness' }),
    lanePool: createLanePool({ ...connection, size: LANES * 2, applicationName: 'rewards writer' }),
  };
}

/**
 * The replica of READ_DATABASE_URL. A line is logged whenever reports begin to be read from the primary for another
 * reason.
 */
function replicaOf(config: Config, metrics: Metrics, logger: Logger): Replica | null {
  if (config.readDatabaseUrl === null) return null;
  let last: string | null = null;
  const pool = createPool({
    url: config.readDatabaseUrl,
    size: REPLICA_CONNECTIONS,
    applicationName: 'rewards reports',
    statementTimeoutMs: config.statementTimeoutMs,
    connectTimeoutMs: REPLICA_CONNECT_MS,
  });
  return new Replica({
    pool,
    onRead(outcome) {
      metrics.countReplicaRead(outcome);
      if (outcome === last) return;
      last = outcome;
      if (outcome === 'replica') logger.info('Reports are read from the replica');
      else
        logger.warn(
          { outcome },
          'Reports are read from the primary, not from the replica of READ_DATABASE_URL',
        );
    },
  });
}

function tasksFor(config: Config, door: Writer, metrics: Metrics, logger: Logger) {
  const { sweepSeconds, retentionPayloadsDays: payloadsDays, retentionQuotesDays: quotesDays } = config;
  return periodicTasks({
    ...{ door, logger, sweepSeconds, retention: { payloadsDays, quotesDays } },
    onSwept: ({ profiles }) => metrics.countSettled(profiles),
    onRemoved: (kind, rows) => metrics.countRemoved(kind, rows),
    onFailed: (task) => metrics.countFailedSweep(task),
  });
}

/** Sweeps one environment at a time, as requests ask for it, until the process stops. */
function sweepsOf(pool: Pool, door: Writer, logger: Logger, signal: AbortSignal): Service['sweep'] {
  return (environmentId) =>
    sweepEnvironment({
      ...{ pool, door, environmentId, signal },
      onFailed: (error, subject) => logger.error({ err: error, subject }, 'Could not be swept'),
    });
}

/** Records regularly which keys were used. */
function recordUse(authenticator: Authenticator, logger: Logger): { pause(): void; now(): Promise<void> } {
  const now = (): Promise<void> =>
    authenticator
      .recordUse()
      .catch((error: Error) => logger.warn({ err: error }, 'The use of keys was not recorded'));
  const timer = setInterval(() => void now(), RECORD_USE_MS);
  timer.unref();
  return { pause: () => clearInterval(timer), now };
}

/** What counts requests of keys, their searches apart from them, and the coupon codes that customers try. */
function limitersFor(
  config: Config,
  logger: Logger,
): Pick<Service, 'rateLimiter' | 'searches' | 'couponGuesses'> {
  return {
    rateLimiter: rateLimiterFor(config, logger, { unitsPerWindow: config.rateLimitPerMinute }),
    searches: rateLimiterFor(config, logger, { name: 'searches', unitsPerWindow: SEARCHES_PER_MINUTE }),
    couponGuesses: new CouponGuesses((window) => rateLimiterFor(config, logger, window)),
  };
}

function rateLimiterFor(
  config: Config,
  logger: Logger,
  window: Pick<RateLimiterOptions, 'name' | 'unitsPerWindow' | 'windowSeconds'>,
): RateLimiter {
  return createRateLimiter({
    ...window,
    ...(config.redisUrl ? { redisUrl: config.redisUrl } : {}),
    warn: (error, message) => logger.warn({ err: error }, message),
  });
}

/** What keeps something of environments that administration can change. */
type Keeper = Pick<Authenticator, 'forget' | 'onAnnouncement'>;

/**
 * Makes the authenticators forget what they know of an environment as soon as administration has changed it, the
 * deliverer look for deliveries as soon as any process has made some, and the replayer for replays.
 */
function noticesFor(
  keepers: readonly Keeper[],
  webhooks: Webhooks,
  connection: Pick<PoolOptions, 'url' | 'role'>,
  logger: Logger,
): AdminNotices {
  const each = (tell: (keeper: Keeper) => void): void => keepers.forEach(tell);
  return new AdminNotices({
    open: (config) => createClient(connection, { ...config, application_name: 'rewards notices' }),
    onChange: (environmentId) => {
      // Changes of people, of which nothing is kept: each of their requests looks anew.
      if (environmentId.startsWith('ten_')) return;
      each((keeper) => keeper.forget(environmentId));
      // Administration writes events too, such as that of a published program.
      webhooks.wake(environmentId);
    },
    onListening: () => each((keeper) => keeper.forget()),
    onHeard: (at) => each((keeper) => keeper.onAnnouncement(at)),
    channels: {
      [DELIVERIES_CHANNEL]: (environmentId) => webhooks.wakeDeliverer(environmentId),
      [OPERATIONS_CHANNEL]: () => webhooks.wakeReplayer(),
    },
    warn: (error, message) => logger.warn({ err: error }, message),
  });
}
