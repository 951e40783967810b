import type { DecideAdjustmentInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import { spend } from '../../ledger/books/spend.ts';
import type { Decision } from '../../ledger/command.ts';
import { versionAt } from '../../programs/published/published-program.ts';
import { refuse } from '../../refusal.ts';
import { lotDates } from '../../rules/calendar/lot-dates.ts';
import { refuseOverflow, refuseShortage } from '../shared/balance-limit.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import {
  type AdjustmentCase,
  adjustmentCommand,
  adjustmentDecision,
  type OwnedAdjustment,
  refuseDecided,
  refuseEntry,
  type SettledBook,
  settledBook,
} from './adjustment-decision.ts';

/**
 * Posts a requested adjustment. The principal who requested it may not approve it, whichever API key is used
 * (specification, "two-person governance"). A credit adds a lot under the current expiration policy, whose points are
 * available at once. A debit spends available points.
 * Refusals: `adjustment_not_found`, `invalid_adjustment_state`, `self_approval_forbidden`; for a credit
 * `member_not_found`, `enrollment_required`, `balance_limit_exceeded`; for a debit `insufficient_points`.
 */
export function approveAdjustment(
  input: DecideAdjustmentInput,
  resource: OwnedAdjustment | null,
  caller: Caller,
): CommandOf<'approveAdjustment'> {
  return adjustmentCommand('approveAdjustment', input, resource, caller, decide);
}

function decide(adjustmentCase: AdjustmentCase): DecisionOf<'approveAdjustment'> {
  const { adjustment, principal } = adjustmentCase;
  const undecided = refuseDecided(adjustmentCase);
  if (undecided) return undecided;
  if (adjustment.requestedBy === principal) {
    return refuse('self_approval_forbidden', 'Another principal than the one who asked has to approve this.');
  }
  return adjustment.direction === 'credit' ? credit(adjustmentCase) : debit(adjustmentCase);
}

function credit(adjustmentCase: AdjustmentCase): DecisionOf<'approveAdjustment'> {
  const { adjustment, state, now } = adjustmentCase;
  const { programId, points } = adjustment;
  const barred = refuseEntry(adjustmentCase);
  if (barred) return barred;
  const page = settledBook(adjustmentCase);
  const overflow = refuseOverflow(page.book.profile, points);
  if (overflow) return overflow;
  const program = state.program(programId);
  const version = program && versionAt(program, now);
  if (!version)
    throw new Error(`no version of ${programId} is in effect, and yet members are enrolled in it`);
  const { pending: _pending, ...document } = version.document;
  const entry = openEntry(page, adjustmentCase);
  const lot = page.book.addLot(entry, points, lotDates(document, now, now));
  page.book.move(entry, lot.id, 'program.adjustment', 'member.available', points);
  return posted(adjustmentCase, page, entry);
}

function debit(adjustmentCase: AdjustmentCase): DecisionOf<'approveAdjustment'> {
  const { points } = adjustmentCase.adjustment;
  const page = settledBook(adjustmentCase);
  const shortage = refuseShortage(page.book.profile, points);
  if (shortage) return shortage;
  const entry = openEntry(page, adjustmentCase);
  const { programId, externalCustomerId } = adjustmentCase.resource;
  spend(
    page.book,
    entry,
    adjustmentCase.state.loadedPoints(programId, externalCustomerId),
    points,
    'program.adjustment',
  );
  return posted(adjustmentCase, page, entry);
}

function openEntry({ book }: SettledBook, { adjustment }: AdjustmentCase) {
  return book.open({ eventType: 'adjustment.posted', sourceReference: toTypeId('adj', adjustment.id) });
}

function posted(
  adjustmentCase: AdjustmentCase,
  page: SettledBook,
  entry: ReturnType<typeof openEntry>,
): Decision<Receipt<'approveAdjustment'>> {
  const transaction = page.book.close(entry);
  return adjustmentDecision(
    adjustmentCase,
    {
      ...adjustmentCase.adjustment,
      state: 'posted',
      decidedBy: adjustmentCase.principal,
      decidedAt: adjustmentCase.now,
      decisionReason: adjustmentCase.input.reason,
      transactionId: transaction.id,
    },
    { ...page, transaction },
  );
}
