import type { MemoryTables } from '../../ledger/memory/memory-tables.ts';
import type { AdjustmentRecord } from '../../ledger/tables/adjustments.ts';
import { keyOf } from '../../ledger/tables/key-of.ts';
import type { ReservationRecord } from '../../ledger/tables/redemption-reservations.ts';
import { hold } from './broken-invariant.ts';
import type { ChangedRows } from './changed-rows.ts';
import { add } from './sums.ts';

/** What may become of what, in one step or in several. */
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

/** Holds reservations, disputes and adjustments to their ways through their states, and stocks to reservations. */
export class RedemptionAuditor {
  readonly #tables: MemoryTables;
  readonly #states = new Map<string, string>();
  readonly #seen = new Map<string, ReservationRecord>();
  readonly #held = new Map<string, number>();
  readonly #open = new Map<string, Set<string>>();
  readonly #taken = new Map<string, number>();

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  /** What the open reservations of a profile hold. */
  heldBy(profileKey: string): number {
    return this.#held.get(profileKey) ?? 0;
  }

  /** When the first of them ends. */
  firstEnd(profileKey: string): number {
    let first = Number.POSITIVE_INFINITY;
    for (const id of this.#open.get(profileKey) ?? []) {
      first = Math.min(first, this.#tables.reservations.get(id)?.expiresAt.getTime() ?? first);
    }
    return first;
  }

  /** @returns the profiles of the reservations that were looked at */
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
    for (const [key] of changed.take('stocks')) this.#taken.set(key, this.#taken.get(key) ?? 0);
    for (const [key, taken] of this.#taken) {
      const stock = this.#tables.stocks.get(key);
      hold((stock?.taken ?? 0) === taken, 'a stock is taken by the reservations that hold or spent it', {
        stock,
        taken,
      });
    }
    return profiles;
  }

  /** Nothing ends twice, and nothing comes back from where it ended. */
  #move(id: string, state: string): void {
    const before = this.#states.get(id);
    this.#states.set(id, state);
    if (before === undefined || before === state) return;
    hold(LATER[before]?.includes(state) ?? false, `what is ${before} never becomes ${state}`, id);
  }

  #count(row: ReservationRecord): void {
    const before = this.#seen.get(row.id);
    this.#seen.set(row.id, row);
    const profile = keyOf(row.programId, row.memberId);
    const holds = (each: ReservationRecord | undefined): number =>
      each?.state === 'reserved' ? each.points : 0;
    add(this.#held, profile, holds(row) - holds(before));
    const open = this.#open.get(profile) ?? new Set();
    this.#open.set(profile, open);
    if (row.state === 'reserved') open.add(row.id);
    else open.delete(row.id);
    const takes = (each: ReservationRecord | undefined): number =>
      each && each.terms.inventory !== null && ['reserved', 'committed'].includes(each.state) ? 1 : 0;
    add(this.#taken, keyOf(row.programId, row.rewardId), takes(row) - takes(before));
  }

  #auditReservation(row: ReservationRecord): void {
    const { transactions, quotes } = this.#tables;
    const reserving = transactions.get(row.reserveTransactionId);
    hold(
      reserving?.points === row.points && reserving.eventType === 'redemption.reserved',
      'a reservation holds its points by one transaction',
      row,
    );
    const newest = transactions.get(row.transactionId);
    hold(
      newest?.points === row.points && newest.eventType === `redemption.${row.state}`,
      'a reservation ends with the points that it began with',
      { row, newest },
    );
    hold(quotes.get(row.quoteId)?.state === 'reserved', 'a reservation has used up its quote', row);
  }

  #auditAdjustment(row: AdjustmentRecord): void {
    const { transactions } = this.#tables;
    const moved = row.state === 'posted' || row.state === 'reversed';
    hold(moved === (row.transactionId !== null), 'an adjustment moves points once it is posted', row);
    if (!moved) return;
    hold(row.decidedBy !== row.requestedBy, 'who asks does not approve', row);
    hold(row.reversedBy !== row.requestedBy, 'who asks does not reverse', row);
    const [posted, reversed] = [row.transactionId, row.reversalTransactionId].map((id) =>
      transactions.get(id ?? ''),
    );
    hold(posted?.points === row.points, "an adjustment's points equal its transaction's", row);
    hold(
      row.state === 'posted' ||
        (reversed?.points === row.points && reversed.reversalOf === row.transactionId),
      'a reversal gives back as much',
      row,
    );
  }
}
