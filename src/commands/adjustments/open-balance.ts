import { toTypeId } from '../../ids.ts';
import { Book, issueLot } from '../../ledger/books/book.ts';
import { settleDue } from '../../ledger/books/settle.ts';
import type { Command, Decision, EventData } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import { isActive } from '../../ledger/tables/members.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { programNotFound, type Refusal, refuse } from '../../refusal.ts';
import { type LotDates, lotDates } from '../../rules/calendar/lot-dates.ts';
import { refuseOverflow } from '../shared/balance-limit.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import { type Caller, importEnvelope, type Keyed } from '../shared/caller.ts';
import { noActiveMember } from '../shared/no-active-member.ts';

/** Points that a member brings along from another system. */
export interface OpenBalanceInput extends Keyed {
  programId: string;
  externalCustomerId: string;
  /** Names this credit; the idempotency key is made from it, so each reference is posted once. */
  reference: string;
  /** In the smallest loyalty unit; 1 to 2^53-1. */
  points: number;
  /** RFC 3339; `never`; or null for the program's expiration policy. */
  expiresAt: string | null;
}

export interface OpenBalanceReceipt {
  balance: {
    reference: string;
    /** TypeID. */
    transactionId: string;
    programId: string;
    points: number;
    /** RFC 3339; null where the points never expire. */
    expiresAt: string | null;
  };
}

/**
 * Posts an opening balance: a lot with a date of its own, from `program.issuance`. It is no award: it earns no
 * qualification points, is no activity, and sends no `points.earned`. Refusals: `program_not_found`,
 * `member_not_found`, `enrollment_required`, `validation_failed` for a date that has passed, `balance_limit_exceeded`.
 */
export function openBalance(input: OpenBalanceInput, caller: Caller): Command<OpenBalanceReceipt> {
  const { programId, externalCustomerId } = input;
  return {
    ...importEnvelope('openBalance', input, caller),
    laneKey: externalCustomerId,
    subjects: [
      { kind: 'member', externalCustomerId },
      { kind: 'profile', programId, externalCustomerId },
      { kind: 'due', programId, externalCustomerId },
    ],
    decide: (state, now) => decide(input, state, now),
  };
}

function decide(input: OpenBalanceInput, state: State, now: Date): Decision<OpenBalanceReceipt> | Refusal {
  const { programId, externalCustomerId, reference, points } = input;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version) return programNotFound;
  if (!isActive(state.member(externalCustomerId))) return noActiveMember;
  const profile = state.profile(programId, externalCustomerId);
  if (!profile?.enrolled) {
    return refuse('enrollment_required', 'The member is not enrolled in this program: points cannot enter.');
  }
  const dates = datesOf(input, version.document, now);
  if (dates.expiresAt && dates.expiresAt <= now) {
    const message = 'must be in the future';
    return refuse('validation_failed', 'The points have expired.', [{ path: 'expiresAt', message }]);
  }
  const book = new Book(profile, state, now);
  const settled = settleDue(book, externalCustomerId, state);
  const overflow = refuseOverflow(book.profile, points);
  if (overflow) return overflow;
  const entry = book.open({ eventType: 'adjustment.posted', sourceReference: reference });
  issueLot(book, entry, points, dates);
  const transactionId = toTypeId('txn', entry.id);
  const expiresAt = dates.expiresAt?.toISOString() ?? null;
  const receipt: OpenBalanceReceipt = { balance: { reference, transactionId, programId, points, expiresAt } };
  const transaction = book.close(entry, receipt);
  const changes = { programId, points, expiresAt };
  const decision = bookedDecision(book, settled, {
    receipt,
    audits: [{ action: 'balance.opened', targetType: 'transaction', targetId: transactionId, changes }],
    webhookEvents: [{ type: 'adjustment.posted', data: postedEvent(transaction, transactionId) }],
  });
  return { ...decision, receiptOf: transaction };
}

/** The data of `adjustment.posted`: mirrors get the balances by it, as by every change of points. */
function postedEvent({ programId, memberId, points }: TransactionRecord, transactionId: string): EventData {
  return {
    adjustmentId: null,
    state: 'posted',
    programId,
    memberId: toTypeId('mem', memberId),
    direction: 'credit',
    points,
    reason: 'opening balance',
    transactionId,
  };
}

/** The dates of the lot, whose points are available at once. */
function datesOf({ expiresAt }: OpenBalanceInput, document: ProgramDocument, now: Date): LotDates {
  if (expiresAt === null) {
    const { pending: _pending, ...policies } = document;
    return lotDates(policies, now, now);
  }
  return {
    activatesAt: null,
    expiresAt: expiresAt === 'never' ? null : new Date(expiresAt),
    inactivityDays: null,
  };
}
