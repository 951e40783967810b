import type { EarnRate, EarnRule, Rounding } from '../programs/program-document.ts';
import { compileCondition, describeCondition, type Predicate } from './conditions.ts';
import type { EvaluationFacts } from './field-readers.ts';
import { roundFraction } from './rounding.ts';

/** An earn rule made ready to be asked. */
export interface CompiledEarnRule {
  id: string;
  tierRounding: Rounding;
  /** @returns null where the rule's conditions hold, else why they do not. */
  whyNot(facts: EvaluationFacts): string | null;
  /** The rule's points before the tier multiplier, in the smallest loyalty unit. */
  points(amountMinor: number): bigint;
}

/** Compiles a rule of a checked document. */
export function compileEarnRule(rule: EarnRule): CompiledEarnRule {
  return {
    id: rule.id,
    tierRounding: rule.earn.tierRounding,
    whyNot: compileMatch(rule),
    points: compileRate(rule.earn),
  };
}

function compileMatch(rule: EarnRule): (facts: EvaluationFacts) => string | null {
  // The reasons name the condition and not the purchase's value: attributes may hold what no receipt should keep.
  const tests = rule.conditions.map((condition): { holds: Predicate; reason: string } => ({
    holds: compileCondition(condition),
    reason: `Does not hold: ${describeCondition(condition)}.`,
  }));
  if (rule.match === 'all') {
    return (facts) => {
      for (const { holds, reason } of tests) if (!holds(facts)) return reason;
      return null;
    };
  }
  const reason = tests.length === 1 && tests[0] ? tests[0].reason : 'None of the conditions holds.';
  return (facts) => {
    for (const { holds } of tests) if (holds(facts)) return null;
    return reason;
  };
}

function compileRate(rate: EarnRate): (amountMinor: number) => bigint {
  const multiplier = BigInt(rate.rateNumerator) * 10n ** BigInt(rate.loyaltyUnitPrecision);
  const divisor = BigInt(rate.rateDenominator) * 10n ** BigInt(rate.currencyExponent);
  return (amountMinor) => roundFraction(BigInt(amountMinor) * multiplier, divisor, rate.rounding);
}
