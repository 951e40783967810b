import type { CodePool, CouponCodeInput } from '../contract/generated/types.ts';
import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import {
  type CouponCodeRecord,
  couponCodes,
  poolCodeOf,
  wantedCodeHash,
} from '../ledger/tables/coupon-codes.ts';
import { presentOwner } from '../ledger/tables/members.ts';
import type { PublishedProgram } from '../programs/published/published-program.ts';
import { programNotFound, type Refusal } from '../refusal.ts';
import type { PoolCode } from '../rules/compiled/coupons.ts';
import type { ReadPrograms } from './shared/current-programs.ts';

/** The only member who may redeem the code `c`. */
const OWNER = presentOwner('c.assigned_to');

/** A code that a customer typed in. */
interface TypedCode {
  code: string;
  /** With which the environment's codes are hashed; null where it has none. */
  secret: string | null;
  /** UUID of the customer; null for anyone. */
  memberId: string | null;
}

/**
 * Looks a code up in the pools of programs, without locks. Where no pool can have it, nothing is read.
 * @returns what is known of the code, by program id
 */
export async function findPoolCodes(
  connections: Connections,
  environmentId: string,
  { code, secret, memberId }: TypedCode,
  programs: readonly PublishedProgram[],
): Promise<Map<string, PoolCode>> {
  const keys = programs.flatMap((program) => {
    const codeHash = wantedCodeHash(program, code, secret);
    return codeHash === null ? [] : [{ programId: program.programId, codeHash }];
  });
  if (keys.length === 0) return new Map();
  const { rows } = await connections.query<CouponCodeRecord>(findCouponCodes(environmentId, keys));
  return new Map(rows.map((row) => [row.programId, poolCodeOf(row, memberId)]));
}

/** A code, with the externalCustomerId of the only member who may redeem it. */
export interface CouponCodeMatch {
  code: CouponCodeRecord;
  externalCustomerId: string | null;
}

/** A stored code with the externalCustomerId of the only member who may redeem it. */
export type CouponCodeRow = CouponCodeRecord & { assignedCustomer: string | null };

/** @returns null where no pool of the program has the code; refusal: `program_not_found` */
export async function readCouponCode(
  connections: Connections,
  environmentId: string,
  { programId, code }: CouponCodeInput,
  { programs, couponSecret }: ReadPrograms,
): Promise<CouponCodeMatch | null | Refusal> {
  const program = programs.get(programId);
  if (!program) {
    return programNotFound;
  }
  const codeHash = wantedCodeHash(program, code, couponSecret);
  if (codeHash === null) return null;
  const { rows } = await connections.query<CouponCodeRow>(
    findCouponCodes(environmentId, [{ programId, codeHash }]),
  );
  const [row] = rows;
  return row ? { code: couponCodes.pick(row), externalCustomerId: row.assignedCustomer } : null;
}

export function findCouponCodes(
  environmentId: string,
  keys: readonly Pick<CouponCodeRecord, 'programId' | 'codeHash'>[],
): Statement {
  return {
    name: 'find_codes_of_pools',
    text: `select ${couponCodes.select('c', { assignedTo: OWNER })}, m.external_customer_id as "assignedCustomer"
      from unnest($2::text[], $3::uuid[]) as wanted(program_id, code_hash)
      cross join lateral (
        select * from coupon_codes
        where environment_id = $1::uuid and program_id = wanted.program_id and code_hash = wanted.code_hash
        limit 1
      ) c
      left join lateral (
        select external_customer_id from members where environment_id = $1::uuid and id = ${OWNER} limit 1
      ) m on true`,
    values: [
      environmentId,
      arrayLiteral(keys.map(({ programId }) => programId)),
      arrayLiteral(keys.map(({ codeHash }) => codeHash)),
    ],
  };
}

/**
 * Counts the codes of each pool of a program: of those in its newest version, and of others that have codes.
 * @returns refusal: `program_not_found`
 */
export async function countCodePools(
  connections: Connections,
  environmentId: string,
  programId: string,
  { programs }: ReadPrograms,
): Promise<CodePool[] | Refusal> {
  const program = programs.get(programId);
  if (!program) return programNotFound;
  const { rows } = await connections.query<CodePool>({
    name: 'count_code_pools',
    text: `select pool_id as "poolId", count(*) as codes, count(*) filter (where uses > 0) as used, sum(uses) as uses,
        count(*) filter (where assigned_to is not null) as assigned,
        count(*) filter (where disabled_at is not null) as disabled
      from coupon_codes
      where environment_id = $1::uuid and program_id = $2
      group by pool_id`,
    values: [environmentId, programId],
  });
  const counted = new Map(rows.map((row) => [row.poolId, row]));
  for (const { code, pool } of program.versions.at(-1)?.document.coupons ?? []) {
    if (!pool || counted.has(code)) continue;
    counted.set(code, { poolId: code, codes: 0, used: 0, uses: 0, assigned: 0, disabled: 0 });
  }
  return [...counted.values()].sort((one, other) => (one.poolId < other.poolId ? -1 : 1));
}
