import type { EarnedLine } from '../../contract/generated/types.ts';
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
import { applyMultiplier } from '../shared/tiers.ts';
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
  const matched = evaluation.ruleDecisions.filter(({ kind, matched }) => kind === 'earn_rule' && matched);
  const rulePoints = matched.reduce((sum, { points }) => sum + points, 0);
  const ofTier = evaluation.ruleDecisions.find(({ kind }) => kind === 'tier')?.points ?? 0;
  const sentences = evaluation.ruleDecisions.map((decision) =>
    sentenceOf(decision, input, matched, rulePoints + ofTier),
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
  matched: readonly RuleDecision[],
  basePoints: number,
): string {
  switch (decision.kind) {
    case 'earn_rule':
      return ruleSentence(decision, input);
    case 'tier':
      return tierSentence(decision, input.program, matched);
    case 'member_limit':
      return limitSentence(decision, input.program.memberLimit, input.limitUsed);
    default:
      return bonusSentence(decision, input.program, basePoints);
  }
}

function ruleSentence(
  { id, matched, reason, points, lines }: RuleDecision,
  { program, purchase }: PurchaseEvaluationInput,
): string {
  const rate = rateOf(program, id);
  if (!matched || !rate) return `Rule ${id} gives nothing. ${reason ?? ''}`.trimEnd();
  const valueMinor = lines ? lines.reduce((sum, line) => sum + line.valueMinor, 0) : purchase.amountMinor;
  const numerator =
    BigInt(valueMinor) * BigInt(rate.rateNumerator) * 10n ** BigInt(rate.loyaltyUnitPrecision);
  const divisor = BigInt(rate.rateDenominator) * 10n ** BigInt(rate.currencyExponent);
  const precision = rate.loyaltyUnitPrecision > 0 ? ` × 10^${rate.loyaltyUnitPrecision}` : '';
  const exponent = rate.currencyExponent > 0 ? ` × 10^${rate.currencyExponent}` : '';
  return (
    `Rule ${id} applies${lines ? onLines(lines) : ''}: ${valueMinor} × ${rate.rateNumerator}${precision} ÷ ` +
    `(${rate.rateDenominator}${exponent}) = ${quotient(numerator, divisor)}, ` +
    `${roundedAs(rate.rounding)} ${points} points.`
  );
}

/** The part of a purchase that a rule took, such as ` to lines 1 and 3 and to the rest`. */
function onLines(lines: readonly EarnedLine[]): string {
  const numbers = lines.flatMap(({ index }) => (index === null || index === undefined ? [] : [index + 1]));
  const ofLines =
    numbers.length === 0 ? '' : ` to ${numbers.length === 1 ? 'line' : 'lines'} ${numbers.join(', ')}`;
  const rest = numbers.length < lines.length ? ' to the part that no line explains' : '';
  return `${ofLines}${ofLines && rest && ' and'}${rest}` || ' to nothing';
}

function rateOf({ earn }: ProgramDocument, ruleId: string): EarnRate | undefined {
  return earn.rules.find(({ id }) => id === ruleId)?.earn;
}

/** The points of each rule are multiplied and rounded by themselves. */
function tierSentence(
  { id, matched, reason, points }: RuleDecision,
  program: ProgramDocument,
  ofRules: readonly RuleDecision[],
): string {
  const tier: Tier | undefined = program.tiers.find((candidate) => candidate.id === id);
  if (!matched || !tier) return `Tier ${id} changes nothing. ${reason ?? ''}`.trimEnd();
  const { numerator, denominator } = tier.multiplier;
  // Where the document no longer has the member's tier, the reason says which tier was taken instead.
  const instead = reason?.startsWith('Multiplies') ? '' : ` (${reason})`;
  const parts = ofRules.flatMap((rule) => {
    const rate = rateOf(program, rule.id);
    if (!rate) return [];
    const product = BigInt(rule.points) * BigInt(numerator);
    const tiered = applyMultiplier(BigInt(rule.points), tier.multiplier, rate.tierRounding);
    return (
      `${rule.points} × ${numerator}/${denominator} = ${quotient(product, BigInt(denominator))}, ` +
      `${roundedAs(rate.tierRounding)} ${tiered}`
    );
  });
  const sum = ofRules.reduce((all, rule) => all + rule.points, points);
  const inAll = parts.length > 1 ? `; ${sum} points` : ' points';
  return `Tier ${id}: ${parts.join('; ')}${inAll}${instead}.`;
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
