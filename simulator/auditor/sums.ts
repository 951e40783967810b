import type { Account } from '../../src/ledger/tables/postings.ts';
import type { Amount } from '../model/points.ts';

/** Points of one profile or one lot, by account. */
export type Sums = Record<Amount, number>;

export const AMOUNTS: readonly Amount[] = ['available', 'pending', 'reserved'];

export function sumsOf(map: Map<string, Sums>, key: string): Sums {
  let sums = map.get(key);
  if (!sums) {
    sums = { available: 0, pending: 0, reserved: 0 };
    map.set(key, sums);
  }
  return sums;
}

export function add(map: Map<string, number>, key: string, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

/** The amount that a member's account is stored in; null for a program's account. */
export function amountOf(account: Account): Amount | null {
  return account.startsWith('member.') ? (account.slice('member.'.length) as Amount) : null;
}

export function equal(row: Sums, sums: Sums | undefined): boolean {
  return AMOUNTS.every((amount) => row[amount] === (sums?.[amount] ?? 0));
}
