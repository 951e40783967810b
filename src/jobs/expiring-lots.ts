import type { Pool } from 'pg';
import { timeOfStatement } from '../db/environment-time.ts';

/** A program whose version in effect has `expiryNoticeDays`. */
export interface NoticingProgram {
  /** UUID. */
  environmentId: string;
  programId: string;
  days: number;
  /** The environment's present, in milliseconds. */
  now: Date;
}

/** A profile in which something is due soon, with lots whose coming expiry was not reported yet. */
export interface ExpiringProfile {
  programId: string;
  /** UUID. */
  memberId: string;
  externalCustomerId: string;
  /** The database's text, to the microsecond: the next page begins behind it. */
  nextDueAt: string;
  /** UUIDs, soonest-expiring first; at most `LOTS_OF_NOTICE`. */
  lotIds: string[];
}

/** Most lots of a profile that one command reports. */
export const LOTS_OF_NOTICE = 100;

/** The programs whose members are to be told of expiries, in the order of their environments. */
export async function noticingPrograms(pool: Pool): Promise<NoticingProgram[]> {
  const { rows } = await pool.query<{ environment_id: string; program_id: string; days: number; now: Date }>({
    name: 'noticing_programs',
    text: `select e.id as environment_id, p.id as program_id, (v.document ->> 'expiryNoticeDays')::integer as days,
        ${timeOfStatement('e')} as now
      from environments e
      join programs p on p.environment_id = e.id
      cross join lateral (
        select document from program_versions
        where environment_id = e.id and program_id = p.id and effective_from <= ${timeOfStatement('e')}
        order by version desc
        limit 1
      ) v
      where v.document ->> 'expiryNoticeDays' is not null
      order by e.id, p.id`,
  });
  return rows.map((row) => ({
    environmentId: row.environment_id,
    programId: row.program_id,
    days: row.days,
    now: row.now,
  }));
}

/**
 * A page of the profiles in which anything is due within the longest notice of the programs, in the order in which it
 * falls due. No lot expires before its profile's `next_due_at`, so the index of sweeps leads to every lot that expires
 * soon, and purchases need not maintain an index of lots by their expiry.
 * @param programs of the environment
 * @param after the last profile of the page before; null for the first page
 */
export async function expiringProfiles(
  pool: Pool,
  environmentId: string,
  programs: readonly NoticingProgram[],
  at: Date,
  after: ExpiringProfile | null,
  limit: number,
): Promise<ExpiringProfile[]> {
  const { rows } = await pool.query<{
    program_id: string;
    member_id: string;
    external_customer_id: string;
    next_due_at: string;
    lot_ids: string[] | null;
  }>({
    name: 'expiring_profiles',
    text: EXPIRING_PROFILES,
    values: [
      environmentId,
      at,
      after?.nextDueAt ?? '-infinity',
      after?.memberId ?? '00000000-0000-0000-0000-000000000000',
      after?.programId ?? '',
      limit,
      programs.map(({ programId }) => programId),
      programs.map(({ days }) => days),
      Math.max(...programs.map(({ days }) => days)),
    ],
  });
  return rows.map((row) => ({
    programId: row.program_id,
    memberId: row.member_id,
    externalCustomerId: row.external_customer_id,
    nextDueAt: row.next_due_at,
    lotIds: row.lot_ids ?? [],
  }));
}

const EXPIRING_PROFILES = `select p.program_id, p.member_id, m.external_customer_id, p.next_due_at::text, l.lot_ids
  from (
    select program_id, member_id, next_due_at, last_activity_at from program_profiles
    where environment_id = $1::uuid
      and next_due_at <= $2::timestamptz + make_interval(hours => 24 * $9::integer)
      and (next_due_at, member_id, program_id) > ($3::timestamptz, $4::uuid, $5::text)
    order by next_due_at, member_id, program_id
    limit $6::integer
  ) p
  cross join lateral (
    select external_customer_id from members where environment_id = $1::uuid and id = p.member_id limit 1
  ) m
  left join unnest($7::text[], $8::integer[]) as noticing(program_id, days) on noticing.program_id = p.program_id
  cross join lateral (
    select array_agg(expiring.id order by expiring.expires_at, expiring.id) as lot_ids
    from (
      select lot.id, lot.expires_at
      from (
        select id, greatest(expires_at, p.last_activity_at + make_interval(hours => 24 * inactivity_days)) as expires_at
        from lots
        where environment_id = $1::uuid and member_id = p.member_id and program_id = p.program_id and available > 0
          and coalesce(expires_at, 'infinity') <= $2::timestamptz + make_interval(hours => 24 * noticing.days)
        offset 0
      ) lot
      left join lateral (
        select lot_id from expiry_notices
        where environment_id = $1::uuid and member_id = p.member_id and program_id = p.program_id
          and lot_id = lot.id
        limit 1
      ) notice on true
      where notice.lot_id is null and lot.expires_at > $2::timestamptz
        and lot.expires_at <= $2::timestamptz + make_interval(hours => 24 * noticing.days)
      order by lot.expires_at, lot.id
      limit ${LOTS_OF_NOTICE}
    ) expiring
  ) l
  order by p.next_due_at, p.member_id, p.program_id`;
