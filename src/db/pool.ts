import pg from 'pg';
import { urlsOfHosts } from '../config.ts';
import { toInstant } from './instant.ts';
import { PLAN_FOR_VALUES_ON_CITUS } from './planner-settings.ts';
import { clientOf } from './primary.ts';

/** A pool of Postgres connections. */
export type Pool = pg.Pool;

/** What runs statements: a pool, one of its connections, or a share of it. */
export interface Queryable {
  query<Row extends pg.QueryResultRow>(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<pg.QueryResult<Row>>;
}

/** Where reads get their connections from: a pool, or a share of one. */
export interface Connections extends Queryable {
  /** Takes a connection, which must be given back with its `release`. */
  connect(): Promise<pg.PoolClient>;
}

export interface PoolOptions {
  /** `postgresql://…`, with several hosts where the primary among them is to be found. */
  url: string;
  /** Most connections at once. */
  size: number;
  /** Role that every session takes at its start, such as `rewards_app`; absent: the login's own. */
  role?: string;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  /** A statement that runs longer is ended by the server. 0: never. Default: 10,000. */
  statementTimeoutMs?: number;
  /** How long a new connection may take. Default: 10,000. */
  connectTimeoutMs?: number;
  /** Whether statements are sent without waiting for the results of earlier ones. Default: false. */
  pipeline?: boolean;
  /** Settings of every session, such as `{ enable_seqscan: 'off' }`. */
  settings?: Readonly<Record<string, string>>;
  /** Called for a connection that broke while it was idle. The pool replaces it by itself. */
  onError?: (error: Error) => void;
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 10_000;
const LOCK_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;
/** How much longer the client waits than the server, so that the server's timeout always comes first. */
const CLIENT_MARGIN_MS = 5_000;

/**
 * Where sessions look up names: after `pg_catalog` in the schema `public`, and last among temporary tables, so that
 * none of these can take the place of a real table. It does not depend on settings of the login or the database.
 */
const SEARCH_PATH = 'public,pg_temp';

const { INT8, TIMESTAMPTZ } = pg.types.builtins;
const INT8_ARRAY: number = 1016;

/**
 * Creates a pool, which connects when it is first used. bigint is returned as a number, timestamptz as a Date, json
 * parsed. The server's timeouts end statements. The client's are longer: a client that stopped waiting first would not
 * know whether its statement still commits.
 */
export function createPool(options: PoolOptions): Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? DEFAULT_STATEMENT_TIMEOUT_MS;
  const pool = new pg.Pool({
    ...sessionOf(options),
    Client: clientOf(options.url),
    max: options.size,
    application_name: options.applicationName ?? 'rewards',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: LOCK_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    ...(statementTimeoutMs > 0 ? { query_timeout: statementTimeoutMs + CLIENT_MARGIN_MS } : {}),
    pipeline: options.pipeline ?? false,
    types: { getTypeParser },
    ...(options.settings?.plan_cache_mode ? { onConnect: planForValuesOnCitus } : {}),
  });
  pool.on('error', (error) => options.onError?.(error));
  // The pool watches a connection only while it is idle. One that breaks between two statements of a transaction
  // would end the process; the next statement on it fails by itself, so there is nothing more to do here.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

async function planForValuesOnCitus(client: pg.ClientBase): Promise<void> {
  await client.query(PLAN_FOR_VALUES_ON_CITUS);
}

/**
 * A connection beside the pools, such as one that listens. It is made by its `connect`.
 * @param config further settings of pg
 */
export function createClient(
  options: Pick<PoolOptions, 'url' | 'role' | 'settings'>,
  config: pg.ClientConfig,
): pg.Client {
  return new (clientOf(options.url))({ ...sessionOf(options), ...config });
}

/**
 * Settings for a connection of pg whose session has the role, the settings and a fixed search_path from its start. pg
 * would prefer the `options` of the URL to these, so they are taken out of the URL and sent before them. Of several
 * hosts the first is named, for pg takes one; `clientOf` knows them all.
 */
function sessionOf({ url, role, settings = {} }: Pick<PoolOptions, 'url' | 'role' | 'settings'>): {
  connectionString: string;
  options: string;
} {
  const [named] = urlsOfHosts(url);
  const [base, ...query] = named.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  const ownOptions = parameters.getAll('options');
  parameters.delete('options');
  const fixed = { ...settings, search_path: SEARCH_PATH, ...(role ? { role: roleName(role) } : {}) };
  const pairs = Object.entries(fixed).map(([name, value]) => `-c ${name}=${value}`);
  return {
    connectionString: ownOptions.length > 0 ? `${base}?${parameters}` : named,
    options: [...ownOptions, ...pairs].join(' '),
  };
}

function roleName(role: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(role)) throw new Error(`Not a plain role name: ${role}`);
  return role;
}

const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') => {
  if (format !== 'binary') {
    if (oid === INT8) return toSafeInteger;
    if (oid === TIMESTAMPTZ) return toInstant;
    if (oid === INT8_ARRAY) return toSafeIntegers;
  }
  return pg.types.getTypeParser(oid, format as 'text');
}) as typeof pg.types.getTypeParser;

/**
 * A bigint's text as a number.
 * @throws RangeError beyond 2^53 - 1, so that a rounded number of points is never used
 */
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`The database returned ${text}, which is not a safe integer.`);
  return value;
}

// pg's type declarations do not include the ids of array types.
const parseInt8Array: (text: string) => (string | null)[] = pg.types.getTypeParser(INT8_ARRAY as typeof INT8);

function toSafeIntegers(text: string): (number | null)[] {
  return parseInt8Array(text).map((value) => (value === null ? null : toSafeInteger(value)));
}
