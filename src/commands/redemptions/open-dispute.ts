import type { OpenDisputeInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Decision } from '../../ledger/command.ts';
import type { OwnedResource } from '../../ledger/resource-owner.ts';
import type { DisputeRecord } from '../../ledger/tables/redemption-disputes.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import { disputeNotices } from './dispute-decision.ts';
import { type ReservationCase, refuseUnless, reservationCommand } from './reservation-command.ts';

/** The most disputes that a reservation can have, open and closed: a read of the reservation returns all of them. */
const MOST_DISPUTES = 20;

/**
 * Opens a dispute about a committed redemption. An open dispute does not block other commands (decisions,
 * "Redemption"). Refusals: `reservation_not_found`, `invalid_redemption_state`, `dispute_limit_reached`.
 * @param resource null where the environment has no such reservation
 */
export function openDispute(
  input: OpenDisputeInput,
  resource: OwnedResource | null,
  caller: Caller,
): CommandOf<'openDispute'> {
  return reservationCommand('openDispute', input, resource, caller, disputeOpening, { disputes: true });
}

/** Opens a dispute. Refusals: `invalid_redemption_state`, `dispute_limit_reached`. */
export function disputeOpening(
  reservationCase: ReservationCase<Pick<OpenDisputeInput, 'reason' | 'evidence'>>,
): Decision<Receipt<'openDispute'>> | Refusal<'dispute_limit_reached' | 'invalid_redemption_state'> {
  const refusal = refuseUnless('committed', reservationCase, 'disputed');
  if (refusal) return refusal;
  const { input, reservation, externalCustomerId, state, now } = reservationCase;
  if (state.rowsOf('disputes', { reservationId: reservation.id }).length >= MOST_DISPUTES) {
    return refuse(
      'dispute_limit_reached',
      `The reservation has had ${MOST_DISPUTES} disputes, the most possible.`,
    );
  }
  const dispute: DisputeRecord = {
    id: state.newId(),
    reservationId: reservation.id,
    state: 'open',
    reason: input.reason,
    evidence: input.evidence ?? null,
    resolution: null,
    openedAt: now,
    closedAt: null,
  };
  return {
    ...disputeNotices('redemption.dispute_opened', dispute, reservation, externalCustomerId),
    inserts: { disputes: [dispute] },
    updates: {},
  };
}
