import type { OwnedAdjustment } from '../../../src/commands/adjustments/adjustment-decision.ts';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { rejectAdjustment } from '../../../src/commands/adjustments/reject-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { type Operation, operation } from '../../client/intent.ts';
import { referenceTo } from '../../client/lookups.ts';
import { datesOf } from '../../model/dates.ts';
import { settledBalance, storeBalance } from '../../model/ledger.ts';
import type { Model, ModelAdjustment, Prediction } from '../../model/model.ts';
import { borrows, owes, type Part } from '../../model/points.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { asPrincipal, PRINCIPALS } from '../shared/principals.ts';
import { tellOfAdjustment } from './tell-of-adjustment.ts';

interface Input {
  adjustmentId: string;
  reason: string;
}

interface OnAdjustment {
  name: string;
  weight: number;
  allowedWhileLocked?: boolean;
  /** The state that the adjustment has to be in. */
  requiredState: ModelAdjustment['state'];
  command(
    input: Input & { idempotencyKey: string },
    resource: OwnedAdjustment | null,
    caller: Caller,
  ): Command;
  predict(decision: AdjustmentDecision): { code: Refused } | ModelAdjustment;
}

type Refused = Extract<Prediction, { code: string }>['code'];

interface AdjustmentDecision {
  model: Model;
  adjustment: ModelAdjustment;
  profile: ModelProfile;
  principal: string;
  now: Date;
}

export const approveAdjustmentOperation = onAdjustment({
  name: 'approveAdjustment',
  weight: 14,
  requiredState: 'requested',
  command: approveAdjustment,
  predict({ model, adjustment, profile, principal, now }) {
    if (adjustment.state !== 'requested') return { code: 'invalid_adjustment_state' };
    if (adjustment.requestedBy === principal) return { code: 'self_approval_forbidden' };
    const { direction, points } = adjustment;
    const barred = direction === 'credit' ? barredFrom(model, adjustment, profile) : null;
    if (barred) return barred;
    const balance = settledBalance(profile, now);
    let parts: Part[];
    if (direction === 'debit') {
      if (balance.available < points) return { code: 'insufficient_points' };
      parts = balance.take(points);
    } else {
      const program = model.versionAt(adjustment.programId, now)?.program;
      if (!program) throw new Error(`the model has no version of ${adjustment.programId}`);
      // A credit is available at once.
      const dates = datesOf({ ...program, pendingDays: 0 }, now.getTime(), now.getTime());
      parts = [balance.credit(points, dates)];
    }
    storeBalance(model, adjustment.profile, balance);
    return { ...adjustment, state: 'posted', parts };
  },
});

export const rejectAdjustmentOperation = onAdjustment({
  name: 'rejectAdjustment',
  weight: 4,
  allowedWhileLocked: true,
  requiredState: 'requested',
  command: rejectAdjustment,
  predict({ adjustment }) {
    if (adjustment.state !== 'requested') return { code: 'invalid_adjustment_state' };
    return { ...adjustment, state: 'rejected' };
  },
});

export const reverseAdjustmentOperation = onAdjustment({
  name: 'reverseAdjustment',
  weight: 6,
  requiredState: 'posted',
  command: reverseAdjustment,
  predict({ model, adjustment, profile, principal, now }) {
    if (adjustment.state !== 'posted') return { code: 'invalid_adjustment_state' };
    if (adjustment.requestedBy === principal) return { code: 'self_approval_forbidden' };
    const { direction, points, parts } = adjustment;
    const barred = direction === 'debit' ? barredFrom(model, adjustment, profile) : null;
    if (barred) return barred;
    const balance = settledBalance(profile, now);
    if (direction === 'credit') {
      if (balance.available < points) return { code: 'insufficient_points' };
      for (const part of parts) balance.undoCredit(part);
    } else {
      balance.returnToLots(parts, model.versionAt(adjustment.programId, now)?.program.graceDays ?? 30);
      balance.expireLots();
    }
    storeBalance(model, adjustment.profile, balance);
    return { ...adjustment, state: 'reversed' };
  },
});

/**
 * Whether the reversal of a posted adjustment takes points from other lots than the credit's own, or brings points back
 * to the lot of a reversed credit.
 */
function movesLent(model: Model, id: string): boolean {
  const adjustment = model.adjustments.get(model.names.get(id) ?? '');
  const profile = model.profiles.get(adjustment?.profile ?? '');
  if (!adjustment || !profile) return false;
  const { direction, points, parts } = adjustment;
  return direction === 'debit' ? owes(profile, parts) : borrows(profile, parts, points);
}

/** Why no points may enter the profile; null where they may. */
function barredFrom(
  model: Model,
  { externalCustomerId }: ModelAdjustment,
  { enrolled }: ModelProfile,
): { code: Refused } | null {
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  return enrolled ? null : { code: 'enrollment_required' };
}

function onAdjustment(definition: OnAdjustment): Operation {
  const { name, weight, allowedWhileLocked = false, requiredState, command, predict } = definition;
  return operation<Input & { customer: string; principal: string }>({
    name,
    weight,
    allowedWhileLocked,
    invent({ random, memory, customers, model, now }) {
      const suits = (id: string): boolean => {
        const adjustment = model.adjustments.get(model.names.get(id) ?? '');
        return (
          adjustment?.state === requiredState &&
          (requiredState === 'posted' || adjustment.expiresAt >= now.getTime())
        );
      };
      const lends = (id: string): boolean => requiredState === 'posted' && suits(id) && movesLent(model, id);
      const adjustment = memory.pick('adjustment', random, customers, suits, lends);
      return (
        adjustment && {
          adjustmentId: adjustment.id,
          reason: 'looked into it',
          customer: adjustment.externalCustomerId,
          principal: random.pick(PRINCIPALS),
        }
      );
    },
    alter: (input) => ({ ...input, reason: `${input.reason}!` }),
    lookup: ({ adjustmentId }) => referenceTo('adjustment', adjustmentId),
    command({ customer: _customer, principal, ...input }, caller, owner) {
      const reference = referenceTo('adjustment', input.adjustmentId);
      return command(
        input,
        reference && owner && { ...owner, id: reference.id },
        asPrincipal(caller, principal),
      );
    },
    predict(model, { adjustmentId, reason, principal }, { now }) {
      const adjustmentName = model.names.get(adjustmentId) ?? '';
      const current = model.adjustments.get(adjustmentName);
      const profile = current && model.profiles.get(current.profile);
      if (!profile) return { code: 'adjustment_not_found' };
      const late = current.state === 'requested' && current.expiresAt <= now.getTime();
      const adjustment: ModelAdjustment = late ? { ...current, state: 'expired' } : current;
      const decided = predict({ model, adjustment, profile, principal, now });
      if ('code' in decided) return decided;
      model.adjustments.set(adjustmentName, decided);
      tellOfAdjustment(model, decided);
      const { programId, externalCustomerId, direction, points, state } = decided;
      return {
        receipt: {
          adjustment: {
            id: adjustmentId,
            state,
            programId,
            externalCustomerId,
            direction,
            points,
            decidedAt: now.toISOString(),
            decisionReason: reason,
          },
        },
      };
    },
  });
}
