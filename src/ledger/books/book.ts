import { toTypeId } from '../../ids.ts';
import { type AuditEntry, type Decision, systemActor, type WebhookEvent } from '../command.ts';
import type { State } from '../state.ts';
import { type LotRecord, originOf } from '../tables/lot-rows.ts';
import type { OrderRecord } from '../tables/orders.ts';
import type { Account, PostingRecord } from '../tables/postings.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';
import type { EventType, TransactionRecord } from '../tables/transactions.ts';
import { balanceOf, post } from './posting.ts';

/** The columns of a transaction that do not follow from its postings. */
export interface EntryHeader {
  eventType: EventType;
  sourceReference?: string | null;
  /** When the event happened. Default: the time of the decision. */
  occurredAt?: Date;
  reversalOf?: string;
}

/** A transaction whose postings are still being made. */
export interface OpenEntry {
  readonly id: string;
  readonly header: EntryHeader;
  points: number;
  lines: number;
}

/**
 * The books of one profile during one decision: it takes postings, and gives the profile, lots, orders and transactions
 * that follow from them. Pure: nothing is written to the state. Every change of points goes through `move`, so that
 * postings, lots and balances always agree.
 */
export class Book {
  readonly now: Date;
  readonly audits: AuditEntry[] = [];
  readonly webhookEvents: WebhookEvent[] = [];
  readonly #state: State;
  readonly #before: ProfileRecord;
  readonly #transactions: TransactionRecord[] = [];
  readonly #postings: PostingRecord[] = [];
  readonly #lots = new Map<string, LotRecord>();
  readonly #newLots = new Map<string, LotRecord>();
  /** Lots of merged members that have not been moved to this profile yet, as they will be there; by id. */
  readonly #received = new Map<string, LotRecord>();
  /** The same by the lot that was granted to begin with. */
  readonly #receivedOf = new Map<string, LotRecord>();
  readonly #orders = new Map<string, OrderRecord>();
  #profile: ProfileRecord;

  constructor(profile: ProfileRecord, state: State, now: Date) {
    this.#before = profile;
    this.#profile = profile;
    this.#state = state;
    this.now = now;
  }

  /** The profile after the postings so far. */
  get profile(): ProfileRecord {
    return this.#profile;
  }

  /** Changes columns that are not balances: tier, activity, the next due instant. */
  setProfile(
    changes: Partial<Omit<ProfileRecord, 'memberId' | 'programId' | 'available' | 'pending' | 'reserved'>>,
  ): void {
    this.#profile = { ...this.#profile, ...changes };
  }

  /**
   * A lot after the postings so far. For a lot of a member that was merged into this one: what it was moved to. Where
   * it had no points to move, that is a lot without points, which is inserted with the first change of it.
   */
  lot(id: string): LotRecord {
    const lot = this.#newLots.get(id) ?? this.#lots.get(id) ?? this.#received.get(id) ?? this.#state.lot(id);
    return lot.memberId === this.#profile.memberId ? lot : this.#movedLot(lot);
  }

  #movedLot(lot: LotRecord): LotRecord {
    const originLotId = originOf(lot);
    const all = this.#state.lotsOfOrigin(lot);
    const existing =
      this.#receivedOf.get(originLotId) ?? all.find(({ memberId }) => memberId === this.#profile.memberId);
    if (existing) return this.#newLots.get(existing.id) ?? this.#lots.get(existing.id) ?? existing;
    const received: LotRecord = {
      ...lot,
      id: this.#state.newId(),
      memberId: this.#profile.memberId,
      pending: 0,
      available: 0,
      reserved: 0,
      claimed: 0,
      lent: 0,
      // Its expiry only ever moves to a later instant, which the lot of each member before may have seen.
      expiresAt: all.reduce(
        (last, { expiresAt }) => (last && expiresAt && expiresAt > last ? expiresAt : last),
        lot.expiresAt,
      ),
      originLotId,
      createdAt: this.now,
    };
    this.#received.set(received.id, received);
    this.#receivedOf.set(originLotId, received);
    return received;
  }

  /** The loaded lots of the profile that have lent points, after the postings so far. */
  lendingLots(): LotRecord[] {
    return this.#state
      .lendingLots(this.#profile)
      .map(({ id }) => this.lot(id))
      .filter(({ lent }) => lent > 0);
  }

  /** Changes the expiry or the claims of a lot; its amounts change through `move` alone. */
  setLot(id: string, changes: Pick<Partial<LotRecord>, 'expiresAt' | 'claimed' | 'lent'>): void {
    this.#keep({ ...this.lot(id), ...changes });
    if (changes.expiresAt) this.noteDue(changes.expiresAt);
  }

  /** An order, with the payments of its claims in this book. @param stored the order as the state has it */
  order(stored: OrderRecord): OrderRecord {
    return this.#orders.get(stored.sourceReference) ?? stored;
  }

  /** Replaces an order that has a claim on a lot, after a payment of the claim. */
  setOrder(order: OrderRecord): void {
    this.#orders.set(order.sourceReference, order);
  }

  open(header: EntryHeader): OpenEntry {
    return { id: this.#state.newId(), header, points: 0, lines: 0 };
  }

  /**
   * Adds a lot without points: `move` fills it.
   * @param granted the points that will be moved into it; positive
   */
  addLot(
    entry: OpenEntry,
    granted: number,
    dates: Pick<LotRecord, 'activatesAt' | 'expiresAt' | 'inactivityDays'>,
  ): LotRecord {
    const lot: LotRecord = {
      id: this.#state.newId(),
      memberId: this.#profile.memberId,
      programId: this.#profile.programId,
      transactionId: entry.id,
      granted,
      pending: 0,
      available: 0,
      reserved: 0,
      ...dates,
      claimed: 0,
      lent: 0,
      originLotId: null,
      createdAt: this.now,
    };
    this.#newLots.set(lot.id, lot);
    return lot;
  }

  /**
   * Posts an amount from one account to another on a lot, and changes the lot's amounts and the profile's balances
   * accordingly. An amount of 0 posts nothing.
   * @throws RangeError where an amount of the lot would be negative or more than was granted, or a balance would be
   *   negative or exceed 2^53-1. A command has to refuse such an input before it posts
   */
  move(entry: OpenEntry, lotId: string, debitAccount: Account, creditAccount: Account, amount: number): void {
    if (amount === 0) return;
    const lot = { ...this.lot(lotId) };
    addTo(lot, debitAccount, -amount);
    addTo(lot, creditAccount, amount);
    entry.lines += 1;
    entry.points += amount;
    const posting: PostingRecord = {
      transactionId: entry.id,
      line: entry.lines,
      programId: lot.programId,
      memberId: lot.memberId,
      debitAccount,
      creditAccount,
      amount,
      lotId: lot.id,
      createdAt: this.now,
    };
    this.#postings.push(posting);
    this.#profile = post(this.#profile, posting);
    this.#keep(lot);
    if (creditAccount === 'member.pending' && lot.activatesAt) this.noteDue(lot.activatesAt);
    if (creditAccount === 'member.available' && lot.expiresAt) this.noteDue(lot.expiresAt);
  }

  /**
   * Gives points back to a lot. A return's claim on the lot is paid first; the rest becomes available (decisions,
   * "Returns").
   * @param debitAccount the account that the points come from: held or spent points
   * @returns the points that the claim took
   */
  giveBack(entry: OpenEntry, lotId: string, debitAccount: Account, amount: number): number {
    const lot = this.lot(lotId);
    const paid = Math.min(amount, lot.claimed);
    if (paid > 0) {
      this.move(entry, lotId, debitAccount, 'program.issuance', paid);
      this.setLot(lotId, { claimed: lot.claimed - paid });
      const stored = this.#state.orderOf(lot);
      const order = stored && this.order(stored);
      if (order) this.setOrder({ ...order, clawedBack: order.clawedBack + paid });
    }
    this.move(entry, lotId, debitAccount, 'member.available', amount - paid);
    return paid;
  }

  /** Ends a transaction. @param receipt the command's receipt, where it is stored with this transaction */
  close(entry: OpenEntry, receipt: object = {}): TransactionRecord {
    const { eventType, sourceReference = null, occurredAt = this.now, reversalOf = null } = entry.header;
    const transaction: TransactionRecord = {
      id: entry.id,
      programId: this.#profile.programId,
      memberId: this.#profile.memberId,
      eventType,
      sourceReference,
      state: 'committed',
      points: entry.points,
      occurredAt,
      createdAt: this.now,
      reversalOf,
      reversedBy: null,
      receipt,
    };
    this.#transactions.push(transaction);
    return transaction;
  }

  /** Adds an audit entry for a change that fell due with time. Its actor is the system. */
  noteSystem(action: string, targetType: string, targetId: string, changes: object): void {
    this.audits.push({ action, targetType, targetId, changes, actor: systemActor });
  }

  /** Moves the profile's `nextDueAt` forward to an instant, unless it is that early already. */
  noteDue(at: Date): void {
    const { nextDueAt } = this.#profile;
    if (nextDueAt === null || at < nextDueAt) this.setProfile({ nextDueAt: at });
  }

  /** The rows that this book inserts and updates. The decision adds its own rows to them. */
  changes(): Pick<Decision, 'inserts' | 'updates'> {
    return {
      inserts: {
        transactions: this.#transactions,
        lots: [...this.#newLots.values()],
        postings: this.#postings,
      },
      updates: {
        profiles: this.#profile === this.#before ? [] : [this.#profile],
        lots: [...this.#lots.values()],
        orders: [...this.#orders.values()],
      },
    };
  }

  #keep(lot: LotRecord): void {
    const isNew = this.#newLots.has(lot.id) || this.#received.has(lot.id);
    (isNew ? this.#newLots : this.#lots).set(lot.id, lot);
  }
}

/** Issues points into a new lot: available at once, or pending where `activatesAt` is still to come. */
export function issueLot(
  book: Book,
  entry: OpenEntry,
  points: number,
  { activatesAt, expiresAt, inactivityDays }: Pick<LotRecord, 'activatesAt' | 'expiresAt' | 'inactivityDays'>,
): LotRecord {
  const lot = book.addLot(entry, points, { activatesAt, expiresAt, inactivityDays });
  const pending = activatesAt !== null && activatesAt > book.now;
  book.move(entry, lot.id, 'program.issuance', pending ? 'member.pending' : 'member.available', points);
  return lot;
}

/** The id of a transaction as callers see it: `txn_…`. */
export function transactionId(transaction: { id: string }): string {
  return toTypeId('txn', transaction.id);
}

function addTo(lot: LotRecord, account: Account, amount: number): void {
  const held = balanceOf(account);
  if (!held) return;
  const sum = lot[held] + amount;
  if (sum < 0 || sum > lot.granted) throw new RangeError(`a posting takes ${held} of a lot to ${sum}`);
  lot[held] = sum;
}
