import type { ClientBase } from 'pg';
import type { ClosedDays } from '../closed-days/verified-days.ts';
import { FIRST_DAY, type LedgerControl } from './ledger-control.ts';

/** An environment whose days until a given one have not been verified, although something was posted on them. */
export interface UnverifiedDays {
  /** UUID. */
  environmentId: string;
  /** The last day that was verified, `YYYY-MM-DD` in UTC; null where there is none. */
  verifiedThrough: string | null;
}

/**
 * SQL: the rows of `ledger_days` of each environment until a day, and their digest.
 * @param source a table with a row for each environment
 * @param through its column with the day
 */
const closedRows = (source: string, through: string): string => `
  select s.environment_id, s.${through} as through, count(d.day) as rows,
    sha256(convert_to(coalesce(string_agg(json_build_array(d.program_id, d.day, d.debit_account, d.credit_account,
        d.event_type, d.amount, d.postings, d.transactions)::text, chr(10)
      order by d.program_id collate "C", d.day, d.debit_account collate "C", d.credit_account collate "C",
        d.event_type collate "C"), ''), 'UTF8')) as digest
  from ${source} s
  left join ledger_days d on d.environment_id = s.environment_id and d.day <= s.${through}
  where $1::uuid is null or s.environment_id = $1
  group by s.environment_id, s.${through}`;

const CLOSED_DAYS = closedRows('ledger_rollups', 'closed_through');

/** The closed days of one environment, or of each. @param client in the snapshot of the run */
export async function readClosedDays(
  client: ClientBase,
  environmentId: string | null,
): Promise<ClosedDays[]> {
  const { rows } = await client.query<{
    environment_id: string;
    through: string;
    rows: string;
    digest: Buffer;
  }>(
    `select environment_id, through::text as through, rows::text as rows, digest from (${CLOSED_DAYS}) closed`,
    [environmentId],
  );
  return rows.map(({ environment_id, through, rows: count, digest }) => ({
    environmentId: environment_id,
    through,
    rows: Number(count),
    digest,
  }));
}

/**
 * The environments in which a run cannot begin after a day, because the days until then have not been verified.
 * @param client in the snapshot of the run
 * @param day `YYYY-MM-DD`
 */
export async function findUnverified(
  client: ClientBase,
  environmentId: string | null,
  day: string,
): Promise<UnverifiedDays[]> {
  const { rows } = await client.query<UnverifiedDays>(FIND_UNVERIFIED, [environmentId, day]);
  return rows;
}

const FIND_UNVERIFIED = `
  select e.id as "environmentId", v.verified_through::text as "verifiedThrough"
  from environments e
  left join ledger_verifications v on v.environment_id = e.id
  where ($1::uuid is null or e.id = $1) and (v.verified_through is null or v.verified_through < $2::date)
    and exists (select from transactions t
      where t.environment_id = e.id and t.created_at > '-infinity'
        and t.created_at < ($2::date + 1)::timestamp at time zone 'UTC')
  order by e.id`;

/** Controls over what a run after a verified day begins from. They have the second parameter of such a run. */
export const VERIFIED_DAY_CONTROLS: readonly Omit<LedgerControl, 'sinceDay'>[] = [
  {
    id: 'verified-days-unchanged',
    title: 'The closed days are what they were when they were verified',
    sql: `
      select concat_ws(' ', v.environment_id, v.verified_through) as subject, v.closed_rows as expected,
        case when now.digest = v.digest then now.rows end as found
      from ledger_verifications v
      left join (${closedRows('ledger_verifications', 'verified_through')}) as now on now.environment_id = v.environment_id
      where ($1::uuid is null or v.environment_id = $1) and v.verified_through >= ${FIRST_DAY} - 1`,
  },
  {
    id: 'carried-balances-equal-days',
    title: "The members' balances that are carried forward are what the closed days left to them",
    sql: `
      with moved as (
        select environment_id, program_id, sum(
          case when credit_account like 'member.%' then amount else 0 end
            - case when debit_account like 'member.%' then amount else 0 end) as points
        from ledger_days
        where day < ${FIRST_DAY} and ($1::uuid is null or environment_id = $1)
        group by environment_id, program_id
      ), held as (
        select p.environment_id, p.program_id, sum(closed.points) as points
        from program_profiles p
        cross join lateral (
          select d.available + d.pending + d.reserved as points from member_days d
          where d.environment_id = p.environment_id and d.program_id = p.program_id and d.member_id = p.member_id
            and d.day < ${FIRST_DAY}
          order by d.day desc
          limit 1
        ) closed
        where $1::uuid is null or p.environment_id = $1
        group by p.environment_id, p.program_id
      )
      select environment_id || ' ' || program_id as subject, coalesce(moved.points, 0) as expected,
        coalesce(held.points, 0) as found
      from moved full join held using (environment_id, program_id)`,
  },
];
