import { inTransaction } from '../../db/in-transaction.ts';
import type { Pool } from '../../db/pool.ts';
import { couponCodeHash } from '../../ledger/tables/coupon-codes.ts';
import type { CodePool } from '../../programs/document/campaign-document.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../../refusal.ts';
import { CODE_LENGTH, isChecked, normalizeCode } from '../../rules/shared/coupon-code.ts';
import { type Administrator, writeAudit } from '../shared/admin-change.ts';
import {
  findCouponCodes,
  type HashedCode,
  insertCouponCodes,
  type PoolName,
} from './coupon-code-statements.ts';
import { couponSecretOf, findPool } from './coupon-pools.ts';

/** What became of a list of codes. */
export interface ImportedCodes {
  imported: number;
  /** They are in the pool already. */
  unchanged: number;
  /** Those that were not imported, by their indexes in the list, from 0. */
  rejected: { index: number; why: string }[];
}

/**
 * A function that adds codes to a pool, at most a few thousand at once and each list in a transaction of its own. Only
 * their hashes are stored.
 * @returns refusals: those of `findPool`
 */
export async function codeImporter(
  { pool, administrator }: { pool: Pool; administrator: Administrator },
  name: PoolName,
): Promise<((codes: readonly string[]) => Promise<ImportedCodes>) | Refusal<AdministrationCode>> {
  const codePool = await findPool(administrator.prisma, name);
  if (isRefusal(codePool)) return codePool;
  const secret = await couponSecretOf(pool, name.environmentId);
  return async (codes) => {
    const { hashed, rejected } = readCodes(codes, codePool, secret);
    return inTransaction(pool, async (client) => {
      const rows = [...hashed.values()];
      const inserted = await client.query(insertCouponCodes(name, codePool.usesPerCode ?? 1, rows));
      const imported = inserted.rows.length;
      const stored = await client.query<{ code_hash: string }>(findCouponCodes(name, [...hashed.keys()]));
      const inPool = new Set(stored.rows.map(({ code_hash }) => code_hash));
      const elsewhere = rows
        .filter(({ codeHash }) => !inPool.has(codeHash))
        .map(({ index }) => ({ index, why: 'it is in another pool of the program' }));
      if (imported > 0) {
        await writeAudit(client, administrator, name.environmentId, {
          action: 'coupon_codes.imported',
          targetType: 'coupon_pool',
          targetId: name.poolId,
          changes: { programId: name.programId, codes: imported },
        });
      }
      return { imported, unchanged: inPool.size - imported, rejected: [...rejected, ...elsewhere] };
    });
  };
}

function readCodes(codes: readonly string[], { checkCharacter = true }: CodePool, secret: string) {
  const hashed = new Map<string, HashedCode & { index: number }>();
  const rejected: ImportedCodes['rejected'] = [];
  codes.forEach((code, index) => {
    const normalized = normalizeCode(code);
    if (normalized === null) {
      const why = `a code has ${CODE_LENGTH.least} to ${CODE_LENGTH.most} letters and digits, and besides these only hyphens and blanks`;
      rejected.push({ index, why });
    } else if (checkCharacter && !isChecked(normalized)) {
      const why =
        'its last character is not the check character: a pool for codes from elsewhere has checkCharacter: false';
      rejected.push({ index, why });
    } else {
      const codeHash = couponCodeHash(secret, normalized);
      if (hashed.has(codeHash)) rejected.push({ index, why: 'it stands in the list twice' });
      else hashed.set(codeHash, { index, codeHash, prefix: prefixOf(code) });
    }
  });
  return { hashed, rejected };
}

/** The beginning of a code that may be shown: a quarter of it, of at most four characters. */
function prefixOf(code: string): string {
  const plain = code.trim();
  return plain.slice(0, Math.min(4, Math.floor(plain.length / 4))).toUpperCase();
}
