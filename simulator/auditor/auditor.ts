import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { LotRecord } from '../../src/ledger/tables/lot-rows.ts';
import type { PostingRecord } from '../../src/ledger/tables/postings.ts';
import type { ProfileRecord } from '../../src/ledger/tables/program-profiles.ts';
import type { TransactionRecord } from '../../src/ledger/tables/transactions.ts';
import type { ExpectedEvent } from '../model/expected-event.ts';
import type { Model } from '../model/model.ts';
import { ModelAuditor } from './agreement.ts';
import { assertInvariant } from './broken-invariant.ts';
import { auditCampaignAwards } from './campaign-awards.ts';
import { ChangedRows } from './changed-rows.ts';
import { CounterAuditor } from './counters.ts';
import { EngagementAuditor } from './engagement.ts';
import { EventAuditor } from './events.ts';
import { OrderAuditor } from './orders.ts';
import { OutlookAuditor } from './outlook.ts';
import { RedemptionAuditor } from './redemptions.ts';
import { AMOUNTS, add, amountOf, equal, type Sums, sumsOf } from './sums.ts';
import { TrailAuditor } from './trail.ts';

/**
 * Checks the tables against every invariant of the ledger, and then against the model. It keeps its own sums. After
 * each step it reads the rows that were written, and the rows that depend on them.
 */
export class Auditor {
  readonly #tables: MemoryTables;
  readonly #changed: ChangedRows;
  readonly #ofProfiles = new Map<string, Sums>();
  readonly #ofLots = new Map<string, Sums>();
  readonly #ofTransactions = new Map<string, number>();
  readonly #seenLots = new Map<string, LotRecord>();
  /** Sums of the lots of each profile. */
  readonly #inLots = new Map<string, Sums>();
  /** What the lots of each profile have lent, less what others of them owe. */
  readonly #lent = new Map<string, number>();
  readonly #lotsOf = new Map<string, string[]>();
  readonly #pointsOf = new Map<string, number>();
  readonly #seenTransactions = new Map<string, TransactionRecord>();
  readonly #orders: OrderAuditor;
  readonly #redemptions: RedemptionAuditor;
  readonly #counters: CounterAuditor;
  readonly #engagement: EngagementAuditor;
  readonly #trail: TrailAuditor;
  readonly #events: EventAuditor;
  /** The events that the model has expected since the last audit; null where all rows are audited anew. */
  readonly #expected: () => ExpectedEvent[][] | null;
  readonly #model: ModelAuditor;
  readonly #outlook: OutlookAuditor;
  #issued = 0;
  #memberPoints = 0;

  private constructor(
    tables: MemoryTables,
    model: Model,
    changed: ChangedRows,
    expected: () => ExpectedEvent[][] | null,
  ) {
    this.#tables = tables;
    this.#changed = changed;
    this.#orders = new OrderAuditor(tables);
    this.#redemptions = new RedemptionAuditor(tables);
    this.#counters = new CounterAuditor(tables, model);
    this.#engagement = new EngagementAuditor(tables, model);
    this.#trail = new TrailAuditor(tables);
    this.#events = new EventAuditor(tables);
    this.#expected = expected;
    this.#model = new ModelAuditor(tables, model);
    this.#outlook = new OutlookAuditor(tables, model);
  }

  /** Compares what one member is on the way to; another one each time. */
  auditOutlook(now: Date): void {
    this.#outlook.audit(now);
  }

  /** An auditor to be called after each step: it reads only what was written since the last call. */
  static beside(tables: MemoryTables, model: Model): Auditor {
    return new Auditor(tables, model, new ChangedRows(tables).watch(), () => model.takeExpectedEvents());
  }

  /**
   * Audits every row of every table.
   * @throws BrokenInvariant
   */
  static readAll(tables: MemoryTables, model: Model): void {
    const auditor = new Auditor(tables, model, new ChangedRows(tables), () => null);
    auditor.audit();
    auditor.#model.auditNames();
    auditor.#engagement.auditSizes();
    auditor.#trail.auditMembers();
  }

  /**
   * Audits the rows that were written since the last call.
   * @throws BrokenInvariant
   */
  audit(): void {
    const changed = this.#changed;
    const profiles = new Set<string>();
    const lots = new Set<string>();
    const transactions = new Set<string>();
    for (const [key, posting] of changed.take('postings')) {
      this.#addPosting(posting);
      profiles.add(keyOf(posting.programId, posting.memberId));
      transactions.add(posting.transactionId);
      if (posting.lotId !== null) lots.add(posting.lotId);
      assertInvariant(
        key === keyOf(posting.transactionId, String(posting.line)),
        'a posting has its key',
        posting,
      );
    }
    for (const [id, lot] of changed.take('lots')) {
      this.#addLot(lot);
      lots.add(id);
      profiles.add(keyOf(lot.programId, lot.memberId));
    }
    for (const id of lots) this.#auditLot(id);
    for (const [key, profile] of changed.take('profiles')) {
      this.#addProfile(key, profile);
      profiles.add(key);
    }
    for (const [id, transaction] of changed.take('transactions')) {
      this.#auditReversal(transaction);
      transactions.add(id);
    }
    for (const id of transactions) this.#auditTransaction(id);
    auditCampaignAwards(this.#tables, changed, transactions);
    for (const key of this.#redemptions.audit(changed)) profiles.add(key);
    for (const key of profiles) this.#auditProfile(key);
    assertInvariant(
      this.#memberPoints === this.#issued,
      'debits equal credits: what programs issued, members hold',
      {
        memberPoints: this.#memberPoints,
        issued: this.#issued,
      },
    );
    const orders = this.#orders.audit(changed, lots);
    const counters = {
      limits: changed.take('limitCounters').map(([, row]) => row),
      shared: changed.take('sharedCounters').map(([, row]) => row),
    };
    this.#counters.audit(transactions, counters);
    this.#engagement.audit(changed, transactions, counters.shared);
    this.#trail.audit(changed, transactions, profiles);
    this.#model.audit(changed, { profiles, lotsOf: this.#lotsOf, orders, counters });
    this.#events.audit(changed, this.#expected());
  }

  #addPosting(posting: PostingRecord): void {
    const transaction = this.#tables.transactions.get(posting.transactionId);
    assertInvariant(
      transaction?.memberId === posting.memberId && transaction.programId === posting.programId,
      'a posting stands in the program and member of its transaction',
      posting,
    );
    assertInvariant(
      posting.amount > 0 && Number.isSafeInteger(posting.amount),
      'a posting moves points',
      posting,
    );
    add(this.#ofTransactions, posting.transactionId, posting.amount);
    this.#orders.addPosting(posting);
    // A posting debits and credits the same amount by its form. What can differ is the accounts of the two sides.
    const profile = sumsOf(this.#ofProfiles, keyOf(posting.programId, posting.memberId));
    const lot = posting.lotId === null ? null : sumsOf(this.#ofLots, posting.lotId);
    for (const [account, points] of [
      [posting.creditAccount, posting.amount],
      [posting.debitAccount, -posting.amount],
    ] as const) {
      const amount = amountOf(account);
      if (amount === null) {
        this.#issued -= points;
        continue;
      }
      assertInvariant(lot !== null, 'a posting on a member names its lot', posting);
      profile[amount] += points;
      lot[amount] += points;
    }
  }

  #addLot(lot: LotRecord): void {
    const key = keyOf(lot.programId, lot.memberId);
    const before = this.#seenLots.get(lot.id);
    if (!before) {
      const lotIds = this.#lotsOf.get(key);
      if (lotIds) lotIds.push(lot.id);
      else this.#lotsOf.set(key, [lot.id]);
    }
    const sums = sumsOf(this.#inLots, key);
    for (const amount of AMOUNTS) sums[amount] += lot[amount] - (before?.[amount] ?? 0);
    add(this.#lent, key, lot.lent - (before?.lent ?? 0));
    this.#seenLots.set(lot.id, lot);
  }

  #auditLot(id: string): void {
    const lot = this.#tables.lots.get(id);
    assertInvariant(lot !== undefined, 'every lot named by a posting is there', id);
    assertInvariant(equal(lot, this.#ofLots.get(id)), 'a lot holds what was posted to it', lot);
    assertInvariant(
      lot.pending + lot.available + lot.reserved <= lot.granted,
      'a lot holds no more than granted',
      lot,
    );
    assertInvariant(
      AMOUNTS.every((amount) => lot[amount] >= 0),
      'no amount of a lot is negative',
      lot,
    );
    assertInvariant(
      lot.pending === 0 || lot.activatesAt !== null,
      'pending points know when they are due',
      lot,
    );
    assertInvariant(
      lot.claimed === 0 || lot.pending + lot.available === 0,
      'what is there has paid its claims',
      lot,
    );
    assertInvariant(
      lot.lent >= 0 || lot.pending + lot.available === 0,
      'the lot of a reversed credit keeps nothing that it owes',
      lot,
    );
  }

  #addProfile(key: string, profile: ProfileRecord): void {
    const points = profile.available + profile.pending + profile.reserved;
    this.#memberPoints += points - (this.#pointsOf.get(key) ?? 0);
    this.#pointsOf.set(key, points);
  }

  #auditProfile(key: string): void {
    const profile = this.#tables.profiles.get(key);
    assertInvariant(profile !== undefined, 'points stand on a profile', key);
    assertInvariant(equal(profile, this.#ofProfiles.get(key)), 'a balance equals its postings', profile);
    assertInvariant(equal(profile, this.#inLots.get(key)), 'a balance equals the lots', profile);
    assertInvariant(
      (this.#lent.get(key) ?? 0) === 0,
      "what some of a profile's lots have lent, others owe",
      profile,
    );
    assertInvariant(
      AMOUNTS.every((amount) => profile[amount] >= 0),
      'no balance is negative',
      profile,
    );
    assertInvariant(
      profile.enrolled || this.#pointsOf.get(key) === 0,
      'no points without enrollment',
      profile,
    );
    const held = this.#redemptions.heldBy(key);
    assertInvariant(profile.reserved === held, 'what is reserved is held by reservations', { profile, held });
    this.#auditDue(key, profile);
  }

  /** `nextDueAt` may not be later than what is due first: the sweep finds profiles by it. */
  #auditDue(key: string, profile: ProfileRecord): void {
    let first = this.#redemptions.firstEnd(key);
    for (const id of this.#lotsOf.get(key) ?? []) {
      const lot = this.#tables.lots.get(id) as LotRecord;
      if (lot.pending > 0) first = Math.min(first, lot.activatesAt?.getTime() ?? 0);
      if (lot.available > 0) first = Math.min(first, lot.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
    }
    const noted = profile.nextDueAt?.getTime() ?? Number.POSITIVE_INFINITY;
    assertInvariant(noted <= first, 'the next thing due is noted', { profile, first });
  }

  #auditTransaction(id: string): void {
    const transaction = this.#tables.transactions.get(id);
    assertInvariant(transaction !== undefined, 'a posting has its transaction', id);
    const posted = this.#ofTransactions.get(id) ?? 0;
    assertInvariant(posted === transaction.points, "a transaction's points equal its postings", transaction);
    this.#seenTransactions.set(id, transaction);
  }

  #auditReversal(transaction: TransactionRecord): void {
    const { id, reversalOf, reversedBy, state, eventType } = transaction;
    const { transactions } = this.#tables;
    assertInvariant(
      (state === 'reversed') === (reversedBy !== null),
      'what is reversed says by what',
      transaction,
    );
    // A redemption can be reversed in parts: its reservation knows the last one.
    if (reversalOf !== null && eventType !== 'redemption.reversed') {
      assertInvariant(
        transactions.get(reversalOf)?.reversedBy === id,
        'a reversal is known to what it reverses',
        transaction,
      );
    }
    if (reversedBy !== null) {
      assertInvariant(
        transactions.get(reversedBy)?.reversalOf === id,
        'what is reversed is known to its reversal',
        transaction,
      );
    }
    const before = this.#seenTransactions.get(id);
    if (!before) return;
    assertInvariant(before.points === transaction.points, 'a transaction keeps its points', transaction);
    assertInvariant(
      before.reversedBy === null || before.reversedBy === reversedBy,
      'nothing is reversed twice',
      transaction,
    );
  }
}
