import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { type MemberRecord, members } from '../ledger/tables/members.ts';
import { type ProfileRecord, profiles } from '../ledger/tables/program-profiles.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import { limitPeriodStart } from '../rules/calendar/limit-period.ts';
import type { ProgramReader } from './shared/current-programs.ts';

/** What a purchase would be decided on. */
export interface WantedSnapshot {
  programId: string;
  /** Null for anyone. */
  externalCustomerId: string | null;
  /** In its canonical spelling; null where there is none. */
  referralCode: string | null;
  /** The instant whose periods of limits count; null for now. */
  at: Date | null;
  /** The counters that members share that are wanted. */
  sharedCounters(program: PublishedProgram, now: Date): readonly string[];
}

/** The rows that a purchase would be decided on, at one instant. Nothing is locked. */
export interface PurchaseSnapshot {
  /** By the database's clock. */
  now: Date;
  /** Null where the environment has no such program; then nothing else is read. */
  program: PublishedProgram | null;
  /** The customer; null for anyone, and where there is no such member. */
  buyer: SnapshotMember | null;
  /** The member who has the referral code. */
  referrer: SnapshotMember | null;
  /** Of the customer: the points counted in each period, by `limitId` and its start. */
  limits: readonly { limitId: string; periodStart: Date; points: number }[];
  /** What was taken of each counter that members share, by its id. */
  shared: ReadonlyMap<string, number>;
}

export interface SnapshotMember {
  member: MemberRecord;
  /** Null where the member never enrolled in the program. */
  profile: ProfileRecord | null;
}

/** Numbers of counters, as PostgreSQL writes them into JSON. */
interface Counters {
  limits: [limitId: string, periodStart: string, points: number][];
  shared: [counterId: string, taken: number][];
}

type SnapshotRow = Counters & { role: 'buyer' | 'referrer' | null } & MemberRecord &
  (ProfileRecord | { programId: null });

const PERIODS = ['day', 'week', 'month', 'year', 'lifetime'] as const;

/**
 * Reads what a purchase would be decided on: the programs in effect, and in one statement, and so in one snapshot, the
 * customer, the referrer and the counters.
 */
export async function readPurchaseSnapshot(
  { connections, programs: reader }: { connections: Connections; programs: ProgramReader },
  environmentId: string,
  wanted: WantedSnapshot,
): Promise<PurchaseSnapshot> {
  const { programs, at: now } = await reader.read(environmentId);
  const program = programs.get(wanted.programId) ?? null;
  const nothing = { now, program, buyer: null, referrer: null, limits: [], shared: new Map() };
  if (!program) return nothing;
  const counters = wanted.sharedCounters(program, now);
  if (counters.length === 0 && wanted.externalCustomerId === null) return nothing;
  const statement = purchaseSnapshot(environmentId, wanted, counters, wanted.at ?? now);
  const { rows } = await connections.query<SnapshotRow>(statement);
  const memberIn = (role: SnapshotRow['role']): SnapshotMember | null => {
    const row = rows.find((candidate) => candidate.role === role);
    if (!row) return null;
    return { member: members.pick(row), profile: row.programId === null ? null : profiles.pick(row) };
  };
  const [first] = rows;
  return {
    now,
    program,
    buyer: memberIn('buyer'),
    referrer: memberIn('referrer'),
    limits: (first?.limits ?? []).map(([limitId, start, points]) => ({
      limitId,
      periodStart: new Date(start),
      points,
    })),
    shared: new Map(first?.shared ?? []),
  };
}

/** The rows of the customer and of the referrer, each with the customer's and the shared counters; at least one row. */
export function purchaseSnapshot(
  environmentId: string,
  { programId, externalCustomerId, referralCode }: Omit<WantedSnapshot, 'sharedCounters' | 'at'>,
  sharedCounters: readonly string[],
  at: Date,
): Statement {
  return {
    name: 'purchase_snapshot',
    text: PURCHASE_SNAPSHOT,
    values: [
      environmentId,
      programId,
      externalCustomerId,
      referralCode,
      arrayLiteral(sharedCounters),
      arrayLiteral(PERIODS.map((period) => limitPeriodStart(period, at))),
    ],
  };
}

const PURCHASE_SNAPSHOT = `
  with who as materialized (
    select 'buyer' as role, id
    from members where environment_id = $1::uuid and external_customer_id = $3
    union all
    select 'referrer', member_id
    from program_profiles where environment_id = $1::uuid and program_id = $2 and referral_code = $4
  ), counted as materialized (
    select
      (select coalesce(json_agg(json_build_array(limit_id, period_start, points)), '[]')
        from limit_counters
        where environment_id = $1::uuid and member_id = (select id from who where role = 'buyer')
          and program_id = $2 and period_start = any($6::timestamptz[])) as limits,
      (select coalesce(json_agg(json_build_array(counter_id, taken)), '[]')
        from shared_counters
        where environment_id = $1::uuid and program_id = $2 and counter_id = any($5::text[])) as shared
  )
  select who.role, counted.limits, counted.shared, ${members.select('m')}, ${profiles.select('p')}
  from counted
  left join who on true
  left join lateral (
    select * from members where environment_id = $1::uuid and id = who.id limit 1
  ) m on true
  left join lateral (
    select * from program_profiles
    where environment_id = $1::uuid and member_id = who.id and program_id = $2
    limit 1
  ) p on true`;
