import { createHmac } from 'node:crypto';
import { arrayLiteral } from '../../db/array-literal.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import { compileProgram } from '../../rules/compiled/compiled-program.ts';
import { mayBeOfPool, type PoolCode } from '../../rules/compiled/coupons.ts';
import { normalizeCode } from '../../rules/shared/coupon-code.ts';
import { OF_MEMBERS } from './handling.ts';
import { keyOf } from './key-of.ts';
import { presentOwner, presentOwnerIn } from './members.ts';
import type { CouponCodeNeed } from './needs.ts';
import { updatedTable } from './table.ts';

/** A code of a pool. The code itself is not stored. */
export interface CouponCodeRecord {
  programId: string;
  /** See `couponCodeHash`. */
  codeHash: string;
  /** The `code` of the coupon in the program's document whose pool it is in. */
  poolId: string;
  /** The beginning of the code. */
  prefix: string;
  /** How often it was redeemed, and may be. */
  uses: number;
  usesAllowed: number;
  /** UUID of the only member who may redeem it, or of the one that it was merged into; null for anyone. */
  assignedTo: string | null;
  disabledAt: Date | null;
  createdAt: Date;
}

export const couponCodes = updatedTable<CouponCodeRecord, CouponCodeNeed>({
  name: 'coupon_codes',
  handling: {
    owner: { members: ['assigned_to'] },
    exported: { ids: { assigned_to: 'mem' }, order: ['created_at', 'program_id', 'code_hash'] },
    erasure: 'nothing',
    ...OF_MEMBERS,
  },
  columns: {
    programId: 'text',
    codeHash: 'uuid',
    poolId: 'text',
    prefix: 'text',
    uses: 'integer',
    usesAllowed: 'integer',
    assignedTo: 'uuid',
    disabledAt: 'timestamptz',
    createdAt: 'timestamptz',
  },
  primaryKey: ['programId', 'codeHash'],
  constant: ['poolId', 'prefix', 'usesAllowed', 'createdAt'],
  checks: {
    coupon_codes_uses_allowed_check: (row) => row.usesAllowed > 0,
    coupon_codes_uses_check: (row) => row.uses >= 0 && row.uses <= row.usesAllowed,
  },
  // Locked last of what several members take from, before anything is written.
  lookUps: [
    {
      name: 'lock_coupon_codes',
      keyProperties: { couponCodeHash: ['programId', 'codeHash'] },
      locks: true,
      // A code of a member that was merged is found as the other one's, and stored so with its next use.
      text: (select) => `select ${select('r', { assignedTo: presentOwner('r.assigned_to') })}
      from (
        select distinct program_id, code_hash from unnest($2::text[], $3::uuid[]) as wanted(program_id, code_hash)
        order by 1, 2
      ) as wanted
      cross join lateral (
        select * from coupon_codes
        where environment_id = $1::uuid and program_id = wanted.program_id and code_hash = wanted.code_hash
        limit 1 for update
      ) r`,
      values: (keys: readonly CouponCodeNeed[]) => [
        arrayLiteral(keys.map(({ programId }) => programId)),
        arrayLiteral(keys.map(({ codeHash }) => codeHash)),
      ],
      find: (stored, { programId, codeHash }: CouponCodeNeed): CouponCodeRecord[] => {
        const couponCode = stored(couponCodes).get(keyOf(programId, codeHash));
        if (!couponCode) return [];
        const { assignedTo } = couponCode;
        return [{ ...couponCode, assignedTo: assignedTo && presentOwnerIn(stored, assignedTo) }];
      },
    },
  ],
});

/** Whether a code can be redeemed, whoever does. */
export function couponCodeState({
  uses,
  usesAllowed,
  disabledAt,
}: Pick<CouponCodeRecord, 'uses' | 'usesAllowed' | 'disabledAt'>): 'open' | 'used_up' | 'disabled' {
  if (disabledAt !== null) return 'disabled';
  return uses < usesAllowed ? 'open' : 'used_up';
}

/**
 * What is stored of a code: the first 128 bits of an HMAC-SHA-256, written as a UUID. Without the secret nobody can
 * tell whether a guessed code is one of them.
 * @param secret of the environment, in hexadecimal
 * @param normalized as `normalizeCode` returns it
 */
export function couponCodeHash(secret: string, normalized: string): string {
  const hash = createHmac('sha256', Buffer.from(secret, 'hex')).update(normalized).digest('hex');
  return hash.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * The hash under which a code that a customer typed in is looked up.
 * @param secret of the environment; null where it has no codes of pools
 * @returns null where no pool of the program can have the code, which is seen without the database
 */
export function wantedCodeHash(
  program: PublishedProgram | null,
  code: string,
  secret: string | null,
): string | null {
  if (secret === null || !program) return null;
  if (!program.versions.some(({ document }) => mayBeOfPool(compileProgram(document), code))) return null;
  const normalized = normalizeCode(code);
  return normalized && couponCodeHash(secret, normalized);
}

/** What the rules look at of a stored code. @param memberId UUID of the buyer; null for anyone */
export function poolCodeOf(
  { poolId, prefix, uses, usesAllowed, assignedTo, disabledAt }: CouponCodeRecord,
  memberId: string | null,
): PoolCode {
  const toSomebody = assignedTo === memberId ? 'to_buyer' : 'to_another';
  return {
    poolId,
    shown: `${prefix}…`,
    uses,
    usesAllowed,
    assigned: assignedTo === null ? 'to_nobody' : toSomebody,
    disabled: disabledAt !== null,
  };
}
