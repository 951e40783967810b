import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { AdjustmentRecord } from '../../src/ledger/tables/adjustments.ts';
import { keyOf } from '../../src/ledger/tables/key-of.ts';
import type { ReservationRecord } from '../../src/ledger/tables/redemption-reservations.ts';
import { assertInvariant } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';

/** The states that may follow each state, in one step or in several. */
const LATER: Record<string, readonly string[]> = {
  // Reservations
  reserved: ['committed', 'released', 'expired', 'reversed'],
  committed: ['reversed'],
  // Adjustments
  requested: ['posted', 'rejected', 'expired', 'reversed'],
  posted: ['reversed'],
  // Disputes
  open: ['resolved', 'rejected'],
};

/** Checks the changes of state of reservations, disputes and adjustments, and stocks against reservations. */
export class RedemptionAuditor {
  readonly #tables: MemoryTables;
  readonly #states = new Map<string, string>();
  readonly #reservations = new Map<string, ReservationRecord>();
  readonly #heldPoints = new Map<string, number>();
  readonly #open = new Map<string, Set<string>>();
  readonly #stockTaken = new Map<string, number>();

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  /** Points held by the open reservations of a profile. */
  heldBy(profileKey: string): number {
    return this.#heldPoints.get(profileKey) ?? 0;
  }

  /** When the first open reservation of a profile expires, in milliseconds since 1970; infinity where there is none. */
  firstEnd(profileKey: string): number {
    let first = Number.POSITIVE_INFINITY;
    for (const id of this.#open.get(profileKey) ?? []) {
      first = Math.min(first, this.#tables.reservations.get(id)?.expiresAt.getTime() ?? first);
    }
    return first;
  }

  /** @returns the keys of the profiles whose reservations were written */
  audit(changed: ChangedRows): Set<string> {
    const profiles = new Set<string>();
    for (const [id, row] of changed.take('reservations')) {
      this.#move(id, row.state);
      this.#count(row);
      this.#auditReservation(row);
      profiles.add(keyOf(row.programId, row.memberId));
    }
    for (const [id, row] of changed.take('disputes')) this.#move(id, row.state);
    for (const [id, row] of changed.take('adjustments')) {
      this.#move(id, row.state);
      this.#auditAdjustment(row);
    }
    for (const [key] of changed.take('stocks')) this.#stockTaken.set(key, this.#stockTaken.get(key) ?? 0);
    for (const [key, count] of this.#stockTaken) {
      const stock = this.#tables.stocks.get(key);
      assertInvariant(
        (stock?.taken ?? 0) === count,
        'a stock is taken by the reservations that hold or spent it',
        {
          stock,
          taken: count,
        },
      );
    }
    return profiles;
  }

  /** Checks that a change of state is allowed: a final state never changes. */
  #move(id: string, state: string): void {
    const before = this.#states.get(id);
    this.#states.set(id, state);
    if (before === undefined || before === state) return;
    assertInvariant(LATER[before]?.includes(state) ?? false, `what is ${before} never becomes ${state}`, id);
  }

  #count(row: ReservationRecord): void {
    const before = this.#reservations.get(row.id);
    this.#reservations.set(row.id, row);
    const profile = keyOf(row.programId, row.memberId);
    const pointsHeld = (each: ReservationRecord | undefined): number =>
      each?.state === 'reserved' ? each.points : 0;
    add(this.#heldPoints, profile, pointsHeld(row) - pointsHeld(before));
    const open = this.#open.get(profile) ?? new Set();
    this.#open.set(profile, open);
    if (row.state === 'reserved') open.add(row.id);
    else open.delete(row.id);
    const takes = (each: ReservationRecord | undefined): number =>
      each && each.terms.inventory !== null && ['reserved', 'committed'].includes(each.state) ? 1 : 0;
    add(this.#stockTaken, keyOf(row.programId, row.rewardId), takes(row) - takes(before));
  }

  #auditReservation(row: ReservationRecord): void {
    const { transactions, quotes } = this.#tables;
    const reserving = transactions.get(row.reserveTransactionId);
    assertInvariant(
      reserving?.points === row.points && reserving.eventType === 'redemption.reserved',
      'a reservation holds its points by one transaction',
      row,
    );
    const newest = transactions.get(row.transactionId);
    const inParts = row.reversedMinor > 0;
    assertInvariant(
      inParts
        ? newest?.eventType === 'redemption.reversed' && newest.points <= row.reversedPoints
        : newest?.points === row.points && newest.eventType === `redemption.${row.state}`,
      'a reservation ends with the points that it began with, or gives them back in parts',
      { row, newest },
    );
    this.#auditReversed(row);
    assertInvariant(
      quotes.get(row.quoteId)?.state === 'reserved',
      'a reservation has used up its quote',
      row,
    );
  }

  #auditReversed(row: ReservationRecord): void {
    const { points, state, reversedMinor, reversedPoints, terms, commitTransactionId } = row;
    const commit = this.#tables.transactions.get(commitTransactionId ?? '');
    assertInvariant(
      (commit?.reversedBy ?? null) === (state === 'reversed' ? row.transactionId : null),
      'a reversal is known to what it reverses: of the parts of a redemption the last one',
      { row, commit },
    );
    const discountMinor = terms.discount?.amountMinor ?? null;
    const isReversed = discountMinor === null ? reversedPoints === points : reversedMinor === discountMinor;
    assertInvariant((state === 'reversed') === isReversed, 'what is reversed has nothing left', row);
    assertInvariant(
      discountMinor !== null || reversedMinor === 0,
      'only discounts are reversed in parts',
      row,
    );
    // Within half a point of the exact share.
    const off = BigInt(reversedPoints) * BigInt(discountMinor ?? 1) - BigInt(points) * BigInt(reversedMinor);
    assertInvariant(
      discountMinor === null || (off * 2n <= BigInt(discountMinor) && off * 2n > -BigInt(discountMinor)),
      'as many points are back as the reversed part of the discount is worth',
      row,
    );
  }

  #auditAdjustment(row: AdjustmentRecord): void {
    const { transactions } = this.#tables;
    const moved = row.state === 'posted' || row.state === 'reversed';
    assertInvariant(
      moved === (row.transactionId !== null),
      'an adjustment moves points once it is posted',
      row,
    );
    if (!moved) return;
    assertInvariant(row.decidedBy !== row.requestedBy, 'who asks does not approve', row);
    assertInvariant(row.reversedBy !== row.requestedBy, 'who asks does not reverse', row);
    const [posted, reversed] = [row.transactionId, row.reversalTransactionId].map((id) =>
      transactions.get(id ?? ''),
    );
    assertInvariant(posted?.points === row.points, "an adjustment's points equal its transaction's", row);
    assertInvariant(
      row.state === 'posted' ||
        (reversed?.points === row.points && reversed.reversalOf === row.transactionId),
      'a reversal gives back as much',
      row,
    );
  }
}
