import type { Campaign, CampaignAward, Coupon, Holdout } from '../document/campaign-document.ts';
import type { DocumentNames } from '../document/document-names.ts';
import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import { checkLines, checkMatch } from './check-match.ts';
import { checkReferences, checkUnique } from './check-names.ts';
import { checkSchedule } from './check-schedule.ts';

/**
 * Checks what the JSON Schema cannot say of audiences, campaigns, referral and coupons. Paths begin at the document.
 */
export function checkCampaigns(document: ProgramDocument, names: DocumentNames): DocumentProblem[] {
  const { audiences = [], campaigns = [], coupons = [], referral } = document;
  const problems = [
    ...checkUnique(audiences, 'id', ['audiences']),
    ...audiences.flatMap((audience, index) =>
      under(['audiences', index], checkMatch(audience, 'audience', 'nobody is in it', names.tiers)),
    ),
    ...checkUnique(campaigns, 'id', ['campaigns']),
    ...campaigns.flatMap((campaign, index) => under(['campaigns', index], checkCampaign(campaign, names))),
    ...checkUnique(coupons, 'code', ['coupons']),
    ...coupons.flatMap((coupon, index) => under(['coupons', index], checkCoupon(coupon, names))),
  ];
  if (referral && referral.referrerPoints === 0 && referral.refereePoints === 0) {
    problems.push({ path: ['referral', 'refereePoints'], message: 'must not be 0 as referrerPoints is' });
  }
  return problems;
}

function checkCampaign(campaign: Campaign, names: DocumentNames): DocumentProblem[] {
  return [
    ...under(['schedule'], checkSchedule(campaign.schedule)),
    ...checkReferences(campaign.audiences, names.audiences, 'an audience', ['audiences']),
    ...checkMatch(campaign, 'purchase', 'it never applies', names.tiers),
    ...checkLines(campaign.lines, names.tiers),
    ...under(['award'], checkAward(campaign.award)),
    ...checkHoldout(campaign.holdout),
  ];
}

/** A share is a number of buckets of a hundredth of a percent. */
function checkHoldout(holdout: Holdout | undefined): DocumentProblem[] {
  if (!holdout || Number(holdout.percent.toFixed(2)) === holdout.percent) return [];
  return [{ path: ['holdout', 'percent'], message: 'must have at most two decimals' }];
}

function checkCoupon(coupon: Coupon, names: DocumentNames): DocumentProblem[] {
  return [
    ...under(['schedule'], checkSchedule(coupon.schedule)),
    ...checkReferences(coupon.audiences, names.audiences, 'an audience', ['audiences']),
    ...(coupon.award ? under(['award'], checkAward(coupon.award)) : []),
    // A counter of all uses would make every purchase with a code of the pool wait for the others.
    ...(coupon.pool && coupon.limits?.total !== undefined
      ? [{ path: ['limits', 'total'], message: 'must be absent with a pool: its codes are its limit' }]
      : []),
  ];
}

/** Campaigns only add: a multiplier of 1 would give nothing, and a smaller one take away. */
function checkAward(award: CampaignAward): DocumentProblem[] {
  if (!('multiplier' in award)) return [];
  const { numerator, denominator } = award.multiplier;
  if (numerator > denominator) return [];
  return [
    {
      path: ['multiplier', 'numerator'],
      message: `must be above the denominator, ${denominator}: it adds to base points`,
    },
  ];
}
