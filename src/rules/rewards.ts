import {
  defaultGraceDays,
  defaultHoldSeconds,
  type PayWithPoints,
  type ProgramDocument,
  type Reward,
} from '../programs/document/program-document.ts';
import type { ProgramVersion } from '../programs/published/published-program.ts';
import { compileProgram } from './compiled/compiled-program.ts';
import { factsOf } from './conditions/evaluation-facts.ts';
import type { ProfileFacts } from './conditions/purchase-facts.ts';
import { stepsOf } from './pay-with-points.ts';

/** The terms of a reward when it is quoted. A redemption keeps them, whatever is published later. */
export interface RewardTerms {
  configurationVersion: number;
  rewardName: string;
  description: string | null;
  /** How long a reservation holds the points before it expires by itself. */
  holdSeconds: number;
  /** Whether a reversal requires evidence that the reward was not consumed. */
  cancellationEvidenceRequired: boolean;
  /** Days until points expire that a reversal has restored after they had lapsed. */
  graceDays: number;
  /** How many there are of the reward in all; null for no limit. */
  inventory: number | null;
  /** Present where a customer's own request reverses a redemption at once, and opens no dispute. */
  customerReversal?: 'immediate';
  /** Present where the points pay for a discount. */
  discount?: DiscountTerms;
}

/** A discount that points pay for: `amountMinor` × `pointsPerUnit` = points × `unitMinor`. */
export interface DiscountTerms extends Pick<PayWithPoints, 'pointsPerUnit' | 'unitMinor'> {
  /** In minor units of the currency. */
  amountMinor: number;
  /** ISO 4217 code. */
  currency: string;
  /** The amount of the order that gets the discount, as the quote was told; null where it was not. */
  orderAmountMinor: number | null;
}

/** @returns null where the document has no such reward. */
export function findReward(document: ProgramDocument, rewardId: string): Reward | null {
  return compileProgram(document).rewardOf.get(rewardId)?.reward ?? null;
}

/** The fewest points for which a reward can be had: its price, unless it is paid with points. */
export function leastPoints({ points = 0, payWithPoints }: Reward): number {
  return payWithPoints ? stepsOf(payWithPoints).minimumPoints : points;
}

/**
 * Why a member may not have a reward of the document at this instant; null where it may. Inventory and balance are not
 * checked here: the ledger does that.
 * @param profile the member's standing at that instant
 */
export function whyNotEligible(
  document: ProgramDocument,
  rewardId: string,
  profile: ProfileFacts,
  at: Date,
): string | null {
  const { rewardOf, clock } = compileProgram(document);
  const compiled = rewardOf.get(rewardId);
  if (!compiled) return 'The program has no such reward.';
  const { availableFrom, availableUntil } = compiled.reward;
  if (availableFrom && at.getTime() < Date.parse(availableFrom)) {
    return `The reward is not available before ${availableFrom}.`;
  }
  if (availableUntil && at.getTime() >= Date.parse(availableUntil)) {
    return `The reward was available until ${availableUntil}.`;
  }
  return compiled.whyNotEligible(factsOf({ profile }, document.currency, clock, at));
}

/** The terms of a reward in a version, with every default filled in. */
export function rewardTerms({ version, document }: ProgramVersion, reward: Reward): RewardTerms {
  return {
    configurationVersion: version,
    rewardName: reward.name,
    description: reward.description ?? null,
    holdSeconds: reward.holdSeconds ?? defaultHoldSeconds,
    cancellationEvidenceRequired: reward.cancellationEvidenceRequired ?? false,
    graceDays: document.graceDays ?? defaultGraceDays,
    inventory: reward.inventory ?? null,
    ...(reward.customerReversal === 'immediate' && { customerReversal: 'immediate' }),
  };
}
