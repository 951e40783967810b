import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { toTypeId } from '../../src/ids.ts';
import { leastOf } from '../support/least-of.ts';
import { type OutageCluster, startOutageCluster } from '../support/outage-cluster.ts';
import { type ServerProcess, spawnServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  createMember,
  earn,
  graphql,
  type Received,
  readMember,
  rest,
  type Sent,
} from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const SENDERS = 16;

let cluster: OutageCluster;
let world: World;
let shop: TestEnvironment;

beforeAll(async () => {
  cluster = await startOutageCluster();
  world = createWorld(cluster);
  shop = await world.environment();
});

afterAll(() => cluster.drop());

const query = 'query ($id: String!) { member(externalCustomerId: $id) { member { id } } }';
const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';

/** One request for each way to the database: the check of the key alone, reads of each kind, and the writer. */
function surfaces(name: string): Record<string, Sent> {
  const purchase = { externalCustomerId: 'ada', sourceReference: `graphql-${name}`, amountMinor: 1000 };
  const input = { ...purchase, programId, channel: 'web', idempotencyKey: `graphql-${name}` };
  const months = `from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&programId=${programId}`;
  return {
    'a REST read': readMember(shop, 'ada'),
    'a REST list': rest(shop, 'GET', '/transactions'),
    'a REST report': rest(shop, 'GET', `/analytics/ledger-summary?${months}`),
    'a REST purchase': earn(shop, { ...purchase, sourceReference: `rest-${name}` }, `rest-${name}`),
    'a REST member': createMember(shop, `new-${name}`, `new-${name}`),
    'REST offers': rest(shop, 'POST', '/offers/evaluate', { items: [{ sku: 'beans', unitPriceMinor: 100 }] }),
    'a GraphQL read': graphql(shop, query, { id: 'ada' }),
    'a GraphQL purchase': graphql(shop, mutation, { input }),
    'GraphQL that executes nothing': graphql(shop, '{ __typename }'),
    'a key that is none': readMember({ ...shop, key: `${shop.key.slice(0, -4)}AAAA` }, 'ada'),
  };
}

/** A 503 that says when to come again, and nothing of what is behind it. */
function expectUnavailable(what: string, answer: Received): void {
  expect([what, answer.status, answer.code]).toEqual([what, 503, 'unavailable']);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer.text).not.toMatch(/postgres|ECONN|ENOENT|socket|terminat|node:|\.ts\b|\\n/i);
  const requestId = answer.body.error?.requestId ?? answer.body.errors?.[0]?.extensions.requestId;
  expect(requestId).toBe(answer.headers['x-request-id']);
}

/**
 * Sends purchases, one after the other, until it is told to stop. Each is answered with success or `unavailable`, and
 * is sent again under its own key until it has succeeded.
 */
function startLoad(client: Client, name: string) {
  const acknowledged = new Map<string, string>();
  let unavailable = 0;
  let stopped = false;
  const send = async (sender: number): Promise<void> => {
    let inDoubt = false;
    for (let index = 0; !stopped || inDoubt; ) {
      const key = `${name}-${sender}-${index}`;
      const answer = await client.send(earn(shop, purchaseOf(key), key));
      inDoubt = answer.status >= 500;
      if (!inDoubt) {
        expect([key, answer.status === 201 || answer.replayed]).toEqual([key, true]);
        acknowledged.set(key, answer.body.id ?? '');
        index += 1;
      } else {
        expectUnavailable(key, answer);
        unavailable += 1;
        await sleep(10);
      }
    }
  };
  const ended = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return {
    acknowledged,
    /** @returns how often the answer was `unavailable` */
    async stop(): Promise<number> {
      stopped = true;
      await ended;
      return unavailable;
    },
  };
}

function purchaseOf(key: string) {
  return { externalCustomerId: 'ada', sourceReference: `order-${key}`, amountMinor: 1000 };
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It never came: ${what}`);
    await sleep(20);
  }
}

/** Every purchase of a load is there once, under the id that was acknowledged, and no other is. */
async function expectEachOnce(name: string, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await cluster.adminPool.query<{ id: string; key: string }>(
    `select id, substr(source_reference, 7) as key from transactions
      where starts_with(source_reference, 'order-' || $1)`,
    [name],
  );
  expect(new Map(rows.map(({ key, id }) => [key, toTypeId('txn', id)]))).toEqual(acknowledged);
  expect(rows.length).toBe(acknowledged.size);
  expect(await world.failedControls()).toEqual([]);
}

/** Hundreds of requests fail in an outage, and the log has a line a second of them. */
function expectFewLines(log: string, outageMs: number): void {
  const lines = log.split('\n').filter((line) => line.includes('The database did not answer a request'));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(outageMs / 1000 + 1);
  expect(log).not.toMatch(/"msg":"A (REST|GraphQL) request failed"/);
}

describe.each([
  { mode: 'immediate', by: 'its socket' },
  { mode: 'fast', by: 'TCP' },
] as const)('a database that is stopped ($mode) under load, and reached by $by', ({ mode, by }) => {
  let server: ServerProcess;
  let client: Client;

  beforeAll(async () => {
    const over = (url: string): string => (by === 'TCP' ? url.replace(/\?.*$/, '') : url);
    const { adminUrl, serverUrl } = cluster;
    server = await spawnServer({
      DATABASE_URL: over(adminUrl),
      SERVER_DATABASE_URL: over(serverUrl),
      SWEEP_SECONDS: '1',
      LOG_LEVEL: 'warn',
    });
    client = new Client(server.url);
    if (mode === 'immediate') await addMembers(client, shop, ['ada']);
  });

  afterAll(async () => {
    await cluster.up();
    client.close();
    await server.end('SIGTERM');
  });

  test('every surface answers 503 with Retry-After until it is back, and then works by itself', async () => {
    for (const [what, sent] of Object.entries(surfaces(`${mode}-before`))) {
      const { status } = await client.send(sent);
      expect([what, [200, 201, 401].includes(status)]).toEqual([what, true]);
    }
    const load = startLoad(client, mode);
    await until('the load', () => load.acknowledged.size > SENDERS * 4);
    const awayAt = performance.now();
    await cluster.down(mode);
    // Keys are still trusted for a moment, so this gets as far as the reads and the writer.
    const { 'GraphQL that executes nothing': _executesNothing, ...soon } = surfaces(`${mode}-soon`);
    const answers = await Promise.all(
      Object.entries(soon).map(async ([what, sent]) => [what, await client.send(sent)] as const),
    );
    for (const [what, answer] of answers) expectUnavailable(what, answer);
    await sleep(1_500);
    for (const [what, sent] of Object.entries(surfaces(`${mode}-away`))) {
      expectUnavailable(what, await client.send(sent));
    }
    const noHeader = await client.send({ method: 'GET', path: '/api/v1/members/ada' });
    expect(noHeader).toMatchObject({ status: 401, code: 'unauthorized' });
    expect((await client.send({ method: 'GET', path: '/readyz' })).status).toBe(503);
    expect((await client.send({ method: 'GET', path: '/healthz' })).status).toBe(200);
    expect((await client.send({ method: 'GET', path: '/metrics' })).status).toBe(200);

    const before = load.acknowledged.size;
    expectFewLines(server.stderr(), performance.now() - awayAt);
    await cluster.up();
    await until('purchases again', () => load.acknowledged.size > before + SENDERS * 4);
    expect(await load.stop()).toBeGreaterThan(0);
    for (const name of ['before', 'soon', 'away', 'after']) {
      for (const [what, sent] of Object.entries(surfaces(`${mode}-${name}`))) {
        const { status } = await client.send(sent);
        expect([what, [200, 201, 401].includes(status)]).toEqual([what, true]);
      }
    }
    // What it says may be a second old.
    await until(
      'readiness',
      async () => (await client.send({ method: 'GET', path: '/readyz' })).status === 200,
    );
    await expectEachOnce(mode, load.acknowledged);
    expect(server.stderr()).not.toMatch(/unhandled|uncaught/i);
  });

  test('changes of keys are heard again', async () => {
    const listening = `select count(*) from pg_stat_activity
      where application_name = 'rewards notices' and datname = current_database()`;
    await until('the listener', async () => (await world.count(listening)) === 1);
    await sleep(500);
    const millisecondsUntilRefused = async () => {
      const { key, keyId } = await world.key(shop.id);
      const status = async () => (await client.send(readMember({ ...shop, key }, 'ada'))).status;
      expect(await status()).toBe(200);
      await revokeApiKey(world.administrator, keyId);
      const begun = performance.now();
      await until('the refusal', async () => (await status()) === 401);
      return performance.now() - begun;
    };
    // Unheard, a key works for a second after its last look-up.
    expect(await leastOf(5, 800, millisecondsUntilRefused)).toBeLessThan(800);
  });
});
