import { toTypeId } from '../../src/ids.ts';
import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { SettlementRecord } from '../../src/ledger/tables/exchange-settlements.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { LotRecord } from '../../src/ledger/tables/lot-rows.ts';
import type { MemberRecord } from '../../src/ledger/tables/members.ts';
import type { OrderRecord } from '../../src/ledger/tables/orders.ts';
import type { ProfileRecord } from '../../src/ledger/tables/program-profiles.ts';
import type { LayeredTable } from '../model/layered-table.ts';
import { stockName } from '../model/ledger.ts';
import { type Model, nameOf } from '../model/model.ts';
import type { ModelLot } from '../model/points.ts';
import type { ModelProfile } from '../model/profile.ts';
import { stateOf } from '../model/returns.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import type { WrittenCounters } from './counters.ts';
import { presentOwner } from './present-owner.ts';
import { AMOUNTS } from './sums.ts';

/** The rows written since the last audit, as the other auditors have found them. */
interface Touched {
  /** Keys of profiles. */
  profiles: ReadonlySet<string>;
  /** Ids of each profile's lots, oldest first. */
  lotsOf: ReadonlyMap<string, readonly string[]>;
  orders: ReadonlySet<string>;
  counters: WrittenCounters;
}

/** Compares what was written with the model. */
export class ModelAuditor {
  readonly #tables: MemoryTables;
  readonly #model: Model;
  readonly #customers = new Map<string, string>();
  /** Redemptions by code. */
  readonly #redeemed = new Map<string, number>();

  constructor(tables: MemoryTables, model: Model) {
    this.#tables = tables;
    this.#model = model;
  }

  audit(changed: ChangedRows, { profiles, lotsOf, orders, counters }: Touched): void {
    const tables = this.#tables;
    const model = this.#model;
    for (const [, member] of changed.take('members')) this.#auditMember(member);
    for (const key of profiles) {
      const profile = tables.profiles.get(key) as ProfileRecord;
      const name = nameOf(profile.programId, this.#customers.get(profile.memberId) ?? '');
      const lots = (lotsOf.get(key) ?? []).map((id) => tables.lots.get(id) as LotRecord);
      this.#auditProfile(name, profile, lots);
    }
    for (const reference of orders) this.#auditOrder(tables.orders.get(reference) as OrderRecord);
    for (const [, settlement] of changed.take('exchangeSettlements')) this.#auditSettlement(settlement);
    this.#auditStates();
    this.#auditCounters(counters);
    this.#auditCodes(changed);
    for (const stock of tables.stocks.values()) {
      const name = stockName(stock.programId, stock.rewardId);
      assertInvariant(model.stocks.get(name) === stock.taken, `the model agrees on the stock ${name}`, stock);
    }
    this.#auditSizes();
  }

  #auditMember(member: MemberRecord): void {
    const { id, externalCustomerId } = member;
    this.#customers.set(id, externalCustomerId);
    const expected = this.#model.members.get(externalCustomerId);
    const agrees =
      expected !== null &&
      member.displayName === expected.displayName &&
      member.tags.join() === expected.tags.join() &&
      member.lists.join() === expected.lists.join() &&
      (member.status === 'suspended') === expected.suspended &&
      (member.consentStatus === 'granted') === expected.granted &&
      member.noticeVersion === expected.noticeVersion &&
      member.consentAt.getTime() === expected.consentAt;
    assertInvariant(agrees, `the model agrees on ${externalCustomerId}`, { member, model: expected });
  }

  #auditProfile(name: string, profile: ProfileRecord, lots: LotRecord[]): void {
    const expected = this.#model.profiles.get(name);
    const expectedLots = (expected?.lots ?? [])
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    const agrees =
      expected !== null &&
      sameProfile(profile, expected) &&
      lots.length === expectedLots.length &&
      lots.every((lot, index) => sameLot(lot, expectedLots[index] as ModelLot));
    assertInvariant(agrees, `the model agrees on ${name}`, { profile, lots, model: expected });
  }

  #auditOrder(order: OrderRecord): void {
    const expected = this.#model.orders.get(order.sourceReference);
    const agrees =
      expected !== null &&
      expected.points === order.points &&
      expected.returnedMinor === order.returnedMinor &&
      (order.state === 'active' ||
        order.state === stateOf(expected, order.returnedMinor, expected.returnedLines));
    assertInvariant(agrees, `the model agrees on order ${order.sourceReference}`, { order, model: expected });
  }

  /** The codes that were written, and that each has been used as often as purchases say that they redeemed it. */
  #auditCodes(changed: ChangedRows): void {
    for (const [, { transactionId, programId, codeHash, memberId }] of changed.take('couponRedemptions')) {
      const transaction = this.#tables.transactions.get(transactionId);
      const same = transaction?.memberId === memberId && transaction.programId === programId;
      assertInvariant(same, 'a redemption is of its purchase', transactionId);
      const key = keyOf(programId, codeHash);
      this.#redeemed.set(key, (this.#redeemed.get(key) ?? 0) + 1);
    }
    for (const [key, row] of changed.take('couponCodes')) {
      const name = this.#model.codeNames.get(key) ?? '';
      const expected = this.#model.codes.get(name);
      const agrees =
        expected !== null &&
        expected.pool === row.poolId &&
        expected.uses === row.uses &&
        expected.uses === (this.#redeemed.get(key) ?? 0) &&
        expected.allowed === row.usesAllowed &&
        expected.assigned ===
          (row.assignedTo && this.#customers.get(presentOwner(this.#tables, row.assignedTo))) &&
        expected.disabled === (row.disabledAt !== null);
      assertInvariant(agrees, `the model agrees on the code ${name}`, { row, model: expected });
    }
  }

  #auditSettlement(settlement: SettlementRecord): void {
    const { settlementReference, memberId, programId, partnerId, direction, points, reverses } = settlement;
    const expected = this.#model.settlements.get(settlementReference);
    const transaction = this.#tables.transactions.get(settlement.transactionId);
    const agrees =
      expected !== null &&
      expected.profile ===
        nameOf(programId, this.#customers.get(presentOwner(this.#tables, memberId)) ?? '') &&
      expected.partnerId === partnerId &&
      expected.direction === direction &&
      expected.points === points &&
      expected.reverses === reverses &&
      expected.reversed === (settlement.reversedBy !== null) &&
      transaction?.points === points &&
      transaction.sourceReference === settlementReference &&
      transaction.eventType === (reverses === null ? 'exchange.settled' : 'exchange.reversed');
    assertInvariant(agrees, `the model agrees on settlement ${settlementReference}`, {
      settlement,
      transaction,
      model: expected,
    });
  }

  #auditCounters({ limits, shared }: WrittenCounters): void {
    for (const row of limits) {
      const profile = nameOf(row.programId, this.#customers.get(row.memberId) ?? '');
      const name = `${profile} ${row.limitId} ${row.periodStart.toISOString().slice(0, 10)}`;
      const expected = this.#model.counted.get(name) ?? 0;
      assertInvariant(row.points === expected, `the model agrees on ${name}`, { row, expected });
    }
    for (const row of shared) {
      const name = `${row.programId} ${row.counterId}`;
      const expected = this.#model.shared.get(name) ?? 0;
      assertInvariant(row.taken === expected, `the model agrees on ${name}`, { row, expected });
    }
  }

  /** Compares how many quotes, reservations, disputes and adjustments there are in each state. */
  #auditStates(): void {
    const tables = this.#tables;
    const model = this.#model;
    for (const [prefix, table, expected] of [
      ['quo', tables.quotes, model.quotes],
      ['rsv', tables.reservations, model.reservations],
      ['dsp', tables.disputes, model.disputes],
      ['adj', tables.adjustments, model.adjustments],
      ['mrg', tables.memberMerges, model.merges],
    ] as const) {
      const counts = new Map<string, number>();
      for (const row of table.values()) counts.set(row.state, (counts.get(row.state) ?? 0) + 1);
      for (const { state } of expected.ownRows.values()) counts.set(state, (counts.get(state) ?? 0) - 1);
      const different = [...counts].filter(([, count]) => count !== 0);
      assertInvariant(different.length === 0, `the model agrees on the states of ${prefix}`, different);
    }
  }

  /** Compares the state of each row whose id a receipt has shown with the model's. Reads all rows. */
  auditNames(): void {
    const model = this.#model;
    for (const [prefix, table, modelTable] of [
      ['quo', this.#tables.quotes, model.quotes],
      ['rsv', this.#tables.reservations, model.reservations],
      ['dsp', this.#tables.disputes, model.disputes],
      ['adj', this.#tables.adjustments, model.adjustments],
    ] as const) {
      for (const row of table.values()) {
        const name = model.names.get(toTypeId(prefix, row.id));
        const expected =
          name === undefined ? null : (modelTable as LayeredTable<{ state: string }>).get(name);
        if (expected)
          assertInvariant(expected.state === row.state, `the model agrees on ${name}`, { row, expected });
      }
    }
  }

  #auditSizes(): void {
    const tables = this.#tables;
    const model = this.#model;
    for (const [name, rows, expected] of [
      ['limits', tables.limitCounters.values().map((row) => row.points), model.counted],
      ['shared counters', tables.sharedCounters.values().map((row) => row.taken), model.shared],
    ] as const) {
      let counted = 0;
      for (const size of rows) counted += size;
      for (const size of expected.ownRows.values()) counted -= size;
      assertInvariant(counted === 0, `the model agrees on what ${name} have counted`, counted);
    }
    for (const [name, table, expected] of [
      ['members', tables.members, model.members],
      ['profiles', tables.profiles, model.profiles],
      ['orders', tables.orders, model.orders],
      ['returns', tables.returns, model.returns],
      ['quotes', tables.quotes, model.quotes],
      ['reservations', tables.reservations, model.reservations],
      ['disputes', tables.disputes, model.disputes],
      ['adjustments', tables.adjustments, model.adjustments],
      ['settlements', tables.exchangeSettlements, model.settlements],
      ['stocks', tables.stocks, model.stocks],
      ['codes', tables.couponCodes, model.codes],
      ['keys', tables.idempotency, model.idempotencyKeys],
    ] as const) {
      assertInvariant(table.size === expected.ownRows.size, `the model agrees on how many ${name}`, [
        table.size,
        expected.ownRows.size,
      ]);
    }
  }
}

function sameProfile(profile: ProfileRecord, expected: ModelProfile): boolean {
  return (
    profile.enrolled === expected.enrolled &&
    profile.tier === expected.tier &&
    profile.qualificationPoints === expected.qualificationPoints &&
    (profile.qualificationSince?.getTime() ?? null) === expected.countedSince &&
    sameDays(profile.qualificationDays, expected.earned) &&
    (profile.lastActivityAt?.getTime() ?? null) === expected.lastActivityAt &&
    profile.purchaseCount === expected.purchases &&
    profile.purchaseAmountMinor === expected.spentMinor &&
    (profile.referralCode !== null) === expected.hasCode &&
    (profile.referredBy !== null) === (expected.referredBy !== null) &&
    profile.referralCount === expected.referrals
  );
}

function sameDays(days: ProfileRecord['qualificationDays'], earned: ModelProfile['earned']): boolean {
  if (days === null || earned === null) return days === null && earned === null;
  const sums: Record<string, number> = {};
  for (const { day, points } of earned) {
    const name = new Date(day).toISOString().slice(0, 10);
    sums[name] = (sums[name] ?? 0) + points;
  }
  const names = Object.keys(days);
  return names.length === Object.keys(sums).length && names.every((name) => days[name] === sums[name]);
}

function sameLot(lot: LotRecord, expected: ModelLot): boolean {
  return (
    AMOUNTS.every((amount) => lot[amount] === expected[amount]) &&
    lot.granted === expected.granted &&
    lot.claimed === expected.claimed &&
    lot.lent === expected.lent &&
    lot.inactivityDays === expected.inactivityDays &&
    (lot.activatesAt?.getTime() ?? null) === expected.activatesAt &&
    (lot.expiresAt?.getTime() ?? null) === expected.expiresAt
  );
}
