import type { ClientBase } from 'pg';
import { readByCursor } from '../db/read-by-cursor.ts';
import { receiptSql, templateSql, wholeReceipt } from '../ledger/receipts/stored-receipt.ts';
import type { OrderLines, PurchaseReceipt } from '../queries/transactions/recorded-award.ts';
import type { Received } from './enrollment-course.ts';
import type { SimulationClock } from './simulated-program.ts';

interface Happened extends Received {
  /** When it happened, on the clock of the simulation. */
  at: Date;
  /** UUID. */
  memberId: string;
}

/** A purchase as it was received, with its receipt. */
export interface PastPurchase extends Happened {
  kind: 'purchase';
  sourceReference: string;
  points: number;
  lines: OrderLines;
  receipt: PurchaseReceipt;
}

/** An engagement event as it was received, with what it awarded in every program. */
export interface PastEngagement extends Happened {
  kind: 'engagement';
  externalCustomerId: string;
  sourceReference: string;
  type: string;
  occurredAt: Date;
  attributes: Record<string, unknown> | null;
  awards: readonly { programId: string; challengeId: string; points: number }[];
}

/** Points of a referral, for the referrer or the referee. */
export interface PastReferral extends Happened {
  kind: 'referral';
  points: number;
}

/** A return of an order; amounts in minor currency units. */
export interface PastReturn extends Happened {
  kind: 'return';
  /** Of the order. */
  sourceReference: string;
  returnAmountMinor: number;
}

export type PastEvent = PastPurchase | PastEngagement | PastReferral | PastReturn;

interface EventRow {
  kind: PastEvent['kind'];
  id: string;
  created_at: Date;
  at: Date;
  member_id: string;
  external_customer_id: string | null;
  reference: string | null;
  type: string | null;
  occurred_at: Date;
  amount: number;
  body: unknown;
  lines: OrderLines;
}

// Events of the same instant are ordered by id, and so in the order in which they were written: ids are UUIDs of
// version 7.
const EVENTS = `
  select 'purchase' as kind, t.id, t.created_at, t.occurred_at, t.member_id, null as external_customer_id,
      t.source_reference as reference, null as type, t.points as amount, ${receiptSql('t')} as body, o.lines
    from transactions t
    ${templateSql('t')}
    left join orders o on o.environment_id = t.environment_id and o.source_reference = t.source_reference
    where t.environment_id = $1::uuid and t.program_id = $2 and t.event_type = 'purchase.completed'
      and t.created_at < $4::timestamptz
  union all
  select 'referral', t.id, t.created_at, t.occurred_at, t.member_id, null, null, null, t.points, null, null
    from transactions t
    where t.environment_id = $1::uuid and t.program_id = $2 and t.event_type = 'referral.awarded'
      and t.created_at < $4::timestamptz
  union all
  select 'return', t.id, t.created_at, t.occurred_at, t.member_id, null, r.source_reference, null,
      r.return_amount_minor, null, null
    from transactions t
    join returns r on r.environment_id = t.environment_id and r.transaction_id = t.id
    where t.environment_id = $1::uuid and t.program_id = $2 and t.event_type = 'order.returned'
      and t.created_at < $4::timestamptz
  union all
  select 'engagement', e.id, e.received_at, e.occurred_at, e.member_id, m.external_customer_id, e.source_reference,
      e.type, 0, json_build_object('attributes', e.attributes, 'awards', e.receipt -> 'awards'), null
    from custom_events e
    join members m on m.environment_id = e.environment_id and m.id = e.member_id
    where e.environment_id = $1::uuid and e.received_at < $4::timestamptz and e.type = any($5::text[])`;

/** Counts the events that `readHistory` reads, for a progress bar. */
export async function countHistory(
  client: ClientBase,
  { environmentId, programId, until, eventTypes }: Omit<HistoryQuery, 'clock'>,
): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select (select count(*) from transactions
        where environment_id = $1::uuid and program_id = $2 and created_at < $3::timestamptz
          and event_type in ('purchase.completed', 'referral.awarded', 'order.returned')
          -- A return has a transaction of its own, and others for the points of a referral that it takes back.
          and (event_type <> 'order.returned' or receipt -> 'referral' is null))
      + (select count(*) from custom_events
        where environment_id = $1::uuid and received_at < $3::timestamptz and type = any($4::text[])) as count`,
    [environmentId, programId, until, eventTypes],
  );
  return rows[0]?.count ?? 0;
}

export interface HistoryQuery {
  environmentId: string;
  programId: string;
  clock: SimulationClock;
  /** Only events received before this instant are read, on either clock. */
  until: Date;
  /** The event types that the program uses; other engagement events are not read. */
  eventTypes: readonly string[];
}

/** Reads a program's events, and the environment's engagement events of the given types, in order of time. */
export async function* readHistory(
  client: ClientBase,
  { environmentId, programId, clock, until, eventTypes }: HistoryQuery,
): AsyncGenerator<PastEvent> {
  const rows = readByCursor<EventRow>(
    client,
    'history_of_program',
    `select *, case when $3 = 'event' then occurred_at else created_at end as at
      from (${EVENTS}) events
      order by at, id`,
    [environmentId, programId, clock, until, eventTypes],
  );
  for await (const row of rows) yield eventOf(row);
}

function eventOf(row: EventRow): PastEvent {
  const { kind } = row;
  const happened = { at: row.at, memberId: row.member_id, receivedAt: row.created_at, id: row.id };
  switch (kind) {
    case 'purchase':
      return {
        kind,
        ...happened,
        sourceReference: row.reference ?? '',
        points: row.amount,
        lines: row.lines,
        receipt: wholeReceipt(row.body as object, row.id) as PurchaseReceipt,
      };
    case 'engagement': {
      const body = row.body as Pick<PastEngagement, 'attributes'> & Partial<Pick<PastEngagement, 'awards'>>;
      return {
        kind,
        ...happened,
        externalCustomerId: row.external_customer_id ?? '',
        sourceReference: row.reference ?? '',
        type: row.type ?? '',
        occurredAt: row.occurred_at,
        attributes: body.attributes,
        awards: body.awards ?? [],
      };
    }
    case 'referral':
      return { kind, ...happened, points: row.amount };
    case 'return':
      return { kind, ...happened, sourceReference: row.reference ?? '', returnAmountMinor: row.amount };
  }
}
