import { toTypeId } from '../../ids.ts';
import type { Command, Decision } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import { adjustmentNotFound, type Refusal, refuse } from '../../refusal.ts';
import { timeDrivenCommand } from '../shared/time-driven-command.ts';
import type { OwnedAdjustment } from './adjustment-decision.ts';
import { adjustmentReceipt } from './adjustment-receipt.ts';

/**
 * Expires an adjustment that nobody has decided on in time (decisions, "Adjustments"). Moves no points. Refusals:
 * `adjustment_not_found`, `invalid_adjustment_state` where it is not due.
 * @param requestId of the run of the sweep, for the audit trail
 */
export function expireAdjustment(
  environmentId: string,
  resource: Omit<OwnedAdjustment, 'points'>,
  requestId: string,
): Command {
  const { id, programId, externalCustomerId } = resource;
  return timeDrivenCommand(
    'expireAdjustment',
    { environmentId, programId, externalCustomerId, requestId },
    [{ kind: 'adjustment', id }],
    (state, now) => decide(resource, state, now),
  );
}

function decide(
  { id, externalCustomerId }: Omit<OwnedAdjustment, 'points'>,
  state: State,
  now: Date,
): Decision | Refusal<'adjustment_not_found' | 'invalid_adjustment_state'> {
  const adjustment = state.row('adjustments', id);
  if (!adjustment) {
    return adjustmentNotFound;
  }
  if (adjustment.state !== 'requested' || adjustment.expiresAt > now) {
    return refuse('invalid_adjustment_state', `The adjustment is ${adjustment.state} and not due.`);
  }
  const expired = { ...adjustment, state: 'expired' as const };
  const { programId, direction, points, requestedBy } = expired;
  return {
    receipt: adjustmentReceipt(expired, externalCustomerId),
    inserts: {},
    updates: { adjustments: [expired] },
    audits: [
      {
        action: 'adjustment.expired',
        targetType: 'adjustment',
        targetId: toTypeId('adj', id),
        changes: { programId, direction, points, requestedBy },
      },
    ],
    webhookEvents: [],
  };
}
