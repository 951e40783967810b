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

/** Gives a member of `coffee-club` many lots, each from a settlement of its own, in books that are right. */
export async function addLots(
  counter: Counter,
  shop: Shop,
  externalCustomerId: string,
  { count, ...lots }: ManyLots,
): Promise<void> {
  for (let left = count; left > 0; left -= CHUNK) {
    await addChunk(counter, shop, externalCustomerId, { count: Math.min(left, CHUNK), ...lots });
  }
}

async function addChunk(
  { database }: Counter,
  shop: Shop,
  externalCustomerId: string,
  { count, points = 1, activatesIn = null, expiresIn = null, inactivityDays = null }: ManyLots,
): Promise<void> {
  const account = activatesIn === null ? 'available' : 'pending';
  await database.adminPool.query(
    `with granted as materialized (
       select m.id as member_id, gen_random_uuid() as transaction_id, gen_random_uuid() as lot_id,
         present.at
       from members m, generate_series(1, $3::integer), (select clock_timestamp() as at) as present
       where m.environment_id = $1::uuid and m.external_customer_id = $2::text
     ), transactions_made as (
       insert into transactions (environment_id, id, program_id, member_id, event_type, state, points,
         occurred_at, created_at, receipt)
       select $1::uuid, transaction_id, 'coffee-club', member_id, 'exchange.settled', 'committed', $4::bigint,
         at, at, '{}' from granted
     ), settled as (
       insert into exchange_settlements (environment_id, settlement_reference, program_id, member_id, partner_id,
         direction, points, transaction_id, created_at)
       select $1::uuid, transaction_id::text, 'coffee-club', member_id, 'partner', 'in', $4::bigint, transaction_id, at
       from granted
     ), lots_made as (
       insert into lots (environment_id, member_id, program_id, id, transaction_id, granted, pending, available,
         reserved, activates_at, expires_at, inactivity_days, created_at)
       select $1::uuid, member_id, 'coffee-club', lot_id, transaction_id, $4::bigint,
         case when $5::text = 'pending' then $4::bigint else 0 end,
         case when $5::text = 'available' then $4::bigint else 0 end, 0,
         at + make_interval(secs => $6::float8), at + make_interval(secs => $7::float8), $8::integer, at
       from granted
     ), postings_made as (
       insert into postings (environment_id, transaction_id, line, program_id, member_id, debit_account,
         credit_account, amount, lot_id, created_at)
       select $1::uuid, transaction_id, 1, 'coffee-club', member_id, 'program.clearing', 'member.' || $5::text,
         $4::bigint, lot_id, at from granted
     )
     update program_profiles p
     set available = available + case when $5::text = 'available' then $3::integer * $4::bigint else 0 end,
       pending = pending + case when $5::text = 'pending' then $3::integer * $4::bigint else 0 end,
       next_due_at = least(next_due_at,
         clock_timestamp() + make_interval(secs => $6::float8),
         clock_timestamp() + make_interval(secs => $7::float8))
     where environment_id = $1::uuid and program_id = 'coffee-club'
       and member_id = (select member_id from granted limit 1)`,
    [shop.id, externalCustomerId, count, points, account, activatesIn, expiresIn, inactivityDays],
  );
}
