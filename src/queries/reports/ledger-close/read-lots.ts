import type { ClientBase } from 'pg';
import { movedSql } from '../../../ledger/closed-days/roll-up.ts';
import { type Compared, type ComparedRow, comparedOf, one } from './compared.ts';
import type { CohortSum } from './liability.ts';

/** What the lots of a program hold. */
export interface HeldLots {
  /** All profiles: lots against balances, now. */
  lots: Compared;
  /** At the end of the period, by the dates that held then; none of 0. */
  cohorts: CohortSum[];
}

/** Reads every lot that holds points, and takes back what came at or after `to`: points and dates. */
export async function readLots(
  client: ClientBase,
  environmentId: string,
  programId: string,
  to: Date,
): Promise<HeldLots> {
  const values = [environmentId, programId, monthStarts(to)];
  // All of them are read as they stand; those that have moved later are looked up one by one.
  await client.query('set local enable_nestloop = on; set local enable_indexscan = off');
  const held = await one<HeldRow>(client, { name: 'close_lots', text: LOTS, values });
  await client.query('set local enable_indexscan = on');
  const { rows: undone } = await client.query<CohortRow>({
    name: 'close_lots_undone',
    text: UNDONE,
    values: [...values, to],
  });
  const { rows: redated } = await client.query<RedatedRow>({
    name: 'close_lots_redated',
    text: REDATED,
    values: [...values, to],
  });
  const moved = redated.flatMap(({ issued, expires, expiresThen, points }) => [
    { issued, expires: expiresThen, points },
    { issued, expires, points: String(-BigInt(points)) },
  ]);
  return { lots: comparedOf(held.lots), cohorts: cohortsOf([...(held.cohorts ?? []), ...undone, ...moved]) };
}

/** Months by their place in the list of months, from 1. */
interface CohortRow {
  issued: number;
  expires: number | null;
  points: string;
}

interface RedatedRow extends CohortRow {
  /** The month in which they were to expire at the end of the period. */
  expiresThen: number;
}

interface HeldRow {
  lots: ComparedRow;
  cohorts: CohortRow[] | null;
}

/** No lot is older. */
const FIRST_YEAR = 2000;
/** No lot lives longer: see the limits of `expiration` and `pending` in the program's schema. */
const LONGEST_YEARS = 125;

/** The first instants of months that lots may be issued and expire in. */
function monthStarts(to: Date): string[] {
  const months = (to.getUTCFullYear() + LONGEST_YEARS - FIRST_YEAR) * 12;
  return Array.from({ length: months }, (_, index) => `${monthAt(index + 1)}-01T00:00:00Z`);
}

/** `YYYY-MM` of a place in the list, from 1. */
function monthAt(place: number): string {
  const month = place - 1;
  const year = FIRST_YEAR + Math.floor(month / 12);
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}`;
}

/** Adds cohorts of the same months up, in the order of time, points that never expire last; none of 0. */
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

// Months are the place of an instant in $3, a list of their first instants: to find it is a third of the work of
// date_trunc, and a program may have millions of lots.
// What the lots hold now, by member and cohort in one pass. What came later is taken back then.
const LOTS = `
  with held as materialized (
    select member_id, width_bucket(created_at, $3::timestamptz[]) as issued,
      width_bucket(expires_at, $3::timestamptz[]) as expires, sum(available) as available, sum(pending) as pending,
      sum(reserved) as reserved
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
      from (select issued, expires, sum(available + pending + reserved) as points from held group by 1, 2) as cohort
    ) as cohorts`;

// The lots whose expiry has moved since, with what held at the end of the period.
const MOVED_DATES = `
  moved as materialized (
    select distinct on (lot_id) member_id, lot_id, expires_at
    from lot_expiry_changes
    where environment_id = $1::uuid and program_id = $2 and changed_at >= $4::timestamptz
    order by lot_id, changed_at
  )`;

const UNDONE = `
  with ${MOVED_DATES}
  select width_bucket(l.created_at, $3::timestamptz[]) as issued,
    width_bucket(coalesce(moved.expires_at, l.expires_at), $3::timestamptz[]) as expires,
    (-sum(later.points))::text as points
  from (
    select p.member_id, p.lot_id,
      sum(${movedSql('available')} + ${movedSql('pending')} + ${movedSql('reserved')}) as points
    from postings p
    where p.environment_id = $1::uuid and p.program_id = $2 and p.created_at >= $4::timestamptz
      and p.lot_id is not null
    group by 1, 2
  ) as later
  join lots l on l.environment_id = $1::uuid and l.program_id = $2 and l.member_id = later.member_id
    and l.id = later.lot_id
  left join moved on moved.lot_id = later.lot_id
  group by 1, 2`;

// What the lots of moved dates hold now: out of the month of now, into that of then, out of which UNDONE takes what
// came later.
const REDATED = `
  with ${MOVED_DATES}
  select width_bucket(l.created_at, $3::timestamptz[]) as issued, width_bucket(l.expires_at, $3::timestamptz[]) as expires,
    width_bucket(moved.expires_at, $3::timestamptz[]) as "expiresThen",
    sum(l.available + l.pending + l.reserved)::text as points
  from moved
  join lots l on l.environment_id = $1::uuid and l.program_id = $2 and l.member_id = moved.member_id
    and l.id = moved.lot_id
  group by 1, 2, 3`;
