import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Every setting of the service. docs/operate/running.md lists them in a table. */
export interface Config {
  /** PORT: the port of HTTP; 0 for any free one. Default 4000. */
  port: number;
  /** HOST: the address to listen on. Default 127.0.0.1; in a container set 0.0.0.0. */
  host: string;
  /**
   * DATABASE_URL: a Postgres 15 to 18, with a login that may migrate; of several hosts the one that is the primary is
   * used. Absent: the embedded Postgres in DATA_DIR.
   */
  databaseUrl: string | null;
  /**
   * SERVER_DATABASE_URL: the same database with a login that only has the privileges of `rewards_app`, for serving.
   * Absent: DATABASE_URL is used, and each session takes the role `rewards_app` at its start.
   */
  serverDatabaseUrl: string | null;
  /**
   * OPERATOR_DATABASE_URL: the same database with a login that only has the privileges of `rewards_operator`, for
   * management over the API. Absent: as for SERVER_DATABASE_URL; with that one alone there is no management.
   */
  operatorDatabaseUrl: string | null;
  /**
   * READ_DATABASE_URL: a streaming replica of that database, for reports and exports. Absent: the primary has them too.
   */
  readDatabaseUrl: string | null;
  /**
   * BASE_URL: the origin at which people and browsers reach the service, such as `https://rewards.shop.example`.
   * Absent: on a loopback address that of HOST and PORT, where people can sign in; elsewhere nobody can.
   */
  baseUrl: string | null;
  /** DATA_DIR: absolute path of everything that is kept on disk. Default `.data` in the project's folder. */
  dataDir: string;
  /** WORKERS: processes that share the port; `auto` is one for each core, at most 64. Default 1. */
  workers: number;
  /** REDIS_URL: where rate limits are counted if several machines share them. Absent: they are counted in memory. */
  redisUrl: string | null;
  /** LOG_LEVEL. Default info. */
  logLevel: LogLevel;
  /** RATE_LIMIT_PER_MINUTE: requests a minute for each credential. Default 600. */
  rateLimitPerMinute: number;
  /** CUSTOMER_RATE_LIMIT_PER_MINUTE: requests a minute for each customer under /loyalty/v1. Default 120. */
  customerRateLimitPerMinute: number;
  /** WIDGET_SESSION_RATE_LIMIT_PER_MINUTE: requests a minute for each session of a widget. Default 60. */
  widgetSessionRateLimitPerMinute: number;
  /**
   * WIDGET_RATE_LIMIT_PER_MINUTE: reads of a widget a minute without a session, for each deployment and client address.
   * Default 600.
   */
  widgetRateLimitPerMinute: number;
  /**
   * WIDGET_AGENT_RATE_LIMIT_PER_MINUTE: messages of agents a minute without a session, for each deployment and client
   * address. Default 120.
   */
  widgetAgentRateLimitPerMinute: number;
  /** QUEUE_LIMIT: the most commands that wait in a process; further ones get status 503. Default 5,000. */
  queueLimit: number;
  /** DATABASE_POOL_SIZE: most database connections of a process. Default 10. */
  databasePoolSize: number;
  /** STATEMENT_TIMEOUT_MS: the longest that one statement of the server may take. Default 10,000. */
  statementTimeoutMs: number;
  /**
   * CONNECTION_LIMIT: the most open client connections of a process; further ones are closed at once. Default 10,000.
   */
  connectionLimit: number;
  /** KEEP_ALIVE_SECONDS: how long a connection stays open without a request. Default 65. */
  keepAliveSeconds: number;
  /** WRITE_TIMEOUT_SECONDS: how long a client may take to read a response; long responses get more time. Default 30. */
  writeTimeoutSeconds: number;
  /** UNSENT_LIMIT_BYTES: the most bytes of answers that clients of a process have not read. Default 64 MiB. */
  unsentLimitBytes: number;
  /** SHUTDOWN_SECONDS: the longest that accepted requests may take to finish at a stop. Default 20. */
  shutdownSeconds: number;
  /** SWEEP_SECONDS: seconds between two searches for points and holds that are due; 0 for no jobs at all. Default 5. */
  sweepSeconds: number;
  /**
   * RETENTION_PAYLOADS_DAYS: days for which the data of events is kept, for the feed and for sending it again; null,
   * written `never`: for ever. Default 30, which is also the least: what a receiver missed can be sent again for so
   * long.
   */
  retentionPayloadsDays: number | null;
  /**
   * RETENTION_QUOTES_DAYS: days for which quotes that were not reserved are kept after their end; null, written
   * `never`: for ever. Default 90.
   */
  retentionQuotesDays: number | null;
  /**
   * REQUIRE_STANDBY: whether the database has to keep a copy of each commit, so that it is said where it does not.
   * Default false.
   */
  requireStandby: boolean;
  /** WEBHOOK_ALLOW_PRIVATE: whether Sandbox may send webhooks to private addresses. Default false. */
  webhookAllowPrivate: boolean;
  /** WEBHOOK_PROXY: a proxy that sends webhooks, and that decides what may be reached. Absent: none. */
  webhookProxy: string | null;
  /**
   * SECRETS_KEY: keys that encrypt the secrets of webhooks and of issuers, each 32 bytes in base64, separated by
   * commas. The first encrypts, all decrypt. Absent: with the embedded Postgres one is made in DATA_DIR; otherwise
   * there are none.
   */
  secretsKeys: readonly string[];
}

export type LogLevel = (typeof LOG_LEVELS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const PROJECT_DIR = fileURLToPath(new URL('..', import.meta.url));
const MOST_WORKERS = 64;
/** A century. */
const MOST_DAYS = 36_500;
const POSTGRES = ['postgres:', 'postgresql:'];
/** What `target_session_attrs` may ask for: the service needs the primary. */
const PRIMARY: readonly string[] = ['read-write', 'primary'];
/** 32 bytes in base64. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;

/** One or more settings are wrong; the message has a line for each problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables. An empty variable counts as absent.
 * @throws ConfigError that lists every problem. It does not show the values of URLs, which can contain passwords.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const reader = new Reader(env);
  const databaseUrl = reader.databaseUrl('DATABASE_URL');
  const serverDatabaseUrl = reader.databaseUrl('SERVER_DATABASE_URL');
  const operatorDatabaseUrl = reader.databaseUrl('OPERATOR_DATABASE_URL');
  const readDatabaseUrl = reader.url('READ_DATABASE_URL', POSTGRES);
  if (serverDatabaseUrl !== null && databaseUrl === null) {
    reader.problems.push('SERVER_DATABASE_URL needs DATABASE_URL beside it, whose login migrates.');
  }
  if (operatorDatabaseUrl !== null && databaseUrl === null) {
    reader.problems.push('OPERATOR_DATABASE_URL needs DATABASE_URL beside it, whose login migrates.');
  }
  if (readDatabaseUrl !== null && databaseUrl === null) {
    reader.problems.push('READ_DATABASE_URL needs DATABASE_URL beside it: a replica of that database.');
  }
  const dataDir = reader.text('DATA_DIR');
  const config: Config = {
    port: reader.integer('PORT', { min: 0, max: 65_535, otherwise: 4000 }),
    host: reader.text('HOST') ?? '127.0.0.1',
    databaseUrl,
    serverDatabaseUrl,
    operatorDatabaseUrl,
    readDatabaseUrl,
    baseUrl: reader.origin('BASE_URL'),
    dataDir: dataDir === null ? resolve(PROJECT_DIR, '.data') : resolve(dataDir),
    workers:
      reader.text('WORKERS') === 'auto'
        ? Math.min(availableParallelism(), MOST_WORKERS)
        : reader.integer('WORKERS', { min: 1, max: MOST_WORKERS, otherwise: 1, or: 'auto' }),
    redisUrl: reader.url('REDIS_URL', ['redis:', 'rediss:']),
    logLevel: reader.oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    rateLimitPerMinute: unitsPerMinute(reader, 'RATE_LIMIT_PER_MINUTE', 600),
    customerRateLimitPerMinute: unitsPerMinute(reader, 'CUSTOMER_RATE_LIMIT_PER_MINUTE', 120),
    widgetSessionRateLimitPerMinute: unitsPerMinute(reader, 'WIDGET_SESSION_RATE_LIMIT_PER_MINUTE', 60),
    widgetRateLimitPerMinute: unitsPerMinute(reader, 'WIDGET_RATE_LIMIT_PER_MINUTE', 600),
    widgetAgentRateLimitPerMinute: unitsPerMinute(reader, 'WIDGET_AGENT_RATE_LIMIT_PER_MINUTE', 120),
    queueLimit: reader.integer('QUEUE_LIMIT', { min: 1, max: 1_000_000, otherwise: 5_000 }),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', { min: 2, max: 500, otherwise: 10 }),
    statementTimeoutMs: reader.integer('STATEMENT_TIMEOUT_MS', { min: 100, max: 600_000, otherwise: 10_000 }),
    connectionLimit: reader.integer('CONNECTION_LIMIT', { min: 1, max: 1_000_000, otherwise: 10_000 }),
    keepAliveSeconds: reader.integer('KEEP_ALIVE_SECONDS', { min: 1, max: 3_600, otherwise: 65 }),
    writeTimeoutSeconds: reader.integer('WRITE_TIMEOUT_SECONDS', { min: 1, max: 600, otherwise: 30 }),
    unsentLimitBytes: reader.integer('UNSENT_LIMIT_BYTES', {
      ...{ min: 2 ** 20, max: 2 ** 40, otherwise: 64 * 2 ** 20 },
    }),
    shutdownSeconds: reader.integer('SHUTDOWN_SECONDS', { min: 1, max: 600, otherwise: 20 }),
    sweepSeconds: reader.integer('SWEEP_SECONDS', { min: 0, max: 3_600, otherwise: 5 }),
    retentionPayloadsDays: reader.days('RETENTION_PAYLOADS_DAYS', { min: 30, otherwise: 30 }),
    retentionQuotesDays: reader.days('RETENTION_QUOTES_DAYS', { min: 1, otherwise: 90 }),
    requireStandby: reader.flag('REQUIRE_STANDBY'),
    webhookAllowPrivate: reader.flag('WEBHOOK_ALLOW_PRIVATE'),
    webhookProxy: reader.url('WEBHOOK_PROXY', ['http:', 'https:']),
    secretsKeys: reader.keys('SECRETS_KEY'),
  };
  reader.keptForEver(
    'RETENTION_RECEIPTS_DAYS',
    'a repeated idempotency key is answered with its first receipt',
  );
  reader.keptForEver(
    'RETENTION_AUDIT_DAYS',
    'audit events are links of a hash chain, and a removed one breaks it',
  );
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/** Whether a host of a setting is this machine and no other can reach it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The origin of the service, for those who are told where it is. */
export function baseUrlOf({ baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>): string {
  return baseUrl ?? `http://127.0.0.1:${port}`;
}

/**
 * The URLs of the single hosts of a URL that may name several, in libpq's form:
 * `postgresql://login:password@one:5432,two:5432/rewards`.
 */
export function urlsOfHosts(url: string): [string, ...string[]] {
  const parts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is.exec(url);
  if (!parts) return [url];
  const [, before = '', hosts = '', after = ''] = parts;
  const [first = '', ...others] = hosts.split(',').map((host) => `${before}${host}${after}`);
  return [first, ...others];
}

function unitsPerMinute(reader: Reader, name: string, otherwise: number): number {
  return reader.integer(name, { min: 1, max: 1_000_000_000, otherwise });
}

class Reader {
  readonly problems: string[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim();
    return value ? value : null;
  }

  integer(name: string, rule: { min: number; max: number; otherwise: number; or?: string }): number {
    const text = this.text(name);
    if (text === null) return rule.otherwise;
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= rule.min && value <= rule.max) return value;
    const alternative = rule.or ? ` or "${rule.or}"` : '';
    this.problems.push(
      `${name} is "${text}"; it must be a whole number from ${rule.min} to ${rule.max}${alternative}.`,
    );
    return rule.otherwise;
  }

  /** A number of days; null for `never`. */
  days(name: string, { min, otherwise }: { min: number; otherwise: number }): number | null {
    return this.text(name) === 'never'
      ? null
      : this.integer(name, { min, max: MOST_DAYS, otherwise, or: 'never' });
  }

  /** A setting that takes no other value than its default `never`. @param reason what its rows are needed for */
  keptForEver(name: string, reason: string): void {
    const text = this.text(name);
    if (text !== null && text !== 'never')
      this.problems.push(`${name} is "${text}"; it can only be "never": ${reason}.`);
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], otherwise: Value): Value {
    const text = this.text(name);
    if (text === null) return otherwise;
    const match = values.find((value) => value === text);
    if (match === undefined)
      this.problems.push(`${name} is "${text}"; it must be one of ${values.join(', ')}.`);
    return match ?? otherwise;
  }

  flag(name: string): boolean {
    return this.oneOf(name, ['true', 'false'], 'false') === 'true';
  }

  /** Keys of 32 bytes in base64, separated by commas. */
  keys(name: string): string[] {
    const keys =
      this.text(name)
        ?.split(',')
        .map((key) => key.trim()) ?? [];
    if (keys.every((key) => KEY.test(key))) return keys;
    this.problems.push(
      `${name} must be one or more keys of 32 bytes in base64, separated by commas: openssl rand -base64 32`,
    );
    return [];
  }

  /** The origin of the service: https, or http on this machine. */
  origin(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const url = URL.canParse(text) ? new URL(text) : null;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url?.origin === text && isSafe) return text;
    this.problems.push(
      `${name} must be an origin with https, such as https://rewards.shop.example; http only on this machine.`,
    );
    return null;
  }

  /** The URL of a database whose primary is wanted, of one host or several. */
  databaseUrl(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    for (const url of urlsOfHosts(text)) {
      if (this.#checkUrl(name, url, POSTGRES) === null) return null;
      const sessionAttrs = new URL(url).searchParams.get('target_session_attrs');
      if (sessionAttrs === null || PRIMARY.includes(sessionAttrs)) continue;
      this.problems.push(
        `target_session_attrs of ${name} is "${sessionAttrs}"; it can be one of ${PRIMARY.join(', ')}.`,
      );
      return null;
    }
    return text;
  }

  url(name: string, protocols: readonly string[]): string | null {
    const text = this.text(name);
    return text === null ? null : this.#checkUrl(name, text, protocols);
  }

  #checkUrl(name: string, text: string, protocols: readonly string[]): string | null {
    const protocol = URL.canParse(text) ? new URL(text).protocol : null;
    if (protocol !== null && protocols.includes(protocol)) return text;
    this.problems.push(
      `${name} must be a URL that begins with ${protocols.map((each) => `${each}//`).join(' or ')}.`,
    );
    return null;
  }
}
