import type { DecideAdjustmentInput } from '../../contract/generated/types.ts';
import type { Receipt } from '../../contract/receipt.ts';
import type { Command } from '../../ledger/command.ts';
import type { Caller } from '../shared/caller.ts';
import {
  adjustmentCommand,
  adjustmentDecision,
  type NamedAdjustment,
  refuseDecided,
} from './adjustment-decision.ts';

/**
 * Rejects a requested adjustment; who asked for it may so withdraw it. Moves nothing, and goes on while Production is
 * locked. Refusals: `adjustment_not_found`, `invalid_adjustment_state`.
 */
export function rejectAdjustment(
  input: DecideAdjustmentInput,
  named: NamedAdjustment | null,
  caller: Caller,
): Command<Receipt<'rejectAdjustment'>> {
  return {
    ...adjustmentCommand('rejectAdjustment', input, named, caller, (one) => {
      return (
        refuseDecided(one) ??
        adjustmentDecision(one, {
          ...one.adjustment,
          state: 'rejected',
          decidedBy: one.principal,
          decidedAt: one.now,
          decisionReason: one.input.reason,
        })
      );
    }),
    allowedWhileLocked: true,
  };
}
