import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { type CouponCodeRecord, couponCodes, wantedCodeHash } from '../ledger/tables/coupon-codes.ts';
import { type MemberRecord, members, presentOwner } from '../ledger/tables/members.ts';
import { type ProfileRecord, profiles } from '../ledger/tables/program-profiles.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import { limitPeriodStart } from '../rules/calendar/limit-period.ts';
import type { ProgramReader } from './shared/current-programs.ts';
import { Gatherer, type Reader } from './shared/gatherer.ts';
import type { ReadPool } from './shared/read-pool.ts';

/** What a purchase would be decided on. */
export interface SnapshotRequest {
  programId: string;
  /** Null for anyone. */
  externalCustomerId: string | null;
  /** In its canonical spelling; null where there is none. */
  referralCode: string | null;
  /** What the customer typed; null where there is none. */
  couponCode: string | null;
  /** What is taken for now; null for the present. */
  moment: Date | null;
  /** The instant whose periods of limits count; null for the moment. */
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
  /** The coupon's code where it was found in a pool of the program. */
  couponCode: CouponCodeRecord | null;
}

export interface SnapshotMember {
  member: MemberRecord;
  /** Null where the member never enrolled in the program. */
  profile: ProfileRecord | null;
}

/** By which the rows of a snapshot are found. */
export type SnapshotKeys = Omit<SnapshotRequest, 'sharedCounters' | 'couponCode' | 'moment' | 'at'> & {
  counterIds: readonly string[];
  /** Null where no pool can have the code. */
  codeHash: string | null;
  at: Date;
};

/** A row of a customer or a referrer, or, where neither was found, one without a role. */
type SnapshotRow = {
  /** Which of the wanted ones it belongs to, from 1 on. */
  ordinal: number;
  role: 'buyer' | 'referrer' | null;
  /** Null but for the customer, and where there are none. */
  limits: [limitId: string, periodStart: string, points: number][] | null;
  /** Null where there are none. */
  shared: [counterId: string, taken: number][] | null;
  /** The code's columns begin so too. Null where none was found. */
  code_codeHash: string | null;
} & MemberRecord &
  (ProfileRecord | { programId: null });

type SnapshotReaders = readonly Reader<SnapshotKeys, readonly SnapshotRow[]>[];

const PERIODS = ['day', 'week', 'month', 'year', 'lifetime'] as const;

/**
 * Reads what purchases would be decided on: the programs in effect, and then in one statement, and so in one snapshot,
 * the customer, the referrer and the counters. Those that are wanted at the same time are read together.
 */
export class PurchaseSnapshots {
  readonly #programs: ProgramReader;
  readonly #gatherer: Gatherer<SnapshotKeys, readonly SnapshotRow[]>;

  constructor(reads: ReadPool, programs: ProgramReader) {
    this.#programs = programs;
    this.#gatherer = new Gatherer((environmentId, readers) =>
      readTogether(reads.of(environmentId), environmentId, readers),
    );
  }

  async find(environmentId: string, request: SnapshotRequest): Promise<PurchaseSnapshot> {
    const { programs, at: now, couponSecret } = await this.#programs.read(environmentId);
    const { programId, externalCustomerId, referralCode } = request;
    const program = programs.get(programId) ?? null;
    const nothing = {
      now,
      program,
      buyer: null,
      referrer: null,
      limits: [],
      shared: new Map(),
      couponCode: null,
    };
    if (!program) return nothing;
    const moment = request.moment ?? now;
    const counterIds = request.sharedCounters(program, moment);
    const codeHash = request.couponCode && wantedCodeHash(program, request.couponCode, couponSecret);
    if (counterIds.length === 0 && externalCustomerId === null && !codeHash) return nothing;
    const rows = await this.#gatherer.find(environmentId, {
      programId,
      externalCustomerId,
      referralCode,
      counterIds,
      codeHash: codeHash || null,
      at: request.at ?? moment,
    });
    const buyer = rows.find(({ role }) => role === 'buyer');
    const referrer = rows.find(({ role }) => role === 'referrer');
    return {
      now,
      program,
      buyer: buyer ? memberOf(buyer) : null,
      referrer: referrer ? memberOf(referrer) : null,
      limits: (buyer?.limits ?? []).map(([limitId, start, points]) => ({
        limitId,
        periodStart: new Date(start),
        points,
      })),
      shared: new Map(rows[0]?.shared ?? []),
      couponCode: rows[0]?.code_codeHash ? couponCodes.pick(rows[0], 'code_') : null,
    };
  }
}

function memberOf(row: SnapshotRow): SnapshotMember {
  return { member: members.pick(row), profile: row.programId === null ? null : profiles.pick(row) };
}

async function readTogether(
  connections: Connections,
  environmentId: string,
  readers: SnapshotReaders,
): Promise<void> {
  const keys = readers.map((reader) => reader.key);
  const { rows } = await connections.query<SnapshotRow>(purchaseSnapshots(environmentId, keys));
  const rowsOfReaders: SnapshotRow[][] = readers.map(() => []);
  for (const row of rows) rowsOfReaders[row.ordinal - 1]?.push(row);
  readers.forEach((reader, index) => {
    reader.resolve(rowsOfReaders[index] ?? []);
  });
}

/** The rows of each customer and referrer, each with the counters; at least one row for each of the wanted ones. */
export function purchaseSnapshots(environmentId: string, keys: readonly SnapshotKeys[]): Statement {
  return {
    name: 'purchase_snapshots',
    text: PURCHASE_SNAPSHOTS,
    values: [
      environmentId,
      arrayLiteral(keys.map(({ programId }) => programId)),
      arrayLiteral(keys.map(({ externalCustomerId }) => externalCustomerId)),
      arrayLiteral(keys.map(({ referralCode }) => referralCode)),
      arrayLiteral(keys.map(({ counterIds }) => arrayLiteral(counterIds))),
      arrayLiteral(keys.map(({ at }) => periodStarts(at))),
      arrayLiteral(keys.map(({ codeHash }) => codeHash)),
    ],
  };
}

function periodStarts(at: Date): string {
  return arrayLiteral(PERIODS.map((period) => limitPeriodStart(period, at)));
}

// The limits keep the planner from joining whole tables where they have no statistics yet.
const PURCHASE_SNAPSHOTS = `
  select wanted.ordinal::int as ordinal, who.role, counted.limits, shared.shared,
    ${members.select('m')}, ${profiles.select('p')}, ${couponCodes.select('code', { assignedTo: presentOwner('code.assigned_to') }, 'code_')}
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[])
    with ordinality as wanted (program_id, external_customer_id, referral_code, counter_ids, periods, code_hash, ordinal)
  left join lateral (
    (select 'buyer' as role, coalesce(merged_into, id) as id
      from members
      where environment_id = $1::uuid and external_customer_id = wanted.external_customer_id limit 1)
    union all
    (select 'referrer', member_id
      from program_profiles
      where environment_id = $1::uuid and program_id = wanted.program_id
        and referral_code = wanted.referral_code limit 1)
  ) who on true
  left join lateral (
    select * from members where environment_id = $1::uuid and id = who.id limit 1
  ) m on true
  left join lateral (
    select * from program_profiles
    where environment_id = $1::uuid and member_id = who.id and program_id = wanted.program_id
    limit 1
  ) p on true
  left join lateral (
    select json_agg(json_build_array(limit_id, period_start, points)) as limits
    from limit_counters
    where environment_id = $1::uuid and member_id = who.id and program_id = wanted.program_id
      and period_start = any(wanted.periods::timestamptz[])
  ) counted on who.role = 'buyer'
  left join lateral (
    select json_agg(json_build_array(counter_id, taken)) as shared
    from shared_counters
    where environment_id = $1::uuid and program_id = wanted.program_id
      and counter_id = any(wanted.counter_ids::text[])
  ) shared on true
  left join lateral (
    select * from coupon_codes
    where environment_id = $1::uuid and program_id = wanted.program_id and code_hash = wanted.code_hash
    limit 1
  ) code on true`;
