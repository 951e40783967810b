import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SECTIONS } from '../../src/export/member/sections.ts';
import { toTypeId } from '../../src/ids.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { runCli } from '../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  choose,
  earn,
  engage,
  hold,
  onReservation,
  quote,
  redeem,
  rest,
  returnOrder,
  type Sent,
  updateMember,
} from '../support/surfaces/client.ts';
import { makeCodes } from '../support/surfaces/coupon-codes.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

// Ada and Bob do the same things. Every environment has a twin with the same rows under the same ids and twice the
// points.

type Shown = Record<string, unknown>;
type MemberFile = Record<string, Shown[]> & { memberId: string };

const PEOPLE = ['customer-ada', 'customer-bob'] as const;

let database: TestDatabase;
let server: RunningServer;
let client: Client;
let world: World;
let shop: TestEnvironment;
let folder: string;
/** UUIDs by externalCustomerId. */
const memberIds = new Map<string, string>();

beforeAll(async () => {
  database = await createTestDatabase({ twins: true });
  folder = await mkdtemp(join(tmpdir(), 'rewards-member-'));
  world = createWorld({ ...database, twins: true });
  shop = await world.environment();
  await world.publish(shop.id, (yaml) => yaml.replace(/^coupons:/m, '$&\n  - { code: SUMMER, pool: {} }'));
  const approver = { ...shop, ...(await world.key(shop.id, ['adjustments:approve'], null, 'approver')) };
  server = await startTestServer(database);
  client = new Client(server.url);
  await addMembers(client, shop, PEOPLE);
  for (const who of PEOPLE) await live(who, approver);
  for (const args of [
    ['member', 'tag', 'customer-ada', 'vip'],
    ['list', 'add', 'spring', ...PEOPLE],
  ])
    expect(await runCli(database.adminUrl, [...args, '-e', shop.environmentId])).toMatchObject({
      exitCode: 0,
    });
  const { rows } = await database.adminPool.query<{ id: string; customer: string }>(
    'select id, external_customer_id as customer from members where environment_id = $1',
    [shop.id],
  );
  for (const { id, customer } of rows) memberIds.set(customer, id);
  await deliver();
  await noticeAndSettle();
}, 180_000);

afterAll(async () => {
  client?.close();
  await server?.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function done(sent: Sent): Promise<{ id?: string; text: string }> {
  const { status, text, body } = await client.send(sent);
  expect([sent.path, status < 300, text]).toEqual([sent.path, true, text]);
  return { text, ...(body.id === undefined ? {} : { id: body.id }) };
}

/** A code that is assigned to the member, who redeems it. */
async function redeemCode(who: string): Promise<void> {
  const name = { environmentId: shop.id, programId, poolId: 'SUMMER' };
  const [code = ''] = await makeCodes(database, world, name, 1);
  const mine = { programId, code, externalCustomerId: who };
  await done(rest(shop, 'POST', '/coupon-codes/assign', mine, `assign-${who}`));
  const bought = {
    externalCustomerId: who,
    amountMinor: 100,
    sourceReference: `code ${who}`,
    couponCode: code,
  };
  await done(earn(shop, bought, `earn-with-code-${who}`));
}

async function live(who: string, approver: TestEnvironment): Promise<void> {
  const about = { externalCustomerId: who };
  const key = (name: string): string => `${name}-${who}`.replaceAll(' ', '-');
  await done(updateMember(shop, who, key('rename'), { displayName: `Name of ${who}` }));
  // In a store, where a campaign of the demo's gives points.
  const large = {
    ...about,
    amountMinor: 900_000,
    channel: 'store',
    sourceReference: key('order 1'),
  } as const;
  await done(earn(shop, large, key('earn 1')));
  await done(earn(shop, { ...about, amountMinor: 1_000, sourceReference: key('order 2') }, key('earn 2')));
  const returned = {
    sourceReference: key('order 2'),
    returnReference: key('return'),
    returnAmountMinor: 500,
  };
  await done(returnOrder(shop, returned, key('give back')));
  await done(engage(shop, { ...about, type: 'brew', attributes: { grams: 1000 } }, key('brew')));
  // The same event under another key: a key of its own, without an audit event.
  const again = {
    ...about,
    type: 'brew',
    attributes: { grams: 1000 },
    sourceReference: `event ${key('brew')}`,
  };
  await done(engage(shop, again, key('brew again')));
  await done(engage(shop, about, key('review')));
  await done(choose(shop, about, key('choice')));
  await done(quote(shop, about, key('only a quote')));
  const held = await hold(client, shop, about, key('hold'));
  await done(onReservation(shop, held, 'release', { reason: key('no wish') }, key('release')));
  const redeemed = await redeem(client, shop, about, key('redeem'));
  await done(onReservation(shop, redeemed, 'disputes', { reason: key('cold') }, key('dispute')));
  const wish = {
    programId,
    ...about,
    direction: 'credit',
    points: 5,
    reason: key('sorry'),
    evidence: { t: 1 },
  };
  await redeemCode(who);
  const { text } = await done(rest(shop, 'POST', '/adjustments', wish, key('adjust')));
  const [adjustment] = /adj_[0-9a-z]{26}/.exec(text) ?? [];
  await done(
    rest(approver, 'POST', `/adjustments/${adjustment}/approve`, { reason: key('ok') }, key('approve')),
  );
}

/** A delivery of one event of each member. */
async function deliver(): Promise<void> {
  await database.adminPool.query(
    `with endpoint as (
       insert into webhook_endpoints (environment_id, id, place, url, event_types, status, secret, created_at, updated_at)
       values ($1, gen_random_uuid(), 1, 'https://example.com/', '["points.earned"]', 'disabled', '\\x00', now(), now())
       returning id
     )
     insert into webhook_deliveries (environment_id, id, endpoint_id, sequence, event_id, event_type, status,
       created_at, next_attempt_at)
     select $1, gen_random_uuid(), endpoint.id, row_number() over (), e.id, e.type, 'pending', now(), now() + interval '1 day'
     from endpoint, (select distinct on (member_id) id, type from events
       where environment_id = $1 and member_id is not null order by member_id, id) e`,
    [shop.id],
  );
}

/** A notice of an expiry and a settlement with a partner, of each member. */
async function noticeAndSettle(): Promise<void> {
  await database.adminPool.query(
    `insert into expiry_notices
     select distinct on (member_id) environment_id, member_id, program_id, id, now(), now()
     from lots where environment_id = $1 order by member_id, id`,
    [shop.id],
  );
  await database.adminPool.query(
    `insert into exchange_settlements
     select distinct on (member_id) environment_id, source_reference, program_id, member_id, 'air', 'in', 1, id,
       null, null, now()
     from transactions
     where environment_id = $1 and source_reference is not null and event_type = 'purchase.completed'
     order by member_id, id`,
    [shop.id],
  );
}

async function exported(who: string): Promise<{ file: MemberFile; text: string }> {
  const out = join(folder, `${who}.json`);
  const run = await runCli(database.adminUrl, [
    'member',
    'export',
    who,
    '-e',
    shop.environmentId,
    '--out',
    out,
  ]);
  expect(run).toMatchObject({ exitCode: 0 });
  const text = await readFile(out, 'utf8');
  return { file: JSON.parse(text) as MemberFile, text };
}

test('no table with a column of a member is left out but the sums of its postings', async () => {
  const { rows } = await database.adminPool.query<{ name: string }>(
    `select distinct table_name as name from information_schema.columns
     where table_schema = 'public' and column_name in ('member_id', 'external_customer_id', 'referred_by')`,
  );
  const exportedTables = SECTIONS.map(({ table }) => table);
  const missing = rows.map(({ name }) => name).filter((name) => !exportedTables.includes(name));
  expect(missing).toEqual(['member_days']);
});

test('each list has the rows of the member, and all of them', async () => {
  const { file } = await exported('customer-ada');
  const id = memberIds.get('customer-ada');
  expect(file.memberId).toBe(toTypeId('mem', id ?? ''));
  for (const { name, table } of SECTIONS) {
    const rows = file[name] ?? [];
    if (!['lotExpiryChanges', 'merges'].includes(name)) expect([name, rows.length > 0]).toEqual([name, true]);
    expect([name, JSON.stringify(rows).includes('environment')]).toEqual([name, false]);
    const { rows: columns } = await database.adminPool.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_name = $1 and column_name in ('member_id')`,
      [table],
    );
    if (columns.length === 0) continue;
    const { rows: counted } = await database.adminPool.query<{ count: number }>(
      `select count(*) as count from ${table} where environment_id = $1 and member_id = $2`,
      [shop.id, id],
    );
    expect([name, rows.length]).toEqual([name, counted[0]?.count]);
  }
  expect(file.member).toMatchObject([
    {
      externalCustomerId: 'customer-ada',
      displayName: 'Name of customer-ada',
      tags: ['vip'],
      lists: ['spring'],
    },
  ]);
  expect(file.returns).toHaveLength(1);
  expect(file.disputes).toHaveLength(1);
  expect(file.deliveries).toHaveLength(1);
  const sum = (file.postings ?? []).reduce((total, { amount }) => total + Number(amount), 0);
  const { rows: amounts } = await database.adminPool.query<{ sum: string }>(
    'select sum(amount) from postings where environment_id = $1 and member_id = $2',
    [shop.id, id],
  );
  expect(String(sum)).toBe(amounts[0]?.sum);
});

test('it has every audit event about the member, and every key of its commands', async () => {
  const { file } = await exported('customer-ada');
  const { rows } = await database.adminPool.query<{ id: string; about: string }>(
    `select id, row_to_json(e)::text as about from audit_events e where environment_id = $1`,
    [shop.id],
  );
  const own = new Set(
    JSON.stringify(Object.values(file)).match(/\b(?:mem|txn|rsv|quo|dsp|adj|evt|chc)_[0-9a-z]{26}\b/g),
  );
  const expected = rows.filter(({ about }) => {
    const { target_id: target, changes } = JSON.parse(about) as { target_id: string; changes: Shown };
    return own.has(target) || JSON.stringify(changes).includes(file.memberId);
  });
  expect((file.auditEvents ?? []).map(({ id }) => id).sort()).toEqual(
    expected.map(({ id }) => toTypeId('aud', id)).sort(),
  );
  const { rows: keys } = await database.adminPool.query<{ key: string }>(
    `select key from idempotency_keys where environment_id = $1 and key like '%customer-ada'`,
    [shop.id],
  );
  expect((file.idempotencyKeys ?? []).map(({ key }) => key).sort()).toEqual(
    keys.map(({ key }) => key).sort(),
  );
});

test('it has nothing of another member', async () => {
  const [ada, bob] = [await exported('customer-ada'), await exported('customer-bob')];
  const idsOf = ({ text, file }: { text: string; file: MemberFile }): Set<string> => {
    const shared = new Set((file.deliveries ?? []).map(({ endpointId }) => endpointId as string));
    const found = text.match(/\b[a-z]{2,3}_[0-9a-z]{26}\b/g) ?? [];
    return new Set(found.filter((id) => !id.startsWith('env_') && !shared.has(id)));
  };
  const [first, second] = [idsOf(ada), idsOf(bob)];
  expect(first.size).toBeGreaterThan(40);
  // The list was changed for both at once: that audit event is about either.
  const listed = (file: MemberFile): unknown[] =>
    (file.auditEvents ?? [])
      .filter(({ targetType }) => targetType === 'environment')
      .flatMap(({ id, requestId }) => [id, requestId]);
  const both = [...first].filter((id) => second.has(id));
  expect(both.sort()).toEqual((listed(ada.file) as string[]).sort());
  expect(ada.text).not.toContain('customer-bob');
  expect(bob.text).not.toContain('customer-ada');
});

test('it is noted in the audit trail, is for its owner alone to read, and is found by mem_… too', async () => {
  const { file } = await exported('customer-ada');
  expect((await stat(join(folder, 'customer-ada.json'))).mode & 0o777).toBe(0o600);
  const run = await runCli(database.adminUrl, ['member', 'export', file.memberId, '-e', shop.environmentId]);
  const printed = JSON.parse(run.stdout) as MemberFile;
  expect(printed.member).toEqual(file.member);
  const noted = (printed.auditEvents ?? []).filter(({ action }) => action === 'member.exported');
  expect(noted.at(-1)).toMatchObject({ actorType: 'operator', targetId: file.memberId });
});

test('a member of nowhere and of another environment', async () => {
  const other = await createWorld(database).environment('production');
  for (const [customer, environment] of [
    ['nobody', shop.environmentId],
    ['customer-ada', other.environmentId],
    [toTypeId('mem', memberIds.get('customer-ada') ?? ''), other.environmentId],
  ] as const) {
    const run = await runCli(database.adminUrl, ['member', 'export', customer, '-e', environment]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('There is no member');
  }
});

test('a referrer gets nothing of the order of the member who was referred, and that one all of it', async () => {
  const [referrer, referee] = ['customer-eve', 'customer-fay'];
  await addMembers(client, shop, [referrer, referee]);
  await done(
    earn(shop, { externalCustomerId: referrer, amountMinor: 1_000, sourceReference: 'eve-1' }, 'eve-1'),
  );
  const { rows } = await database.adminPool.query<{ code: string }>(
    `select p.referral_code as code from program_profiles p join members m on m.environment_id = $1 and m.id = p.member_id
     where p.environment_id = $1 and m.external_customer_id = $2`,
    [shop.id, referrer],
  );
  const context = { attributes: { referralCode: rows[0]?.code } };
  const order = { externalCustomerId: referee, amountMinor: 9_000, sourceReference: 'fay-1', context };
  expect((await done(earn(shop, order, 'fay-1'))).text).toContain('"referrerPoints"');
  const returned = { sourceReference: 'fay-1', returnReference: 'fay-back', returnAmountMinor: 4_500 };
  await done(returnOrder(shop, returned, 'fay-back'));

  const own = await exported(referrer);
  expect(own.text).not.toMatch(/fay-1|fay-back/);
  expect(own.text).toContain('eve-1');
  const types = (of: MemberFile) => of.transactions?.map(({ eventType }) => eventType);
  expect(types(own.file)).toEqual(['purchase.completed', 'referral.awarded', 'order.returned']);
  expect(own.text).not.toContain('ofAnotherOrder');
  const { text } = await exported(referee);
  expect(text.match(/fay-back/g)?.length).toBeGreaterThan(2);
});
