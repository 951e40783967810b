import type { ReverseForCustomerInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import { toTypeId } from '../../ids.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { isRefusal, type Refusal } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import { disputeOpening } from './open-dispute.ts';
import { reversal } from './redemption-reversal.ts';
import { type ReservationCase, reservationCommand } from './reservation-command.ts';

/**
 * Reverses a committed redemption at a customer's own request. Where the reward's terms let customers do so it is reversed
 * at once; otherwise a dispute is opened, on which the merchant decides. Refusals: those of `reverseRedemption` and of
 * `openDispute`.
 * @param resource null where the customer has no such reservation
 */
export function reverseForCustomer(
  input: ReverseForCustomerInput,
  resource: OwnedResource | null,
  caller: Caller,
): Command<Receipt<'reverseForCustomer'>> {
  return reservationCommand('reverseForCustomer', input, resource, caller, decide, {
    settles: true,
    disputes: true,
  });
}

function decide(
  reservationCase: ReservationCase<ReverseForCustomerInput>,
): Decision<Receipt<'reverseForCustomer'>> | Refusal {
  const { input, reservation } = reservationCase;
  const { reason, cancellationEvidence = null } = input;
  const id = toTypeId('rsv', reservation.id);
  if (reservation.terms.customerReversal !== 'immediate') {
    const opened = disputeOpening({ ...reservationCase, input: { reason, evidence: cancellationEvidence } });
    if (isRefusal(opened)) return opened;
    return { ...opened, receipt: { created: true, reservation: { id, state: reservation.state } } };
  }
  const reversed = reversal(reservationCase, { reason, cancellationEvidence });
  if (isRefusal(reversed)) return reversed;
  return {
    receipt: { created: false, reservation: { id, state: reversed.reservation.state } },
    ...reversed.decided,
  };
}
