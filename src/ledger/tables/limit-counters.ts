import { arrayLiteral } from '../../db/array-literal.ts';
import { ENVIRONMENT_TIME } from '../../db/environment-time.ts';
import { OF_MEMBERS } from './handling.ts';
import { MEMBER_WANTED, type MemberSubject, ofMember } from './members.ts';
import type { FormerAccountNeed } from './needs.ts';
import { setTable } from './table.ts';

export interface LimitCounterRecord {
  programId: string;
  memberId: string;
  limitId: string;
  periodStart: Date;
  points: number;
}

/** A profile's counters of the periods that contain `at`, or the time of the batch where `at` is null. */
export interface LimitCountersSubject {
  kind: 'limitCounters';
  programId: string;
  externalCustomerId: string;
  at: Date | null;
}

type MergingMember = Extract<MemberSubject, { kind: 'mergingMember' }>;

const ofOneProfile = { properties: ['memberId', 'programId'] } as const;

const ofOneMember = { properties: ['memberId'] } as const;

export const limitCounters = setTable<
  LimitCounterRecord,
  LimitCountersSubject | MergingMember | FormerAccountNeed
>({
  name: 'limit_counters',
  handling: {
    owner: { members: ['member_id'] },
    exported: { ids: { member_id: 'mem' }, order: ['program_id', 'limit_id', 'period_start'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    memberId: 'uuid',
    programId: 'text',
    limitId: 'text',
    periodStart: 'timestamptz',
    points: 'bigint',
  },
  primaryKey: ['memberId', 'programId', 'limitId', 'periodStart'],
  constant: [],
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
      // Periods of every kind (UTC day, ISO week, month, year, lifetime) that contain the given instant or the present.
      // For the present, a minute before and after counts too, so that a batch at the edge of a period finds both.
      name: 'load_limit_counters',
      keyProperties: { limitCounters: ['programId', 'externalCustomerId'] },
      text: (select) => `with present as materialized (
        select ${periodStarts(`now, now - interval '1 minute', now + interval '1 minute'`)} as starts
        from ${ENVIRONMENT_TIME} as clock(now)
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
      values: (keys: readonly LimitCountersSubject[]) => [
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
        arrayLiteral(keys.map(({ at }) => at)),
      ],
      find: (
        stored,
        { programId, externalCustomerId, at }: LimitCountersSubject,
        now,
      ): LimitCounterRecord[] =>
        ofMember(stored, limitCounters, ofOneProfile, externalCustomerId, programId).filter(
          ({ periodStart }) => periodContains(periodStart, at ?? now),
        ),
    },
    {
      name: 'load_all_limit_counters',
      keyProperties: { mergingMember: ['externalCustomerId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::text[]) as wanted(external_customer_id)
      cross join lateral (${MEMBER_WANTED}) m
      cross join lateral (
        select * from limit_counters where environment_id = $1::uuid and member_id = m.id offset 0
      ) c`,
      values: (keys: readonly MergingMember[]) => [
        arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      ],
      find: (stored, { externalCustomerId }: MergingMember): LimitCounterRecord[] =>
        ofMember(stored, limitCounters, ofOneMember, externalCustomerId),
    },
    {
      name: 'load_former_limit_counters',
      keyProperties: { formerAccount: ['memberId'] },
      text: (select) => `select ${select('c')}
      from unnest($2::uuid[]) as wanted(member_id)
      cross join lateral (
        select * from limit_counters where environment_id = $1::uuid and member_id = wanted.member_id offset 0
      ) c`,
      values: (keys: readonly FormerAccountNeed[]) => [arrayLiteral(keys.map(({ memberId }) => memberId))],
      find: (stored, { memberId }: FormerAccountNeed): LimitCounterRecord[] =>
        stored(limitCounters).by(ofOneMember, memberId),
    },
  ],
});

/** SQL: an array of the distinct starts of the periods, of every kind, that contain one of the instants. */
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

/** Whether a UTC day, ISO week, month or year that begins at `periodStart`, or the lifetime, contains the instant. */
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
