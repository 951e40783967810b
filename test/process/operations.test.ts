import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Client as PgClient } from 'pg';
import { testCluster } from '../support/cluster.ts';
import { createTestDatabase } from '../support/database.ts';
import { databaseSettings, spawnServer, startTestServer } from '../support/server.ts';
import { Client, earn, graphql, readMember, rest } from '../support/surfaces/client.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';
import { until } from '../support/until.ts';

const { database, world, server, client, shop } = useShopApart({
  members: ['customer-4711'],
  env: { LOG_LEVEL: 'debug' },
});

const get = (path: string) => client.send({ method: 'GET', path });

describe('health', () => {
  test('a server that can serve says so', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('where a standby is required, and commits wait for none, it says that too', async () => {
    // The cluster of the tests has no standby.
    const alone = await startTestServer(database, { requireStandby: true });
    const its = new Client(alone.url);
    const ready = await its.send({ method: 'GET', path: '/readyz' });
    expect(ready).toMatchObject({
      status: 200,
      body: { status: 'ready', warning: expect.stringContaining('synchronous_standby_names') },
    });
    const metrics = await its.send({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toMatch(/^rewards_database_commits_alone 1$/m);
    its.close();
    await alone.close();
    expect((await get('/readyz')).body).toEqual({ status: 'ready' });
    expect((await get('/metrics')).text).toMatch(/^rewards_database_commits_alone 0$/m);
  });

  test('a database without the migrations is not ready', async () => {
    const before = await createTestDatabase();
    await before.adminPool.query('truncate _prisma_migrations');
    const unmigrated = await startTestServer(before);
    const its = new Client(unmigrated.url);
    const answer = await its.send({ method: 'GET', path: '/readyz' });
    expect(answer).toMatchObject({ status: 503, body: { status: 'unready' } });
    expect(answer.text).toContain('rewards migrate');
    its.close();
    await unmigrated.close();
    await before.drop();
  });

  test('without its database the server is alive, not ready and honest; with it, it goes on by itself', async () => {
    const bystander = new PgClient({ connectionString: testCluster().adminUrl });
    await bystander.connect();
    await bystander.query(`alter database ${database.name} allow_connections false`);
    await bystander.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database.name}'`,
    );
    try {
      // What was found out before is told for a second.
      await until(async () => (await get('/readyz')).status === 503, 'unready');
      const ready = await get('/readyz');
      expect(ready).toMatchObject({ status: 503, body: { status: 'unready' } });
      expect(ready.text).not.toMatch(/postgres|127\.0\.0\.1|rewards_test/);
      expect((await get('/healthz')).status).toBe(200);
      // Proofs of keys are remembered, so this gets as far as the database.
      const refused = await client.send(earn(shop, purchase('away'), 'away'));
      expect({
        status: refused.status,
        code: refused.code,
        'retry-after': refused.headers['retry-after'],
      }).toEqual({ status: 503, code: 'unavailable', 'retry-after': '1' });
      expect(refused.text).not.toMatch(/postgres|connect|allow/i);
    } finally {
      await bystander.query(`alter database ${database.name} allow_connections true`);
      await bystander.end();
    }
    // What the database answered is known for a second.
    await until(async () => (await get('/readyz')).status === 200, 'ready');
    expect((await client.send(earn(shop, purchase('away'), 'away'))).status).toBe(201);
    expect(await revokedIsSeen()).toBe(true);
  });
});

test('metrics are what Prometheus reads, and name no customer', async () => {
  await client.send(readMember(shop, 'customer-4711'));
  await client.send(earn(shop, purchase('metrics'), 'metrics'));
  const { status, headers, text } = await get('/metrics');
  expect({ status, 'content-type': headers['content-type'] }).toEqual({
    status: 200,
    'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  });
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const sample =
    /^[a-z_:][a-z0-9_:]*(?:\{(?:[a-z_]+="(?:[^"\\]|\\.)*",?)*\})? (?:[-+]?[0-9.]+(?:e[-+]?[0-9]+)?|[-+]?Inf|NaN)$/i;
  expect(samples.filter((line) => !sample.test(line))).toEqual([]);
  for (const name of [
    'rewards_http_request_duration_seconds_bucket',
    'rewards_writer_batch_commands_count',
    'rewards_writer_batch_duration_seconds_sum',
    'rewards_writer_waiting_commands 0',
    'process_resident_memory_bytes',
  ]) {
    expect(text).toContain(`\n${name}`);
  }
  expect(text).not.toMatch(/customer-4711|svc_test|env_/);
});

test('documents that anyone may read', async () => {
  const openapi = await get('/openapi.json');
  expect({ status: openapi.status, openapi: openapi.body.openapi }).toEqual({
    status: 200,
    openapi: expect.stringMatching(/^3\.1/),
  });
  expect((await get('/api/graphql/schema.graphql')).text).toContain('type Query');
  expect((await get('/schemas/program.v1.json')).status).toBe(200);
});

test('answers about members are never kept by a cache, and come with headers for the careless', async () => {
  const query = '{ member(externalCustomerId: "customer-4711") { requestId } }';
  for (const sent of [readMember(shop, 'customer-4711'), graphql(shop, query)]) {
    const { headers } = await client.send(sent);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test('logs: every request with its id, every failure with its cause, and no secret and no person', async () => {
  const secrets = [
    'customer-4711',
    'Quux',
    'zebediah',
    'example.com',
    shop.key,
    'notice-4711',
    'order-secret',
  ];
  const body = {
    externalCustomerId: 'customer-4711-b',
    displayName: 'Zebediah Quux',
    email: 'zebediah@example.com',
    consentStatus: 'opted_in',
    noticeVersion: 'notice-4711',
  };
  const created = await client.send(rest(shop, 'POST', '/members', body, 'logs'));
  expect(created.status).toBe(201);
  const answers = [
    created,
    await client.send(rest(shop, 'POST', '/members', body, 'logs-2')),
    await client.send(readMember(shop, 'customer-4711-b?email=zebediah@example.com')),
    await client.send(earn(shop, purchase('secret'), 'logs-3')),
    await client.send({ ...earn(shop, {}, 'logs-4'), body: '{"externalCustomerId":"customer-4711"' }),
    await client.send(graphql(shop, '{ member(externalCustomerId: "customer-4711") { nothing } }')),
    await client.send({ method: 'GET', path: `/customer-4711/${shop.key}` }),
  ];
  await database.adminPool.query('revoke insert on postings from rewards_app');
  let failed = await client.send(earn(shop, purchase('secret-2'), 'logs-5'));
  // Only one line a second is written of requests that fail or are slow, and on a busy machine any may be slow.
  await until(async () => {
    if (server.stderr().includes('"code":"internal_error"')) return true;
    failed = await client.send(earn(shop, purchase('secret-2'), 'logs-5'));
    return false;
  }, 'the failure is logged');
  await database.adminPool.query('grant insert on postings to rewards_app');
  expect(failed.status).toBe(500);
  await until(
    () => [...answers, failed].every(({ headers }) => server.stderr().includes(`${headers['x-request-id']}`)),
    'everything is logged',
  );

  const log = server.stderr();
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const { headers } of [...answers, failed]) {
    expect(lines.filter((line) => line.requestId === headers['x-request-id']).length).toBeGreaterThan(0);
  }
  const cause = lines.filter((line) => line.requestId === failed.headers['x-request-id']);
  expect(cause).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ code: '42501' }) }),
  );
  const codes = lines.flatMap((line) => (line.code === undefined ? [] : [line.code]));
  const expected = [
    'member_exists',
    'invalid_json',
    'graphql_validation_failed',
    'not_found',
    'internal_error',
  ];
  expect(codes).toEqual(expect.arrayContaining(expected));
  await until(async () => {
    const metrics = (await get('/metrics')).text;
    return expected.every((code) => metrics.includes(`rewards_refusals_total{code="${code}"`));
  }, 'all refusals are counted');
  for (const secret of secrets) expect(log).not.toContain(secret);
  expect(log).not.toMatch(/svc_(test|live)_|postgresql:\/\//);
});

test.each([
  ['one process', 1],
  ['two workers', 2],
])('the log of %s says when it started, migrated, listened and stopped', async (_what, workers) => {
  const settings = { ...databaseSettings(database), LOG_LEVEL: 'info', WORKERS: String(workers) };
  const logged = await spawnServer(settings);
  await logged.end('SIGTERM');
  const lines = logged
    .stderr()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    // A very busy machine may take the five seconds that the connection for notices has.
    .filter(({ msg }) => !String(msg).startsWith('Changes of keys are not announced'));
  expect(lines.map(({ msg }) => msg)).toEqual(['Started', 'Migrated', 'Listening', 'Stopping', 'Stopped']);
  expect(lines.map(({ level }) => level)).toEqual([30, 30, 30, 30, 30]);
  const [started, migrated, listening, stopping] = lines;
  expect(started).toMatchObject({ version: expect.any(String), node: process.version });
  expect(migrated).toMatchObject({ applied: [] });
  expect(listening).toMatchObject({ address: logged.url, version: started?.version, workers });
  expect(stopping).toMatchObject({ signal: 'SIGTERM' });
});

function purchase(name: string) {
  return { externalCustomerId: 'customer-4711', sourceReference: `order-${name}`, amountMinor: 1000 };
}

/** Changes of keys are announced again, over a connection that has come back too. */
async function revokedIsSeen(): Promise<boolean> {
  const { key, keyId } = await world.key(shop.id);
  if ((await client.send(readMember({ ...shop, key }, 'customer-4711'))).status !== 200) return false;
  await database.adminPool.query('update api_keys set revoked_at = now() where id = $1', [keyId]);
  const patience = performance.now() + 5_000;
  while (performance.now() < patience) {
    await database.adminPool.query(`select pg_notify('rewards_admin', $1)`, [shop.id]);
    if ((await client.send(readMember({ ...shop, key }, 'customer-4711'))).status === 401) return true;
    await sleep(50);
  }
  return false;
}
