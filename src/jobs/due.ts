import type { Pool } from 'pg';

/** A profile in which something is due: an activation, an expiry, the end of a hold. */
export interface DueProfile {
  programId: string;
  /** UUID. */
  memberId: string;
  externalCustomerId: string;
  /** As the database writes it, to the microsecond: what comes behind it is asked for by it. */
  nextDueAt: string;
}

/** A request that nobody has decided on in time. */
export interface DueAdjustment {
  /** UUID. */
  id: string;
  programId: string;
  externalCustomerId: string;
}

/** The database's time. What is compared with an index is a parameter: a volatile function would read all of it. */
export async function databaseTime(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>({
    name: 'database_time',
    text: `select date_trunc('milliseconds', clock_timestamp()) as now`,
  });
  return rows[0]?.now as Date;
}

/** The environments in which anything is due, in the order of their ids. */
export async function environmentsWithDue(pool: Pool, at: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'environments_with_due',
    text: `select e.id from environments e
      where exists (select from program_profiles
          where environment_id = e.id and next_due_at <= $1::timestamptz)
        or exists (select from redemption_quotes
          where environment_id = e.id and state = 'quoted' and expires_at <= $1::timestamptz)
        or exists (select from adjustments
          where environment_id = e.id and state = 'requested' and expires_at <= $1::timestamptz)
        or exists (select from choice_grants
          where environment_id = e.id and state = 'open' and expires_at <= $1::timestamptz)
      order by e.id`,
    values: [at],
  });
  return rows.map(({ id }) => id);
}

/** How many profiles of an environment have something due. */
export async function countDueProfiles(pool: Pool, environmentId: string, at: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'count_due_profiles',
    text: `select count(*) from program_profiles
      where environment_id = $1::uuid and next_due_at <= $2::timestamptz`,
    values: [environmentId, at],
  });
  return rows[0]?.count ?? 0;
}

/** Those due first, behind another one where one is given. */
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

/** Requests that have lapsed undecided, the oldest first. */
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
 * Marks quotes as expired whose time is over. They hold nothing, so the row is all there is to change; what is just
 * being reserved is left to whoever does that.
 * @returns how many; fewer than the limit where no more are due
 */
export function expireQuotes(pool: Pool, environmentId: string, at: Date, limit: number): Promise<number> {
  return expireRows(pool, { table: 'redemption_quotes', open: 'quoted' }, [environmentId, at, limit]);
}

/**
 * Marks choices as expired whose time is over. A claim that is just being made looks at the time itself, so the row is
 * all there is to change.
 * @returns how many; fewer than the limit where no more are due
 */
export function expireChoices(pool: Pool, environmentId: string, at: Date, limit: number): Promise<number> {
  return expireRows(pool, { table: 'choice_grants', open: 'open' }, [environmentId, at, limit]);
}

/** Rows that have lapsed in the state that they wait in, except what somebody else has locked. */
async function expireRows(
  pool: Pool,
  { table, open }: { table: 'redemption_quotes' | 'choice_grants'; open: string },
  values: [environmentId: string, at: Date, limit: number],
): Promise<number> {
  const { rowCount } = await pool.query({
    name: `expire_${table}`,
    text: `update ${table} r set state = 'expired'
      from (
        select id from ${table}
        where environment_id = $1::uuid and state = '${open}' and expires_at <= $2::timestamptz
        limit $3::integer
        for update skip locked
      ) due
      where r.environment_id = $1::uuid and r.id = due.id`,
    values,
  });
  return rowCount ?? 0;
}

/** Seconds for which the profile that has waited longest has been due; 0 where nothing is due. */
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
      ) p`,
  });
  return Math.max(0, rows[0]?.seconds ?? 0);
}
