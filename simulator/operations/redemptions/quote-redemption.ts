import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { operation } from '../../client/intent.ts';
import { settledBalance, storeBalance, takenOf } from '../../model/ledger.ts';
import { type Model, type ModelQuote, nameOf, type Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import { type AskedPayment, inventPayment, isOfForm, priceOf } from '../../model/payment.ts';
import { type PointBalance, sumOf } from '../../model/points.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { standingNow } from '../../model/standing.ts';
import { type PlainReward, REWARDS, VOUCHER } from '../../programs/program.ts';
import { someone } from '../shared/someone.ts';

interface Input {
  programId: string;
  externalCustomerId: string;
  sourceReference: string;
  rewardId: string;
  ttlSeconds?: number;
  points?: number;
  amountMinor?: number;
  orderAmountMinor?: number;
}

export const quoteRedemptionOperation = operation<Input>({
  name: 'quoteRedemption',
  weight: 34,
  invent(surroundings) {
    const { random, model, now } = surroundings;
    const { programId, externalCustomerId } = someone(surroundings, 10);
    const rewardId = random.chance(0.05) ? 'nothing' : random.pick([...REWARDS, VOUCHER]);
    const profile = model.profiles.get(nameOf(programId, externalCustomerId));
    const available = profile ? sumOf(profile, 'available') : 0;
    const reward = model.versionAt(programId, now)?.program.rewards.find((each) => each.id === rewardId);
    return {
      ...{ programId, externalCustomerId },
      sourceReference: `checkout-${random.below(1000)}`,
      rewardId,
      ...(random.chance(0.5) ? { ttlSeconds: random.pick([60, 900, 86_400]) } : {}),
      ...inventPayment(random, reward?.payment ?? null, available),
    };
  },
  alter: (input) => ({ ...input, ttlSeconds: (input.ttlSeconds ?? 900) + 1 }),
  command: (input, caller) => quoteRedemption(input, caller),
  predict,
});

function predict(model: Model, input: Input, { now, name: commandName }: Moment): Prediction {
  const pricing = priced(model, input, now);
  if ('code' in pricing) return pricing;
  const { ttlSeconds = 900, externalCustomerId, programId, sourceReference, rewardId } = input;
  const { profile, balance, version } = pricing;
  const expiresAt = now.getTime() + ttlSeconds * 1000;
  const quote = { ...pricing.quote, expiresAt };
  const { discount } = quote;
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
          ...(discount && {
            discountMinor: discount.amountMinor,
            currency: 'USD',
            orderAmountMinor: discount.orderAmountMinor,
          }),
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
    ...asked
  }: Pick<ModelQuote, 'programId' | 'externalCustomerId' | 'rewardId' | 'sourceReference'> & AskedPayment,
  now: Date,
): Priced | Extract<Prediction, { code: unknown }> {
  const version = model.versionAt(programId, now);
  if (!version) return { code: 'program_not_found' };
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  const reward = version.program.rewards.find((each) => each.id === rewardId);
  if (!reward) return { code: 'reward_not_found' };
  if (!isOfForm(reward, asked)) return { code: 'quote_form_invalid' };
  const name = nameOf(programId, externalCustomerId);
  const profile = model.profiles.get(name);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  const { tier } = standingNow(version.program, profile, now);
  if (!mayHave(reward, tier, now)) return { code: 'reward_not_eligible' };
  const balance = settledBalance(profile, now);
  const { inventory, holdSeconds, evidenceRequired, customerReverses } = reward;
  if (inventory !== null && takenOf(model, programId, rewardId, balance) >= inventory) {
    return { code: 'inventory_exhausted' };
  }
  const price = priceOf(reward, asked, balance.available);
  if ('code' in price) return price;
  const quote: ModelQuote = {
    profile: name,
    programId,
    externalCustomerId,
    sourceReference,
    rewardId,
    state: 'quoted',
    ...price,
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
