import type { Rounding } from '../../programs/document/document-values.ts';
import type { EarnRate, EarnRule } from '../../programs/document/program-document.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { compileMatch } from '../conditions/match.ts';
import { roundFraction } from '../shared/rounding.ts';
import { type CompiledLines, compileLines } from './lines.ts';

/** An earn rule, compiled for evaluation. */
export interface CompiledEarnRule {
  id: string;
  tierRounding: Rounding;
  /** @returns null where the rule's conditions match, else the reason why not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** The lines that it takes; null for all that is left. */
  lines: CompiledLines | null;
  /** The rule's points before the tier multiplier, in the smallest loyalty unit. */
  points(amountMinor: number): bigint;
}

/** Compiles a rule of a checked document. */
export function compileEarnRule(rule: EarnRule): CompiledEarnRule {
  return {
    id: rule.id,
    tierRounding: rule.earn.tierRounding,
    whyNot: compileMatch(rule),
    lines: compileLines(rule.lines),
    points: compileRate(rule.earn),
  };
}

function compileRate(rate: EarnRate): (amountMinor: number) => bigint {
  const multiplier = BigInt(rate.rateNumerator) * 10n ** BigInt(rate.loyaltyUnitPrecision);
  const divisor = BigInt(rate.rateDenominator) * 10n ** BigInt(rate.currencyExponent);
  return (amountMinor) => roundFraction(BigInt(amountMinor) * multiplier, divisor, rate.rounding);
}
