import type { MemoryTables } from '../ledger/memory-tables.ts';
import type { Account, LotRecord, ProfileRecord } from '../ledger/records.ts';
import { keyOf } from '../ledger/working-set.ts';
import { type Model, nameOf } from './model.ts';

/** An invariant that does not hold. */
export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant';
}

type Balance = 'available' | 'pending' | 'reserved';

const BALANCES: readonly Balance[] = ['available', 'pending', 'reserved'];

/** Sums of one profile or one lot. */
interface Sums {
  available: number;
  pending: number;
  reserved: number;
}

/**
 * Reads every table from the first row to the last and holds it to every invariant of the ledger, and then to the
 * model.
 * @throws BrokenInvariant
 */
export function audit(tables: MemoryTables, model: Model): void {
  const ofProfiles = new Map<string, Sums>();
  const ofLots = new Map<string, Sums>();
  const ofTransactions = new Map<string, number>();
  let issued = 0;
  for (const posting of tables.postings.values()) {
    const transaction = tables.transactions.get(posting.transactionId);
    hold(
      transaction?.memberId === posting.memberId && transaction.programId === posting.programId,
      'a posting stands in the program and member of its transaction',
      posting,
    );
    hold(posting.amount > 0 && Number.isSafeInteger(posting.amount), 'a posting moves points', posting);
    // Each posting debits and credits the same amount, so what is checked is where the two sides are kept.
    const profile = sumsOf(ofProfiles, keyOf(posting.programId, posting.memberId));
    const lot = posting.lotId === null ? null : sumsOf(ofLots, posting.lotId);
    for (const [account, points] of [
      [posting.creditAccount, posting.amount],
      [posting.debitAccount, -posting.amount],
    ] as const) {
      const balance = balanceOf(account);
      if (balance === null) {
        issued -= points;
        continue;
      }
      hold(lot !== null, 'a posting on a member names its lot', posting);
      profile[balance] += points;
      if (lot) lot[balance] += points;
      add(ofTransactions, posting.transactionId, points);
    }
  }
  auditLots(tables, ofLots);
  auditProfiles(tables, ofProfiles, issued);
  auditTransactions(tables, ofTransactions);
  auditModel(tables, model);
}

function auditLots(tables: MemoryTables, posted: Map<string, Sums>): void {
  for (const lot of tables.lots.values()) {
    hold(equal(lot, posted.get(lot.id)), 'a lot holds what was posted to it', lot);
    hold(lot.pending + lot.available + lot.reserved <= lot.granted, 'a lot holds no more than granted', lot);
    hold(lot.pending === 0 || lot.activatesAt !== null, 'pending points know when they are due', lot);
  }
  hold(posted.size === tables.lots.size, 'every lot named by a posting is there', posted.size);
}

function auditProfiles(tables: MemoryTables, posted: Map<string, Sums>, issued: number): void {
  const inLots = new Map<string, Sums>();
  for (const lot of tables.lots.values()) {
    const sums = sumsOf(inLots, keyOf(lot.programId, lot.memberId));
    for (const balance of BALANCES) sums[balance] += lot[balance];
  }
  let held = 0;
  for (const [key, profile] of tables.profiles) {
    hold(equal(profile, posted.get(key)), 'a balance equals its postings', profile);
    hold(equal(profile, inLots.get(key)), 'a balance equals the lots', profile);
    const points = profile.available + profile.pending + profile.reserved;
    hold(
      BALANCES.every((balance) => profile[balance] >= 0),
      'no balance is negative',
      profile,
    );
    hold(profile.enrolled || points === 0, 'no points without enrollment', profile);
    held += points;
  }
  hold(held === issued, 'debits equal credits: what programs issued, members hold', { held, issued });
}

function auditTransactions(tables: MemoryTables, posted: Map<string, number>): void {
  const keys = new Map<string, number>();
  for (const { transactionId } of tables.idempotency.values()) {
    if (transactionId !== null) add(keys, transactionId, 1);
  }
  for (const transaction of tables.transactions.values()) {
    const { id, points, sourceReference } = transaction;
    hold((posted.get(id) ?? 0) === points, "a transaction's points equal its postings", transaction);
    hold(keys.get(id) === 1, 'a transaction has exactly one key', transaction);
    const order = tables.orders.get(sourceReference ?? '');
    hold(
      order?.transactionId === id && order.points === points,
      "an order's points equal its transaction's",
      transaction,
    );
  }
  hold(
    tables.orders.size === tables.transactions.size,
    'no order without its transaction',
    tables.orders.size,
  );
  hold(
    tables.audits.size === tables.idempotency.size,
    'every effect is audited once',
    `${tables.audits.size} audit events, ${tables.idempotency.size} keys`,
  );
}

function auditModel(tables: MemoryTables, model: Model): void {
  const customers = new Map<string, string>();
  for (const member of tables.members.values()) customers.set(member.id, member.externalCustomerId);
  for (const profile of tables.profiles.values()) {
    const name = nameOf(profile.programId, customers.get(profile.memberId) ?? '');
    hold(sameAsModel(profile, model, name), `the model agrees on ${name}`, {
      profile,
      model: model.profiles.get(name),
    });
  }
  let counted = 0;
  for (const { points } of tables.limitCounters.values()) counted += points;
  for (const points of model.counted.own.values()) counted -= points;
  hold(counted === 0, 'the model agrees on what limits have counted', counted);
  for (const [table, shelf] of [
    [tables.members, model.members],
    [tables.profiles, model.profiles],
    [tables.orders, model.orders],
    [tables.limitCounters, model.counted],
    [tables.idempotency, model.answers],
  ] as const) {
    hold(table.size === shelf.own.size, 'the model has as many rows', [table.size, shelf.own.size]);
  }
}

function sameAsModel(profile: ProfileRecord, model: Model, name: string): boolean {
  const expected = model.profiles.get(name);
  if (!expected) return false;
  return (
    profile.enrolled === expected.enrolled &&
    profile.available === expected.available &&
    profile.pending === expected.pending &&
    profile.tier === expected.tier &&
    profile.qualificationPoints === expected.qualificationPoints &&
    (profile.qualificationSince?.getUTCFullYear() ?? null) === expected.countedSinceYear
  );
}

function sumsOf(map: Map<string, Sums>, key: string): Sums {
  let sums = map.get(key);
  if (!sums) {
    sums = { available: 0, pending: 0, reserved: 0 };
    map.set(key, sums);
  }
  return sums;
}

function add(map: Map<string, number>, key: string, amount: number): void {
  map.set(key, (map.get(key) ?? 0) + amount);
}

function balanceOf(account: Account): Balance | null {
  return account.startsWith('member.') ? (account.slice('member.'.length) as Balance) : null;
}

function equal(row: LotRecord | ProfileRecord, sums: Sums | undefined): boolean {
  return BALANCES.every((balance) => row[balance] === (sums?.[balance] ?? 0));
}

function hold(holds: boolean, invariant: string, what: unknown): void {
  if (!holds) throw new BrokenInvariant(`${invariant}: ${JSON.stringify(what)}`);
}
