import type { RejectDisputeInput } from '../../contract/generated/types.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { DisputeRecord } from '../../ledger/tables/redemption-disputes.ts';
import { isRefusal } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { disputeNotices, openDisputeOf } from './dispute-decision.ts';
import { reservationCommand } from './reservation-command.ts';

/**
 * Rejects a dispute (decisions, "Redemption"). Refusals: `reservation_not_found`, `dispute_not_found`,
 * `invalid_dispute_state`.
 * @param resource null where the environment has no such reservation
 */
export function rejectDispute(
  input: RejectDisputeInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'rejectDispute'> {
  return reservationCommand(
    'rejectDispute',
    input,
    resource,
    caller,
    (reservationCase) => {
      const openDispute = openDisputeOf(reservationCase);
      if (isRefusal(openDispute)) return openDispute;
      const dispute: DisputeRecord = {
        ...openDispute,
        state: 'rejected',
        resolution: input.reason,
        closedAt: reservationCase.now,
      };
      return {
        ...disputeNotices(
          'redemption.dispute_rejected',
          dispute,
          reservationCase.reservation,
          reservationCase.externalCustomerId,
        ),
        inserts: {},
        updates: { disputes: [dispute] },
      };
    },
    { disputes: true },
  );
}
