import type { Condition } from '../../programs/document/document-values.ts';
import { compileCondition, describeCondition, type Predicate } from './conditions.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';

/**
 * Compiles the conditions of a checked document that stand together.
 * @returns what gives null where they hold, else why they do not, in words
 */
export function compileMatch({
  match,
  conditions,
}: {
  match: 'all' | 'any';
  conditions: readonly Condition[];
}): (facts: EvaluationFacts) => string | null {
  // The reasons name the condition and not the purchase's value: attributes may hold what no receipt should keep.
  const tests = conditions.map((condition): { holds: Predicate; reason: string } => ({
    holds: compileCondition(condition),
    reason: `Does not hold: ${describeCondition(condition)}.`,
  }));
  if (match === 'all') {
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
