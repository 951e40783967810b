import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type AdministrationCode, type Refusal, refuse } from '../../refusal.ts';
import { LINES_OF_ANY_PURCHASE, stepsOfAnyPurchase } from '../../rules/earning/purchase-budget.ts';
import { MOST_STEPS } from '../../rules/shared/evaluation-steps.ts';

/**
 * Checks that purchases of an ordinary size stay within the budget of an evaluation under a document that is about to
 * be published. A larger purchase may still be refused when it comes.
 * @returns null where they do; `validation_failed`
 */
export function checkPurchases(document: ProgramDocument): Refusal<AdministrationCode> | null {
  const steps = stepsOfAnyPurchase(document);
  if (steps <= MOST_STEPS) return null;
  return refuse(
    'validation_failed',
    `Purchases could not be evaluated: one of ${LINES_OF_ANY_PURCHASE} lines would take ${steps} steps, and at most ` +
      `${MOST_STEPS} are allowed. Publish fewer rules and campaigns that work on lines, or fewer conditions of theirs.`,
    [{ path: 'earn.rules', message: 'take too many steps together with the campaigns' }],
  );
}
