import type { ReferralSection } from '../../../src/programs/document/campaign-document.ts';

/**
 * What a referral gives to the referrer and to the referee, who buys: at the first purchase, of no less than the least
 * amount, under the code of another member who has not been rewarded for as many as the program allows. `ofAnother` is
 * false too where that member was referred by the buyer. A purchase of 0 counts only where the least amount is given as
 * 0.
 */
export function referenceReferral(
  section: ReferralSection | undefined,
  facts: { ofAnother: boolean; purchasesBefore: number; amountMinor: number; rewardedFor: number },
): [referrer: number, referee: number] {
  if (section === undefined || !facts.ofAnother) return [0, 0];
  const { minimumAmountMinor = 1, maxPerReferrer = Number.POSITIVE_INFINITY } = section;
  const first = facts.purchasesBefore === 0;
  const enough = facts.amountMinor >= minimumAmountMinor;
  const room = facts.rewardedFor + 1 <= maxPerReferrer;
  return first && enough && room ? [section.referrerPoints, section.refereePoints] : [0, 0];
}
