import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { program } from '../../support/rules/fixtures.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../../support/server.ts';
import { addMembers, Client, earn, rest } from '../../support/surfaces/client.ts';
import { makeCodes } from '../../support/surfaces/coupon-codes.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

const CLIENTS = 64;

let database: TestDatabase;
let world: World;
/** Two processes: within one process a batch sees what earlier batches took. */
let servers: [ServerProcess, ServerProcess];
let clients: [Client, Client];

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  const start = (): Promise<ServerProcess> => spawnServer(databaseSettings(database));
  servers = await Promise.all([start(), start()]);
  clients = [new Client(servers[0].url), new Client(servers[1].url)];
}, 180_000);

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await database.drop();
});

const document = program({
  coupons: [
    { code: 'SUMMER', award: { bonusPoints: 10 }, limits: { perMember: 2 }, pool: {} },
    { code: 'FAMILY', award: { bonusPoints: 5 }, pool: { usesPerCode: 3 } },
    { code: 'OURS', award: { bonusPoints: 7 }, pool: { assignedOnly: true } },
  ],
});

async function open(change: Partial<ProgramDocument> = {}): Promise<TestEnvironment> {
  const shop = await world.environment();
  await world.publish(shop.id, () => JSON.stringify({ ...document, ...change }));
  return shop;
}

const codesOf = (shop: TestEnvironment, poolId: string, count: number): Promise<string[]> =>
  makeCodes(database, world, { environmentId: shop.id, programId: document.id, poolId }, count);

interface Answer {
  award: { points: number };
  coupon: { code: string; valid: boolean; redeemed: boolean } | null;
  ruleDecisions: { kind: string; id: string; reason: string | null }[];
}

let orders = 0;

async function buy(shop: TestEnvironment, externalCustomerId: string, couponCode: string, which = 0) {
  orders += 1;
  const sourceReference = `order-${orders}`;
  const purchase = { externalCustomerId, sourceReference, amountMinor: 100, couponCode };
  const { status, body, text } = await (which % 2 ? clients[1] : clients[0]).send(
    earn(shop, purchase, sourceReference),
  );
  expect({ status, text }).toEqual({ status: 201, text: expect.anything() });
  const answer = body as unknown as Answer;
  const why = answer.ruleDecisions.find(({ kind }) => kind === 'coupon');
  return { ...answer, poolId: why?.id, why: why?.reason };
}

test('64 clients with one code over two servers: one redemption', async () => {
  const shop = await open();
  const ids = Array.from({ length: CLIENTS }, (_, index) => `c-${index}`);
  await addMembers(clients[0], shop, ids);
  const [code = '', family = ''] = [
    ...(await codesOf(shop, 'SUMMER', 1)),
    ...(await codesOf(shop, 'FAMILY', 1)),
  ];
  const once = await Promise.all(ids.map((id, index) => buy(shop, id, code, index)));
  expect(once.filter(({ coupon }) => coupon?.redeemed)).toHaveLength(1);
  expect(once.filter(({ why }) => why === 'The code has been used.')).toHaveLength(CLIENTS - 1);
  const thrice = await Promise.all(ids.map((id, index) => buy(shop, id, family, index)));
  expect(thrice.filter(({ coupon }) => coupon?.redeemed)).toHaveLength(3);
  expect(
    await world.count('select count(*)::bigint from coupon_redemptions where environment_id = $1', [shop.id]),
  ).toBe(4);
  expect(await world.failedControls()).toEqual([]);
});

test('a code is found however it is typed, and neither answer nor database repeats it', async () => {
  const shop = await open();
  await addMembers(clients[0], shop, ['ann']);
  const [code = ''] = await codesOf(shop, 'SUMMER', 1);
  const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`;
  const bought = await buy(shop, 'ann', typed);
  expect(bought).toMatchObject({ poolId: 'SUMMER', why: null, award: { points: 11 } });
  expect(bought.coupon).toEqual({ code: `${code.slice(0, 8)}…`, valid: true, redeemed: true });
  for (const table of [
    'transactions',
    'audit_events',
    'events',
    'idempotency_keys',
    'orders',
    'coupon_codes',
  ]) {
    const leaks = `select count(*)::bigint from ${table} r
      where upper(regexp_replace(r::text, '[- ]', '', 'g')) like '%' || $1 || '%'`;
    expect([table, await world.count(leaks, [code.replaceAll('-', '')])]).toEqual([table, 0]);
  }
  expect(await world.failedControls()).toEqual([]);
});

test('names of pools, typing errors and unknown codes are unknown coupons; limits count for all codes of a pool', async () => {
  const shop = await open();
  await addMembers(clients[0], shop, ['ann', 'bob']);
  const [one = '', two = '', three = ''] = await codesOf(shop, 'SUMMER', 3);
  const unknown = { coupon: { valid: false, redeemed: false }, why: 'Unknown coupon.' };
  expect(await buy(shop, 'ann', 'SUMMER')).toMatchObject(unknown);
  expect(await buy(shop, 'ann', `${one.slice(0, -1)}${one.endsWith('0') ? '1' : '0'}`)).toMatchObject(
    unknown,
  );
  const redeemed = { coupon: { redeemed: true } };
  expect(await buy(shop, 'ann', one)).toMatchObject(redeemed);
  expect(await buy(shop, 'ann', two)).toMatchObject(redeemed);
  expect(await buy(shop, 'ann', three)).toMatchObject({ why: 'The member has used it 2 times already.' });
  expect(await buy(shop, 'bob', three)).toMatchObject(redeemed);
  expect(await world.failedControls()).toEqual([]);
});

test('a code is assigned to a member, who alone can redeem it; its state is looked up', async () => {
  const shop = await open();
  await addMembers(clients[0], shop, ['ann', 'bob']);
  const [code = '', other = '', ours = ''] = [
    ...(await codesOf(shop, 'SUMMER', 2)),
    ...(await codesOf(shop, 'OURS', 1)),
  ];
  let keys = 0;
  const post = async (path: string, body: object, key = `key-${++keys}`) => {
    const said = { programId: document.id, ...body };
    return clients[0].send(rest(shop, 'POST', `/coupon-codes/${path}`, said, key));
  };
  const assign = (typed: string, externalCustomerId: string, key?: string) =>
    post('assign', { code: typed, externalCustomerId }, key);
  const known = { programId: document.id, poolId: 'SUMMER', prefix: code.slice(0, 8), usesAllowed: 1 };
  const open_ = { ...known, state: 'open', uses: 0 };
  const looked = async (typed: string) => (await post('lookup', { code: typed })).body.couponCode;

  expect(await looked(code)).toEqual({ ...open_, externalCustomerId: null });
  const assigned = await assign(code.toLowerCase(), 'ann', 'first');
  expect({ status: assigned.status, couponCode: assigned.body.couponCode }).toEqual({
    status: 200,
    couponCode: { ...open_, externalCustomerId: 'ann' },
  });
  expect((await assign(code.toLowerCase(), 'ann', 'first')).replayed).toBe(true);
  expect((await assign(code, 'ann')).status).toBe(200);
  expect(await assign(code, 'bob')).toMatchObject({ status: 409, code: 'coupon_code_unavailable' });
  expect(await assign(code, 'nobody')).toMatchObject({ status: 404, code: 'member_not_found' });
  expect(await assign('SUMMER-0', 'ann')).toMatchObject({ status: 404, code: 'coupon_code_not_found' });
  expect(await post('lookup', { code: 'SUMMER' })).toMatchObject({
    status: 404,
    code: 'coupon_code_not_found',
  });

  const preview = async (couponCode: string, more: object) => {
    const body = { type: 'purchase.completed', programId: document.id, amountMinor: 100, channel: 'web' };
    const { body: said } = await clients[1].send(
      rest(shop, 'POST', '/events/preview', { ...body, couponCode, ...more }),
    );
    return (said as unknown as Answer).coupon?.redeemed;
  };
  expect(await preview(code, { externalCustomerId: 'ann' })).toBe(true);
  expect(await preview(code, { externalCustomerId: 'bob' })).toBe(false);
  expect({ assigned: await preview(code, {}), free: await preview(other, {}) }).toEqual({
    assigned: false,
    free: true,
  });

  expect(await buy(shop, 'bob', code)).toMatchObject({ why: 'The code is assigned to another member.' });
  expect(await buy(shop, 'ann', code)).toMatchObject({ coupon: { redeemed: true } });
  expect(await looked(code)).toEqual({ ...known, state: 'used_up', uses: 1, externalCustomerId: 'ann' });
  expect(await assign(code, 'ann')).toMatchObject({ status: 200 });
  await buy(shop, 'bob', other);
  expect(await assign(other, 'bob')).toMatchObject({ status: 409, code: 'coupon_code_unavailable' });

  expect(await buy(shop, 'bob', ours)).toMatchObject({ why: 'The code is assigned to no member.' });
  await assign(ours, 'bob');
  expect(await buy(shop, 'bob', ours)).toMatchObject({ coupon: { redeemed: true } });
  expect(await world.failedControls()).toEqual([]);
});

test('offers that name a pool open with its codes, and use none up', async () => {
  const shop = await open({
    offers: [
      {
        id: 'summer-tenth',
        name: 'A tenth off',
        match: 'all',
        conditions: [],
        couponCodes: ['SUMMER'],
        effect: { kind: 'percent', basisPoints: 1000 },
      },
    ],
  });
  await addMembers(clients[0], shop, ['ann']);
  const [code = ''] = await codesOf(shop, 'SUMMER', 1);
  const evaluate = async (couponCode: string) => {
    const cart = { programId: document.id, externalCustomerId: 'ann', couponCode };
    const items = [{ sku: 'beans', unitPriceMinor: 1000 }];
    const { body } = await clients[0].send(rest(shop, 'POST', '/offers/evaluate', { ...cart, items }));
    return [body.discountMinor, (body.coupon as { valid: boolean }).valid];
  };
  expect(await evaluate(code)).toEqual([100, true]);
  expect(await evaluate(code)).toEqual([100, true]);
  expect(await evaluate('SUMMER')).toEqual([0, false]);
  await buy(shop, 'ann', code);
  expect(await evaluate(code)).toEqual([0, false]);
});

test('a pool of another program and one of another environment are not asked', async () => {
  const [shop, other] = [await open(), await open()];
  await addMembers(clients[0], shop, ['ann']);
  await addMembers(clients[0], other, ['ann']);
  const [code = ''] = await codesOf(shop, 'SUMMER', 1);
  await codesOf(other, 'SUMMER', 1);
  expect(await buy(other, 'ann', code)).toMatchObject({ why: 'Unknown coupon.' });
  expect(await buy(shop, 'ann', code)).toMatchObject({ coupon: { redeemed: true } });
  // The newest version has no such pool any more.
  const [next = ''] = await codesOf(shop, 'SUMMER', 1);
  await world.publish(shop.id, () => JSON.stringify({ ...document, coupons: document.coupons?.slice(1) }));
  expect(await buy(shop, 'ann', next)).toMatchObject({ poolId: 'SUMMER', why: 'Unknown coupon.' });
});

test('a code of a member that was merged is the code of the member that it was merged into', async () => {
  const shop = await open();
  await addMembers(clients[0], shop, ['ann', 'bob', 'eve']);
  const [code = ''] = await codesOf(shop, 'FAMILY', 1);
  let keys = 0;
  const post = (path: string, body: object, as = shop) =>
    clients[0].send(rest(as, 'POST', path, body, `merge-${++keys}`));
  const named = { programId: document.id, code };
  await post('/coupon-codes/assign', { ...named, externalCustomerId: 'ann' });
  expect(await buy(shop, 'ann', code)).toMatchObject({ coupon: { redeemed: true } });
  const merging = { intoExternalCustomerId: 'bob', reason: 'one person', evidence: { ticket: 'CS-1' } };
  const clerk = { ...shop, ...(await world.key(shop.id, ['adjustments:write'], null, 'clerk')) };
  const boss = { ...shop, ...(await world.key(shop.id, ['adjustments:approve'], null, 'boss')) };
  const asked = await post('/members/ann/merge', merging, clerk);
  const { id } = asked.body.merge as { id: string };
  expect((await post(`/member-merges/${id}/approve`, { reason: 'yes' }, boss)).status).toBe(200);

  const looked = await post('/coupon-codes/lookup', named);
  expect(looked.body.couponCode).toMatchObject({ externalCustomerId: 'bob', uses: 1 });
  const preview = async (externalCustomerId: string) => {
    const body = { type: 'purchase.completed', programId: document.id, amountMinor: 100, channel: 'web' };
    const said = { ...body, couponCode: code, externalCustomerId };
    const { body: answer } = await clients[1].send(rest(shop, 'POST', '/events/preview', said));
    return (answer as unknown as Answer).coupon?.redeemed;
  };
  expect({ bob: await preview('bob'), ann: await preview('ann'), eve: await preview('eve') }).toEqual({
    bob: true,
    ann: true,
    eve: false,
  });
  expect(await buy(shop, 'eve', code)).toMatchObject({ why: 'The code is assigned to another member.' });
  expect(await buy(shop, 'bob', code, 1)).toMatchObject({ coupon: { redeemed: true } });
  expect(await buy(shop, 'ann', code)).toMatchObject({ coupon: { redeemed: true } });
  expect(await buy(shop, 'bob', code)).toMatchObject({ why: 'All 3 uses of the code are taken.' });
  const again = await post('/coupon-codes/assign', { ...named, externalCustomerId: 'ann' });
  expect(again.body.couponCode).toMatchObject({ externalCustomerId: 'bob' });
  expect(await world.failedControls()).toEqual([]);
});
