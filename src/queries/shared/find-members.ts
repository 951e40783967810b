import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import type { Statement } from '../../db/statement.ts';
import { type MemberRecord, memberAnswering, members } from '../../ledger/tables/members.ts';
import { type ProfileRecord, profiles } from '../../ledger/tables/program-profiles.ts';
import type { MemberView, NextExpiry } from './member-view.ts';

/** A member joined with one of its profiles; the columns of the profile are null where it has none. */
export type MemberProfileRow = MemberRecord & { ordinal: number } & (
    | (ProfileRecord & {
        due: boolean;
        requalifies: boolean;
        expiresNextAt: Date | null;
        expiresNext: number | null;
      })
    | { programId: null }
  );

/** A member as the tables have it. `due` and `requalifies` say whether it has to be settled or re-qualified first. */
export type UnsettledView = MemberView & { due: boolean; requalifies: boolean };

// When a lot lapses if the member does nothing more; expiryOf in lot-expiry.ts computes the same. Null for never.
const LIVES_UNTIL = `greatest(expires_at, case when expires_at is not null
    then p.last_activity_at + inactivity_days * interval '24 hours' end)`;

// The open lots of a profile: the conditions of index lots_open.
const OPEN_LOTS = `lots
  where environment_id = $1::uuid and member_id = p.member_id and program_id = p.program_id and available > 0`;

// The points that expire next: activity can only postpone the expiry of a lot beyond its date. So `first` takes the lot
// with the earliest date, and `lapse` looks only at lots dated no later than the instant at which that lot lapses.
const NEXT_EXPIRY = `
        select lapse.at, sum(lapse.available)::bigint as points
        from (
          select ${LIVES_UNTIL} as at
          from ${OPEN_LOTS} and p.available > 0
          order by coalesce(expires_at, 'infinity'), id
          limit 1
        ) first
        cross join lateral (
          select available, ${LIVES_UNTIL} as at
          from ${OPEN_LOTS} and coalesce(expires_at, 'infinity') <= first.at
          offset 0
        ) lapse
        group by lapse.at
        order by lapse.at
        limit 1`;

/** What the lot of a reversed credit passes on of points that come back to it, after the claims of returns. */
const OWED_OF = (amount: string): string => `least(-l.lent, ${amount} - least(${amount}, l.claimed))`;

/**
 * The balances and the next expiry of a profile as `settle` (settle.ts) would leave them now: the lots of holds that
 * have expired get their points back, after the claims of returns; what a reversed credit owes of those goes to the
 * lots that lent it points (lent-points.ts); pending lots that are due become available; and of those and all others
 * the ones whose time is over lapse. It is computed by the database, because a profile may have very many lots.
 */
const settled = (lots: LotColumns): string => `
        with present as materialized (
          select ${ENVIRONMENT_TIME} as at
        ), held as materialized (
          select h.lot_id, sum(h.amount)::bigint as amount
          from present
          cross join redemption_reservations r
          join postings h on h.environment_id = $1::uuid and h.transaction_id = r.reserve_transaction_id
          where r.environment_id = $1::uuid and r.member_id = p.member_id and r.program_id = p.program_id
            and r.state = 'reserved' and r.expires_at <= present.at
          group by h.lot_id
        ), owed as materialized (
          select coalesce(sum(${OWED_OF('h.amount')}), 0)::bigint as points
          from held h
          join lots l on l.environment_id = $1::uuid and l.member_id = p.member_id and l.program_id = p.program_id
            and l.id = h.lot_id
          where l.lent < 0
        ), repaid as materialized (
          select l.id as lot_id,
            greatest(0, least(l.lent, owed.points - coalesce(sum(l.lent) over (
              order by coalesce(l.expires_at, 'infinity'), l.id
              rows between unbounded preceding and 1 preceding
            ), 0)))::bigint as amount
          from owed
          cross join lots l
          where l.environment_id = $1::uuid and l.member_id = p.member_id and l.program_id = p.program_id
            and l.lent > 0 and owed.points > 0
        ), lot as materialized (
          select ${lots.ofLot}l.pending - due.points as pending,
            l.available + due.points + back.amount - least(back.amount, l.claimed)
              - case when l.lent < 0 then ${OWED_OF('held.amount')} else 0 end as available,
            ${LIVES_UNTIL} as lapses_at
          from present
          cross join lots l
          left join held as h on h.lot_id = l.id
          left join repaid on repaid.lot_id = l.id
          cross join lateral (
            select case when l.activates_at <= present.at then l.pending else 0 end as points
          ) due
          cross join lateral (select coalesce(h.amount, 0) as amount) held
          cross join lateral (select held.amount + coalesce(repaid.amount, 0) as amount) back
          where l.environment_id = $1::uuid and l.member_id = p.member_id and l.program_id = p.program_id
            and (l.available > 0 or l.pending > 0 or h.lot_id is not null or repaid.amount > 0${lots.also})
        ), live as materialized (
          select lot.* from lot cross join present where available > 0 and (lapses_at is null or lapses_at > present.at)
        )
        select (select coalesce(sum(available), 0) from live)::bigint as available,
          (select coalesce(sum(pending), 0) from lot)::bigint as pending,
          (p.reserved - (select coalesce(sum(amount), 0) from held))::bigint as reserved,
          next.at, next.points${lots.columns}
        from (select) as one
        left join lateral (
          select lapses_at as at, sum(available)::bigint as points
          from live
          where lapses_at is not null
          group by lapses_at
          order by lapses_at
          limit 1
        ) next on true`;

/** What a statement reads of lots besides their sums, as parts of its SQL. */
export interface LotColumns {
  /** Columns of each lot `l`, with a comma after each. `held.amount` is what of it a hold had that has expired. */
  ofLot: string;
  /** Further lots, as `or` and a condition. */
  also: string;
  /**
   * Columns of the profile, with a comma before each: of `lot`, of `live` (those that have not lapsed) and
   * `present.at`.
   */
  columns: string;
}

const NO_COLUMNS: LotColumns = { ofLot: '', also: '', columns: '' };

/** Members by what merchants call them, with all of their profiles. */
export const BY_EXTERNAL_ID: MemberQuery = {
  rows: 'unnest($2::text[]) with ordinality as wanted(external_customer_id, ordinal)',
  member: memberAnswering('external_customer_id = wanted.external_customer_id'),
  profile: '',
  columns: '',
};

const FIND_MEMBERS = membersWith(BY_EXTERNAL_ID, NEXT_EXPIRY);
const FIND_SETTLED_MEMBERS = settledMembersWith(BY_EXTERNAL_ID);

/**
 * Members by externalCustomerId, each with its profiles. `due` says that an activation, an expiry or the end of a hold
 * is not posted yet; where it is false, the balances are current. `requalifies` says the same of the tier and the
 * qualification points.
 */
export function findMembers(environmentId: string, externalCustomerIds: readonly string[]): Statement {
  return {
    name: 'find_members',
    text: FIND_MEMBERS,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
}

/** As `findMembers`, with what is due by now counted as posted. It takes no locks and writes nothing. */
export function findSettledMembers(environmentId: string, externalCustomerIds: readonly string[]): Statement {
  return {
    name: 'find_settled_members',
    text: FIND_SETTLED_MEMBERS,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
}

/** Which members are wanted, as parts of a statement whose first parameter is the environment. */
export interface MemberQuery {
  /** The rows `wanted`, with their `ordinal`. */
  rows: string;
  /** SQL of the member of a row: one row of members. */
  member: string;
  /** Condition on the profiles of a row, with `and` before it; empty for all profiles. */
  profile: string;
  /** Further columns, with a comma before each. */
  columns: string;
}

/**
 * A statement that reads members with their profiles as they are stored.
 * @param expiring SQL that gives `at` and `points`: what expires next in profile `p`
 */
export function membersWith(query: MemberQuery, expiring: string): string {
  return statementOf(query, expiring, profiles.select('p'));
}

/** A statement that reads members with their profiles as they would be with everything posted that is due by now. */
export function settledMembersWith(query: MemberQuery, lots: LotColumns = NO_COLUMNS): string {
  const balances = { available: 'e.available', pending: 'e.pending', reserved: 'e.reserved' };
  return statementOf(query, settled(lots), profiles.select('p', balances));
}

function statementOf(query: MemberQuery, expiring: string, columnsOfProfile: string): string {
  return `select wanted.ordinal::integer, ${members.select('m')}, ${columnsOfProfile},
        coalesce(p.next_due_at <= present.now, false) as due,
        coalesce(p.enrolled and p.requalify_at <= present.now, false) as requalifies,
        e.at as "expiresNextAt", e.points as "expiresNext"${query.columns}
      from (select ${ENVIRONMENT_TIME} as now offset 0) present
      cross join ${query.rows}
      cross join lateral (${query.member}
      ) m
      left join lateral (
        select * from program_profiles
        where environment_id = $1::uuid and member_id = m.id${query.profile}
        order by program_id
        offset 0
      ) p on true
      left join lateral (${expiring}
      ) e on true`;
}

/** Groups the rows by member: by the member's ordinal in the request, from 1. */
export function memberViews(rows: readonly MemberProfileRow[]): Map<number, UnsettledView> {
  const views = new Map<number, UnsettledView>();
  for (const row of rows) {
    const view = views.get(row.ordinal) ?? {
      member: members.pick(row),
      profiles: [],
      due: false,
      requalifies: false,
    };
    if (row.programId !== null) {
      view.profiles.push({ ...profiles.pick(row), nextExpiry: nextExpiryOf(row) });
      view.due ||= row.due;
      view.requalifies ||= row.requalifies;
    }
    views.set(row.ordinal, view);
  }
  return views;
}

function nextExpiryOf(row: { expiresNextAt: Date | null; expiresNext: number | null }): NextExpiry | null {
  const { expiresNextAt: at, expiresNext: points } = row;
  return at && points ? { points, at } : null;
}
