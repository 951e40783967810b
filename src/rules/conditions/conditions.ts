import type { Condition } from '../../programs/document/document-values.ts';
import type { EvaluationFacts } from './evaluation-facts.ts';
import { fieldReader } from './field-readers.ts';

/** A compiled condition: whether the facts satisfy it. */
export type Predicate = (facts: EvaluationFacts) => boolean;

type ValueTest = (value: unknown) => boolean;

/**
 * Compiles one condition of a checked document.
 *
 * Two laws: `not_equals` is exactly the negation of `equals`, and `not_in` of `in`; and every other operator needs a
 * value, except `exists` with false. So an absent field satisfies only `not_equals`, `not_in` and `exists: false`. A
 * field with several values (of items, tags or lists) satisfies a condition where any of its values does, and so a
 * negated condition where none of its values satisfies the positive one.
 * @throws RangeError for a field that does not exist (the document was not checked)
 */
export function compileCondition(condition: Condition): Predicate {
  const reader = fieldReader(condition.field);
  const test = valueTest(condition);
  const negated =
    condition.operator === 'not_equals' ||
    condition.operator === 'not_in' ||
    (condition.operator === 'exists' && condition.value === false);
  if ('read' in reader) {
    const { read } = reader;
    return negated ? (facts) => !test(read(facts)) : (facts) => test(read(facts));
  }
  const { any } = reader;
  return negated ? (facts) => !any(facts, test) : (facts) => any(facts, test);
}

/** The positive test of an operator on one value; false for an absent value. The caller negates. */
function valueTest({ operator, value }: Condition): ValueTest {
  switch (operator) {
    case 'equals':
    case 'not_equals':
      return (actual) => actual === value;
    case 'in':
    case 'not_in': {
      const listed = new Set<unknown>(Array.isArray(value) ? value : [value]);
      return (actual) => listed.has(actual);
    }
    case 'gt':
      return (actual) => comparable(actual, value) && actual > value;
    case 'gte':
      return (actual) => comparable(actual, value) && actual >= value;
    case 'lt':
      return (actual) => comparable(actual, value) && actual < value;
    case 'lte':
      return (actual) => comparable(actual, value) && actual <= value;
    case 'between': {
      const [low, high] = Array.isArray(value) ? value : [];
      if (low === undefined || high === undefined) return () => false;
      return (actual) =>
        comparable(actual, low) && actual >= low && comparable(actual, high) && actual <= high;
    }
    case 'exists':
      return (actual) => actual !== undefined && actual !== null;
  }
}

/** Numbers are ordered among numbers, dates (`YYYY-MM-DD`) as strings among strings; nothing else is ordered. */
function comparable(actual: unknown, bound: unknown): actual is typeof bound & (string | number) {
  return (
    (typeof actual === 'number' && typeof bound === 'number') ||
    (typeof actual === 'string' && typeof bound === 'string')
  );
}

/** A condition as a text for the reasons of rule decisions, such as `purchase.channel equals "store"`. */
export function describeCondition({ field, operator, value }: Condition): string {
  const text = JSON.stringify(value);
  return `${field} ${operator} ${text.length > 80 ? `${text.slice(0, 79)}…` : text}`;
}
