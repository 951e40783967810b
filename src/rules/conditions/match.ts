import type { Condition } from '../../programs/document/document-values.ts';
import { compileCondition, describeCondition, type Predicate } from './conditions.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';

/**
 * Compiles a list of conditions of a checked document. With `match: 'all'` all of them have to match, with 'any' at
 * least one.
 * @returns a function that returns null where the conditions match, and otherwise the reason why they do not
 */
export function compileMatch({
  match,
  conditions,
}: {
  match: 'all' | 'any';
  conditions: readonly Condition[];
}): (facts: EvaluationFacts) => string | null {
  // Reasons name the condition and not the purchase's value, because attributes may contain data that no receipt may
  // store.
  const tests = conditions.map((condition): { matches: Predicate; reason: string } => ({
    matches: compileCondition(condition),
    reason: `Does not hold: ${describeCondition(condition)}.`,
  }));
  if (match === 'all') {
    return (facts) => {
      for (const { matches, reason } of tests) if (!matches(facts)) return reason;
      return null;
    };
  }
  const reason = tests.length === 1 && tests[0] ? tests[0].reason : 'None of the conditions holds.';
  return (facts) => {
    for (const { matches } of tests) if (matches(facts)) return null;
    return reason;
  };
}
