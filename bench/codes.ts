import { codeImporter } from '../src/admin/coupons/import-codes.ts';
import type { Administrator } from '../src/admin/shared/admin-change.ts';
import type { Pool } from '../src/db/pool.ts';
import type { ProgramDocument } from '../src/programs/document/program-document.ts';
import { isRefusal } from '../src/refusal.ts';
import { scatter } from './purchases.ts';

/** The coupon that every purchase of series `k0` names. */
export const PLAIN_COUPON = 'WELCOME';
const POOL = 'SUMMER';
const AWARD = { bonusPoints: 5 };

/** How many codes are imported at once. */
const CHUNK = 5_000;

/** The program with one coupon, whose uses are counted. */
export function withCoupon(document: ProgramDocument): ProgramDocument {
  const coupon = { code: PLAIN_COUPON, award: AWARD, limits: { total: 1_000_000_000 } };
  return { ...document, coupons: [coupon] };
}

/**
 * The program with one pool of codes. The load process makes the codes from numbers, so they have no check character.
 */
export function withPool(document: ProgramDocument): ProgramDocument {
  return { ...document, coupons: [{ code: POOL, award: AWARD, pool: { checkCharacter: false } }] };
}

/** The code of that number. */
export function codeOf(number: number): string {
  return `SUMMER-${scatter(number).toString(16).toUpperCase().padStart(8, '0')}`;
}

/** Adds the codes of the numbers below `count` to the pool. @param environmentId UUID */
export async function addCodes(
  session: { pool: Pool; administrator: Administrator },
  { environmentId, programId }: { environmentId: string; programId: string },
  count: number,
): Promise<void> {
  const importCodes = await codeImporter(session, { environmentId, programId, poolId: POOL });
  if (isRefusal(importCodes)) throw new Error(importCodes.message);
  for (let first = 0; first < count; first += CHUNK) {
    const length = Math.min(CHUNK, count - first);
    const { rejected } = await importCodes(Array.from({ length }, (_, index) => codeOf(first + index)));
    if (rejected.length > 0) throw new Error(`A code was rejected: ${rejected[0]?.why}`);
  }
  // As autovacuum would.
  await session.pool.query('vacuum analyze coupon_codes');
}
