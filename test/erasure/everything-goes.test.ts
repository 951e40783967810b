import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Erasure, eraseMember } from '../../src/erasure/erase-member.ts';
import { newUuid } from '../../src/ids.ts';
import { sealAudit } from '../../src/jobs/seal-audit.ts';
import { verifyAudit } from '../../src/queries/audit/verify-audit.ts';
import { findLedgerClose } from '../../src/queries/reports/ledger-close/find-ledger-close.ts';
import { readRecordedAward } from '../../src/queries/transactions/recorded-award.ts';
import { verifyAward } from '../../src/queries/transactions/verify-award.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { liveALife, liveFromFiles, type Told } from '../support/erasure/live-a-life.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { Counter } from '../support/ledger/counter.ts';
import { startTestServer } from '../support/server.ts';
import { Client, createMember, earn, enroll, readMember, type Sent } from '../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

// Members with ids of every kind live the same life: each command that is about a member, with something typed wherever
// that is possible. Some of them are erased, and the others stay as they were.

const PEOPLE: readonly { id: string; word: string; erased: boolean }[] = [
  { id: 'zelda', word: 'Zuckerman', erased: true },
  { id: 'zelda-2', word: 'Zwingli', erased: false },
  { id: 'Zoë "Ω" \\ O\'Hara', word: 'Zabriskie', erased: true },
  { id: '7', word: 'Zamenhof', erased: true },
  { id: 'order', word: 'Zeppelin', erased: true },
  { id: '$1.*[z]', word: 'Zorro "Z" \\', erased: true },
  { id: 'customer-joan/2@x', word: 'Zenobia', erased: true },
  { id: 'ann', word: 'Zola', erased: false },
];
const ERASED = PEOPLE.filter(({ erased }) => erased);
const KEPT = PEOPLE.filter(({ erased }) => !erased);

/** Paths of requests with a reference that can be used once. */
const ONCE = ['/events', '/returns', '/custom-events', '/choice-benefits'];

let counter: Counter;
let server: RunningServer;
let client: Client;
let world: World;
let shop: TestEnvironment;
let sibling: TestEnvironment;
const told = new Map<string, Told[]>();
const erasures = new Map<string, Erasure>();
/** What must not change by erasures. */
let before: Awaited<ReturnType<typeof untouched>>;
let awards: string[];
let period: { from: Date; to: Date };
let closes: string[];

/** A receiver of webhooks has answered to each event with the name of its member. */
const REPEATED = `
  with endpoint as (
    insert into webhook_endpoints (environment_id, id, url, event_types, status, disabled_reason, secret, created_at,
      updated_at, deleted_at)
    values ($1, gen_random_uuid(), 'https://example.com/', '["points.earned"]', 'disabled', 'gone', 'x', now(), now(), now())
    returning id
  ), deliveries as (
    insert into webhook_deliveries (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at,
      delivered_at)
    select $1, e.id, endpoint.id, row_number() over (order by e.id), e.id, e.type, 'delivered', now(), now()
    from events e, endpoint where e.environment_id = $1 and e.member_id is not null
    returning id
  )
  insert into webhook_attempts (environment_id, delivery_id, number, at, duration_ms, response_status, response_excerpt)
  select $1, e.id, 1, now(), 5, 200, 'Thanks for ' || m.display_name
  from events e join members m on m.environment_id = $1 and m.id = e.member_id
  where e.environment_id = $1`;

/** The members have been told of lots that will expire. */
const NOTICED = `
  insert into expiry_notices (environment_id, member_id, program_id, lot_id, expires_at, noticed_at)
  select environment_id, member_id, program_id, id, expires_at, now() from lots
  where environment_id = $1 and expires_at is not null`;

beforeAll(async () => {
  counter = await Counter.open();
  const { database } = counter;
  world = createWorld(database);
  shop = await world.environment('production');
  sibling = await world.environment('production');
  server = await startTestServer(database);
  client = new Client(server.url);
  const writer = counter.writer();
  for (const environment of [shop, sibling]) {
    const key = await world.key(environment.id, ['adjustments:approve'], null, 'approver');
    const approver = { ...environment, ...key };
    let referralCode: string | null = null;
    for (const { id: externalCustomerId, word } of environment === shop ? PEOPLE : PEOPLE.slice(0, 1)) {
      const person = { externalCustomerId, word, referralCode };
      const requests = await liveALife(client, environment, approver, person, writer);
      if (environment === shop) told.set(externalCustomerId, requests);
      const code = requests.map(({ received }) => /"referralCode":"(\w+)"/.exec(received.text)?.[1]);
      referralCode = code.find((text) => text !== undefined) ?? null;
    }
  }
  await database.adminPool.query(REPEATED, [shop.id]);
  await database.adminPool.query(NOTICED, [shop.id]);
  await sealAudit(database.adminPool);
  before = await untouched();
  awards = await verifiedAwards();
  const to = await counter.value<Date>('select date_trunc($$milliseconds$$, clock_timestamp())');
  period = { from: new Date(to.getTime() - 3_600_000), to };
  closes = await closeHashes();
  for (const { id: externalCustomerId } of ERASED) {
    const done = await eraseMember(
      { administrator: world.administrator, pool: database.adminPool, door: writer },
      { environmentId: shop.id, externalCustomerId, reason: `${externalCustomerId} asked`, forfeit: true },
    );
    if (isRefusal(done)) throw new Error(done.message);
    erasures.set(externalCustomerId, done);
  }
}, 240_000);

afterAll(async () => {
  client.close();
  await server.close();
  await counter.close();
});

/** The members that are kept with their profiles, and all that the sibling environment has. */
async function untouched(): Promise<unknown> {
  const { rows } = await counter.database.adminPool.query(
    `select row_to_json(m) as member, p.profiles
     from members m
     cross join lateral (select json_agg(row_to_json(p) order by program_id) as profiles from program_profiles p
       where p.environment_id = m.environment_id and p.member_id = m.id) p
     where m.environment_id = $1 or external_customer_id = any($2)
     order by m.environment_id, m.id`,
    [sibling.id, KEPT.map(({ id }) => id)],
  );
  return rows;
}

async function verifiedAwards(): Promise<string[]> {
  const { adminPool } = counter.database;
  const { rows } = await adminPool.query<{ id: string }>(
    `select id from transactions where environment_id = $1 and event_type = 'purchase.completed' order by id`,
    [shop.id],
  );
  const all: string[] = [];
  for (const { id } of rows) {
    const award = await readRecordedAward(adminPool, id, shop.id);
    if (!award || 'eventType' in award) throw new Error('no award');
    expect([id, verifyAward(award).differences]).toEqual([id, []]);
    all.push(`${id} ${award.posted.postings}`);
  }
  return all;
}

async function closeHashes(): Promise<string[]> {
  const report = await findLedgerClose(counter.database.adminPool, shop.id, { programId, ...period });
  if (isRefusal(report)) throw new Error(report.message);
  return [report.evidenceHash];
}

/** Requests under keys that do not contain the customer's id: the others are new ones now. */
function repeatable(requests: readonly Told[], id: string): Told[] {
  return requests.filter(({ sent }) => !String(sent.headers?.['idempotency-key']).startsWith(`${id}:`));
}

test('every table that names members has rows of erased ones to search', async () => {
  const { adminPool } = counter.database;
  const { rows: tables } = await adminPool.query<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'member_id' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     order by 1`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const unused: string[] = [];
  for (const { name } of tables) {
    const { rowCount } = await adminPool.query(
      `select from ${name} t join members m on m.id = t.member_id and m.environment_id = $1
       where t.environment_id = $1 and m.status = 'erased' limit 1`,
      [shop.id],
    );
    if (rowCount === 0) unused.push(name);
  }
  // These have ids, dates and numbers alone.
  expect(unused).toEqual(['campaign_awards', 'coupon_redemptions', 'lot_expiry_changes', 'member_days']);
});

test('a search of the whole database finds nothing that was typed about the erased members', async () => {
  const words = ERASED.flatMap(({ word }) => [word, JSON.stringify(word).slice(1, -1)]);
  const found = await searchDatabase(counter.database.adminPool, words);
  const elsewhere = found.filter((row) => !row.includes(sibling.id));
  expect(elsewhere).toEqual([]);
});

test('nor their ids, whether alone or in references and keys', async () => {
  // As JSON, and as a column of a row: both double what a quoted text escapes.
  const spellings = ['zelda', 'joan', "O'Hara", '$1.*[z]', '""7""', '""order""', 'order zelda 1'].concat(
    ['order', 'back', 'brew', 'choice', 'checkout', 'paid', 'parcel', 'line'].flatMap((name) => [
      `${name} 7`,
      `${name} order`,
    ]),
    ['opened', 'received', 'given', 'taken', 'spent', 'restored'].flatMap((name) => [
      `${name}-7`,
      `${name}-order`,
    ]),
  );
  const found = await searchDatabase(counter.database.adminPool, spellings);
  expect(found.filter((row) => row.includes('zelda-2')).length).toBeGreaterThan(15);
  const left = found.map((row) => row.replaceAll('zelda-2', '').replaceAll(sibling.id, 'sibling'));
  expect(
    left.filter((row) => !row.includes('sibling') && spellings.some((text) => row.includes(text))),
  ).toEqual([]);
});

test('what is about other members and in other environments stays as it was', async () => {
  expect(await untouched()).toEqual(before);
  for (const { word } of [...KEPT]) {
    expect((await searchDatabase(counter.database.adminPool, [word])).length).toBeGreaterThan(15);
  }
});

test('the ledger, the awards, the audit trail and the closes are what they were', async () => {
  expect(await world.failedControls()).toEqual([]);
  // Among them lots that lent points to reversed settlements, and lots that owe them.
  const lent = 'select count(*)::integer from lots where environment_id = $1 and lent <> 0';
  expect(await counter.value<number>(lent, [shop.id])).toBeGreaterThanOrEqual(PEOPLE.length);
  expect(await verifiedAwards()).toEqual(awards);
  expect(await closeHashes()).toEqual(closes);
  const { adminPool } = counter.database;
  await sealAudit(adminPool);
  const reader = await adminPool.connect();
  const verdict = await verifyAudit(reader, shop.id).finally(() => reader.release());
  expect(verdict.breaks).toEqual([]);
  expect(verdict.checked).toBeGreaterThan(100);
});

test('an old request that is sent again is answered with the new id, or is refused: it changes nothing', async () => {
  for (const { id, word } of ERASED) {
    for (const { sent } of repeatable(told.get(id) ?? [], id)) {
      const again = await client.send(sent);
      const toldAgain = again.replayed || again.status >= 400;
      expect({ toldAgain, text: again.text }).toEqual({ toldAgain: true, text: expect.anything() });
      // A tag and the name of a list stand in the path of the request itself; nothing of them is kept.
      const { tag: _tag, list: _list, ...kept } = again.body;
      expect(JSON.stringify(kept)).not.toContain(word);
      expect(again.text).not.toContain(`"externalCustomerId":${JSON.stringify(id)}`);
    }
    expect((await client.send(readMember(shop, id))).status).toBe(404);
    const read = await client.send(readMember(shop, erasures.get(id)?.externalCustomerId ?? ''));
    expect(read.body.member).toMatchObject({ status: 'erased', displayName: null });
  }
  expect(await world.failedControls()).toEqual([]);
});

test('each leaves one audit event and one event for receivers, which name the member by its ids alone', async () => {
  const { rows } = await counter.database.adminPool.query(
    `select a.target_id, a.actor_type, a.actor_id, a.changes, e.data,
       (select count(*)::integer from operations where environment_id = $1 and type = 'erasure'
         and status = 'succeeded' and not input::jsonb ? 'externalCustomerId') as operations
     from audit_events a join events e on e.environment_id = $1 and e.type = 'member.erased' and e.at = a.at
     where a.environment_id = $1 and a.action = 'member.erased'`,
    [shop.id],
  );
  expect(rows.map(({ target_id }) => target_id).sort()).toEqual(
    [...erasures.values()].map(({ memberId }) => memberId).sort(),
  );
  for (const row of rows) {
    expect(row).toMatchObject({ actor_type: 'operator', operations: ERASED.length });
    expect(Object.keys(row.changes)).toEqual(['operationId', 'forfeitedPoints', 'reason']);
  }
});

test('nothing is posted again for whoever registers with the id next, under the old keys or under others', async () => {
  const count = 'select count(*)::integer from transactions where environment_id = $1';
  for (const { id } of ERASED) {
    for (const sent of [createMember(shop, id, newUuid()), enroll(shop, id, newUuid())]) {
      expect((await client.send(sent)).status).toBe(201);
    }
  }
  const posted = await counter.value<number>(count, [shop.id]);
  const isOnce = ({ path }: Sent) => ONCE.some((name) => path.endsWith(name));
  for (const { id } of ERASED) {
    for (const { sent } of told.get(id) ?? []) {
      await client.send(sent);
      if (!isOnce(sent)) continue;
      const again = await client.send({
        ...sent,
        headers: { ...sent.headers, 'idempotency-key': newUuid() },
      });
      expect([sent.path, again.status >= 400 || again.replayed]).toEqual([sent.path, true]);
    }
    // Keys of references that are no visible ASCII are hashes, and are recognised.
    const sentAgain = liveFromFiles(counter.writer(), shop, { externalCustomerId: id });
    const recognised = await sentAgain.catch((error: Error) => error.message);
    if (typeof recognised === 'string') expect(recognised).toContain('This Idempotency-Key was used before');
    else expect(recognised.every(({ idempotent }) => idempotent)).toBe(true);
  }
  expect(await counter.value<number>(count, [shop.id])).toBe(posted);
  const order = { externalCustomerId: 'zelda', amountMinor: 1_000, sourceReference: 'order zelda 2' };
  expect((await client.send(earn(shop, order, newUuid()))).status).toBe(201);
  expect(await world.failedControls()).toEqual([]);
});
