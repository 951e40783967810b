import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { lots } from '../../src/export/kinds/lots.ts';
import { removeChunk } from '../../src/jobs/remove-quotes.ts';
import { rollUp } from '../../src/ledger/closed-days/roll-up.ts';
import { keepVerified } from '../../src/ledger/closed-days/verified-days.ts';
import { examineLedger } from '../../src/ledger/controls/verify.ts';
import { readLedgerSummary } from '../../src/queries/reports/ledger-summary.ts';
import { atEnd } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

const DAYS = 60;
const PER_DAY = 500;
const DAY_MS = 86_400_000;
const MEMBERS = 50;

let shop: Shop;
/** One session, which reports what it has read when it is asked. */
let pool: Pool;

/** An environment with purchases of many days until yesterday, each member's one after the other. */
/** Tables whose blocks a run of `verify ledger` reads. */
const VERIFIED = ['transactions', 'postings', 'lots', 'idempotency_keys'];

const counter = useCounter();

beforeAll(async () => {
  pool = createPool({ url: counter.database.adminUrl, size: 1, statementTimeoutMs: 0 });
  shop = await counter.environment();
  const writer = counter.writer();
  await shop.addMembers(
    writer,
    Array.from({ length: MEMBERS }, (_, index) => `customer-${index}`),
  );
  await pool.query(
    `insert into transactions (environment_id, program_id, id, member_id, event_type, source_reference, state, points,
       occurred_at, created_at, receipt)
     select m.environment_id, 'coffee-club', md5('t' || i)::uuid, m.id, 'purchase.completed', 'order-' || i,
       'committed', 5, at, at, json_build_object('text', repeat('x', 1000))
     from generate_series(1, ${DAYS * PER_DAY}) as i
     cross join lateral (
       select date_trunc('day', now(), 'UTC') + (i - ${DAYS * PER_DAY} - 1) * interval '1 day' / ${PER_DAY} as at
     ) as time
     join (
       select *, row_number() over (order by id) as number from members where environment_id = $1
     ) m on m.number = (i - 1) * ${MEMBERS} / ${DAYS * PER_DAY} + 1
     order by i`,
    [shop.id],
  );
  await pool.query(
    `insert into postings (environment_id, program_id, transaction_id, line, member_id, debit_account, credit_account,
       amount, created_at)
     select environment_id, program_id, id, 1, member_id, 'program.issuance', 'member.available', points, created_at
     from transactions where environment_id = $1 order by created_at`,
    [shop.id],
  );
  await pool.query(
    `insert into lots (environment_id, program_id, member_id, id, transaction_id, granted, pending, available, reserved,
       created_at)
     select environment_id, program_id, member_id, id, id, points, 0, points, 0, created_at
     from transactions where environment_id = $1 order by created_at`,
    [shop.id],
  );
  await pool.query(
    `insert into idempotency_keys (environment_id, operation, key, fingerprint, transaction_id, created_at)
     select environment_id, 'purchaseEarn', source_reference, sha256('x'), id, created_at
     from transactions where environment_id = $1 order by created_at`,
    [shop.id],
  );
  await pool.query(
    `insert into redemption_quotes (environment_id, id, program_id, member_id, reward_id, source_reference, state,
       points, terms, expires_at, created_at)
     select environment_id, ('01900000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'coffee-club', id, 'mug',
       'cart', 'reserved', 5, '{}', '2020-01-01', '2020-01-01'
     from (select * from members where environment_id = $1 limit 1) m cross join generate_series(1, 30000) as i`,
    [shop.id],
  );
  await pool.query(
    `insert into redemption_reservations (environment_id, id, quote_id, program_id, member_id, reward_id, source_reference,
       state, points, terms, reserve_transaction_id, commit_transaction_id, transaction_id, reserved_at, expires_at, changed_at)
     select q.environment_id, q.id, q.id, q.program_id, q.member_id, q.reward_id, q.source_reference, 'committed', q.points,
       q.terms, t.id, t.id, t.id, q.created_at, q.expires_at, q.created_at
     from redemption_quotes q
     cross join (select id from transactions where environment_id = $1 limit 1) t
     where q.environment_id = $1`,
    [shop.id],
  );
  const endpoint = await addEndpoint(pool, shop.id, ['points.earned']);
  await pool.query(
    `insert into events (environment_id, id, program_id, type, at)
     select environment_id, id, program_id, 'points.earned', created_at from transactions where environment_id = $1`,
    [shop.id],
  );
  await pool.query(
    `insert into webhook_deliveries (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at,
       delivered_at)
     select environment_id, id, $2, row_number() over (order by at), id, type, 'delivered', at, at
     from events where environment_id = $1 and type = 'points.earned' order by at`,
    [shop.id, endpoint],
  );
  await pool.query('vacuum analyze');
  // What it reads would be counted too.
  for (const table of [...VERIFIED, 'redemption_quotes'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
});

atEnd(() => pool.end());

/** The blocks of a table and of its indexes that were read so far, and how many the table has. */
async function blocksOf(table: string): Promise<{ read: number; all: number }> {
  await pool.query('select pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: number; all: number }>(
    `select (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::integer as read,
       (pg_relation_size(relid) / 8192)::integer as all
     from pg_statio_user_tables where relname = $1`,
    [table],
  );
  return rows[0] ?? { read: 0, all: 0 };
}

test('closing a day reads the transactions of that day, however many there are', async () => {
  await rollUp(pool, shop.id);
  // As if the last day had not been closed yet.
  await pool.query(
    `with last as (update ledger_rollups set closed_through = closed_through - 1 where environment_id = $1
       returning closed_through)
     delete from ledger_days where environment_id = $1 and day > (select closed_through from last)`,
    [shop.id],
  );
  await pool.query(
    `delete from member_days where environment_id = $1
       and day > (select closed_through from ledger_rollups where environment_id = $1)`,
    [shop.id],
  );
  const before = await blocksOf('transactions');
  expect(await rollUp(pool, shop.id)).toMatchObject({ days: 1 });
  const after = await blocksOf('transactions');
  expect(after.all).toBeGreaterThan(2_000);
  expect(after.read - before.read).toBeLessThan(after.all / 4);
});

test('a step of the removal of quotes reads those that it looks at, however many were kept before', async () => {
  const { text, values } = removeChunk(shop.id, 90);
  for (let step = 0; step < 20; step++) await pool.query(text, values);
  const before = await blocksOf('redemption_quotes');
  expect((await pool.query(text, values)).rows).toEqual([{ seen: 1_000, removed: 0 }]);
  const after = await blocksOf('redemption_quotes');
  expect(after.all).toBeGreaterThan(300);
  expect(after.read - before.read).toBeLessThan(100);
});

test('a run of verify ledger after a day reads what is newer, and not what was there before', async () => {
  const { closedThrough } = await rollUp(pool, shop.id);
  const since = new Date(Date.parse(closedThrough) - DAY_MS).toISOString().slice(0, 10);
  const environmentId = shop.id;
  const readSoFar = async (): Promise<number[]> => {
    const read: number[] = [];
    for (const table of VERIFIED) read.push((await blocksOf(table)).read);
    return read;
  };
  const examine = async (from?: string): Promise<number[]> => {
    const before = await readSoFar();
    const client = await pool.connect();
    const verdict = await examineLedger(client, { environmentId, since: from }).finally(() =>
      client.release(),
    );
    if ('unverified' in verdict) throw new Error('not verified');
    // The rows are no ledger: what they differ in is not looked at here.
    if (from === undefined) await keepVerified(pool, verdict.closed);
    return (await readSoFar()).map((read, index) => read - (before[index] ?? 0));
  };
  const whole = await examine();
  const newer = await examine(since);
  const parts = newer.map((read, index) => [VERIFIED[index], read / (whole[index] ?? 0)] as const);
  // A member with newer postings has each of its lots looked up, and a block is counted each time.
  expect(parts.filter(([table, part]) => part >= (table === 'lots' ? 1 / 2 : 1 / 5))).toEqual([]);
});

test('the lots of a day are exported without those of other days', async () => {
  const to = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const period = [shop.id, new Date(to.getTime() - DAY_MS), to];
  for (const text of [lots.statement, lots.count]) {
    const before = await blocksOf('lots');
    await pool.query(text, period);
    const after = await blocksOf('lots');
    expect(after.all).toBeGreaterThan(400);
    expect(after.read - before.read).toBeLessThan(after.all / 4);
  }
});

test('the summary of a day reads the deliveries and events of that day', async () => {
  const to = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const window = { from: new Date(to.getTime() - DAY_MS), to };
  const before = [await blocksOf('webhook_deliveries'), await blocksOf('events')] as const;
  const summary = await readLedgerSummary(pool, shop.id, { programId: 'coffee-club', ...window });
  expect(summary).toMatchObject({ webhookDeliveries: { delivered: PER_DAY } });
  const after = [await blocksOf('webhook_deliveries'), await blocksOf('events')] as const;
  // A BRIN index has a summary of 128 blocks.
  expect(after[0].read - before[0].read).toBeLessThan(after[0].all / 2);
  expect(after[1].read - before[1].read).toBeLessThan(PER_DAY * 5);
});

test('the summary counts redemptions without reading all reservations', async () => {
  const to = new Date(new Date().setUTCHours(0, 0, 0, 0));
  const window = { from: new Date(to.getTime() - DAY_MS), to };
  const before = await blocksOf('redemption_reservations');
  await readLedgerSummary(pool, shop.id, { programId: 'coffee-club', ...window });
  const after = await blocksOf('redemption_reservations');
  expect(after.all).toBeGreaterThan(300);
  expect(after.read - before.read).toBeLessThan(50);
});
