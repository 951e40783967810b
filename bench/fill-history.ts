import type { ClientBase } from 'pg';
import type { Pool } from '../src/db/pool.ts';
import type { ProgramDocument } from '../src/programs/document/program-document.ts';
import { lotDates } from '../src/rules/calendar/lot-dates.ts';
import type { Acknowledged } from './audit.ts';
import { type PackedReceipts, packedReceipts } from './packed-receipt.ts';
import { jsonSql, numberOf, textOf, typeIdSql } from './receipt-sql.ts';
import type { StoredReceipt } from './scenarios.ts';

/** Every 20th transaction is the return of a whole order; the others are purchases. */
const RETURN_EVERY = 20;
/** Transactions that one database transaction writes, so that Postgres sorts and keeps no more than these. */
const PART = 500_000;

export interface History {
  /** UUID. An environment can be filled only once. */
  environmentId: string;
  document: ProgramDocument;
  /** A multiple of 20. They are spread evenly over members and time. */
  transactions: number;
  /** Amounts of the purchases, in minor currency units: `least`, and `different` consecutive amounts from there. */
  amounts: { least: number; different: number };
  /** A whole receipt of the service: every row gets the same fields with other ids. */
  receipt: StoredReceipt;
  /** Transactions of a part, a multiple of 20. Default: 500,000. */
  partSize?: number;
  /** Called after each part, with how many transactions are written. */
  onProgress?(done: number): void;
}

/** The transactions from an index on, in the order of time. */
interface Part {
  first: number;
  /** A multiple of 20. */
  count: number;
}

/** The last whole month in UTC; `to` is excluded. */
export function lastMonth(now = new Date()): { from: Date; to: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month - 1, 1)), to: new Date(Date.UTC(year, month, 1)) };
}

/**
 * Writes purchases and returns of the last month by SQL, with every row that the service writes for them, part by part,
 * each in one transaction. Then runs vacuum, analyze and a checkpoint, so that they do not run during the measurements.
 * @param pool connections of the superuser: foreign keys are not checked per row; the audit verifies the ledger instead
 * @returns what the history contains
 */
export async function fillHistory(pool: Pool, history: History): Promise<Filled> {
  const filled = { purchases: 0, events: 0, points: 0, returns: 0, clawedBackPoints: 0 };
  const client = await pool.connect();
  try {
    const { environmentId, transactions, partSize = PART } = history;
    await keepDaysOpen(pool, environmentId);
    for (let first = 0; first < transactions; first += partSize) {
      const count = Math.min(partSize, transactions - first);
      const part = await fillPart(client, history, { first, count });
      for (const name of Object.keys(filled) as (keyof Filled)[]) filled[name] += part[name];
      history.onProgress?.(first + count);
    }
    await forgetRollUps(pool, environmentId);
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
    return filled;
  } finally {
    client.release();
  }
}

type Filled = Pick<Acknowledged, 'purchases' | 'events' | 'points' | 'returns' | 'clawedBackPoints'>;

async function fillPart(client: ClientBase, history: History, part: Part): Promise<Filled> {
  await client.query('begin');
  try {
    await client.query('set local session_replication_role = replica');
    await client.query("set local work_mem = '256MB'");
    await client.query('set local statement_timeout = 0');
    await makeTables(client, history, part);
    const packed = packedReceipts(history.receipt, history.environmentId);
    await client.query(packed.storeTemplate);
    for (const statement of statements(history, packed)) await client.query(statement);
    const { rows } = await client.query<Filled>(`
      select count(*) as purchases, count(*) as events, coalesce(sum(points), 0)::bigint as points,
        count(returned_at) as returns,
        coalesce(sum(points) filter (where returned_at is not null), 0)::bigint as "clawedBackPoints"
      from history_orders`);
    await client.query('commit');
    if (!rows[0]) throw new Error('a count gave no row');
    return rows[0];
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Tells the server's job that every day so far is closed. Otherwise it would close the days of a part while the next
 * one is written into the same days.
 */
async function keepDaysOpen(pool: Pool, environmentId: string): Promise<void> {
  await forgetRollUps(pool, environmentId);
  await pool.query(
    `insert into ledger_rollups (environment_id, closed_through, at) values ($1::uuid, current_date, now())
     on conflict (environment_id) do update set closed_through = excluded.closed_through`,
    [environmentId],
  );
}

/** Deletes the roll-ups of an environment, as before the job's first run. @param environmentId UUID */
export async function forgetRollUps(pool: Pool, environmentId: string): Promise<void> {
  const client = await pool.connect();
  try {
    // The job holds the roll-ups of a long history for a minute, while it closes their days.
    await client.query('set lock_timeout = 0');
    for (const table of ['ledger_rollups', 'ledger_days', 'member_days']) {
      await client.query(`delete from ${table} where environment_id = $1`, [environmentId]);
    }
  } finally {
    client.release();
  }
}

/**
 * Creates a temporary row for each purchase of a part, with its return if any. The rows of all tables are derived from
 * these.
 */
async function makeTables(
  client: ClientBase,
  { environmentId, document, transactions, amounts }: History,
  { first, count }: Part,
): Promise<void> {
  const { from, to } = lastMonth();
  const { expiresAt } = lotDates(document, from, from);
  await client.query(
    `create temp table history_members on commit drop as
     select row_number() over (order by id) - 1 as index, id, external_customer_id as customer
     from members where environment_id = $1::uuid`,
    [environmentId],
  );
  await client.query(
    `create temp table history_orders on commit drop as
     with numbered as (
       select number, number / ${RETURN_EVERY - 1} * ${RETURN_EVERY} + number % ${RETURN_EVERY - 1} as index
       from generate_series($7::integer / ${RETURN_EVERY} * ${RETURN_EVERY - 1},
         ($7::integer + $8::integer) / ${RETURN_EVERY} * ${RETURN_EVERY - 1} - 1) as number
     ), timed as (
       select number, ${timeSql('index')} as created_at,
         case when number % ${RETURN_EVERY - 1} = 0 then ${timeSql(`index + ${RETURN_EVERY - 1}`)} end as returned_at,
         $4::bigint + ('x' || left(md5(number::text), 8))::bit(32)::bigint % $5::bigint as amount
       from numbered
     )
     select timed.*, amount / 100 as points, $6::timestamptz as expires_at,
       'order-' || left(md5('order' || number), 8) || '-history-' || number as reference,
       left(md5('key' || number), 8) || '-history-' || number as key,
       uuidv7(created_at - clock_timestamp()) as id, uuidv7(created_at - clock_timestamp()) as lot_id,
       uuidv7(created_at - clock_timestamp()) as audit_id,
       case when returned_at is not null then uuidv7(returned_at - clock_timestamp()) end as return_id,
       case when returned_at is not null then uuidv7(returned_at - clock_timestamp()) end as return_audit_id,
       m.id as member_id, m.customer
     from timed join history_members m on m.index = number % (select count(*) from history_members)
     order by number`,
    [transactions, from, to, amounts.least, amounts.different, expiresAt, first, count],
  );
  await client.query(`
    alter table history_orders add column id_text text, add column return_id_text text`);
  await client.query(`
    update history_orders set id_text = ${typeIdSql('txn', 'id')},
      return_id_text = case when return_id is not null then ${typeIdSql('txn', 'return_id')} end`);
  await client.query('analyze history_orders');
}

/** The instant of a transaction by its index among all, to the millisecond, as the service stores instants. */
function timeSql(index: string): string {
  const share = `((${index}) + 0.5) / $1::integer`;
  return `date_trunc('milliseconds', $2::timestamptz + ${share} * ($3::timestamptz - $2::timestamptz))`;
}

/** The inserts of all tables, with rows in the order of time, as they would have been written. */
function statements({ environmentId, document }: History, receipts: PackedReceipts): string[] {
  const { from } = lastMonth();
  const place = `'${environmentId}'::uuid, '${document.id}'`;
  const yearStart = new Date(Date.UTC(from.getUTCFullYear(), 0, 1)).toISOString();
  const { purchase, returned, purchaseChanges, returnChanges, earned } = templates(document, receipts);
  return [
    `insert into transactions (environment_id, program_id, id, member_id, event_type, source_reference, state, points,
       occurred_at, created_at, receipt)
     select ${place}, id, member_id, 'purchase.completed', reference, 'committed', points, created_at, created_at,
       ${jsonSql(purchase)} from history_orders
     union all
     select ${place}, return_id, member_id, 'order.returned', reference, 'committed', points, returned_at, returned_at,
       ${jsonSql(returned)} from history_orders where return_id is not null
     order by 10`,
    `insert into lots (environment_id, program_id, member_id, id, transaction_id, granted, pending, available, reserved,
       expires_at, created_at)
     select ${place}, member_id, lot_id, id, points, 0, case when return_id is null then points else 0 end, 0,
       expires_at, created_at from history_orders order by created_at`,
    `insert into postings (environment_id, program_id, transaction_id, line, member_id, debit_account, credit_account,
       amount, lot_id, created_at)
     select ${place}, id, 1, member_id, 'program.issuance', 'member.available', points, lot_id, created_at
     from history_orders
     union all
     select ${place}, return_id, 1, member_id, 'member.available', 'program.issuance', points, lot_id, returned_at
     from history_orders where return_id is not null
     order by 10`,
    `insert into orders (environment_id, program_id, source_reference, member_id, transaction_id, state, amount_minor,
       currency, points, returned_minor, clawed_back)
     select ${place}, reference, member_id, id, case when return_id is null then 'active' else 'returned' end, amount,
       '${document.currency}', points, case when return_id is null then 0 else amount end,
       case when return_id is null then 0 else points end
     from history_orders order by created_at`,
    `insert into returns (environment_id, return_reference, source_reference, transaction_id, return_amount_minor,
       points_clawed_back, shortfall, created_at)
     select '${environmentId}'::uuid, 'return-of-' || reference, reference, return_id, amount, points, 0, returned_at
     from history_orders where return_id is not null order by returned_at`,
    `insert into idempotency_keys (environment_id, operation, key, fingerprint, transaction_id, created_at)
     select '${environmentId}'::uuid, 'purchaseEarn', key, substr(sha256(convert_to(key, 'UTF8')), 1, 16), id, created_at
     from history_orders
     union all
     select '${environmentId}'::uuid, 'recordReturn', key, substr(sha256(convert_to(key, 'UTF8')), 1, 16), return_id, returned_at
     from history_orders where return_id is not null
     order by 6`,
    `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
       changes, at)
     select '${environmentId}'::uuid, audit_id, 'purchase.completed', 'transaction', id_text, 'api_key', 'bench',
       'req_' || md5(key), ${jsonSql(purchaseChanges)}, created_at from history_orders
     union all
     select '${environmentId}'::uuid, return_audit_id, 'order.returned', 'transaction', return_id_text, 'api_key',
       'bench', 'req_' || md5(key), ${jsonSql(returnChanges)}, returned_at
     from history_orders where return_id is not null
     order by 10`,
    // The lock keeps the sequencer from numbering the environment's other events meanwhile.
    `insert into event_positions as already (environment_id, last_position)
     select '${environmentId}'::uuid, count(*) from history_orders
     on conflict (environment_id) do update set last_position = already.last_position + excluded.last_position`,
    `insert into events (environment_id, program_id, id, type, member_id, data, at, written_at, position)
     select ${place}, id, 'points.earned', member_id, ${jsonSql(earned)},
       created_at, created_at,
       last_position - count(*) over () + row_number() over (order by created_at, number)
     from history_orders join event_positions on environment_id = '${environmentId}'::uuid
     order by 9`,
    `insert into limit_counters as counter (environment_id, program_id, member_id, limit_id, period_start, points)
     select ${place}, member_id, 'member_limit.month', '${from.toISOString()}', sum(points)
     from history_orders group by member_id
     on conflict (environment_id, member_id, program_id, limit_id, period_start)
       do update set points = counter.points + excluded.points`,
    `update program_profiles p
     set available = p.available + h.available, qualification_points = p.qualification_points + h.points,
       qualification_since = '${yearStart}', next_due_at = least(p.next_due_at, h.expires_at),
       last_activity_at = greatest(p.last_activity_at, h.created_at),
       purchase_count = p.purchase_count + h.purchases,
       purchase_amount_minor = p.purchase_amount_minor + h.amount_minor,
       first_purchase_at = least(p.first_purchase_at, h.first_at),
       last_purchase_at = greatest(p.last_purchase_at, h.created_at)
     from (
       select member_id, coalesce(sum(points) filter (where return_id is null), 0) as available,
         sum(points) as points, min(expires_at) as expires_at, max(created_at) as created_at,
         count(*) as purchases, coalesce(sum(amount) filter (where return_id is null), 0) as amount_minor,
         min(created_at) as first_at
       from history_orders group by member_id
     ) as h
     where p.environment_id = '${environmentId}'::uuid and p.program_id = '${document.id}'
       and p.member_id = h.member_id`,
  ];
}

/** Templates of receipts and audit changes of a purchase and of its whole return, with placeholders for columns. */
function templates(document: ProgramDocument, receipts: PackedReceipts) {
  const points = numberOf('points');
  const amountMinor = numberOf('amount');
  const reference = textOf('reference');
  const returnReference = `return-of-${reference}`;
  return {
    purchase: receipts.own(textOf('customer'), amountMinor),
    returned: {
      id: textOf('return_id_text'),
      status: 'committed',
      return: {
        sourceReference: reference,
        returnReference,
        returnAmountMinor: amountMinor,
        pointsClawedBack: points,
        shortfall: 0,
        orderStatus: 'returned',
      },
      evidence: { returnReference, lines: null, returnedMinor: amountMinor },
    },
    purchaseChanges: { programId: document.id, points },
    // The data of an event as it is stored. As if each purchase were the member's first: its balances, and the version
    // of the profile.
    earned: [reference, points, points, 0, 0, 2],
    returnChanges: {
      programId: document.id,
      sourceReference: reference,
      returnReference,
      returnAmountMinor: amountMinor,
      pointsClawedBack: points,
      shortfall: 0,
    },
  };
}
