import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { EVERY_SCOPE, type Scope } from '../../../src/auth/scopes.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { SCOPES_OF_KINDS, search } from '../../../src/queries/search.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { program } from '../../support/rules/fixtures.ts';
import { databaseSettings, spawnServer, startTestServer } from '../../support/server.ts';
import { addMembers, Client, earn, hold, rest } from '../../support/surfaces/client.ts';
import { makeCodes } from '../../support/surfaces/coupon-codes.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;
/** An environment of the same tenant that has none of it. */
let other: TestEnvironment;
let couponCode: string;
let referralCode: string;
let memberId: string;
let transactionId: string;
let reservationId: string;
let adjustmentId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
  shop = await world.environment();
  other = await world.environment('sandbox', shop.tenantId);
  await addMembers(client, shop, ['ada-1', 'ada-2', 'bob', 'Ada-3']);
  const bought = await client.send(
    earn(shop, { externalCustomerId: 'ada-1', sourceReference: 'ada-order-1', amountMinor: 900_00 }, 'o1'),
  );
  transactionId = String(bought.body.id);
  await client.send(
    earn(shop, { externalCustomerId: 'bob', sourceReference: 'x-1', amountMinor: 100 }, 'o2'),
  );
  reservationId = await hold(client, shop, { externalCustomerId: 'ada-1' }, 'h1');
  const change = { direction: 'credit', points: 50, reason: 'late', evidence: { ticket: 'T-1' } };
  const body = { externalCustomerId: 'ada-1', programId, ...change };
  const asked = await client.send(rest(shop, 'POST', '/adjustments', body, 'a1'));
  adjustmentId = String((asked.body.adjustment as { id: string }).id);
  const details = await client.send(rest(shop, 'GET', '/members/ada-1'));
  memberId = String((details.body.member as { id: string }).id);
  [{ referralCode } = { referralCode: '' }] = details.body.programs as { referralCode: string }[];
  const coupons = [{ code: 'SUMMER', award: { bonusPoints: 10 }, pool: {} }];
  await world.publish(shop.id, () => JSON.stringify({ ...program({ coupons }), id: 'club' }));
  const pool = { environmentId: shop.id, programId: 'club', poolId: 'SUMMER' };
  [couponCode = ''] = await makeCodes(database, world, pool, 1);
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

/** A new key for each call, where it is not said: a key has 60 searches a minute. */
async function find(q: string, scopes: readonly Scope[] = EVERY_SCOPE, where = shop) {
  const { key } = await world.key(where.id, scopes);
  return client.send(rest({ ...where, key }, 'GET', `/search?q=${encodeURIComponent(q)}`));
}

interface Hit {
  kind: string;
  id: string;
  label: string;
  member: { externalCustomerId: string } | null;
}

const hits = async (...asked: Parameters<typeof find>): Promise<string[]> =>
  ((await find(...asked)).body.data as unknown as Hit[]).map(
    ({ kind, label, member }) => `${kind} ${label} of ${member?.externalCustomerId ?? 'nobody'}`,
  );

describe('a search finds', () => {
  test('customers and orders by what they begin with, from four characters on, capitals included', async () => {
    expect(await hits('ada-')).toEqual([
      'member ada-1 of ada-1',
      'member ada-2 of ada-2',
      'order ada-order-1 of ada-1',
    ]);
    expect(await hits('ada-o')).toEqual(['order ada-order-1 of ada-1']);
    expect(await hits('ada')).toEqual([]);
    expect(await hits('bob')).toEqual(['member bob of bob']);
    expect(await hits('x-1')).toEqual(['order x-1 of bob']);
    expect(await hits('ada_')).toEqual([]);
    expect(await hits('ad%-')).toEqual([]);
  });

  test('ids and codes whole', async () => {
    const whole = [memberId, transactionId, reservationId, adjustmentId];
    expect((await Promise.all(whole.map((id) => hits(id)))).flat()).toEqual([
      'member ada-1 of ada-1',
      'transaction purchase.completed of ada-1',
      'redemption free-coffee of ada-1',
      'adjustment credit 50 of ada-1',
    ]);
    for (const id of whole) expect((await find(id)).body.data).toMatchObject([{ id }]);
    expect(await hits(referralCode)).toEqual([`referral_code ${referralCode} of ada-1`]);
    const typed = referralCode.toLowerCase();
    expect(await hits(typed)).toEqual([`referral_code ${typed} of ada-1`]);
    expect((await find(couponCode)).body.data).toEqual([
      { kind: 'coupon_code', id: 'club', label: couponCode, member: null },
    ]);
    for (const part of [memberId, transactionId, referralCode, couponCode])
      expect(await hits(part.slice(0, -1))).toEqual([]);
  });

  test('to whom a coupon code was given only for those who may read members', async () => {
    const given = { programId: 'club', code: couponCode, externalCustomerId: 'bob' };
    expect((await client.send(rest(shop, 'POST', '/coupon-codes/assign', given, 'give'))).status).toBe(200);
    expect(await hits(couponCode, ['codes:write', 'members:read'])).toEqual([
      `coupon_code ${couponCode} of bob`,
    ]);
    expect(await hits(couponCode, ['codes:write'])).toEqual([`coupon_code ${couponCode} of nobody`]);
  });

  test('the account that goes on of one that was merged', async () => {
    await addMembers(client, shop, ['twin-a', 'twin-b']);
    await database.adminPool.query(
      `update members set merged_into = (select id from members m where m.environment_id = $1
         and m.external_customer_id = 'twin-b')
       where environment_id = $1 and external_customer_id = 'twin-a'`,
      [shop.id],
    );
    expect(await hits('twin')).toEqual(['member twin-a of twin-b', 'member twin-b of twin-b']);
  });

  test('operations, merges, endpoints and deliveries by their ids', async () => {
    const [operation, endpoint] = [newUuid(), newUuid()];
    await database.adminPool.query(
      `insert into operations (environment_id, id, type, status, input) values ($1, $2, 'import', 'queued', '{}')`,
      [shop.id, operation],
    );
    await database.adminPool.query(
      `insert into webhook_endpoints (environment_id, id, place, url, event_types, status, secret, created_at, updated_at)
       values ($1, $2, 1, 'https://shop.example/hook', '["points.earned"]', 'disabled', '\\x00', now(), now())`,
      [shop.id, endpoint],
    );
    expect(await hits(toTypeId('op', operation))).toEqual(['operation import of nobody']);
    expect(await hits(toTypeId('we', endpoint))).toEqual([
      'webhook_endpoint https://shop.example/hook of nobody',
    ]);
    for (const prefix of ['mrg', 'msg', 'txn', 'lot', 'key'] as const)
      expect(await hits(toTypeId(prefix, newUuid()))).toEqual([]);
  });

  test('at most 20, of members and orders alike', async () => {
    const crowd = await world.environment();
    await database.adminPool.query(
      `with made as (
         insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
           notice_version, consent_at, created_at)
         select $1, gen_random_uuid(), 'many-' || i, 'active', 'verified', 'granted', 'v1', now(), now()
         from generate_series(1, 40) i)
       select 1`,
      [crowd.id],
    );
    expect(await hits('many-', EVERY_SCOPE, crowd)).toHaveLength(20);
    expect((await hits('many-7', EVERY_SCOPE, crowd))[0]).toBe('member many-7 of many-7');
  });
});

describe('what a key may not read', () => {
  test('is answered as what is not there', async () => {
    const own: [Scope, string][] = [
      ['members:read', 'member'],
      ['transactions:read', 'order transaction redemption'],
      ['redemptions:write', 'redemption'],
      ['adjustments:write', 'adjustment'],
      ['adjustments:approve', 'adjustment'],
      ['operations:read', ''],
      ['codes:write', 'coupon_code'],
    ];
    const all = ['ada-1', 'ada-order-1', memberId, transactionId, reservationId, adjustmentId, couponCode];
    for (const [scope, kinds] of own) {
      const seen = (await Promise.all(all.map((q) => hits(q, [scope])))).flat();
      expect([scope, ...new Set(seen.map((hit) => hit.split(' ')[0]))].join(' ').trim()).toBe(
        `${scope} ${kinds}`.trim(),
      );
    }
    expect(await hits(referralCode, ['transactions:read', 'codes:write'])).toEqual([]);
    const { body } = await find(memberId, ['transactions:read']);
    const missing = await find(toTypeId('mem', newUuid()), ['transactions:read']);
    expect([body.data, missing.body.data]).toEqual([[], []]);
    expect(await find('ada-1', ['events:write'])).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  test('is what another environment has', async () => {
    for (const q of ['ada-', memberId, transactionId, reservationId, adjustmentId, referralCode, couponCode])
      expect(await hits(q, EVERY_SCOPE, other)).toEqual([]);
  });

  test('is what the reads of its kinds ask for', async () => {
    const fields =
      buildSchema(await readFile('schema.graphql', 'utf8'))
        .getQueryType()
        ?.getFields() ?? {};
    const asked = (name: string): unknown =>
      fields[name]?.astNode?.directives
        ?.find(({ name: { value } }) => value === 'scope')
        ?.arguments?.flatMap(({ value }) => ('values' in value ? value.values : []))
        .map((value) => ('value' in value ? value.value : null));
    const reads = {
      member: 'memberDetails',
      order: 'transaction',
      transaction: 'transaction',
      redemption: 'redemption',
      adjustment: 'adjustments',
      member_merge: 'memberMerge',
      operation: 'operation',
      webhook_endpoint: 'webhookEndpoint',
      webhook_delivery: 'webhookDelivery',
      referral_code: 'memberDetails',
    };
    for (const [kind, name] of Object.entries(reads))
      expect([kind, asked(name)]).toEqual([kind, SCOPES_OF_KINDS[kind as keyof typeof reads]]);
    expect(new Set(asked('search') as string[])).toEqual(new Set(Object.values(SCOPES_OF_KINDS).flat()));
  });
});

test('a search takes one text of 1 to 200 characters', async () => {
  const codes = await Promise.all(['', ' ada-1', 'a\0b', 'x'.repeat(201)].map((q) => find(q)));
  expect(codes.map(({ code }) => code)).toEqual(Array(4).fill('validation_failed'));
  const without = await client.send(rest(shop, 'GET', '/search'));
  expect(without.code).toBe('validation_failed');
  for (const q of ['x'.repeat(200), 'mem_', '_', '\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}', "' or 1=1 --"])
    expect((await find(q)).body.data).toEqual([]);
});

test('a key has 60 searches a minute, apart from its other requests', async () => {
  const keyed = { ...shop, ...(await world.key(shop.id)) };
  const answers = await Promise.all(
    Array.from({ length: 65 }, () => client.send(rest(keyed, 'GET', '/search?q=nobody'))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  const [refused] = answers.filter(({ status }) => status !== 200);
  expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await client.send(rest(keyed, 'GET', '/members/ada-1'))).status).toBe(200);
});

test('what is looked for is in no log, and in no row of the database', async () => {
  const secrets = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const loud = await spawnServer({ ...databaseSettings(database), ...secrets, LOG_LEVEL: 'debug' });
  const own = new Client(loud.url);
  const before = await world.countRows();
  try {
    const sent = rest(shop, 'GET', '/search?q=sought-after');
    expect((await own.send(sent)).status).toBe(200);
    const { status } = await own.send({ ...sent, headers: { ...sent.headers, authorization: 'Bearer no' } });
    expect(status).toBe(401);
    expect((await own.send({ ...sent, path: '/api/v1/search?q=sought-after&q=sought-after' })).status).toBe(
      422,
    );
    expect(await world.countRows()).toEqual(before);
  } finally {
    own.close();
    await loud.end('SIGTERM');
  }
  expect(loud.stderr()).toContain('/api/v1/search');
  expect(loud.stderr() + loud.stdout()).not.toContain('sought-after');
});

test('a search follows indexes, whatever it finds among very many rows', async () => {
  const connection = await database.adminPool.connect();
  const E = '00000000-0000-7000-8000-000000000009';
  const plans: string[] = [];
  try {
    await connection.query('set session_replication_role = replica');
    const id = `(lpad(to_hex(i), 12, '0') || '70008000000000000000')::uuid`;
    await connection.query(`
      insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
          notice_version, consent_at, created_at)
        select '${E}', ${id}, 'customer-' || i, 'active', 'verified', 'granted', 'v1', now(), now()
        from generate_series(1, 60000) i;
      insert into orders
        select '${E}', 'order-' || i, 'club', ${id}, ${id}, 'active', 1, 'USD', 1 from generate_series(1, 60000) i;
      insert into transactions
        select '${E}', ${id}, 'club', ${id}, 'purchase.completed', 'order-' || i, 'committed', 1, now(), now(),
          null, null, '{}' from generate_series(1, 60000) i`);
    await connection.query('analyze members, orders, transactions');
    const connections = {
      async query({ text, values }: Statement) {
        const { rows } = await connection.query(`explain (analyze, costs off, timing off) ${text}`, [
          ...values,
        ]);
        plans.push(rows.map((row) => (row as Record<string, string>)['QUERY PLAN']).join('\n'));
        return connection.query(text, [...values]);
      },
    };
    const at = {
      connections,
      environmentId: E,
      programs: async () => ({ programs: new Map(), couponSecret: null }),
    };
    const scopes = new Set(EVERY_SCOPE);
    for (const text of ['cust', 'customer-', 'customer-5', 'orde', 'order-', 'order-59999', 'zzzz', 'aaaa'])
      await search(at as unknown as Parameters<typeof search>[0], { text, referralCode: text, scopes });
    await search(at as unknown as Parameters<typeof search>[0], {
      text: toTypeId('txn', '00000000-00ff-7000-8000-000000000000'),
      referralCode: 'NOBODY',
      scopes,
    });
  } finally {
    await connection.query('set session_replication_role = origin');
    connection.release();
  }
  const read = plans.flatMap((plan) => [...plan.matchAll(/rows=([\d.]+) loops=(\d+)/g)]);
  expect(Math.max(...read.map(([, rows, loops]) => Number(rows) * Number(loops)))).toBeLessThanOrEqual(20);
  expect(plans.filter((plan) => /Seq Scan|Rows Removed|Sort Method: (?!quicksort)/.test(plan))).toEqual([]);
});
