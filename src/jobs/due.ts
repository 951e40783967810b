import type { Pool } from 'pg';
import { ENVIRONMENT_TIME_OF_STATEMENT, timeOfStatement } from '../db/environment-time.ts';
import type { Statement } from '../db/statement.ts';

/** A profile in which an activation, an expiry or the end of a hold is due. */
export interface DueProfile {
  programId: string;
  /** UUID. */
  memberId: string;
  externalCustomerId: string;
  /** The database's text, to the microsecond: the next page begins behind it. */
  nextDueAt: string;
}

/** A request for an adjustment that was not decided in time. */
export interface DueAdjustment {
  /** UUID. */
  id: string;
  programId: string;
  externalCustomerId: string;
}

/** An environment at its present, in milliseconds. */
export interface EnvironmentNow {
  /** UUID. */
  id: string;
  now: Date;
}

/** The environments in which a sweep has something to do, in the order of their ids. */
export async function environmentsWithDue(pool: Pool): Promise<EnvironmentNow[]> {
  const { rows } = await pool.query<EnvironmentNow>({
    name: 'environments_with_due',
    text: `select e.id, ${timeOfStatement('e')} as now
      from environments e
      where exists (select from program_profiles
          where environment_id = e.id and next_due_at <= ${timeOfStatement('e')})
        or exists (select from redemption_quotes
          where environment_id = e.id and state = 'quoted' and expires_at <= ${timeOfStatement('e')})
        or exists (select from adjustments
          where environment_id = e.id and state = 'requested' and expires_at <= ${timeOfStatement('e')})
        or exists (select from choice_grants
          where environment_id = e.id and state = 'open' and expires_at <= ${timeOfStatement('e')})
      order by e.id`,
  });
  return rows;
}

/** The number of profiles of an environment in which something is due. */
export async function countDueProfiles(pool: Pool, environmentId: string, at: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count_due_profiles',
    text: `select count(*) from program_profiles
      where environment_id = $1::uuid and next_due_at <= $2::timestamptz`,
    values: [environmentId, at],
  });
  return rows[0]?.count ?? 0;
}

/**
 * A page of the profiles in which something is due, in the order in which they fell due.
 * @param after the last profile of the page before; null for the first page
 */
export async function dueProfiles(
  pool: Pool,
  environmentId: string,
  at: Date,
  after: DueProfile | null,
  limit: number,
): Promise<DueProfile[]> {
  const { rows } = await pool.query<{
    program_id: string;
    member_id: string;
    external_customer_id: string;
    next_due_at: string;
  }>({
    name: 'due_profiles',
    text: `select p.program_id, p.member_id, m.external_customer_id, p.next_due_at::text
      from (
        select program_id, member_id, next_due_at from program_profiles
        where environment_id = $1::uuid and next_due_at <= $2::timestamptz
          and (next_due_at, member_id, program_id) > ($3::timestamptz, $4::uuid, $5::text)
        order by next_due_at, member_id, program_id
        limit $6::integer
      ) p
      cross join lateral (
        select external_customer_id from members where environment_id = $1::uuid and id = p.member_id limit 1
      ) m
      order by p.next_due_at, p.member_id, p.program_id`,
    values: [
      environmentId,
      at,
      after?.nextDueAt ?? '-infinity',
      after?.memberId ?? '00000000-0000-0000-0000-000000000000',
      after?.programId ?? '',
      limit,
    ],
  });
  return rows.map((row) => ({
    programId: row.program_id,
    memberId: row.member_id,
    externalCustomerId: row.external_customer_id,
    nextDueAt: row.next_due_at,
  }));
}

/** Requests for adjustments that were not decided in time, those that expired first in front. */
export async function dueAdjustments(
  pool: Pool,
  environmentId: string,
  at: Date,
  limit: number,
): Promise<DueAdjustment[]> {
  const { rows } = await pool.query<{ id: string; program_id: string; external_customer_id: string }>({
    name: 'due_adjustments',
    text: `select a.id, a.program_id, m.external_customer_id
      from adjustments a
      join members m on m.environment_id = $1::uuid and m.id = a.member_id
      where a.environment_id = $1::uuid and a.state = 'requested' and a.expires_at <= $2::timestamptz
      order by a.expires_at, a.id
      limit $3::integer`,
    values: [environmentId, at, limit],
  });
  return rows.map((row) => ({
    id: row.id,
    programId: row.program_id,
    externalCustomerId: row.external_customer_id,
  }));
}

/**
 * Marks quotes as expired whose time is over. A quote holds no points, so nothing else has to change. Quotes that a
 * command has locked are left to it.
 * @returns how many quotes it marked; fewer than the limit where no more are due
 */
export function expireQuotes(pool: Pool, environmentId: string, at: Date, limit: number): Promise<number> {
  return expireRows(pool, EXPIRE_QUOTES, [environmentId, at, limit]);
}

/**
 * Marks grants of choices as expired whose time is over. A claim compares the time itself, so nothing else has to
 * change.
 * @returns how many grants it marked; fewer than the limit where no more are due
 */
export function expireChoices(pool: Pool, environmentId: string, at: Date, limit: number): Promise<number> {
  return expireRows(pool, EXPIRE_CHOICES, [environmentId, at, limit]);
}

async function expireRows(
  pool: Pool,
  statement: Omit<Statement, 'values'>,
  values: [environmentId: string, at: Date, limit: number],
): Promise<number> {
  const { rowCount } = await pool.query({ ...statement, values });
  return rowCount ?? 0;
}

/** Sets rows that are still in the state `open` after their time to `expired`, except rows that are locked. */
const expireStatement = (
  table: 'redemption_quotes' | 'choice_grants',
  open: string,
): Omit<Statement, 'values'> => ({
  name: `expire_${table}`,
  text: `update ${table} r set state = 'expired'
    from (
      select id from ${table}
      where environment_id = $1::uuid and state = '${open}'
        and expires_at <= least($2::timestamptz, ${ENVIRONMENT_TIME_OF_STATEMENT})
      limit $3::integer
      for update skip locked
    ) due
    where r.environment_id = $1::uuid and r.id = due.id`,
});

const EXPIRE_QUOTES = expireStatement('redemption_quotes', 'quoted');
const EXPIRE_CHOICES = expireStatement('choice_grants', 'open');

/**
 * The seconds since the profile that has waited longest fell due; 0 where nothing is due. Environments whose clock was
 * moved do not count: in these a year may fall due at once.
 */
export async function oldestDueSeconds(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ seconds: number | null }>({
    name: 'oldest_due',
    text: `select extract(epoch from clock_timestamp() - min(p.next_due_at))::float8 as seconds
      from environments e
      cross join lateral (
        select next_due_at from program_profiles
        where environment_id = e.id and next_due_at is not null
        order by next_due_at
        limit 1
      ) p
      where e.clock_ahead_ms = 0 and e.clock_stands_at is null`,
  });
  return Math.max(0, rows[0]?.seconds ?? 0);
}
