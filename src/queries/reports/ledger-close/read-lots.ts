import type { ClientBase } from 'pg';
import { movedSql } from '../../../ledger/closed-days/roll-up.ts';
import { type Compared, type ComparedRow, comparedOf, one } from './compared.ts';
import type { CohortSum } from './liability.ts';

/** The points in the lots of a program. */
export interface HeldLots {
  /** All profiles: lots compared with balances, now. */
  lots: Compared;
  /** The points at the end of the period, by the dates that the lots had then. Sums of 0 are left out. */
  cohorts: CohortSum[];
}

/** Reads every lot that has points, and undoes the changes of points and dates that came at or after `to`. */
export async function readLots(
  client: ClientBase,
  environmentId: string,
  programId: string,
  to: Date,
): Promise<HeldLots> {
  const values = [environmentId, programId, monthStarts(to), to];
  // LOTS reads all lots in their present state, best without an index. REDATED looks up single lots. So does UNDONE,
  // which says itself where: without statistics the planner would compare each row of one list with each of the other.
  await client.query('set local enable_nestloop = on; set local enable_indexscan = off');
  const held = await one<HeldRow>(client, { name: 'close_lots', text: LOTS, values });
  await client.query('set local enable_nestloop = off; set local enable_indexscan = on');
  const { rows: undone } = await client.query<CohortRow>({
    name: 'close_lots_undone',
    text: UNDONE,
    values,
  });
  await client.query('set local enable_nestloop = on');
  const { rows: redated } = await client.query<RedatedRow>({
    name: 'close_lots_redated',
    text: REDATED,
    values,
  });
  const moved = redated.flatMap(({ issued, expires, expiresThen, points }) => [
    { issued, expires: expiresThen, points },
    { issued, expires, points: String(-BigInt(points)) },
  ]);
  return { lots: comparedOf(held.lots), cohorts: cohortsOf([...(held.cohorts ?? []), ...undone, ...moved]) };
}

/** A cohort as a statement returns it. Months are given by their place in the list of months, from 1. */
interface CohortRow {
  issued: number;
  expires: number | null;
  points: string;
}

interface RedatedRow extends CohortRow {
  /** The month in which the points were to expire, as of the end of the period. */
  expiresThen: number;
}

interface HeldRow {
  lots: ComparedRow;
  cohorts: CohortRow[] | null;
}

/** No lot was issued in an earlier year. */
const FIRST_YEAR = 2000;
/**
 * No lot expires later than this after its issue: see the limits of `expiration` and `pending` in the program's schema.
 */
const LONGEST_YEARS = 125;

/** The first instant of each month in which lots may be issued or expire, up to the longest life after `to`. */
function monthStarts(to: Date): string[] {
  const months = (to.getUTCFullYear() + LONGEST_YEARS - FIRST_YEAR) * 12;
  return Array.from({ length: months }, (_, index) => `${monthAt(index + 1)}-01T00:00:00Z`);
}

/** The month at an index of the list, as `YYYY-MM`. @param monthIndex from 1 */
function monthAt(monthIndex: number): string {
  const month = monthIndex - 1;
  const year = FIRST_YEAR + Math.floor(month / 12);
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/**
 * Adds up the cohorts of the same months, in the order of time; points that never expire come last. Sums of 0 are left
 * out.
 */
function cohortsOf(rows: readonly CohortRow[]): CohortSum[] {
  const sums = new Map<string, CohortSum>();
  for (const { issued, expires, points } of rows) {
    const [issueMonth, expiryMonth] = [monthAt(issued), expires === null ? null : monthAt(expires)];
    const key = `${issueMonth} ${expiryMonth ?? 'never'}`;
    const before = sums.get(key)?.points ?? 0n;
    sums.set(key, { issueMonth, expiryMonth, points: before + BigInt(points) });
  }
  return [...sums.entries()]
    .filter(([, { points }]) => points !== 0n)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, cohort]) => cohort);
}

// The points in the lots now, by member and by cohort, in one pass. UNDONE and REDATED undo what came after the period.
// Lots that were created after it are in no cohort: all of a member's are one group, so that there are no more groups
// of them than members. A month is given as the place of an instant in $3, the list of the months' first instants:
// width_bucket takes a third of the time of date_trunc, and a program may have millions of lots.
const LOTS = `
  with held as materialized (
    select member_id,
      case when created_at < $4::timestamptz then width_bucket(created_at, $3::timestamptz[]) end as issued,
      case when created_at < $4::timestamptz then width_bucket(expires_at, $3::timestamptz[]) end as expires,
      sum(available) as available, sum(pending) as pending, sum(reserved) as reserved
    from lots
    where environment_id = $1::uuid and program_id = $2 and (available > 0 or pending > 0 or reserved > 0)
    group by 1, 2, 3
  )
  select (
      select json_build_object('expected', coalesce(sum(l.available + l.pending + l.reserved), 0)::text,
        'found', coalesce(sum(p.available + p.pending + p.reserved), 0)::text,
        'differences', count(*) filter (
          where (coalesce(l.available, 0), coalesce(l.pending, 0), coalesce(l.reserved, 0))
            <> (coalesce(p.available, 0), coalesce(p.pending, 0), coalesce(p.reserved, 0))))
      from (
        select member_id, sum(available) as available, sum(pending) as pending, sum(reserved) as reserved
        from held group by member_id
      ) as l
      full join (
        select * from program_profiles where environment_id = $1::uuid and program_id = $2
      ) as p using (member_id)
    ) as lots,
    (select json_agg(json_build_object('issued', issued, 'expires', expires, 'points', points::text))
      from (select issued, expires, sum(available + pending + reserved) as points from held
        where issued is not null group by 1, 2) as cohort
    ) as cohorts`;

// The lots whose expiry has changed since the end of the period, with the expiry that they had then.
const MOVED_DATES = `
  moved as materialized (
    select distinct on (lot_id) member_id, lot_id, expires_at
    from lot_expiry_changes
    where environment_id = $1::uuid and program_id = $2 and changed_at >= $4::timestamptz
    order by lot_id, changed_at
  )`;

// What was posted after the period to lots that were created before its end. Most of it is posted to lots that were
// created after it: their ids are read together, by their time, and what is posted to them is left out. Only the others
// are looked up.
const UNDONE = `
  with ${MOVED_DATES}, later_lots as materialized (
    select id from lots
    where environment_id = $1::uuid and program_id = $2 and created_at >= $4::timestamptz
  ), later as materialized (
    select p.member_id, p.lot_id,
      sum(${movedSql('available')} + ${movedSql('pending')} + ${movedSql('reserved')}) as points
    from postings p
    where p.environment_id = $1::uuid and p.program_id = $2 and p.created_at >= $4::timestamptz
      and p.lot_id is not null and not exists (select from later_lots where later_lots.id = p.lot_id)
    group by 1, 2
  )
  select width_bucket(l.created_at, $3::timestamptz[]) as issued,
    width_bucket(coalesce(moved.expires_at, l.expires_at), $3::timestamptz[]) as expires,
    (-sum(later.points))::text as points
  from later
  cross join lateral (
    select created_at, expires_at from lots
    where environment_id = $1::uuid and member_id = later.member_id and program_id = $2 and id = later.lot_id
    limit 1
  ) as l
  left join moved on moved.lot_id = later.lot_id
  group by 1, 2`;

// The points now in the lots whose expiry has changed. They are moved from the cohort of the present expiry to the
// cohort of the expiry at the end of the period. UNDONE subtracts what was posted later from the latter cohort.
const REDATED = `
  with ${MOVED_DATES}
  select width_bucket(l.created_at, $3::timestamptz[]) as issued, width_bucket(l.expires_at, $3::timestamptz[]) as expires,
    width_bucket(moved.expires_at, $3::timestamptz[]) as "expiresThen",
    sum(l.available + l.pending + l.reserved)::text as points
  from moved
  join lots l on l.environment_id = $1::uuid and l.program_id = $2 and l.member_id = moved.member_id
    and l.id = moved.lot_id
  where l.created_at < $4::timestamptz
  group by 1, 2, 3`;
