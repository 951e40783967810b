import type { ConditionContext } from '../document/condition-fields.ts';
import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { Condition, LineSelection } from '../document/document-values.ts';
import { checkCondition } from './check-condition.ts';

/**
 * Checks a list of conditions. Paths begin at the part of the document that has the list.
 * @param never the consequence of `any` without conditions, for the message: such as `it never applies`
 * @param tierIds of the document
 */
export function checkMatch(
  { match, conditions }: { match: 'all' | 'any'; conditions: readonly Condition[] },
  context: ConditionContext,
  never: string,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  if (match === 'any' && conditions.length === 0) {
    return [{ path: ['conditions'], message: `match any needs a condition; without any ${never}` }];
  }
  return conditions.flatMap((condition, index) =>
    under(['conditions', index], checkCondition(condition, context, tierIds)),
  );
}

/** Checks the lines that an earn rule or campaign works on. Paths begin at the rule or campaign. */
export function checkLines(
  lines: LineSelection | undefined,
  tierIds: ReadonlySet<string>,
): DocumentProblem[] {
  if (lines === undefined || lines === 'none') return [];
  return under(['lines'], checkMatch(lines, 'purchase_lines', 'it is on no line', tierIds));
}
