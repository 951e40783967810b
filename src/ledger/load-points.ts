import { arrayLiteral } from '../db/array-literal.ts';
import { lookUp } from './look-up.ts';
import type { Statement } from './table.ts';

// As in load-statements.ts, rows are found through `lateral (… limit …)`. None of these rows is locked but the stocks: the
// lock on their profile, which every change of them takes first, guards them.

/** A profile by its ids, and how many points are to be spent of it. */
export interface Spending {
  memberId: string;
  programId: string;
  points: number;
}

/** Returns by their references, with what they were answered with. */
export function loadReturns(environmentId: string, returnReferences: readonly string[]): Statement {
  return {
    name: 'load_returns',
    text: `select r.return_reference, r.source_reference, r.transaction_id, r.return_amount_minor,
        r.points_clawed_back, r.shortfall, r.created_at, t.receipt
      from unnest($2::text[]) as wanted(return_reference)
      cross join lateral (
        select * from returns
        where environment_id = $1::uuid and return_reference = wanted.return_reference
        limit 1
      ) r
      cross join lateral (
        select receipt from transactions
        where environment_id = $1::uuid and id = r.transaction_id
        limit 1
      ) t`,
    values: [environmentId, arrayLiteral(returnReferences)],
  };
}

export const loadQuotes = byId('load_quotes', 'redemption_quotes');

/** The open quotes of profiles. */
export function loadOpenQuotes(
  environmentId: string,
  profiles: readonly { programId: string; externalCustomerId: string }[],
): Statement {
  return ofProfiles('load_open_quotes', 'redemption_quotes', 'quoted', environmentId, profiles);
}

export const loadReservations = byId('load_reservations', 'redemption_reservations');

/** The reservations of profiles that still hold points. */
export function loadOpenReservations(
  environmentId: string,
  profiles: readonly { programId: string; externalCustomerId: string }[],
): Statement {
  return ofProfiles('load_open_reservations', 'redemption_reservations', 'reserved', environmentId, profiles);
}

export const loadAdjustments = byId('load_adjustments', 'adjustments');

export const loadDisputes = lookUp({
  name: 'load_disputes',
  table: 'redemption_disputes',
  column: 'reservation_id',
  type: 'uuid',
  many: true,
});

/** The postings of transactions, in the order of their lines. */
export function loadPostings(environmentId: string, transactionIds: readonly string[]): Statement {
  return {
    name: 'load_postings',
    text: `select transaction_id, line, program_id, member_id, debit_account, credit_account, amount, lot_id,
        created_at
      from unnest($2::uuid[]) as wanted(id)
      cross join lateral (
        select * from postings where environment_id = $1::uuid and transaction_id = wanted.id offset 0
      ) p
      order by transaction_id, line`,
    values: [environmentId, arrayLiteral(transactionIds)],
  };
}

// The lots that the postings of transactions name.
const NAMED_LOTS = `
  select distinct p.member_id, p.program_id, p.lot_id
  from unnest($2::uuid[]) as wanted(transaction_id)
  cross join lateral (
    select member_id, program_id, lot_id from postings
    where environment_id = $1::uuid and transaction_id = wanted.transaction_id and lot_id is not null
    offset 0
  ) p`;

/** The lots that the postings of transactions name. */
export function loadNamedLots(environmentId: string, transactionIds: readonly string[]): Statement {
  return {
    name: 'load_named_lots',
    text: `select l.*
      from (${NAMED_LOTS}) as named
      cross join lateral (
        select * from lots
        where environment_id = $1::uuid and member_id = named.member_id and program_id = named.program_id
          and id = named.lot_id
        limit 1
      ) l`,
    values: [environmentId, arrayLiteral(transactionIds)],
  };
}

/** The orders that have a claim on lots that the postings of transactions name. */
export function loadClaimingOrders(environmentId: string, transactionIds: readonly string[]): Statement {
  return {
    name: 'load_claiming_orders',
    text: `select o.source_reference, o.program_id, o.member_id, o.transaction_id, o.state, o.amount_minor,
        o.currency, o.points, o.returned_minor, o.clawed_back, o.lines, o.returned_lines
      from (${NAMED_LOTS}) as named
      cross join lateral (
        select transaction_id from lots
        where environment_id = $1::uuid and member_id = named.member_id and program_id = named.program_id
          and id = named.lot_id and claimed > 0
        limit 1
      ) l
      cross join lateral (
        select source_reference from transactions
        where environment_id = $1::uuid and id = l.transaction_id
        limit 1
      ) t
      cross join lateral (
        select * from orders
        where environment_id = $1::uuid and source_reference = t.source_reference
        limit 1
      ) o`,
    values: [environmentId, arrayLiteral(transactionIds)],
  };
}

/** The pending lots of profiles that are due, and the next one of each profile after those. */
export function loadPendingLots(environmentId: string, profiles: readonly Spending[]): Statement {
  return {
    name: 'load_pending_lots',
    text: `select l.*
      from unnest($2::uuid[], $3::text[]) as wanted(member_id, program_id)
      cross join lateral (
        (select * from lots
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and pending > 0 and activates_at <= clock_timestamp()
          order by activates_at)
        union all
        (select * from lots
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and pending > 0 and activates_at > clock_timestamp()
          order by activates_at
          limit 1)
      ) l`,
    values: [
      environmentId,
      arrayLiteral(profiles.map((profile) => profile.memberId)),
      arrayLiteral(profiles.map((profile) => profile.programId)),
    ],
  };
}

/**
 * The open lots of profiles in the order of spending, one step of the index after the other, until they hold more
 * than is to be spent: what a member with very many lots costs is what it spends. Lots whose time is over do not count.
 * `covered` of the last one says whether the walk ended for that (it exceeds the points) or for want of lots.
 */
export function walkOpenLots(environmentId: string, profiles: readonly Spending[]): Statement {
  return {
    name: 'walk_open_lots',
    text: `select l.*
      from unnest($2::uuid[], $3::text[], $4::bigint[]) as wanted(member_id, program_id, points)
      cross join lateral (
        with recursive walk as (
          (select lots.*, case when live then available else 0 end as covered
          from lots
          cross join lateral (select coalesce(expires_at, 'infinity') > clock_timestamp() as live) as at_present
          where environment_id = $1::uuid and member_id = wanted.member_id and program_id = wanted.program_id
            and available > 0
          order by coalesce(expires_at, 'infinity'), id
          limit 1)
          union all
          select next.*
          from walk
          cross join lateral (
            select lots.*, walk.covered + case when live then lots.available else 0 end
            from lots
            cross join lateral (
              select coalesce(lots.expires_at, 'infinity') > clock_timestamp() as live
            ) as at_present
            where environment_id = $1::uuid and member_id = wanted.member_id
              and program_id = wanted.program_id and lots.available > 0
              and (coalesce(lots.expires_at, 'infinity'), lots.id)
                > (coalesce(walk.expires_at, 'infinity'), walk.id)
            order by coalesce(lots.expires_at, 'infinity'), lots.id
            limit 1
          ) next
          where walk.covered <= wanted.points
        )
        select * from walk
      ) l`,
    values: [
      environmentId,
      arrayLiteral(profiles.map((profile) => profile.memberId)),
      arrayLiteral(profiles.map((profile) => profile.programId)),
      arrayLiteral(profiles.map((profile) => profile.points)),
    ],
  };
}

/** Locks the stocks of rewards, in the order of their keys: after the profiles, before anything is written. */
export function lockStocks(
  environmentId: string,
  rewards: readonly { programId: string; rewardId: string }[],
): Statement {
  return {
    name: 'lock_stocks',
    text: `select s.program_id, s.reward_id, s.taken
      from (
        select distinct program_id, reward_id from unnest($2::text[], $3::text[]) as wanted(program_id, reward_id)
        order by 1, 2
      ) key
      cross join lateral (
        select * from reward_stocks
        where environment_id = $1::uuid and program_id = key.program_id and reward_id = key.reward_id
        limit 1
        for update
      ) s`,
    values: [
      environmentId,
      arrayLiteral(rewards.map((reward) => reward.programId)),
      arrayLiteral(rewards.map((reward) => reward.rewardId)),
    ],
  };
}

function byId(name: string, table: 'redemption_quotes' | 'redemption_reservations' | 'adjustments') {
  return lookUp({ name, table, column: 'id', type: 'uuid' });
}

function ofProfiles(
  name: string,
  table: 'redemption_quotes' | 'redemption_reservations',
  state: 'quoted' | 'reserved',
  environmentId: string,
  profiles: readonly { programId: string; externalCustomerId: string }[],
): Statement {
  return {
    name,
    text: `select r.*
      from unnest($2::text[], $3::text[]) as wanted(program_id, external_customer_id)
      cross join lateral (
        select id from members
        where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
        limit 1
      ) m
      cross join lateral (
        select * from ${table}
        where environment_id = $1::uuid and member_id = m.id and program_id = wanted.program_id
          and state = '${state}'
        offset 0
      ) r`,
    values: [
      environmentId,
      arrayLiteral(profiles.map((profile) => profile.programId)),
      arrayLiteral(profiles.map((profile) => profile.externalCustomerId)),
    ],
  };
}
