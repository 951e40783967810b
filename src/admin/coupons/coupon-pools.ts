import { randomBytes } from 'node:crypto';
import type { Prisma } from '../../../generated/prisma/client.ts';
import type { Statement } from '../../db/statement.ts';
import type { CodePool } from '../../programs/document/campaign-document.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { showProgram } from '../shared/show-program.ts';
import { makeCouponSecret, type PoolName, readCouponSecret } from './coupon-code-statements.ts';

/** The connection of a transaction. */
export interface CodeConnection {
  query<Row extends object>(statement: Statement): Promise<{ rows: Row[] }>;
}

/**
 * The pool in the newest version of the program's document.
 * @returns refusals: `program_not_found`, `pool_not_found`
 */
export async function findPool(
  prisma: Prisma.TransactionClient,
  { environmentId, programId, poolId }: PoolName,
): Promise<CodePool | Refusal<AdministrationCode>> {
  const program = await showProgram(prisma, environmentId, programId, null);
  if (isRefusal(program)) return program;
  const pool = program.document.coupons?.find(({ code }) => code === poolId)?.pool;
  return (
    pool ??
    refuse(
      'pool_not_found',
      `The newest version of ${programId} has no coupon ${poolId} with a pool. Add it to ` +
        `coupons, as - { code: ${poolId}, pool: {} }, and publish.`,
    )
  );
}

/** The secret of the environment's codes, in hexadecimal; the first call makes it. */
export async function couponSecretOf(pool: CodeConnection, environmentId: string): Promise<string> {
  await pool.query(makeCouponSecret(environmentId, randomBytes(32)));
  const { rows } = await pool.query<{ secret: string | null }>(readCouponSecret(environmentId));
  const secret = rows[0]?.secret;
  if (!secret) throw new Error(`no environment ${environmentId}`);
  return secret;
}
