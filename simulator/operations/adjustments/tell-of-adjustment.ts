import { made } from '../../model/expected-event.ts';
import type { Model, ModelAdjustment } from '../../model/model.ts';

/** Tells of an adjustment in its present state. */
export function tellOfAdjustment(
  model: Model,
  { profile, state, direction, points, reason }: ModelAdjustment,
): void {
  const posted = state === 'posted' || state === 'reversed';
  model.tell(`adjustment.${state}`, profile, {
    adjustmentId: made('adj'),
    state,
    direction,
    points,
    reason,
    ...(posted && { transactionId: made('txn') }),
    ...(state === 'reversed' && { reversalTransactionId: made('txn') }),
  });
}
