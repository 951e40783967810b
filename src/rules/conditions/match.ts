import type { Condition } from '../../programs/document/document-values.ts';
import { compileCondition, describeCondition, type Predicate } from './conditions.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';

/**
 * Compiles a list of conditions of a checked document, of which all or any have to match.
 * @returns a function that returns null where they match, else the reason why not
 */
export function compileMatch({
  match,
  conditions,
}: {
  match: 'all' | 'any';
  conditions: readonly Condition[];
}): (facts: EvaluationFacts) => string | null {
  // Reasons name the condition and not the purchase's value: attributes may contain what no receipt should store.
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
