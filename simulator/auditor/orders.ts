import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { Index } from '../../src/ledger/tables/look-up.ts';
import { type LotRecord, originOf } from '../../src/ledger/tables/lot-rows.ts';
import type { OrderRecord } from '../../src/ledger/tables/orders.ts';
import type { PostingRecord } from '../../src/ledger/tables/postings.ts';
import type { TransactionRecord } from '../../src/ledger/tables/transactions.ts';
import { type ModelLine, ownPointsOwed, pointsOwed } from '../model/returns.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';

const ofOrigin: Index<LotRecord> = {
  properties: ['originLotId'],
  includes: (lot) => lot.originLotId !== null,
};

/** Checks orders against their transactions, their returns, and what was clawed back from their lots. */
export class OrderAuditor {
  readonly #tables: MemoryTables;
  readonly #orderOf = new Map<string, string>();
  readonly #lotOf = new Map<string, string>();
  /** Ids of the lots of an order's referral that returns take back, by the order's reference. */
  readonly #referralLots = new Map<string, Set<string>>();
  /** Points clawed back, by lot. */
  readonly #clawed = new Map<string, number>();
  readonly #returned = new Map<string, number>();
  readonly #seenReturns = new Set<string>();

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  addPosting({ creditAccount, lotId, amount }: PostingRecord): void {
    if (creditAccount === 'program.issuance' && lotId !== null)
      add(this.#clawed, this.#originOf(lotId), amount);
  }

  /** The lot that was granted to begin with; the same one where it was not moved. */
  #originOf(lotId: string): string {
    const lot = this.#tables.lots.get(lotId);
    return lot ? originOf(lot) : lotId;
  }

  /** What returns claim of a lot, wherever it was moved to. */
  #claimedOf(origin: string): number {
    const { lots } = this.#tables;
    let claimed = lots.get(origin)?.claimed ?? 0;
    for (const moved of lots.by(ofOrigin, origin)) claimed += moved.claimed;
    return claimed;
  }

  /** @returns the references of the orders that were audited */
  audit(changed: ChangedRows, lots: ReadonlySet<string>): Set<string> {
    const { orders, transactions } = this.#tables;
    const touched = new Set<string>();
    for (const [reference, order] of changed.take('orders')) {
      this.#orderOf.set(order.transactionId, reference);
      touched.add(reference);
      assertInvariant(
        transactions.get(order.transactionId)?.points === order.points,
        "an order's points equal its transaction's",
        order,
      );
    }
    for (const id of new Set([...lots].map((each) => this.#originOf(each)))) {
      const transactionId = this.#tables.lots.get(id)?.transactionId ?? '';
      const referred = this.#addReferralLot(id, transactions.get(transactionId));
      if (referred !== null) touched.add(referred);
      const reference = this.#orderOf.get(transactionId);
      if (reference === undefined) continue;
      assertInvariant((this.#lotOf.get(reference) ?? id) === id, 'an order has one lot', reference);
      this.#lotOf.set(reference, id);
      touched.add(reference);
    }
    for (const [reference, record] of changed.take('returns')) {
      assertInvariant(!this.#seenReturns.has(reference), 'a return is recorded once', record);
      this.#seenReturns.add(reference);
      add(this.#returned, record.sourceReference, record.returnAmountMinor);
      touched.add(record.sourceReference);
      assertInvariant(
        transactions.get(record.transactionId)?.points === record.pointsClawedBack,
        "a return's points equal its transaction's",
        record,
      );
    }
    for (const reference of touched) {
      const order = orders.get(reference);
      assertInvariant(order !== undefined, 'a return is of an order', reference);
      this.#auditOrder(order);
    }
    return touched;
  }

  /** @returns the reference of the order that qualified the referral; null for any other lot */
  #addReferralLot(id: string, transaction: TransactionRecord | undefined): string | null {
    if (transaction?.eventType !== 'referral.awarded') return null;
    const reference = transaction.sourceReference ?? '';
    if (keepsRewards(transaction.receipt)) {
      const claimed = this.#claimedOf(id);
      assertInvariant((this.#clawed.get(id) ?? 0) + claimed === 0, 'a referral that is kept is kept', id);
    } else {
      const lots = this.#referralLots.get(reference) ?? new Set();
      this.#referralLots.set(reference, lots.add(id));
    }
    return reference;
  }

  #auditOrder(order: OrderRecord): void {
    const { sourceReference: reference, clawedBack, returnedMinor } = order;
    const isReturned = order.state === 'returned';
    const lotId = this.#lotOf.get(reference) ?? '';
    const claimed = this.#claimedOf(lotId);
    assertInvariant(
      (this.#returned.get(reference) ?? 0) === returnedMinor,
      'an order has gone back as its returns say',
      order,
    );
    assertInvariant(
      (this.#clawed.get(lotId) ?? 0) === clawedBack,
      'what was clawed back was taken from the lot',
      order,
    );
    const lines = linesOf(order);
    assertInvariant(
      clawedBack + claimed ===
        ownPointsOwed({ ...order, lines }, returnedMinor, order.returnedLines ?? {}, isReturned),
      'what was clawed back and what is claimed are what is due',
      { order, claimed },
    );
    for (const id of this.#referralLots.get(reference) ?? []) {
      const lot = this.#tables.lots.get(id);
      assertInvariant(
        lot !== undefined &&
          (this.#clawed.get(id) ?? 0) + this.#claimedOf(id) ===
            pointsOwed({ points: lot.granted, amountMinor: order.amountMinor }, returnedMinor, isReturned),
        'what was clawed back of a referral and what is claimed are what is due',
        { order, lot },
      );
    }
  }
}

interface StoredLine {
  lineReference: string;
  quantity?: number;
  unitPriceMinor?: number;
  points?: number;
}

function linesOf({ lines }: OrderRecord): ModelLine[] {
  return ((lines ?? []) as StoredLine[]).map(({ lineReference, quantity, unitPriceMinor, points }) => ({
    reference: lineReference,
    quantity: quantity ?? 1,
    price: unitPriceMinor ?? 0,
    points: points ?? null,
  }));
}

/** Whether the program had said that both members keep the points of a referral. */
export function keepsRewards(receipt: object): boolean {
  return (receipt as { referral?: { onReturn?: string } }).referral?.onReturn === 'keep';
}
