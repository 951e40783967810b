import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import { couponCodeHash } from '../../src/ledger/tables/coupon-codes.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import { CODE_ALPHABET, checkCharacter, normalizeCode } from '../../src/rules/shared/coupon-code.ts';
import { presentOwner } from '../auditor/present-owner.ts';
import { codeName } from '../model/codes.ts';
import type { Model } from '../model/model.ts';
import type { Random } from '../random.ts';

/** With which the codes of a world are hashed. */
export const COUPON_SECRET = '5eed'.repeat(16);

/** What an administrator changes codes with: no command makes or disables them. */
export interface Administration {
  random: Random;
  model: Model;
  tables: MemoryTables;
  now: Date;
}

/** Adds a code to a pool of a program, at times for one member alone. */
export function addCode({
  random,
  model,
  tables,
  now,
  codes,
}: Administration & {
  /** The code is added to them. */
  codes: string[];
}): void {
  const [programId, versions] = random.pick([...model.programs]);
  const pools = versions.at(-1)?.program.coupons.flatMap(({ code, pool }) => (pool ? [{ code, pool }] : []));
  if (!pools || pools.length === 0) return;
  const { code: poolId, pool } = random.pick(pools);
  const begin = `${poolId}-${Array.from({ length: 5 }, () => random.pick([...CODE_ALPHABET])).join('')}`;
  const code = begin + checkCharacter(normalizeCode(begin) ?? '');
  const codeHash = couponCodeHash(COUPON_SECRET, normalizeCode(code) ?? '');
  const key = keyOf(programId, codeHash);
  if (tables.couponCodes.has(key)) return;
  const member = random.chance(0.3) ? random.pick([...tables.members.values(), null]) : null;
  tables.couponCodes.set(key, {
    programId,
    codeHash,
    poolId,
    prefix: poolId,
    uses: 0,
    usesAllowed: pool.usesPerCode,
    assignedTo: member ? presentOwner(tables, member.id) : null,
    disabledAt: null,
    createdAt: now,
  });
  const name = codeName(programId, code);
  model.codeNames.set(key, name);
  model.codes.set(name, {
    pool: poolId,
    shown: `${poolId}…`,
    uses: 0,
    allowed: pool.usesPerCode,
    assigned: member && model.nameFor(member.externalCustomerId),
    disabled: false,
  });
  codes.push(code);
}

/** Disables a code. */
export function disableCode({ random, model, tables, now }: Administration): void {
  const rows = [...tables.couponCodes];
  if (rows.length === 0) return;
  const [key, row] = random.pick(rows);
  const name = model.codeNames.get(key) ?? '';
  const couponCode = model.codes.get(name);
  if (!couponCode || row.disabledAt) return;
  tables.couponCodes.set(key, { ...row, disabledAt: now });
  model.codes.set(name, { ...couponCode, disabled: true });
}
