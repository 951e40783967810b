import { quoteRedemption } from '../../../commands/redemptions/quote-redemption.ts';
import { settledBalance, storeBalance, takenOf } from '../../model/ledger.ts';
import { type Model, nameOf, type Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import { standingNow } from '../../model/standing.ts';
import { type PlainReward, REWARDS } from '../../programs/program.ts';
import { operation } from '../../run/intent.ts';
import { someone } from '../shared/someone.ts';

interface Input {
  programId: string;
  externalCustomerId: string;
  sourceReference: string;
  rewardId: string;
  ttlSeconds?: number;
}

export const quoteRedemptionOperation = operation<Input>({
  name: 'quoteRedemption',
  weight: 34,
  invent(surroundings) {
    const { random } = surroundings;
    return {
      ...someone(surroundings, 10),
      sourceReference: `checkout-${random.below(1000)}`,
      rewardId: random.chance(0.05) ? 'nothing' : random.pick(REWARDS),
      ...(random.chance(0.5) ? { ttlSeconds: random.pick([60, 900, 86_400]) } : {}),
    };
  },
  alter: (input) => ({ ...input, ttlSeconds: (input.ttlSeconds ?? 900) + 1 }),
  command: (input, caller) => quoteRedemption(input, caller),
  predict,
});

function predict(model: Model, input: Input, { now, name: commandName }: Moment): Prediction {
  const { programId, externalCustomerId, rewardId, sourceReference, ttlSeconds = 900 } = input;
  const version = model.versionAt(programId, now);
  if (!version) return { code: 'program_not_found' };
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  const reward = version.program.rewards.find((each) => each.id === rewardId);
  if (!reward) return { code: 'reward_not_found' };
  const name = nameOf(programId, externalCustomerId);
  const profile = model.profiles.get(name);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  const { tier } = standingNow(version.program, profile, now);
  if (!mayHave(reward, tier, now)) return { code: 'reward_not_eligible' };
  const balance = settledBalance(profile, now);
  const { points, inventory, holdSeconds, evidenceRequired, customerReverses } = reward;
  if (inventory !== null && takenOf(model, programId, rewardId, balance) >= inventory) {
    return { code: 'inventory_exhausted' };
  }
  const { available } = balance;
  if (available < points) return { code: 'insufficient_points' };
  const expiresAt = now.getTime() + ttlSeconds * 1000;
  storeBalance(model, name, balance, { quotes: [...profile.quotes, commandName] });
  model.quotes.set(commandName, {
    profile: name,
    programId,
    externalCustomerId,
    sourceReference,
    rewardId,
    state: 'quoted',
    points,
    expiresAt,
    holdSeconds,
    evidenceRequired,
    customerReverses,
    graceDays: version.program.graceDays,
    inventory,
  });
  return {
    receipt: {
      quote: {
        state: 'quoted',
        programId,
        externalCustomerId,
        rewardId,
        sourceReference,
        points,
        availableBalance: available,
        expiresAt: new Date(expiresAt).toISOString(),
        terms: {
          configurationVersion: version.version,
          rewardName: rewardId,
          description: null,
          holdSeconds,
          cancellationEvidenceRequired: evidenceRequired,
        },
      },
    },
  };
}

function mayHave({ availableFrom, availableUntil, tiers }: PlainReward, tier: string, now: Date): boolean {
  if (availableFrom && now < availableFrom) return false;
  if (availableUntil && now >= availableUntil) return false;
  return tiers === null || tiers.includes(tier);
}
