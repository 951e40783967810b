import { toTypeId } from '../../ids.ts';
import { type AuditEntry, type Decision, type State, systemActor, type WebhookEvent } from '../command.ts';
import type { LotRecord } from '../tables/lots.ts';
import type { OrderRecord } from '../tables/orders.ts';
import type { Account, PostingRecord } from '../tables/postings.ts';
import type { ProfileRecord } from '../tables/program-profiles.ts';
import type { EventType, TransactionRecord } from '../tables/transactions.ts';
import { balanceOf, post } from './posting.ts';

/** What a transaction says of itself beside its points. */
export interface EntryHeader {
  eventType: EventType;
  sourceReference?: string | null;
  /** When it happened; now where absent. */
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
 * The page of one profile in the ledger while one decision is made: postings go in, and profile, lots, orders and
 * transactions come out as they will be. Pure. Every change of points of a decision goes through `move`, so that
 * postings, lots and balances cannot part.
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
  readonly #orders = new Map<string, OrderRecord>();
  #profile: ProfileRecord;

  constructor(profile: ProfileRecord, state: State, now: Date) {
    this.#before = profile;
    this.#profile = profile;
    this.#state = state;
    this.now = now;
  }

  /** The profile after what has been posted. */
  get profile(): ProfileRecord {
    return this.#profile;
  }

  /** Changes what is no balance: tier, activity, the next due instant. */
  setProfile(
    changes: Partial<Omit<ProfileRecord, 'memberId' | 'programId' | 'available' | 'pending' | 'reserved'>>,
  ): void {
    this.#profile = { ...this.#profile, ...changes };
  }

  /** A lot after what has been posted. */
  lot(id: string): LotRecord {
    return this.#newLots.get(id) ?? this.#lots.get(id) ?? this.#state.lot(id);
  }

  /** Changes what is no amount of a lot. */
  setLot(id: string, changes: Pick<Partial<LotRecord>, 'expiresAt' | 'claimed'>): void {
    this.#keep({ ...this.lot(id), ...changes });
    if (changes.expiresAt) this.noteDue(changes.expiresAt);
  }

  /** An order after what has been paid of its claims here. @param stored as the state has it */
  order(stored: OrderRecord): OrderRecord {
    return this.#orders.get(stored.sourceReference) ?? stored;
  }

  /** An order that has a claim on a lot, after what has been paid of it. */
  setOrder(order: OrderRecord): void {
    this.#orders.set(order.sourceReference, order);
  }

  open(header: EntryHeader): OpenEntry {
    return { id: this.#state.newId(), header, points: 0, lines: 0 };
  }

  /**
   * Adds a lot that holds nothing yet: `move` fills it.
   * @param granted what will be moved into it; positive
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
      createdAt: this.now,
    };
    this.#newLots.set(lot.id, lot);
    return lot;
  }

  /**
   * Posts an amount from one account to another, on a lot: the lot's amounts and the profile's balances follow.
   * Nothing is posted for 0.
   * @throws where an amount of the lot or a balance would leave 0 to 2^53-1: the command should have refused before
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
      lotId,
      createdAt: this.now,
    };
    this.#postings.push(posting);
    this.#profile = post(this.#profile, posting);
    this.#keep(lot);
    if (creditAccount === 'member.pending' && lot.activatesAt) this.noteDue(lot.activatesAt);
    if (creditAccount === 'member.available' && lot.expiresAt) this.noteDue(lot.expiresAt);
  }

  /**
   * Gives points back to a lot, after they have paid what a return has claimed of it (decisions, "Returns").
   * @param debitAccount where they come from: held or spent
   * @returns what the claim took
   */
  giveBack(entry: OpenEntry, lotId: string, debitAccount: Account, amount: number): number {
    const lot = this.lot(lotId);
    const paid = Math.min(amount, lot.claimed);
    if (paid > 0) {
      this.move(entry, lotId, debitAccount, 'program.issuance', paid);
      this.setLot(lotId, { claimed: lot.claimed - paid });
      const order = this.order(this.#state.orderOf(lot));
      this.setOrder({ ...order, clawedBack: order.clawedBack + paid });
    }
    this.move(entry, lotId, debitAccount, 'member.available', amount - paid);
    return paid;
  }

  /** Ends a transaction. Its receipt is what it is answered with, where it is what a command is answered with. */
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

  /** Audits what time has done, in the name of the system. */
  noteSystem(action: string, targetType: string, targetId: string, changes: object): void {
    this.audits.push({ action, targetType, targetId, changes, actor: systemActor });
  }

  /** The profile has something to come no later than then. */
  noteDue(at: Date): void {
    const { nextDueAt } = this.#profile;
    if (nextDueAt === null || at < nextDueAt) this.setProfile({ nextDueAt: at });
  }

  /** What has been posted and changed, for the decision. The decision's own rows are laid beside these. */
  written(): Pick<Decision, 'inserts' | 'updates'> {
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
    (this.#newLots.has(lot.id) ? this.#newLots : this.#lots).set(lot.id, lot);
  }
}

/** Issues points into a lot of their own: available, or pending where they become available later than now. */
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

/** The outer id of a transaction. */
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
