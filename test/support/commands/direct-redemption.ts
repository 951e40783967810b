import { newUuid } from '../../../src/ids.ts';
import { Book } from '../../../src/ledger/books/book.ts';
import { endHold, type HoldChanges, heldBy } from '../../../src/ledger/books/holds.ts';
import { settle } from '../../../src/ledger/books/settle.ts';
import { spend } from '../../../src/ledger/books/spend.ts';
import type { Command, Decision } from '../../../src/ledger/command.ts';
import type { State } from '../../../src/ledger/state.ts';
import type { ReservationRecord } from '../../../src/ledger/tables/redemption-reservations.ts';
import type { RewardTerms } from '../../../src/rules/rewards.ts';
import type { Desk } from './desk.ts';

/** Redemptions of ann's points in `coffee-club`, posted by the ledger directly, without rewards and quotes. */
const programId = 'coffee-club';
const externalCustomerId = 'ann';

const terms: RewardTerms = {
  configurationVersion: 1,
  rewardName: 'A mug',
  description: null,
  holdSeconds: 1800,
  cancellationEvidenceRequired: false,
  graceDays: 30,
  inventory: null,
};

/** Holds points for half an hour. @returns the reservation's UUID */
export function holdPoints(desk: Desk, points: number): string {
  const id = newUuid();
  run(desk, (state, now) => {
    const { book, loaded, settled } = settledBook(state, now);
    const entry = book.open({ eventType: 'redemption.reserved' });
    spend(book, entry, loaded, points, 'member.reserved');
    book.close(entry);
    const { memberId } = book.profile;
    const expiresAt = new Date(now.getTime() + terms.holdSeconds * 1000);
    const common = {
      programId,
      memberId,
      rewardId: 'mug',
      sourceReference: `r-${id}`,
      points,
      terms,
      expiresAt,
    };
    book.noteDue(expiresAt);
    const decision = written(book, settled);
    const quoteId = newUuid();
    decision.inserts.quotes = [{ ...common, id: quoteId, state: 'reserved', createdAt: now }];
    decision.inserts.reservations = [
      {
        ...common,
        id,
        quoteId,
        state: 'reserved',
        reserveTransactionId: entry.id,
        commitTransactionId: null,
        transactionId: entry.id,
        reversedMinor: 0,
        reversedPoints: 0,
        authorizationReference: null,
        reason: null,
        cancellationEvidence: null,
        fulfillmentStatus: null,
        fulfillmentReference: null,
        reservedAt: now,
        changedAt: now,
      },
    ];
    return decision;
  });
  return id;
}

/** Gives held points back. */
export function releasePoints(desk: Desk, id: string): void {
  const book = (state: State, now: Date): Decision => {
    const { book, settled } = settledBook(state, now);
    const ending = { state: 'released', reason: 'test', externalCustomerId } as const;
    const { changes } = endHold(book, state, reservationOf(state, id), ending, settled);
    return written(book, changes);
  };
  run(desk, book, [{ kind: 'reservation', id }]);
}

/** Spends points at once. @returns the lots that they came from */
export function spendPoints(desk: Desk, points: number): void {
  run(desk, (state, now) => {
    const { book, loaded, settled } = settledBook(state, now);
    const entry = book.open({ eventType: 'redemption.committed' });
    spend(book, entry, loaded, points, 'program.redemption');
    book.close(entry);
    return written(book, settled);
  });
}

/** Spends held points, and restores them at once: what a reversal does. */
export function commitAndReverse(desk: Desk, id: string): void {
  run(
    desk,
    (state, now) => {
      const { book, settled } = settledBook(state, now);
      const reservation = reservationOf(state, id);
      const commit = book.open({ eventType: 'redemption.committed' });
      const reversal = book.open({ eventType: 'redemption.reversed', reversalOf: commit.id });
      for (const { lotId, amount } of heldBy(state, reservation)) {
        book.move(commit, lotId, 'member.reserved', 'program.redemption', amount);
      }
      book.close(commit);
      for (const { lotId, amount } of heldBy(state, reservation)) {
        book.giveBack(reversal, lotId, 'program.redemption', amount);
      }
      book.close(reversal);
      const reversed: ReservationRecord = {
        ...reservation,
        state: 'reversed',
        commitTransactionId: commit.id,
        transactionId: reversal.id,
      };
      return written(book, { ...settled, reservations: [...settled.reservations, reversed] });
    },
    [{ kind: 'reservation', id }],
  );
}

/** Settles ann's profile. */
export function settlePoints(desk: Desk): void {
  run(desk, (state, now) => {
    const { book, settled } = settledBook(state, now);
    return written(book, settled);
  });
}

function settledBook(state: State, now: Date) {
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) throw new Error('ann has no profile');
  const book = new Book(profile, state, now);
  const loaded = state.loadedPoints(programId, externalCustomerId);
  const settled = settle(book, loaded, state);
  return { book, loaded, settled };
}

function reservationOf(state: State, id: string): ReservationRecord {
  const reservation = state.row('reservations', id);
  if (!reservation) throw new Error(`no reservation ${id}`);
  return reservation;
}

function written(book: Book, settled: HoldChanges): Decision {
  const { inserts, updates } = book.changes();
  return {
    receipt: {},
    inserts,
    updates: { ...updates, reservations: [...settled.reservations] },
    audits: book.audits,
    webhookEvents: [],
  };
}

function run(desk: Desk, decide: Command['decide'], subjects: Command['subjects'] = []): void {
  desk.run({
    environmentId: desk.caller.environmentId,
    operation: 'test',
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    actor: desk.caller.actor,
    requestId: desk.caller.requestId,
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'points', programId, externalCustomerId, points: 1_000_000_000 },
      ...subjects,
    ],
    decide,
  });
}
