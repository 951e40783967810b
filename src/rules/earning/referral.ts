import type { ReferralSection } from '../../programs/document/campaign-document.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';

/** What is known of a referral when the purchase comes that may pay for it. */
export interface ReferralFacts {
  /** As it came with the purchase. */
  code: string;
  /** Why nobody can be rewarded for it, where that is known before its rules are asked: unknown, one's own. */
  objection: string | null;
  /** Purchases of the referee before this one. */
  purchaseCount: number;
  amountMinor: number;
  /** Members that the referrer was rewarded for before. */
  referralCount: number;
}

/** Points that a referral gives, each in a transaction of its own. */
export interface ReferralAward {
  referrerPoints: number;
  refereePoints: number;
}

/**
 * Whether a purchase pays for a referral: the referee's first, of no less than the least amount, under the code of
 * another member who has not been rewarded for as many as the program allows. Whatever comes of it, the purchase keeps
 * its points (decisions, "Earning").
 * @param section null where the program has none
 */
export function decideReferral(
  section: ReferralSection | null,
  { code, objection, purchaseCount, amountMinor, referralCount }: ReferralFacts,
): { award: ReferralAward | null; decision: RuleDecision } {
  const whyNot = !section
    ? 'The program has no referral.'
    : (objection ??
      (purchaseCount > 0 ? "It is not the member's first purchase." : null) ??
      (amountMinor < (section.minimumAmountMinor ?? 0)
        ? `The purchase is of less than ${section.minimumAmountMinor} minor units.`
        : null) ??
      (referralCount >= (section.maxPerReferrer ?? Number.POSITIVE_INFINITY)
        ? `The referrer was rewarded for ${section.maxPerReferrer} members already.`
        : null));
  if (!section || whyNot !== null) {
    return {
      award: null,
      decision: { kind: 'referral', id: code, matched: false, reason: whyNot, points: 0 },
    };
  }
  const { referrerPoints, refereePoints } = section;
  // The points are no part of the purchase's award: what it gives stands in the reason alone.
  const reason = `Gives ${referrerPoints} points to the referrer and ${refereePoints} to the member, beside the award.`;
  return {
    award: { referrerPoints, refereePoints },
    decision: { kind: 'referral', id: code, matched: true, reason, points: 0 },
  };
}
