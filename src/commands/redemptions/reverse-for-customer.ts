import type { ReverseForCustomerInput } from '../../contract/generated/types.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { isRefusal } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { disputeOpening } from './open-dispute.ts';
import { type ReservationCase, reservationCommand } from './reservation-command.ts';
import { reversing } from './reverse-redemption.ts';

/**
 * Reverses a committed redemption at a customer's own request. Where the reward's terms let customers do so it is
 * reversed at once; otherwise a dispute is opened, on which the merchant decides. Refusals: those of
 * `reverseRedemption` and of `openDispute`.
 * @param resource null where the customer has no such reservation
 */
export function reverseForCustomer(
  input: ReverseForCustomerInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'reverseForCustomer'> {
  return reservationCommand('reverseForCustomer', input, resource, caller, decide, {
    settles: true,
    disputes: true,
  });
}

function decide(reservationCase: ReservationCase<ReverseForCustomerInput>): DecisionOf<'reverseForCustomer'> {
  const { input, reservation } = reservationCase;
  const { reason, cancellationEvidence = null } = input;
  if (reservation.terms.customerReversal === 'immediate') {
    const reversed = reversing(reservationCase, { reason, cancellationEvidence, amountMinor: null });
    return isRefusal(reversed) ? reversed : { ...reversed, receipt: { created: false, ...reversed.receipt } };
  }
  const opened = disputeOpening({ ...reservationCase, input: { reason, evidence: cancellationEvidence } });
  if (isRefusal(opened)) return opened;
  return { ...opened, receipt: { created: true, reservation: opened.receipt.reservation } };
}
