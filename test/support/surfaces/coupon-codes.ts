import { readPattern } from '../../../src/admin/coupons/code-pattern.ts';
import type { PoolName } from '../../../src/admin/coupons/coupon-code-statements.ts';
import { generateCodes } from '../../../src/admin/coupons/generate-codes.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { TestDatabase } from '../database.ts';
import type { World } from './world.ts';

/** Makes codes of `SUMMER-########` for a pool of a published program. */
export async function makeCodes(
  { adminPool }: Pick<TestDatabase, 'adminPool'>,
  { administrator }: Pick<World, 'administrator'>,
  name: PoolName,
  count: number,
): Promise<string[]> {
  const pattern = readPattern('SUMMER-########');
  if (!pattern) throw new Error('the pattern is not valid');
  const codes: string[] = [];
  const sink = {
    write: async (made: readonly string[]) => {
      codes.push(...made);
    },
    flush: async () => undefined,
  };
  const made = await generateCodes({ pool: adminPool, administrator }, { ...name, pattern, count }, sink);
  if (isRefusal(made)) throw new Error(made.message);
  return codes;
}
