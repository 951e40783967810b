import { madeId } from '../../model/expected-event.ts';
import type { Model, ModelAdjustment } from '../../model/model.ts';

/** Tells of an adjustment in its present state. */
export function tellOfAdjustment(
  model: Model,
  { profile, state, direction, points, reason }: ModelAdjustment,
): void {
  const posted = state === 'posted' || state === 'reversed';
  model.tell(`adjustment.${state}`, profile, {
    adjustmentId: madeId('adj'),
    state,
    direction,
    points,
    reason,
    ...(posted && { transactionId: madeId('txn') }),
    ...(state === 'reversed' && { reversalTransactionId: madeId('txn') }),
  });
}
