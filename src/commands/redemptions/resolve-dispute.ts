import type { ResolveDisputeInput } from '../../contract/generated/types.ts';
import { mergeDecisions } from '../../ledger/merge-decisions.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { DisputeRecord } from '../../ledger/tables/redemption-disputes.ts';
import { isRefusal } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { disputeNotices, openDisputeOf } from './dispute-decision.ts';
import { reversal } from './redemption-reversal.ts';
import { type ReservationCase, reservationCommand } from './reservation-command.ts';

/**
 * Resolves a dispute, and with `reverse` also reverses the redemption (decisions, "Redemption"). Refusals:
 * `reservation_not_found`, `dispute_not_found`, `invalid_dispute_state`; with `reverse` also those of
 * `reverseRedemption`.
 * @param resource null where the environment has no such reservation
 */
export function resolveDispute(
  input: ResolveDisputeInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'resolveDispute'> {
  return reservationCommand('resolveDispute', input, resource, caller, decide, {
    settles: true,
    disputes: true,
  });
}

function decide(reservationCase: ReservationCase<ResolveDisputeInput>): DecisionOf<'resolveDispute'> {
  const { input, externalCustomerId, now } = reservationCase;
  const openDispute = openDisputeOf(reservationCase);
  if (isRefusal(openDispute)) return openDispute;
  const { resolution, cancellationEvidence = null } = input;
  const dispute: DisputeRecord = { ...openDispute, state: 'resolved', resolution, closedAt: now };
  const resolved = 'redemption.dispute_resolved';
  if (!input.reverse) {
    return {
      ...disputeNotices(resolved, dispute, reservationCase.reservation, externalCustomerId),
      inserts: {},
      updates: { disputes: [dispute] },
    };
  }
  const reversed = reversal(reservationCase, {
    ...{ reason: resolution, cancellationEvidence, amountMinor: null },
  });
  if (isRefusal(reversed)) return reversed;
  const { reservation, changes } = reversed;
  // A command has one audit entry: this one tells of the reversal too.
  const notices = disputeNotices(resolved, dispute, reservation, externalCustomerId, changes);
  const closed = { updates: { disputes: [dispute] }, ...notices };
  return { receipt: notices.receipt, ...mergeDecisions(reversed.decided, closed) };
}
