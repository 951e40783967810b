import type { DecideAdjustmentInput } from '../../contract/generated/types.ts';
import type { Caller } from '../shared/caller.ts';
import type { CommandOf } from '../shared/operation-command.ts';
import {
  adjustmentCommand,
  adjustmentDecision,
  type OwnedAdjustment,
  refuseDecided,
} from './adjustment-decision.ts';

/**
 * Rejects a requested adjustment. The principal who requested it may also reject it, which withdraws the request. The
 * command moves no points and is allowed while Production is locked. Refusals: `adjustment_not_found`,
 * `invalid_adjustment_state`.
 */
export function rejectAdjustment(
  input: DecideAdjustmentInput,
  resource: OwnedAdjustment | null,
  caller: Caller,
): CommandOf<'rejectAdjustment'> {
  return {
    ...adjustmentCommand('rejectAdjustment', input, resource, caller, (adjustmentCase) => {
      return (
        refuseDecided(adjustmentCase) ??
        adjustmentDecision(adjustmentCase, {
          ...adjustmentCase.adjustment,
          state: 'rejected',
          decidedBy: adjustmentCase.principal,
          decidedAt: adjustmentCase.now,
          decisionReason: adjustmentCase.input.reason,
        })
      );
    }),
    allowedWhileLocked: true,
  };
}
