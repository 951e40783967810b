import type { ReverseRedemptionInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Decision } from '../../ledger/command.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { isRefusal } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import { type RefusedReversal, type ReversalGrounds, reversal } from './redemption-reversal.ts';
import {
  type ReservationCase,
  refuseUnless,
  reservationAudit,
  reservationCommand,
} from './reservation-command.ts';
import { refusePart } from './reversed-part.ts';

/**
 * Restores the points of a committed redemption (specification, GraphQL `reverseRedemption`): all of them, or those of
 * a part of a discount that was paid with points. Refusals: `reservation_not_found`, `invalid_redemption_state`,
 * `reversal_form_invalid`, `reversal_exceeds_remaining`, `cancellation_evidence_required`, `enrollment_required`,
 * `balance_limit_exceeded`.
 * @param resource null where the environment has no such reservation
 */
export function reverseRedemption(
  input: ReverseRedemptionInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'reverseRedemption'> {
  const { reason, cancellationEvidence = null, amountMinor = null } = input;
  return reservationCommand(
    'reverseRedemption',
    input,
    resource,
    caller,
    (reservationCase) =>
      refuseUnless('committed', reservationCase, 'reversed') ??
      refusePart(reservationCase.reservation, amountMinor) ??
      reversing(reservationCase, { reason, cancellationEvidence, amountMinor }),
    { settles: true },
  );
}

/** Reverses a redemption as a command of its own. Refusals: those of `reversal`. */
export function reversing(
  reservationCase: ReservationCase<object>,
  grounds: ReversalGrounds,
): Decision<Receipt<'reverseRedemption'>> | RefusedReversal {
  const reversed = reversal(reservationCase, grounds);
  if (isRefusal(reversed)) return reversed;
  const { reservation, changes, decided } = reversed;
  const audits = [reservationAudit('redemption.reversed', reservation, changes)];
  return {
    receipt: { reservation: reservationReceipt(reservation, reservationCase.externalCustomerId) },
    ...mergeDecisions(decided, { audits }),
  };
}
