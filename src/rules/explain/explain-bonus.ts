import type { CampaignAward } from '../../programs/document/campaign-document.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { quotient } from './quotient.ts';

/**
 * Explains in plain words what a campaign, one of its caps, a coupon or a referral did.
 * @param basePoints of the award, before the member limit
 */
export function bonusSentence(decision: RuleDecision, document: ProgramDocument, basePoints: number): string {
  const { kind, id, matched, points, reason } = decision;
  switch (kind) {
    case 'campaign': {
      const campaign = document.campaigns?.find((candidate) => candidate.id === id);
      return gives(`Campaign ${id}`, decision, campaign?.award, basePoints);
    }
    case 'coupon': {
      const coupon = document.coupons?.find((candidate) => candidate.code === id);
      return gives(`Coupon ${id}`, decision, coupon?.award, basePoints);
    }
    case 'campaign_cap':
      return matched
        ? `Cap ${id} cuts off ${-points} points. ${reason ?? ''}`.trimEnd()
        : `Cap ${id}: all of the points fit in what is left.`;
    case 'campaign_holdout':
      return `Campaign ${id} ${matched ? 'gives nothing' : 'is compared'}. ${reason ?? ''}`.trimEnd();
    default:
      return `Referral ${id}: ${matched ? '' : 'gives nothing. '}${reason ?? ''}`.trimEnd();
  }
}

function gives(
  what: string,
  { matched, reason, points }: RuleDecision,
  award: CampaignAward | undefined,
  basePoints: number,
): string {
  if (!matched) return `${what} gives nothing. ${reason ?? ''}`.trimEnd();
  if (!award) return `${what} applies, and gives no points.`;
  if ('bonusPoints' in award) return `${what} applies: ${points} bonus points.`;
  const { numerator, denominator } = award.multiplier;
  // Of a campaign that works on lines, the reason says how many base points these have.
  if (reason !== null) {
    return (
      `${what} applies. ${reason} × (${numerator}/${denominator} − 1), ` +
      `rounded (${award.rounding}): ${points} points.`
    );
  }
  const exact = quotient(BigInt(basePoints) * BigInt(numerator - denominator), BigInt(denominator));
  return (
    `${what} applies: ${basePoints} × (${numerator}/${denominator} − 1) = ${exact}, ` +
    `rounded (${award.rounding}) to ${points} points.`
  );
}
