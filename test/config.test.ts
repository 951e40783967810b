import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, readConfig, urlsOfHosts } from '../src/config.ts';

describe('readConfig', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: null,
      serverDatabaseUrl: null,
      operatorDatabaseUrl: null,
      readDatabaseUrl: null,
      baseUrl: null,
      dataDir: resolve(import.meta.dirname, '..', '.data'),
      workers: 1,
      redisUrl: null,
      logLevel: 'info',
      rateLimitPerMinute: 600,
      queueLimit: 5000,
      databasePoolSize: 10,
      statementTimeoutMs: 10000,
      connectionLimit: 10_000,
      customerRateLimitPerMinute: 120,
      widgetSessionRateLimitPerMinute: 60,
      widgetRateLimitPerMinute: 600,
      widgetAgentRateLimitPerMinute: 120,
      keepAliveSeconds: 65,
      writeTimeoutSeconds: 30,
      unsentLimitBytes: 67_108_864,
      shutdownSeconds: 20,
      sweepSeconds: 5,
      retentionPayloadsDays: 30,
      retentionQuotesDays: 90,
      requireStandby: false,
      webhookAllowPrivate: false,
      webhookProxy: null,
      secretsKeys: [],
    });
  });

  test('takes what is set, and an empty variable as absent', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '',
      DATABASE_URL: 'postgresql://u:p@db/rewards',
      DATA_DIR: 'relative/dir',
      WORKERS: 'auto',
      LOG_LEVEL: 'debug',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      REQUIRE_STANDBY: 'true',
    });
    expect(config).toMatchObject({ port: 0, host: '127.0.0.1', databaseUrl: 'postgresql://u:p@db/rewards' });
    expect(config.dataDir).toBe(resolve('relative/dir'));
    expect(config.workers).toBeGreaterThanOrEqual(1);
    expect(config).toMatchObject({ logLevel: 'debug', webhookAllowPrivate: true, requireStandby: true });
  });

  test('takes several hosts of a database', () => {
    const url = 'postgresql://u:p%40@one:5432,[::1]:5433/rewards?target_session_attrs=read-write';
    expect(readConfig({ DATABASE_URL: url })).toMatchObject({ databaseUrl: url });
    expect(urlsOfHosts(url)).toEqual([
      'postgresql://u:p%40@one:5432/rewards?target_session_attrs=read-write',
      'postgresql://u:p%40@[::1]:5433/rewards?target_session_attrs=read-write',
    ]);
    expect(urlsOfHosts('postgresql:///rewards?host=/tmp')).toEqual(['postgresql:///rewards?host=/tmp']);
  });

  test('what may be kept for ever is told so by "never", and what has to be takes nothing else', () => {
    const config = readConfig({
      RETENTION_PAYLOADS_DAYS: 'never',
      RETENTION_QUOTES_DAYS: '1',
      RETENTION_RECEIPTS_DAYS: 'never',
      RETENTION_AUDIT_DAYS: 'never',
    });
    expect(config).toMatchObject({ retentionPayloadsDays: null, retentionQuotesDays: 1 });
    expect(() => readConfig({ RETENTION_RECEIPTS_DAYS: '365' })).toThrow(
      'RETENTION_RECEIPTS_DAYS is "365"; it can only be "never": a repeated ' +
        'idempotency key is answered with its first receipt.',
    );
  });

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['WORKERS', '0'],
    ['WORKERS', 'many'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['QUEUE_LIMIT', '1e3'],
    ['CONNECTION_LIMIT', '0'],
    ['KEEP_ALIVE_SECONDS', '0'],
    ['WRITE_TIMEOUT_SECONDS', '601'],
    ['SWEEP_SECONDS', '3601'],
    ['DATABASE_POOL_SIZE', '1'],
    ['RETENTION_PAYLOADS_DAYS', '29'],
    ['RETENTION_QUOTES_DAYS', '0'],
    ['RETENTION_QUOTES_DAYS', 'forever'],
    ['RETENTION_RECEIPTS_DAYS', '365'],
    ['RETENTION_AUDIT_DAYS', '365'],
    ['REQUIRE_STANDBY', 'yes'],
    ['WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['WEBHOOK_PROXY', 'proxy:3128'],
    ['SECRETS_KEY', 'short'],
    ['SECRETS_KEY', `${Buffer.alloc(32).toString('base64')},short`],
    ['DATABASE_URL', 'mysql://u:p@db/rewards'],
    ['REDIS_URL', 'localhost:6379'],
    ['DATABASE_URL', 'postgresql://u:p@one:5432,two:wrong/rewards'],
    ['DATABASE_URL', 'postgresql://u:p@one,two/rewards?target_session_attrs=standby'],
    ['SERVER_DATABASE_URL', 'postgresql://u:p@db/rewards'],
    ['READ_DATABASE_URL', 'postgresql://u:p@db/rewards'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  test('names all that is wrong at once, and no passwords', () => {
    let caught: unknown;
    try {
      readConfig({ PORT: 'x', DATABASE_URL: 'http://u:hidden@db', WORKERS: '-3' });
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ConfigError);
    expect((caught as ConfigError).problems).toHaveLength(3);
    expect((caught as ConfigError).message).not.toContain('hidden');
  });
});
