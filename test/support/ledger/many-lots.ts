import { randomUUID } from 'node:crypto';
import type { Counter, Shop } from './counter.ts';

/** When the added lots fall due, in seconds from now; null for never. */
export interface ManyLots {
  count: number;
  /** Points of each. */
  points?: number;
  activatesIn?: number | null;
  expiresIn?: number | null;
  inactivityDays?: number | null;
}

/** Lots of one statement, which has to end within the statement timeout on a busy machine too. */
const CHUNK = 1_000;

/**
 * Gives a member of `coffee-club` many lots, each from a settlement of its own, in books that are right but for the
 * dates, which no program gives.
 */
export async function addLots(
  counter: Counter,
  shop: Shop,
  externalCustomerId: string,
  { count, ...lots }: ManyLots,
): Promise<void> {
  counter.madeDates = true;
  for (let remaining = count; remaining > 0; remaining -= CHUNK) {
    await addChunk(counter, shop, externalCustomerId, { count: Math.min(remaining, CHUNK), ...lots });
  }
}

async function addChunk(
  { database }: Counter,
  shop: Shop,
  externalCustomerId: string,
  { count, points = 1, activatesIn = null, expiresIn = null, inactivityDays = null }: ManyLots,
): Promise<void> {
  const { rows } = await database.adminPool.query<{ id: string; at: Date }>(
    `select id, clock_timestamp() as at from members where environment_id = $1 and external_customer_id = $2`,
    [shop.id, externalCustomerId],
  );
  const [member] = rows;
  if (!member) throw new Error(`There is no member ${externalCustomerId}.`);
  const later = (seconds: number | null) =>
    seconds === null ? null : new Date(member.at.getTime() + seconds * 1_000);
  const newIds = (): string[] => Array.from({ length: count }, () => randomUUID());
  // Citus takes no volatile function in a statement with an update, so that ids and times are parameters.
  await database.adminPool.query(
    `with granted as materialized (
       select * from unnest($3::uuid[], $4::uuid[]) as one(transaction_id, lot_id)
     ), transactions_made as (
       insert into transactions (environment_id, id, program_id, member_id, event_type, source_reference, state, points,
         occurred_at, created_at, receipt)
       select $1::uuid, transaction_id, 'coffee-club', $2::uuid, 'exchange.settled', transaction_id::text, 'committed', $5::bigint,
         $8::timestamptz, $8::timestamptz, '{}' from granted
     ), settled as (
       insert into exchange_settlements (environment_id, settlement_reference, program_id, member_id, partner_id,
         direction, points, transaction_id, created_at)
       select $1::uuid, transaction_id::text, 'coffee-club', $2::uuid, 'partner', 'in', $5::bigint, transaction_id,
         $8::timestamptz
       from granted
     ), lots_made as (
       insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available,
         reserved, activates_at, expires_at, inactivity_days, created_at)
       select $1::uuid, $2::uuid, 'coffee-club', lot_id, transaction_id, $5::bigint, $6::bigint, $7::bigint, 0,
         $9::timestamptz, $10::timestamptz, $11::integer, $8::timestamptz
       from granted
     ), postings_made as (
       insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account,
         credit_account, amount, lot_id, created_at)
       select $1::uuid, transaction_id, 1, 'coffee-club', $2::uuid, 'program.clearing', $12::text, $5::bigint, lot_id,
         $8::timestamptz
       from granted
     )
     update program_profiles
     set pending = pending + $13::bigint * $6::bigint, available = available + $13::bigint * $7::bigint,
       next_due_at = least(next_due_at, $9::timestamptz, $10::timestamptz)
     where environment_id = $1::uuid and program_id = 'coffee-club' and member_id = $2::uuid`,
    [
      ...[shop.id, member.id, newIds(), newIds(), points],
      ...(activatesIn === null ? [0, points] : [points, 0]),
      ...[member.at, later(activatesIn), later(expiresIn), inactivityDays],
      ...[activatesIn === null ? 'member.available' : 'member.pending', count],
    ],
  );
}
