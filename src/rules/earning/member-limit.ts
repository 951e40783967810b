import type { MemberLimit } from '../../programs/document/program-document.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** Name of the member limit among the limit counters, and in rule decisions. */
export const memberLimitId = 'member_limit';

/** An award's points, in the smallest loyalty unit. */
export interface AwardPoints {
  basePoints: number;
  campaignPoints: number;
}

/**
 * Limits an award to what is left of the member's limit, taking off campaign points first.
 * @param used points already counted against the limit in its current period
 * @returns the award itself where it fits; refusal `member_limit_reached` where it does not fit and the limit rejects
 */
export function applyMemberLimit(
  award: AwardPoints,
  limit: MemberLimit,
  used: number,
): AwardPoints | Refusal<'member_limit_reached'> {
  // A new version may have lowered the limit below what was earned: then 0 is left, and nothing is taken back.
  const remaining = Math.max(0, limit.points - used);
  const excess = award.basePoints + award.campaignPoints - remaining;
  if (excess <= 0) return award;
  if (limit.onExceed === 'reject') {
    return refuse(
      'member_limit_reached',
      `The purchase would earn ${award.basePoints + award.campaignPoints} points; ${remaining} of the member's ` +
        `${limit.points} ${periodInWords[limit.period]} are left.`,
    );
  }
  const fromCampaigns = Math.min(award.campaignPoints, excess);
  return {
    basePoints: award.basePoints - (excess - fromCampaigns),
    campaignPoints: award.campaignPoints - fromCampaigns,
  };
}

/** The period of a limit in words, such as `a month`. */
export const periodInWords: Readonly<Record<MemberLimit['period'], string>> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  year: 'a year',
  lifetime: 'in all',
};
