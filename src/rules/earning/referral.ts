import type { ReferralSection } from '../../programs/document/campaign-document.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';

/** What the decision on a referral is made from, when the purchase with its code is evaluated. */
export interface ReferralFacts {
  /** As the purchase has it. */
  code: string;
  /**
   * Why the code gives nothing whatever the program's rules are, such as an unknown code or the member's own; or null.
   */
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
 * Decides whether a purchase earns a referral: it has to be the referee's first one, reach the minimum amount, and
 * carry the code of another member who has not reached the maximum of referrals. The purchase keeps its own points in
 * any case (decisions, "Earning").
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
  // A referral's points are not part of the purchase's award, so only the reason names them, and `points` is 0.
  const reason = `Gives ${referrerPoints} points to the referrer and ${refereePoints} to the member, beside the award.`;
  return {
    award: { referrerPoints, refereePoints },
    decision: { kind: 'referral', id: code, matched: true, reason, points: 0 },
  };
}
