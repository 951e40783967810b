import type { PoolCode } from './award/situation.ts';

/** A code of a pool, as the model keeps it. */
export interface ModelCode {
  /** The coupon whose pool it is in. */
  pool: string;
  /** What receipts show of it. */
  shown: string;
  uses: number;
  allowed: number;
  /** The only customer who may redeem it; null for anyone. */
  assigned: string | null;
  disabled: boolean;
}

/** The name of a code: its program, and its letters and digits as they are read, whatever was typed for them. */
export function codeName(programId: string, typed: string): string {
  let read = '';
  for (const character of typed.toUpperCase()) {
    if (character === 'I' || character === 'L') read += '1';
    else if (character === 'O') read += '0';
    else if (character === 'U') read += 'V';
    else if (/[A-Z0-9]/.test(character)) read += character;
  }
  return `${programId} ${read}`;
}

/** What an evaluation knows of a code of a pool, when that customer buys; null for null. */
export function poolCodeOf(code: ModelCode | null, externalCustomerId: string): PoolCode | null {
  if (!code) return null;
  const { pool, uses, allowed, disabled } = code;
  const others = code.assigned === null ? 'to_nobody' : 'to_another';
  const assigned = code.assigned === externalCustomerId ? 'to_buyer' : others;
  return { poolId: pool, uses, usesAllowed: allowed, assigned, disabled };
}
