import type { Pool } from 'pg';
import { timeOfStatement } from '../db/environment-time.ts';
import type { EnvironmentNow } from './due.ts';

/** A profile whose tier is to be re-qualified. */
export interface ProfileToRequalify {
  programId: string;
  /** UUID. */
  memberId: string;
  externalCustomerId: string;
  /**
   * The database's text, to the microsecond: the next page begins behind it. Null where no re-qualification is to come.
   */
  requalifyAt: string | null;
}

/** Which enrolled profiles of an environment to re-qualify: those that are due by an instant, or all. */
export type ProfileSelection = { dueBy: Date } | 'enrolled';

interface DueRow {
  program_id: string;
  member_id: string;
  external_customer_id: string;
  requalify_at: string | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The environments that have profiles to re-qualify, in the order of their ids. */
export async function environmentsWithDueTiers(pool: Pool): Promise<EnvironmentNow[]> {
  const { rows } = await pool.query<EnvironmentNow>({
    name: 'environments_with_due_tiers',
    text: `select e.id, ${timeOfStatement('e')} as now
      from environments e
      where exists (select from program_profiles
        where environment_id = e.id and enrolled and requalify_at <= ${timeOfStatement('e')})
      order by e.id`,
  });
  return rows;
}

/** The number of profiles of an environment to re-qualify. */
export async function countProfilesToRequalify(
  pool: Pool,
  environmentId: string,
  selection: ProfileSelection,
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    selection === 'enrolled'
      ? {
          name: 'count_enrolled',
          text: 'select count(*) from program_profiles where environment_id = $1::uuid and enrolled',
          values: [environmentId],
        }
      : {
          name: 'count_due_tiers',
          text: `select count(*) from program_profiles
            where environment_id = $1::uuid and enrolled and requalify_at <= $2::timestamptz`,
          values: [environmentId, selection.dueBy],
        },
  );
  return rows[0]?.count ?? 0;
}

/**
 * A page of the profiles to re-qualify, in the order in which they fall due; enrolled ones in the order of their keys.
 * @param after the last profile of the page before; null for the first page
 */
export async function pageOfProfilesToRequalify(
  pool: Pool,
  environmentId: string,
  selection: ProfileSelection,
  after: ProfileToRequalify | null,
  limit: number,
): Promise<ProfileToRequalify[]> {
  const key = [after?.memberId ?? FIRST_ID, after?.programId ?? '', limit];
  const { rows } = await pool.query<DueRow>(
    selection === 'enrolled'
      ? { name: 'enrolled_standings', text: ENROLLED, values: [environmentId, ...key] }
      : {
          name: 'due_tiers',
          text: DUE,
          values: [environmentId, ...key, selection.dueBy, after?.requalifyAt ?? '-infinity'],
        },
  );
  return rows.map((row) => ({
    programId: row.program_id,
    memberId: row.member_id,
    externalCustomerId: row.external_customer_id,
    requalifyAt: row.requalify_at,
  }));
}

const withMembers = (profiles: string, order: string): string =>
  `select p.program_id, p.member_id, m.external_customer_id, p.requalify_at::text
    from (${profiles}) p
    cross join lateral (
      select external_customer_id from members where environment_id = $1::uuid and id = p.member_id limit 1
    ) m
    order by ${order}`;

const ENROLLED = withMembers(
  `select member_id, program_id, requalify_at from program_profiles
    where environment_id = $1::uuid and enrolled and (member_id, program_id) > ($2::uuid, $3::text)
    order by member_id, program_id
    limit $4::integer`,
  'p.member_id, p.program_id',
);

const DUE = withMembers(
  `select member_id, program_id, requalify_at from program_profiles
    where environment_id = $1::uuid and enrolled and requalify_at <= $5::timestamptz
      and (requalify_at, member_id, program_id) > ($6::timestamptz, $2::uuid, $3::text)
    order by requalify_at, member_id, program_id
    limit $4::integer`,
  'p.requalify_at, p.member_id, p.program_id',
);
