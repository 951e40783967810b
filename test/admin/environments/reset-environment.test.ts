import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { cloneEnvironment } from '../../../src/admin/environments/clone-environment.ts';
import { createEnvironment } from '../../../src/admin/environments/create-environment.ts';
import {
  KEPT_TABLES,
  type Reset,
  resetEnvironment,
} from '../../../src/admin/environments/reset-environment.ts';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import { toTypeId } from '../../../src/ids.ts';
import { sealAudit } from '../../../src/jobs/seal-audit.ts';
import { EVERY_TABLE } from '../../../src/ledger/tables/every-handling.ts';
import { verifyAudit } from '../../../src/queries/audit/verify-audit.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../../src/refusal.ts';
import { atEnd } from '../../support/fixture.ts';
import {
  addMembers,
  earn,
  onReservation,
  quote,
  readMember,
  redeem,
  reserve,
  rest,
  returnOrder,
} from '../../support/surfaces/client.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import { addTestWidget } from '../../support/surfaces/widgets.ts';
import type { TestEnvironment } from '../../support/surfaces/world.ts';
import { until } from '../../support/until.ts';

const NO_ID = '00000000-0000-7000-8000-000000000000';
/** The key that the test server has too. */
const SECRETS = SecretBox.ofKeys([Buffer.alloc(32, 7).toString('base64')]);

let keys = 0;

const { database, world, client } = useServer();

atEnd(async () => expect(await world.failedControls()).toEqual([]));

function done<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}

/** @param options `steps` ends it after so many tables; `chunkRows` is the most that a statement removes */
async function reset(
  { id }: TestEnvironment,
  { steps = Number.POSITIVE_INFINITY, chunkRows = 5_000 } = {},
): Promise<Reset> {
  const stopping = new AbortController();
  const onProgress = (tables: number) => tables >= steps && stopping.abort();
  const resetter = { administrator: world.administrator, pool: database.adminPool, signal: stopping.signal };
  return done(await resetEnvironment({ ...resetter, chunkRows, onProgress }, id));
}

async function buy(shop: TestEnvironment, externalCustomerId: string): Promise<number> {
  const sourceReference = `order-${++keys}`;
  const sent = earn(shop, { externalCustomerId, sourceReference, amountMinor: 50_000 }, sourceReference);
  return (await client.send(sent)).status;
}

/** Some of everything: members, purchases with a return, a hold, a webhook endpoint with a delivery. */
async function fill(shop: TestEnvironment): Promise<void> {
  await addMembers(client, shop, ['ada', 'bob']);
  const endpoint = { url: 'https://example.com/hook', eventTypes: ['points.earned'] };
  const made = await client.send(rest(shop, 'POST', '/webhook-endpoints', endpoint, `hook-${++keys}`));
  const { id } = made.body.endpoint as { id: string };
  await client.send(rest(shop, 'POST', `/webhook-endpoints/${id}/test`, {}, `test-${++keys}`));
  for (const customer of ['ada', 'bob', 'ada']) expect(await buy(shop, customer)).toBe(201);
  const back = { sourceReference: `order-${keys}`, returnReference: `r-${keys}`, returnAmountMinor: 100 };
  expect((await client.send(returnOrder(shop, back, `return-${keys}`))).status).toBe(201);
  const quoted = await client.send(quote(shop, { externalCustomerId: 'ada' }, `quote-${keys}`));
  const { id: quoteId } = quoted.body.quote as { id: string };
  expect((await client.send(reserve(shop, quoteId, `hold-${keys}`))).status).toBe(201);
}

/** The number of rows that an environment has in each table. */
async function rowsOf({ id }: Pick<TestEnvironment, 'id'>): Promise<Record<string, number>> {
  const { rows } = await database.adminPool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'environment_id' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    counts[name] = await world.count(`select count(*) from "${name}" where environment_id = $1`, [id]);
  }
  return counts;
}

async function auditBreaks(environmentId: string): Promise<number> {
  await sealAudit(database.adminPool);
  const connection = await database.adminPool.connect();
  try {
    return (await verifyAudit(connection, environmentId)).breakCount;
  } finally {
    connection.release();
  }
}

test('a reset leaves how the Sandbox is set up and its audit trail, and nothing else; no other environment changes', async () => {
  const [shop, other] = [await world.environment(), await world.environment()];
  await fill(shop);
  await fill(other);
  await client.send(
    rest(shop, 'POST', '/sandbox/clock', { action: 'advance', seconds: 86_400 * 40 }, 'ahead'),
  );
  const [before, others] = [await rowsOf(shop), await rowsOf(other)];
  expect(before.members).toBe(2);
  const outcome = await reset(shop);
  expect(outcome.complete).toBe(true);
  expect(outcome.removed).toBeGreaterThan(20);
  const after = await rowsOf(shop);
  const { audit_events, audit_seals, audit_heads, ...kept } = Object.fromEntries(
    KEPT_TABLES.map((table) => [table, before[table]]),
  );
  expect(after).toMatchObject({ ...kept, feed_epochs: 2 });
  const filled = Object.entries(after).flatMap(([table, rows]) => (rows > 0 ? [table] : []));
  // The event of the epoch that begins, at the first position.
  expect(filled.filter((table) => !KEPT_TABLES.includes(table))).toEqual(['event_positions', 'events']);
  expect({ events: after.events, feed_epochs: after.feed_epochs }).toEqual({
    events: 1,
    feed_epochs: (before.feed_epochs ?? 0) + 1,
  });
  expect(await rowsOf(other)).toMatchObject({ members: others.members, postings: others.postings });
  expect(after.audit_events).toBe((audit_events ?? 0) + 2);
  expect(await auditBreaks(shop.id)).toBe(0);
  const { body } = await client.send(rest(shop, 'GET', '/sandbox/clock'));
  expect(body.clock).toMatchObject({ state: 'real' });
  // The same references and keys are good again.
  keys = 0;
  await fill(shop);
  expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
}, 240_000);

test('rows go with those of the same table that refer to them, also where both refer to each other', async () => {
  const shop = await world.environment();
  await fill(shop);
  const redeemed = await redeem(client, shop, { externalCustomerId: 'ada' }, 'redeemed');
  const reversed = onReservation(shop, redeemed, 'reverse', { reason: 'cancelled' }, 'reversed');
  expect((await client.send(reversed)).status).toBe(200);
  const references = [
    `update members set merged_into = (select id from members where environment_id = $1 and external_customer_id = 'ada')
     where environment_id = $1 and external_customer_id = 'bob'`,
    `update program_profiles p set referred_by = m.id from members m
     where m.environment_id = $1 and m.external_customer_id = 'ada' and p.environment_id = $1 and p.member_id <> m.id`,
    `update transactions t set reversal_of = (select id from transactions where environment_id = $1 order by id limit 1)
     where t.environment_id = $1 and t.event_type = 'order.returned'`,
  ];
  for (const text of references) expect((await database.adminPool.query(text, [shop.id])).rowCount).toBe(1);
  expect(await reset(shop, { chunkRows: 1 })).toMatchObject({ complete: true });
  expect(await rowsOf(shop)).toMatchObject({ members: 0, program_profiles: 0, transactions: 0 });
}, 240_000);

test('a row that others change each time it is to be removed goes in the end', async () => {
  const shop = await world.environment();
  await addMembers(client, shop, ['ada']);
  let [holder, next] = [await database.adminPool.connect(), await database.adminPool.connect()];
  const rename = (round: number) => ({
    text: 'update members set display_name = $2 where environment_id = $1',
    values: [shop.id, `Ada ${round}`],
  });
  let ended = false;
  const waiting = (count: number) =>
    until(async () => {
      const waits = await world.count(`select count(*) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ '(delete from|update) members'`);
      return waits >= count || ended;
    }, `${count} wait for a lock`);
  try {
    await holder.query('begin');
    await holder.query(rename(0));
    const resetting = reset(shop).finally(() => {
      ended = true;
    });
    for (let round = 1; round <= 8 && !ended; round++) {
      await waiting(1);
      // Waits beside the reset, so that the row is changed again before the next statement of the reset.
      await next.query('begin');
      const renamed = next.query(rename(round));
      await waiting(2);
      await holder.query('commit');
      await renamed;
      [holder, next] = [next, holder];
    }
    await holder.query('commit');
    expect(await resetting).toMatchObject({ complete: true });
  } finally {
    holder.release(true);
    next.release(true);
  }
  expect(await rowsOf(shop)).toMatchObject({ members: 0 });
}, 240_000);

test('what was published and activated by a clock that ran ahead takes part at once after a reset', async () => {
  const shop = await world.environment();
  const ahead = { action: 'advance', seconds: 400 * 86_400 };
  expect((await client.send(rest(shop, 'POST', '/sandbox/clock', ahead, `move-${++keys}`))).status).toBe(200);
  await world.publish(shop.id, (yaml) => yaml.replace('id: coffee-club', 'id: later-club'));
  const hook = { url: 'https://example.com/hook', eventTypes: ['points.earned'] };
  const made = await client.send(rest(shop, 'POST', '/webhook-endpoints', hook, `hook-${++keys}`));
  const { id } = made.body.endpoint as { id: string };
  const activated = await client.send(
    rest(shop, 'PATCH', `/webhook-endpoints/${id}`, { status: 'active' }, `on-${++keys}`),
  );
  expect(activated.status).toBe(200);
  await reset(shop);
  const versions = await client.send(rest(shop, 'GET', '/programs/later-club/versions'));
  const [version] = versions.body.data as unknown as { effectiveFrom: string; publishedAt: string }[];
  for (const at of [version?.effectiveFrom, version?.publishedAt])
    expect(Date.parse(at ?? '')).toBeLessThan(Date.now() + 60_000);
  await addMembers(client, shop, ['ada']);
  expect(await buy(shop, 'ada')).toBe(201);
  const sent = () =>
    world.count('select count(*) from webhook_deliveries where environment_id = $1', [shop.id]);
  while ((await sent()) === 0) await setTimeout(20);
});

test('an interrupted reset refuses every change, and the same call finishes it', async () => {
  const shop = await world.environment();
  await fill(shop);
  expect(await reset(shop, { steps: 3 })).toMatchObject({ complete: false });
  const refused = await client.send(
    earn(shop, { externalCustomerId: 'ada', sourceReference: 'late', amountMinor: 1 }, 'late'),
  );
  expect(refused).toMatchObject({ status: 409, code: 'production_locked' });
  const created = rest(
    shop,
    'POST',
    '/members',
    { externalCustomerId: 'eve', consentStatus: 'opted_in', noticeVersion: 'v1' },
    'eve',
  );
  expect((await client.send(created)).code).toBe('production_locked');
  // Production takes this one while it is locked.
  const released = onReservation(shop, toTypeId('rsv', NO_ID), 'release', { reason: 'late' }, 'late');
  expect((await client.send(released)).code).toBe('production_locked');
  expect(await reset(shop)).toMatchObject({ complete: true });
  expect(await world.count('select count(*) from members where environment_id = $1', [shop.id])).toBe(0);
  await addMembers(client, shop, ['ada']);
  expect(await buy(shop, 'ada')).toBe(201);
}, 240_000);

test('purchases that are sent while a Sandbox is reset leave nothing of before, and no half of anything', async () => {
  const shop = await world.environment();
  await fill(shop);
  const statuses = new Set<number>();
  let resetting = true;
  const traffic = Promise.all(
    Array.from({ length: 6 }, async () => {
      while (resetting) statuses.add(await buy(shop, 'ada'));
    }),
  );
  await reset(shop);
  resetting = false;
  await traffic;
  for (const status of statuses) expect([201, 404, 409]).toContain(status);
  expect(await rowsOf(shop)).toMatchObject({ members: 0, transactions: 0, postings: 0, idempotency_keys: 0 });
}, 240_000);

test('a clone has the programs, deployments, issuers and endpoints; a second one is refused', async () => {
  const source = await world.environment();
  await fill(source);
  await world.publish(source.id, (yaml) => yaml.replace('name: Coffee Club', 'name: Coffee Society'));
  await addTestWidget(world, source.id);
  const made = await createEnvironment(world.administrator, {
    ...{ tenantId: source.tenantId, kind: 'sandbox', name: 'Copy' },
  });
  const { environmentId: to } = done(made);
  const copy = (): ReturnType<typeof cloneEnvironment> =>
    cloneEnvironment(world.administrator, { from: source.id, to }, SECRETS);
  const before = await rowsOf({ id: to });
  expect(done(await copy())).toEqual({ programs: 1, versions: 2, issuers: 0, deployments: 1, endpoints: 1 });
  const [original, after] = [await rowsOf(source), await rowsOf({ id: to })];
  const said = EVERY_TABLE.flatMap(({ name, handling: { owner, clone } }) =>
    owner === 'service' ? [] : [[name, (clone === 'copied' ? original : before)[name]] as const],
  );
  // The trail of the copy has the clone; and what runs beside may have sealed it, or begun to number events.
  const { event_positions: _numbered, audit_seals: _seals, audit_heads: _heads, ...others } = after;
  expect(Object.fromEntries(said)).toMatchObject({ ...others, audit_events: (after.audit_events ?? 0) - 1 });
  expect(await rowsOf({ id: to })).toMatchObject({
    ...{ programs: 1, program_versions: 2, widget_deployments: 1, webhook_endpoints: 1 },
    ...{ members: 0, transactions: 0, events: 0, api_keys: 0, audit_events: 2 },
  });
  const same = `select count(*) from program_versions a join program_versions b
    on b.environment_id = $2 and b.program_id = a.program_id and b.version = a.version
      and b.document::text = a.document::text and b.effective_from = a.effective_from
    where a.environment_id = $1`;
  expect(await world.count(same, [source.id, to])).toBe(2);
  expect(await copy()).toMatchObject({ refused: true, code: 'environment_conflict' });
  const target: TestEnvironment = {
    ...source,
    id: to,
    environmentId: toTypeId('env', to),
    ...(await world.key(to)),
  };
  const listed = await client.send(rest(target, 'GET', '/webhook-endpoints'));
  expect(listed.body.data).toMatchObject([{ url: 'https://example.com/hook', status: 'disabled' }]);
  await addMembers(client, target, ['ada']);
  expect(await buy(target, 'ada')).toBe(201);
}, 240_000);
