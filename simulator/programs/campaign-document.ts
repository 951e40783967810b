import type { CampaignAward, CampaignCaps } from '../../src/programs/document/campaign-document.ts';
import type { Condition } from '../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import type { PlainAudience, PlainBonus, PlainCampaign, PlainCampaigns, PlainCoupon } from './campaigns.ts';
import { atLeast, linesOf } from './lines.ts';
import { scheduleOf } from './schedule.ts';

type Sections = Pick<ProgramDocument, 'audiences' | 'campaigns' | 'coupons' | 'referral'>;

/** The sections of a program document that define these campaigns, coupons and referrals. */
export function campaignSections({ audiences, campaigns, coupons, referral }: PlainCampaigns): Sections {
  return {
    audiences: audiences.map((audience) => ({
      id: audience.id,
      match: 'all',
      conditions: audienceConditions(audience),
    })),
    campaigns: campaigns.map(campaignOf),
    coupons: coupons.map(couponOf),
    ...(referral
      ? {
          referral: {
            referrerPoints: referral.referrerPoints,
            refereePoints: referral.refereePoints,
            ...(referral.minAmountMinor === null ? {} : { minimumAmountMinor: referral.minAmountMinor }),
            ...(referral.maxPerReferrer === null ? {} : { maxPerReferrer: referral.maxPerReferrer }),
            ...(referral.onReturn === null ? {} : { onReturn: referral.onReturn }),
          },
        }
      : {}),
  };
}

function audienceConditions({ tiers, purchases, spent, tag, list }: PlainAudience): Condition[] {
  return [
    ...(tiers ? [{ field: 'profile.tier', operator: 'in', value: tiers } as const] : []),
    ...atLeast('history.purchaseCount', purchases),
    ...atLeast('history.purchaseAmountMinor', spent),
    ...(tag ? [{ field: 'member.tags', operator: 'equals', value: tag } as const] : []),
    ...(list ? [{ field: 'member.lists', operator: 'equals', value: list } as const] : []),
  ];
}

function campaignOf(campaign: PlainCampaign): NonNullable<Sections['campaigns']>[number] {
  const { id, channel, minAmountMinor, schedule, audiences, bonus, priority, stacking, holdout } = campaign;
  const caps = capsOf(campaign);
  return {
    id,
    ...scheduleOf(schedule),
    ...(audiences.length > 0 ? { audiences } : {}),
    match: 'all',
    conditions: [
      ...(channel ? [{ field: 'purchase.channel', operator: 'equals', value: channel } as const] : []),
      ...atLeast('purchase.amountMinor', minAmountMinor),
    ],
    ...(campaign.lines ? { lines: linesOf(campaign.lines) } : {}),
    award: awardOf(bonus),
    ...(priority === 0 ? {} : { priority }),
    ...(stacking === 'stack' ? {} : { stacking }),
    ...(Object.keys(caps).length > 0 ? { caps } : {}),
    ...(holdout ? { holdout: { percent: holdout.share / 100, salt: holdout.salt } } : {}),
  };
}

function capsOf({ capTotal, capMember, capPeriod }: PlainCampaign): CampaignCaps {
  return {
    ...(capTotal === null ? {} : { totalPoints: capTotal }),
    ...(capMember === null ? {} : { memberPoints: capMember }),
    ...(capPeriod ? { memberPeriod: capPeriod } : {}),
  };
}

function couponOf({ code, schedule, audiences, bonus, limitTotal, limitMember, pool }: PlainCoupon) {
  const limits = {
    ...(limitTotal === null ? {} : { total: limitTotal }),
    ...(limitMember === null ? {} : { perMember: limitMember }),
  };
  return {
    code,
    ...scheduleOf(schedule),
    ...(audiences.length > 0 ? { audiences } : {}),
    ...(bonus ? { award: awardOf(bonus) } : {}),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...(pool ? { pool } : {}),
  };
}

function awardOf(bonus: PlainBonus): CampaignAward {
  if ('points' in bonus) return { bonusPoints: bonus.points };
  const { numerator, denominator, rounding } = bonus;
  return { multiplier: { numerator, denominator }, rounding };
}
