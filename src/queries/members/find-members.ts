import { arrayLiteral } from '../../db/array-literal.ts';
import type { Statement } from '../../db/statement.ts';
import { type MemberRecord, members } from '../../ledger/tables/members.ts';
import { type ProfileRecord, profiles } from '../../ledger/tables/program-profiles.ts';
import type { MemberView, NextExpiry } from '../shared/member-view.ts';

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

// When a lot lapses if the member does nothing more; expiryOf in settle.ts computes the same.
const LIVES_UNTIL = `greatest(expires_at, case when expires_at is not null
    then p.last_activity_at + inactivity_days * interval '24 hours' end)`;

// The open lots of a profile: the conditions of index lots_open.
const OPEN_LOTS = `lots
  where environment_id = $1::uuid and member_id = p.member_id and program_id = p.program_id and available > 0`;

/**
 * Members by externalCustomerId, each with its profiles. `due` says that an activation, an expiry or the end of a hold
 * is not posted yet; where it is false, the balances are current. `requalifies` says the same of the tier and the
 * qualification points.
 *
 * The points that expire next: activity can only postpone the expiry of a lot beyond its date. So `first` takes the lot
 * with the earliest date, and `lapse` looks only at lots dated no later than the instant at which that lot lapses.
 */
export function findMembers(environmentId: string, externalCustomerIds: readonly string[]): Statement {
  return {
    name: 'find_members',
    text: `select wanted.ordinal::integer, ${members.select('m')}, ${profiles.select('p')},
        coalesce(p.next_due_at <= clock_timestamp(), false) as due,
        coalesce(p.enrolled and p.requalify_at <= clock_timestamp(), false) as requalifies,
        e.at as "expiresNextAt", e.points as "expiresNext"
      from unnest($2::text[]) with ordinality as wanted(external_customer_id, ordinal)
      cross join lateral (
        select * from members
        where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id
        limit 1
      ) m
      left join lateral (
        select * from program_profiles
        where environment_id = $1::uuid and member_id = m.id
        order by program_id
        offset 0
      ) p on true
      left join lateral (
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
        limit 1
      ) e on true`,
    values: [environmentId, arrayLiteral(externalCustomerIds)],
  };
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
