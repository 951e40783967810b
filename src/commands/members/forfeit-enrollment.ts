import { toTypeId } from '../../ids.ts';
import { Book, transactionId } from '../../ledger/books/book.ts';
import { endHold } from '../../ledger/books/holds.ts';
import { expireLots, settle } from '../../ledger/books/settle.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import { memberNotFound, profileNotFound, type Refusal } from '../../refusal.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import type { Caller } from '../shared/caller.ts';
import { NO_FINGERPRINT } from '../shared/time-driven-command.ts';
import { leaving } from './unenroll-member.ts';

/** The receipt of a forfeited enrollment. */
export interface ForfeitReceipt {
  /** Points that the member lost, in the smallest loyalty unit. */
  points: number;
  /** False where the member was not enrolled: nothing was written. */
  changed: boolean;
}

/**
 * Ends a member's enrollment with the points that are left: open holds expire, and all available and pending points
 * expire with a posting to `program.expiry`. Only operators send it, before they erase a member, so it has no
 * idempotency key, and it is allowed while Production is locked. Refusals: `member_not_found`, `profile_not_found`.
 */
export function forfeitEnrollment(
  programId: string,
  externalCustomerId: string,
  caller: Caller,
): Command<ForfeitReceipt> {
  return {
    environmentId: caller.environmentId,
    operation: 'forfeitEnrollment',
    idempotencyKey: null,
    fingerprint: NO_FINGERPRINT,
    actor: caller.actor,
    requestId: caller.requestId,
    laneKey: externalCustomerId,
    allowedWhileLocked: true,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      // More than anybody has: every open lot is loaded.
      { kind: 'points', programId, externalCustomerId, points: Number.MAX_SAFE_INTEGER },
      { kind: 'pendingLots', programId, externalCustomerId },
      { kind: 'openQuotes', programId, externalCustomerId },
      { kind: 'choiceGrants', externalCustomerId },
    ],
    decide: (state, now) => decide(programId, externalCustomerId, caller, state, now),
  };
}

function decide(
  programId: string,
  externalCustomerId: string,
  caller: Caller,
  state: State,
  now: Date,
): Decision<ForfeitReceipt> | Refusal<'member_not_found' | 'profile_not_found'> {
  const member = state.member(externalCustomerId);
  if (!member || member.status === 'erased') {
    return memberNotFound;
  }
  const profile = state.profile(programId, externalCustomerId);
  if (!profile) return profileNotFound;
  if (!profile.enrolled) {
    const receipt = { points: 0, changed: false };
    return { receipt, inserts: {}, updates: {}, audits: [], webhookEvents: [] };
  }
  const book = new Book(profile, state, now);
  const loaded = state.loadedPoints(programId, externalCustomerId);
  let settled = settle(book, loaded, state);
  for (const reservation of loaded.reservations) {
    if (settled.reservations.some(({ id }) => id === reservation.id)) continue;
    const ending = { state: 'expired', reason: null, externalCustomerId } as const;
    const ended = endHold(book, state, reservation, ending, settled);
    settled = ended.changes;
    book.audits.push({
      action: 'redemption.expired',
      targetType: 'reservation',
      targetId: toTypeId('rsv', reservation.id),
      changes: { transactionId: transactionId(ended.transaction), points: reservation.points },
    });
  }
  const points = book.profile.available + book.profile.pending;
  expireLots(
    book,
    loaded.lots.map(({ id }) => book.lot(id)).filter((lot) => lot.available > 0 || lot.pending > 0),
  );
  const memberId = toTypeId('mem', member.id);
  const { noticeVersion } = member;
  return bookedDecision(book, settled, {
    receipt: { points, changed: true },
    ...leaving({ book, member, state, caller, consent: { noticeVersion, evidence: null, reason: null } }),
    audits: [
      {
        action: 'member.unenrolled',
        targetType: 'member',
        targetId: memberId,
        changes: { programId, noticeVersion, forfeited: points },
      },
    ],
    webhookEvents: [
      { type: 'member.unenrolled', data: { memberId, externalCustomerId, programId, reason: 'forfeited' } },
    ],
  });
}
