import type { EarnedLine } from '../../contract/generated/types.ts';
import type { Tier } from '../../programs/document/program-document.ts';
import type { CompiledProgram } from '../compiled/compiled-program.ts';
import type { CompiledLines } from '../compiled/lines.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { type Basket, type Chosen, divideOver, sumOfChosen } from '../shared/basket.ts';
import type { RuleDecision } from '../shared/rule-decision.ts';
import { applyMultiplier } from '../shared/tiers.ts';

/** Points of the earn rules, before and after the tier multiplier. */
export interface BasePoints {
  rulePoints: bigint;
  tieredPoints: bigint;
}

/** The same, of a program that earns by line. */
export interface BasePointsByLine extends BasePoints {
  basket: Basket;
  /** The rules that took lines, in order. */
  rules: readonly { chosen: Chosen; tieredPoints: number }[];
  /** The points after the tier multiplier, of each part of the basket. */
  ofParts: readonly number[];
}

/** Points of the first rule that matches. Adds a decision for every rule. */
export function basePointsOf(
  facts: EvaluationFacts,
  amountMinor: number,
  tier: Tier,
  { rules }: CompiledProgram,
  decisions: RuleDecision[],
): BasePoints {
  let rulePoints = 0n;
  let tieredPoints = 0n;
  let applied: string | null = null;
  for (const rule of rules) {
    const whyNot: string | null = applied === null ? rule.whyNot(facts) : comesFirst(applied);
    if (whyNot === null) {
      applied = rule.id;
      rulePoints = rule.points(amountMinor);
      tieredPoints = applyMultiplier(rulePoints, tier.multiplier, rule.tierRounding);
    }
    decisions.push({
      kind: 'earn_rule',
      id: rule.id,
      matched: whyNot === null,
      reason: whyNot,
      points: whyNot === null ? Number(rulePoints) : 0,
    });
  }
  return { rulePoints, tieredPoints };
}

/**
 * Points of the rules of a program that earns by line. Each rule with `lines` that matches takes its lines out of those
 * that are left; the first rule without `lines` that matches takes all that is left. Each rule's points are computed
 * from the value of all it took, and rounded once. Adds a decision for every rule.
 */
export function basePointsByLine(
  facts: EvaluationFacts,
  basket: Basket,
  tier: Tier,
  { rules }: CompiledProgram,
  decisions: RuleDecision[],
): BasePointsByLine {
  const values = basket.map(({ valueMinor }) => valueMinor);
  const ofParts = basket.map(() => 0);
  const appliedRules: { chosen: Chosen; tieredPoints: number }[] = [];
  let remaining: Chosen = basket.map(() => true);
  let rulePoints = 0n;
  let tieredPoints = 0n;
  let applied: string | null = null;
  for (const rule of rules) {
    const { id } = rule;
    const whyNot: string | null = applied === null ? rule.whyNot(facts) : comesFirst(applied);
    const chosen = whyNot ?? takenOf(rule.lines, basket, remaining);
    if (typeof chosen === 'string') {
      decisions.push({ kind: 'earn_rule', id, matched: false, reason: chosen, points: 0 });
      continue;
    }
    if (!rule.lines) applied = id;
    remaining = remaining.map((isLeft, place) => isLeft && !chosen[place]);
    const points = rule.points(sumOfChosen(chosen, values));
    const tiered = applyMultiplier(points, tier.multiplier, rule.tierRounding);
    rulePoints += points;
    tieredPoints += tiered;
    appliedRules.push({ chosen, tieredPoints: Number(tiered) });
    divideOver(basket, chosen, Number(tiered), values).forEach((share, position) => {
      ofParts[position] = (ofParts[position] ?? 0) + share;
    });
    const lines = earnedLines(basket, chosen, divideOver(basket, chosen, Number(points), values));
    decisions.push({ kind: 'earn_rule', id, matched: true, reason: null, points: Number(points), lines });
  }
  return { rulePoints, tieredPoints, basket, rules: appliedRules, ofParts };
}

function comesFirst(rule: string): string {
  return `Rule ${JSON.stringify(rule)} comes first.`;
}

/** The parts that a rule takes out of those that are left; or the reason why it takes none. */
function takenOf(lines: CompiledLines | null, basket: Basket, remaining: Chosen): Chosen | string {
  if (!lines) return remaining;
  const matching = lines.choose(basket);
  if (!matching.includes(true)) return lines.whyNone;
  const chosen = matching.map((matches, place) => matches && remaining[place] === true);
  return chosen.includes(true) ? chosen : 'Earlier rules took its lines.';
}

/**
 * Parts of a basket as decisions and receipts show them: lines in the order of the purchase, then the rest where it is
 * worth anything or has points.
 * @param points in the order of the parts
 */
export function earnedLines(basket: Basket, chosen: Chosen, points: readonly number[]): EarnedLine[] {
  const lines: EarnedLine[] = [];
  basket.forEach(({ index, lineReference, valueMinor }, position) => {
    const ofPart = points[position] ?? 0;
    if (!chosen[position] || (index === null && valueMinor === 0 && ofPart === 0)) return;
    lines.push({ index, lineReference, valueMinor, points: ofPart });
  });
  const positionOf = ({ index }: EarnedLine): number => index ?? Number.POSITIVE_INFINITY;
  return lines.sort((a, b) => positionOf(a) - positionOf(b));
}
