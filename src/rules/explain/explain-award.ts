import type { Rounding } from '../../programs/document/document-values.ts';
import type {
  EarnRate,
  MemberLimit,
  ProgramDocument,
  Tier,
} from '../../programs/document/program-document.ts';
import type { PurchaseEvaluation, PurchaseEvaluationInput } from '../earning/evaluate-purchase.ts';
import { periodInWords } from '../earning/member-limit.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { bonusSentence } from './explain-bonus.ts';
import { quotient } from './quotient.ts';

/**
 * Explains in plain words how each point of an award came about: one sentence for each rule decision, in the order in
 * which they were made, with the arithmetic, and the sum at the end. Pure.
 * @param evaluation the result of `evaluatePurchase` for the input
 * @param referral the decision on the purchase's referral code, which is not part of the award
 */
export function explainAward(
  input: PurchaseEvaluationInput,
  evaluation: PurchaseEvaluation,
  referral: RuleDecision | null = null,
): string[] {
  const { program } = input;
  const matched = evaluation.ruleDecisions.find(({ kind, matched }) => kind === 'earn_rule' && matched);
  const rate = program.earn.rules.find(({ id }) => id === matched?.id)?.earn;
  const rulePoints = matched?.points ?? 0;
  const ofTier = evaluation.ruleDecisions.find(({ kind }) => kind === 'tier')?.points ?? 0;
  const sentences = evaluation.ruleDecisions.map((decision) =>
    sentenceOf(decision, input, rulePoints, rulePoints + ofTier, rate),
  );
  const { points, basePoints, campaignPoints } = evaluation;
  return [
    ...sentences,
    `${points} points in all: ${basePoints} base and ${campaignPoints} of campaigns.`,
    ...(referral ? [bonusSentence(referral, program, 0)] : []),
  ];
}

function sentenceOf(
  decision: RuleDecision,
  input: PurchaseEvaluationInput,
  rulePoints: number,
  basePoints: number,
  rate: EarnRate | undefined,
): string {
  switch (decision.kind) {
    case 'earn_rule':
      return ruleSentence(decision, input, rate);
    case 'tier':
      return tierSentence(decision, input.program, rulePoints, rate);
    case 'member_limit':
      return limitSentence(decision, input.program.memberLimit, input.limitUsed);
    default:
      return bonusSentence(decision, input.program, basePoints);
  }
}

function ruleSentence(
  { id, matched, reason, points }: RuleDecision,
  { purchase }: PurchaseEvaluationInput,
  rate: EarnRate | undefined,
): string {
  if (!matched || !rate) return `Rule ${id} gives nothing. ${reason ?? ''}`.trimEnd();
  const numerator =
    BigInt(purchase.amountMinor) * BigInt(rate.rateNumerator) * 10n ** BigInt(rate.loyaltyUnitPrecision);
  const divisor = BigInt(rate.rateDenominator) * 10n ** BigInt(rate.currencyExponent);
  const precision = rate.loyaltyUnitPrecision > 0 ? ` × 10^${rate.loyaltyUnitPrecision}` : '';
  const exponent = rate.currencyExponent > 0 ? ` × 10^${rate.currencyExponent}` : '';
  return (
    `Rule ${id} applies: ${purchase.amountMinor} × ${rate.rateNumerator}${precision} ÷ ` +
    `(${rate.rateDenominator}${exponent}) = ${quotient(numerator, divisor)}, ` +
    `${roundedAs(rate.rounding)} ${points} points.`
  );
}

function tierSentence(
  { id, matched, reason, points }: RuleDecision,
  { tiers }: ProgramDocument,
  rulePoints: number,
  rate: EarnRate | undefined,
): string {
  const tier: Tier | undefined = tiers.find((candidate) => candidate.id === id);
  if (!matched || !tier || !rate) return `Tier ${id} changes nothing. ${reason ?? ''}`.trimEnd();
  const { numerator, denominator } = tier.multiplier;
  const exact = quotient(BigInt(rulePoints) * BigInt(numerator), BigInt(denominator));
  // Where the document no longer has the member's tier, the reason says which tier was taken instead.
  const instead = reason?.startsWith('Multiplies') ? '' : ` (${reason})`;
  return (
    `Tier ${id}: ${rulePoints} × ${numerator}/${denominator} = ${exact}, ${roundedAs(rate.tierRounding)} ` +
    `${rulePoints + points} points${instead}.`
  );
}

function limitSentence(
  { matched, points }: RuleDecision,
  limit: MemberLimit | undefined,
  used: number,
): string {
  if (!limit) return 'There is no member limit.';
  const stated = `Member limit of ${limit.points} points ${periodInWords[limit.period]}, ${used} of them used`;
  return matched
    ? `${stated}: ${-points} points are cut off.`
    : `${stated}: all of the points fit in what is left.`;
}

function roundedAs(rounding: Rounding): string {
  return `rounded (${rounding}) to`;
}
