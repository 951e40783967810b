import { quoteRedemption } from '../../../commands/redemptions/quote-redemption.ts';
import { settledBalance, storeBalance, takenOf } from '../../model/ledger.ts';
import {
  type Model,
  type ModelProfile,
  type ModelQuote,
  nameOf,
  type Prediction,
} from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import type { PointBalance } from '../../model/points.ts';
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
  const found = priced(model, input, now);
  if ('code' in found) return found;
  const { ttlSeconds = 900, externalCustomerId, programId, sourceReference, rewardId } = input;
  const { profile, balance, version } = found;
  const expiresAt = now.getTime() + ttlSeconds * 1000;
  const quote = { ...found.quote, expiresAt };
  storeBalance(model, quote.profile, balance, { quotes: [...profile.quotes, commandName] });
  model.quotes.set(commandName, quote);
  return {
    receipt: {
      quote: {
        state: 'quoted',
        programId,
        externalCustomerId,
        rewardId,
        sourceReference,
        points: quote.points,
        availableBalance: balance.available,
        expiresAt: new Date(expiresAt).toISOString(),
        terms: {
          configurationVersion: version,
          rewardName: rewardId,
          description: null,
          holdSeconds: quote.holdSeconds,
          cancellationEvidenceRequired: quote.evidenceRequired,
        },
      },
    },
  };
}

/** A reward that is priced for a member: the quote, which never expires, and the settled points. */
interface Priced {
  quote: ModelQuote;
  profile: ModelProfile;
  balance: PointBalance;
  version: number;
}

/** Prices a reward for a member in the model; nothing is stored. */
export function priced(
  model: Model,
  {
    programId,
    externalCustomerId,
    rewardId,
    sourceReference,
  }: Pick<ModelQuote, 'programId' | 'externalCustomerId' | 'rewardId' | 'sourceReference'>,
  now: Date,
): Priced | Extract<Prediction, { code: unknown }> {
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
  if (balance.available < points) return { code: 'insufficient_points' };
  const quote: ModelQuote = {
    profile: name,
    programId,
    externalCustomerId,
    sourceReference,
    rewardId,
    state: 'quoted',
    points,
    expiresAt: Number.POSITIVE_INFINITY,
    holdSeconds,
    evidenceRequired,
    customerReverses,
    graceDays: version.program.graceDays,
    inventory,
  };
  return { quote, profile, balance, version: version.version };
}

function mayHave(reward: PlainReward, tier: string, now: Date): boolean {
  return isOnOffer(reward, now) && (reward.tiers === null || reward.tiers.includes(tier));
}

/** Whether an instant is in the time in which a reward can be had. */
export function isOnOffer({ availableFrom, availableUntil }: PlainReward, now: Date): boolean {
  if (availableFrom && now < availableFrom) return false;
  return !(availableUntil && now >= availableUntil);
}
