import type { Award } from '../../../simulator/model/award/situation.ts';
import type { EarnedLine } from '../../../src/contract/generated/types.ts';
import type { PurchaseEvaluation } from '../../../src/rules/earning/evaluate-purchase.ts';

/** Converts an evaluation of src to the format of the second implementation, to compare the two. */
export function awardOf(evaluation: PurchaseEvaluation): Award {
  const { points, basePoints, campaigns, coupon, qualificationPoints, tier, lines } = evaluation;
  return {
    ...{ points, basePoints, qualificationPoints, tier },
    campaigns: campaigns.map(({ campaignId, points: given }) => ({ campaignId, points: given })),
    coupon: coupon && { valid: coupon.redeemed, points: coupon.points },
    decisions: evaluation.ruleDecisions.map(
      ({ kind, id, matched, points: decided, lines: of }) =>
        `${kind} ${id} ${matched ? decided : 'no'}${of ? ` [${of.map(textOf).join(', ')}]` : ''}`,
    ),
    lines:
      lines?.map(({ index = null, lineReference = null, ...line }) => ({ index, lineReference, ...line })) ??
      null,
    activatesAt: evaluation.activatesAt,
    expiresAt: evaluation.expiresAt,
  };
}

function textOf({ index, valueMinor, points }: EarnedLine): string {
  return `${index ?? 'rest'}: ${valueMinor} ${points}`;
}
