import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { operation } from '../../client/intent.ts';
import { type ModelAdjustment, nameOf } from '../../model/model.ts';
import { asPrincipal, PRINCIPALS } from '../shared/principals.ts';
import { someone } from '../shared/someone.ts';
import { tellOfAdjustment } from './tell-of-adjustment.ts';

const DAY_MS = 86_400_000;

interface Input {
  programId: string;
  externalCustomerId: string;
  direction: 'credit' | 'debit';
  points: number;
  reason: string;
  evidence: { ticket: number };
  principal: string;
}

export const requestAdjustmentOperation = operation<Input>({
  name: 'requestAdjustment',
  weight: 14,
  invent(surroundings) {
    const { random } = surroundings;
    return {
      ...someone(surroundings),
      direction: random.pick(['credit', 'debit']),
      points: random.pick([random.between(1, 50), random.between(1, 2_000)]),
      reason: 'a mistake',
      evidence: { ticket: random.below(1000) },
      principal: random.pick(PRINCIPALS),
    };
  },
  alter: (input) => ({ ...input, points: input.points + 1 }),
  command: ({ principal, ...input }, caller) => requestAdjustment(input, asPrincipal(caller, principal)),
  predict(model, input, { now, name: commandName }) {
    const { programId, externalCustomerId, direction, points, reason, principal } = input;
    if (!model.programs.get(programId)) return { code: 'program_not_found' };
    if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
    const profile = nameOf(programId, externalCustomerId);
    const existing = model.profiles.get(profile);
    if (direction === 'credit' && !existing?.enrolled) return { code: 'enrollment_required' };
    if (!existing) return { code: 'profile_not_found' };
    const expiresAt = now.getTime() + 14 * DAY_MS;
    const adjustment: ModelAdjustment = {
      profile,
      programId,
      externalCustomerId,
      direction,
      points,
      reason,
      state: 'requested',
      requestedBy: principal,
      expiresAt,
      parts: [],
    };
    model.adjustments.set(commandName, adjustment);
    tellOfAdjustment(model, adjustment);
    return {
      receipt: {
        adjustment: {
          state: 'requested',
          programId,
          externalCustomerId,
          direction,
          points,
          reason,
          requestedAt: now.toISOString(),
          expiresAt: new Date(expiresAt).toISOString(),
          decidedAt: null,
          decisionReason: null,
          transactionId: null,
          reversalTransactionId: null,
        },
      },
    };
  },
});
