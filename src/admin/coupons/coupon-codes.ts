import { inTransaction } from '../../db/in-transaction.ts';
import type { Pool } from '../../db/pool.ts';
import { couponCodeHash } from '../../ledger/tables/coupon-codes.ts';
import { enterEnvironment } from '../../ledger/tables/environments.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { normalizeCode } from '../../rules/shared/coupon-code.ts';
import { type Administrator, writeAudit } from '../shared/admin-change.ts';
import {
  countPools,
  disableCouponCode,
  listCouponCodes,
  type PoolName,
  readCouponSecret,
  showCouponCode,
} from './coupon-code-statements.ts';

/** The codes of a pool, counted. */
export interface PoolCount {
  poolId: string;
  codes: number;
  /** Codes that were redeemed at least once, and how often all of them were together. */
  used: number;
  uses: number;
  assigned: number;
  disabled: number;
}

/** A code as operators see it. */
export interface ListedCode {
  /** Its beginning. */
  prefix: string;
  uses: number;
  usesAllowed: number;
  /** externalCustomerId of the only member who may redeem it; null for anyone. */
  assignedTo: string | null;
  disabledAt: Date | null;
  createdAt: Date;
}

export interface ShownCode extends ListedCode {
  poolId: string;
  redemptions: { transactionId: string; sourceReference: string; externalCustomerId: string; at: string }[];
}

type CodeRow = Omit<ListedCode, 'usesAllowed' | 'assignedTo' | 'disabledAt' | 'createdAt'> & {
  uses_allowed: number;
  external_customer_id: string | null;
  disabled_at: Date | null;
  created_at: Date;
};

export async function countCodesOfPools(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  programId: string,
): Promise<PoolCount[]> {
  const { rows } = await pool.query<Omit<PoolCount, 'poolId'> & { pool_id: string }>(
    countPools(environmentId, programId),
  );
  return rows.map(({ pool_id: poolId, ...counts }) => ({ poolId, ...counts }));
}

/** @param prefix of the beginnings that are stored, capitals and hyphens included; empty for all */
export async function listCodes(
  pool: Pick<Pool, 'query'>,
  name: PoolName,
  prefix: string,
  limit: number,
): Promise<ListedCode[]> {
  const { rows } = await pool.query<CodeRow>(listCouponCodes(name, prefix.toUpperCase(), limit));
  return rows.map(listed);
}

/** @returns refusal: `coupon_code_not_found` */
export async function showCode(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  programId: string,
  code: string,
): Promise<ShownCode | Refusal<AdministrationCode>> {
  const hash = await hashOf(pool, environmentId, code);
  if (hash === null) return unknownCode;
  const { rows } = await pool.query<CodeRow & { pool_id: string; redemptions: ShownCode['redemptions'] }>(
    showCouponCode(environmentId, programId, hash),
  );
  const [row] = rows;
  return row ? { poolId: row.pool_id, ...listed(row), redemptions: row.redemptions } : unknownCode;
}

/**
 * Disables a code for good.
 * @returns whether it was enabled until now; refusal: `coupon_code_not_found`
 */
export async function disableCode(
  { pool, administrator }: { pool: Pool; administrator: Administrator },
  environmentId: string,
  programId: string,
  code: string,
): Promise<{ poolId: string; prefix: string; changed: boolean } | Refusal<AdministrationCode>> {
  const hash = await hashOf(pool, environmentId, code);
  if (hash === null) return unknownCode;
  return inTransaction(pool, async (client) => {
    // Before the row is locked, as batches do.
    await client.query(enterEnvironment(environmentId));
    const { rows } = await client.query<{ pool_id: string; prefix: string; was_disabled: boolean }>(
      disableCouponCode(environmentId, programId, hash),
    );
    const [row] = rows;
    if (!row) return unknownCode;
    const { pool_id: poolId, prefix } = row;
    if (!row.was_disabled) {
      await writeAudit(client, administrator, environmentId, {
        action: 'coupon_code.disabled',
        targetType: 'coupon_pool',
        targetId: poolId,
        changes: { programId, prefix },
      });
    }
    return { poolId, prefix, changed: !row.was_disabled };
  });
}

const unknownCode = refuse('coupon_code_not_found', 'No pool of this program has this code.');

async function hashOf(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  code: string,
): Promise<string | null> {
  const { rows } = await pool.query<{ secret: string | null }>(readCouponSecret(environmentId));
  const secret = rows[0]?.secret;
  const normalized = normalizeCode(code);
  return secret && normalized ? couponCodeHash(secret, normalized) : null;
}

function listed({
  prefix,
  uses,
  uses_allowed,
  external_customer_id,
  disabled_at,
  created_at,
}: CodeRow): ListedCode {
  return {
    prefix,
    uses,
    usesAllowed: uses_allowed,
    assignedTo: external_customer_id,
    disabledAt: disabled_at,
    createdAt: created_at,
  };
}
