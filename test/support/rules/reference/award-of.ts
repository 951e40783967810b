import type { EarnedLine } from '../../../../src/contract/generated/types.ts';
import type { PurchaseEvaluation } from '../../../../src/rules/earning/evaluate-purchase.ts';
import type { Award } from './situation.ts';

/** Converts an evaluation of src to the format of the second implementation, to compare the two. */
export function awardOf(evaluation: PurchaseEvaluation): Award {
  const { points, basePoints, campaigns, coupon, ruleDecisions, ...rest } = evaluation;
  return {
    points,
    basePoints,
    campaigns: Object.fromEntries(campaigns.map((given) => [given.campaignId, given.points])),
    coupon: coupon && { valid: coupon.redeemed, points: coupon.points },
    qualificationPoints: rest.qualificationPoints,
    tier: rest.tier,
    decisions: ruleDecisions.map(
      ({ kind, id, matched, points: decided, lines }) =>
        `${kind} ${id} ${matched ? decided : 'no'}${lines ? ` [${told(lines).join(', ')}]` : ''}`,
    ),
    lines: rest.lines && told(rest.lines),
    activatesAt: rest.activatesAt,
    expiresAt: rest.expiresAt,
  };
}

function told(lines: readonly EarnedLine[]): string[] {
  return lines.map(({ index, valueMinor, points }) => `${index ?? 'rest'}: ${valueMinor} ${points}`);
}
