import type { ReleaseRedemptionInput } from '../../contract/generated/types.ts';
import { Book, transactionId } from '../../ledger/books/book.ts';
import { endHold } from '../../ledger/books/holds.ts';
import { expireLapsed, settle } from '../../ledger/books/settle.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import { bookedDecision } from '../shared/booked-decision.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf, DecisionOf } from '../shared/operation-command.ts';
import { reservationReceipt } from './redemption-receipt.ts';
import {
  type ReservationCase,
  refuseUnless,
  reservationAudit,
  reservationCommand,
} from './reservation-command.ts';

/**
 * Gives held points back to their lots. Points of lots that have lapsed expire at once (specification, GraphQL
 * `releaseRedemption`). Allowed while Production is locked. Refusals: `reservation_not_found`,
 * `invalid_redemption_state`.
 * @param resource null where the environment has no such reservation
 */
export function releaseRedemption(
  input: ReleaseRedemptionInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'releaseRedemption'> {
  return reservationCommand('releaseRedemption', input, resource, caller, decide, {
    allowedWhileLocked: true,
    settles: true,
  });
}

function decide(reservationCase: ReservationCase<ReleaseRedemptionInput>): DecisionOf<'releaseRedemption'> {
  const { externalCustomerId, profile, state, now } = reservationCase;
  const { reason } = reservationCase.input;
  const refusal = refuseUnless('reserved', reservationCase, 'released');
  if (refusal) return refusal;
  const book = new Book(profile, state, now);
  const loaded = state.loadedPoints(profile.programId, externalCustomerId);
  const settled = settle(book, loaded, state);
  const ending = { state: 'released', reason, externalCustomerId } as const;
  const released = endHold(book, state, reservationCase.reservation, ending, settled);
  expireLapsed(
    book,
    loaded.lots.map(({ id }) => id),
  );
  const { transaction, reservation, changes } = released;
  return bookedDecision(book, changes, {
    receipt: { reservation: reservationReceipt(reservation, externalCustomerId) },
    audits: [
      reservationAudit('redemption.released', reservation, {
        transactionId: transactionId(transaction),
      }),
    ],
    webhookEvents: [],
  });
}
