import { expireAdjustment } from '../../../src/commands/adjustments/expire-adjustment.ts';
import { operation } from '../../client/intent.ts';
import { referenceTo } from '../../client/lookups.ts';

interface Input {
  adjustmentId: string;
  customer: string;
}

/**
 * The job that expires requests without a decision. Now and then it is run on other adjustments, which it must refuse.
 */
export const expireAdjustmentOperation = operation<Input>({
  name: 'expireAdjustment',
  weight: 5,
  allowedWhileLocked: true,
  keyless: true,
  invent({ random, memory, customers, model, now }) {
    const adjustment = memory.pick('adjustment', random, customers, (id) => {
      const adjustment = model.adjustments.get(model.names.get(id) ?? '');
      return adjustment?.state === 'requested' && adjustment.expiresAt <= now.getTime();
    });
    // The job passes only adjustments that exist.
    if (!adjustment || !model.adjustments.get(model.names.get(adjustment.id) ?? '')) return null;
    return { adjustmentId: adjustment.id, customer: adjustment.externalCustomerId };
  },
  alter: (input) => input,
  lookup: ({ adjustmentId }) => referenceTo('adjustment', adjustmentId),
  command({ adjustmentId }, { environmentId, requestId }, owner) {
    const reference = referenceTo('adjustment', adjustmentId);
    if (!reference || !owner) throw new Error(`${adjustmentId} was there and is not`);
    return expireAdjustment(environmentId, { ...owner, id: reference.id }, requestId);
  },
  predict(model, { adjustmentId }, { now }) {
    const name = model.names.get(adjustmentId) ?? '';
    const adjustment = model.adjustments.get(name);
    if (!adjustment) return { code: 'adjustment_not_found' };
    if (adjustment.state !== 'requested' || adjustment.expiresAt > now.getTime()) {
      return { code: 'invalid_adjustment_state' };
    }
    model.adjustments.set(name, { ...adjustment, state: 'expired' });
    return { receipt: { adjustment: { id: adjustmentId, state: 'expired' } } };
  },
});
