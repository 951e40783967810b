import type { DecideAdjustmentInput } from '../../contract/generated/types.ts';
import { toTypeId } from '../../ids.ts';
import type { OpenEntry } from '../../ledger/books/book.ts';
import { takeCredit } from '../../ledger/books/lent-points.ts';
import { type LotAmount, lotAmounts } from '../../ledger/books/lot-amounts.ts';
import { restorePoints } from '../../ledger/books/restore-points.ts';
import type { TransactionRecord } from '../../ledger/tables/transactions.ts';
import { refuse } from '../../refusal.ts';
import { refuseOverflow, refuseShortage } from '../shared/balance-limit.ts';
import type { Caller } from '../shared/caller.ts';
import { graceDaysAt } from '../shared/grace-days.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import {
  type AdjustmentCase,
  adjustmentCommand,
  adjustmentDecision,
  type OwnedAdjustment,
  refuseEntry,
  type SettledBook,
  settledBook,
} from './adjustment-decision.ts';

/**
 * Reverses a posted adjustment. The principal who requested it may not reverse it. The points of a credit are taken out
 * of its own lot. Where that lot has too few, the rest is taken out of the member's other lots, soonest-expiring first,
 * and the credit's lot owes it to them: points that come back to it later go there. The points of a debit are given
 * back to the lots that they were taken from. Refusals: `adjustment_not_found`, `invalid_adjustment_state`,
 * `self_approval_forbidden`; for a credit `insufficient_points`; for a debit `member_not_found`, `enrollment_required`,
 * `balance_limit_exceeded`.
 */
export function reverseAdjustment(
  input: DecideAdjustmentInput,
  resource: OwnedAdjustment | null,
  caller: Caller,
): CommandOf<'reverseAdjustment'> {
  return adjustmentCommand('reverseAdjustment', input, resource, caller, decide);
}

function decide(adjustmentCase: AdjustmentCase): DecisionOf<'reverseAdjustment'> {
  const { adjustment, principal, state } = adjustmentCase;
  if (adjustment.state !== 'posted' || adjustment.transactionId === null) {
    return refuse(
      'invalid_adjustment_state',
      `The adjustment is ${adjustment.state}: only a posted one can be reversed.`,
    );
  }
  if (adjustment.requestedBy === principal) {
    return refuse('self_approval_forbidden', 'Another principal than the one who asked has to reverse this.');
  }
  const { direction, transactionId: reversalOf } = adjustment;
  const barred = direction === 'debit' ? refuseEntry(adjustmentCase) : null;
  if (barred) return barred;
  const page = settledBook(adjustmentCase);
  const refuseAmount = direction === 'credit' ? refuseShortage : refuseOverflow;
  const impossible = refuseAmount(page.book.profile, adjustment.points);
  if (impossible) return impossible;
  const entry = page.book.open({
    eventType: 'adjustment.reversed',
    sourceReference: toTypeId('adj', adjustment.id),
    reversalOf,
  });
  const posted = lotAmounts(state, reversalOf);
  const graceDays = graceDaysAt(state.program(adjustment.programId), adjustmentCase.now);
  const transaction =
    direction === 'credit'
      ? reverseCredit(adjustmentCase, page, entry, posted)
      : restorePoints(page.book, entry, posted, 'program.adjustment', graceDays);
  return adjustmentDecision(
    adjustmentCase,
    {
      ...adjustment,
      state: 'reversed',
      reversedBy: principal,
      decidedAt: adjustmentCase.now,
      decisionReason: adjustmentCase.input.reason,
      reversalTransactionId: transaction.id,
    },
    {
      ...page,
      transaction,
      reversed: [{ id: reversalOf, state: 'reversed', reversedBy: transaction.id }],
    },
  );
}

function reverseCredit(
  { resource, state }: AdjustmentCase,
  { book }: SettledBook,
  entry: OpenEntry,
  posted: readonly LotAmount[],
): TransactionRecord {
  const loaded = state.loadedPoints(resource.programId, resource.externalCustomerId);
  for (const granted of posted) takeCredit(book, entry, loaded, granted, 'program.adjustment');
  return book.close(entry);
}
