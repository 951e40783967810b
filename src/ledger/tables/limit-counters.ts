import { arrayLiteral } from '../../db/array-literal.ts';
import { MEMBER_WANTED, ofMember } from './members.ts';
import { setTable } from './table.ts';

export interface LimitCounterRecord {
  programId: string;
  memberId: string;
  limitId: string;
  periodStart: Date;
  points: number;
}

/** Counters of the periods that hold `at`, or the batch's own time where it is null. */
export interface LimitCountersSubject {
  kind: 'limitCounters';
  programId: string;
  externalCustomerId: string;
  at: Date | null;
}

const ofOneProfile = { properties: ['memberId', 'programId'] } as const;

export const limitCounters = setTable<LimitCounterRecord, LimitCountersSubject>({
  name: 'limit_counters',
  columns: {
    memberId: 'uuid',
    programId: 'text',
    limitId: 'text',
    periodStart: 'timestamptz',
    points: 'bigint',
  },
  primaryKey: ['memberId', 'programId', 'limitId', 'periodStart'],
  knownBy: {
    properties: ['programId', 'memberId', 'limitId', 'periodStart'],
    constraint: 'limit_counters_pkey',
  },
  checks: { limit_counters_points_check: (row) => row.points >= 0 },
  references: [
    {
      to: 'program_profiles',
      constraint: 'limit_counters_profile_fkey',
      properties: { programId: 'programId', memberId: 'memberId' },
    },
  ],
  lookUps: [
    {
      // Every kind of period (UTC day, ISO week, month, year, lifetime) that holds the instant named, or the present
      // one. A moment before the present counts too, so that a batch on the edge of a period finds both.
      name: 'load_limit_counters',
      wantedBy: { limitCounters: ['programId', 'externalCustomerId'] },
      text: (select) => `with present as materialized (
        select ${periodStarts(`
          clock_timestamp(),
          clock_timestamp() - interval '1 minute',
          clock_timestamp() + interval '1 minute'`)} as starts
      )
      select ${select('c')}
      from unnest($2::text[], $3::text[], $4::timestamptz[]) as wanted(program_id, external_customer_id, at)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select case
            when wanted.at is null then (select starts from present)
            else ${periodStarts('wanted.at')}
          end as starts
        offset 0
      ) periods
      cross join lateral (
        select * from limit_counters
        where environment_id = $1::uuid and member_id = m.id and program_id = wanted.program_id
          and period_start = any(periods.starts)
        offset 0
      ) c`,
      values: (wanted) => [
        arrayLiteral(wanted.map(({ programId }) => programId)),
        arrayLiteral(wanted.map(({ externalCustomerId }) => externalCustomerId)),
        arrayLiteral(wanted.map(({ at }) => at)),
      ],
      find: (stored, { programId, externalCustomerId, at }, now): LimitCounterRecord[] =>
        ofMember(stored, limitCounters, ofOneProfile, externalCustomerId, programId).filter(
          ({ periodStart }) => periodContains(periodStart, at ?? now),
        ),
    },
  ],
});

/** When the periods of every kind began that hold one of the instants: an array without repetition. */
function periodStarts(instants: string): string {
  return `array(
            select distinct case part
                when 'lifetime' then timestamptz 'epoch'
                else date_trunc(part, instant, 'UTC')
              end
            from unnest(array['day', 'week', 'month', 'year', 'lifetime']) as part,
              unnest(array[${instants}]) as instant
          )`;
}

/** Whether a UTC day, ISO week, month, year or the lifetime that begins then holds the instant. */
function periodContains(periodStart: Date, at: Date): boolean {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  const monday = day - ((at.getUTCDay() + 6) % 7);
  return [
    0,
    Date.UTC(year, 0),
    Date.UTC(year, month),
    Date.UTC(year, month, monday),
    Date.UTC(year, month, day),
  ].includes(periodStart.getTime());
}
