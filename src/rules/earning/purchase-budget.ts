import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { compileProgram } from '../compiled/compiled-program.ts';
import { compilePurchaseSteps } from '../compiled/purchase-steps.ts';
import type { MemberFacts } from '../conditions/member-facts.ts';
import type { ItemFacts } from '../conditions/purchase-facts.ts';
import { type FieldSizes, MOST_STEPS } from '../shared/evaluation-steps.ts';
import type { PurchaseEvaluation } from './evaluate-purchase.ts';

/** Most bytes of a purchase's decisions and lines, as JSON in UTF-8: the largest part of its receipt. */
export const MOST_RECEIPT_BYTES = 1_000_000;

/** A document is published only if a purchase of so many lines can be evaluated under it. */
export const LINES_OF_ANY_PURCHASE = 100;

/**
 * The bytes of a line in a receipt, beside its reference:
 * `{"index":…,"lineReference":"…","valueMinor":…,"points":…},`.
 */
const MOST_BYTES_OF_LINE = 100;
/** A character of a reference takes six bytes at most, where JSON escapes it. */
const MOST_BYTES_OF_CHARACTER = 6;

type Bought = readonly ItemFacts[] | null | undefined;

/**
 * Refuses a purchase whose evaluation would take more than its share of the CPU.
 * @returns `cart_too_large`; null where it may be evaluated
 */
export function refuseSteps(
  document: ProgramDocument,
  items: Bought,
  { tags, lists }: Pick<MemberFacts, 'tags' | 'lists'>,
): Refusal<'cart_too_large'> | null {
  const lines = items?.length ?? 0;
  const sizes = { ...sizesOfLines(lines), memberTags: tags.length, memberLists: lists.length };
  if (compileProgram(document).steps.stepsFor(sizes) <= MOST_STEPS) return null;
  return tooLarge(
    `The rules and campaigns of program ${document.id} take more than ${MOST_STEPS} steps for ${lines} lines.`,
  );
}

/**
 * Refuses a purchase whose receipt would be too large to store and to send. Few purchases are large enough to be
 * measured.
 * @returns `cart_too_large`; null where the receipt may be made
 */
export function refuseBytes(
  document: ProgramDocument,
  items: Bought,
  evaluation: Pick<PurchaseEvaluation, 'ruleDecisions' | 'lines'>,
): Refusal<'cart_too_large'> | null {
  const { mentionsOfLine } = compileProgram(document).steps;
  const ofLines = (items ?? []).reduce(
    (sum, { lineReference }) =>
      sum + MOST_BYTES_OF_LINE + (lineReference?.length ?? 0) * MOST_BYTES_OF_CHARACTER,
    0,
  );
  if (mentionsOfLine * ofLines < MOST_RECEIPT_BYTES / 2) return null;
  const { ruleDecisions, lines } = evaluation;
  if (Buffer.byteLength(JSON.stringify([ruleDecisions, lines])) <= MOST_RECEIPT_BYTES) return null;
  return tooLarge(`The receipt would be larger than ${MOST_RECEIPT_BYTES} bytes.`);
}

/** The steps that a purchase of `LINES_OF_ANY_PURCHASE` lines takes, of a member without tags and lists. */
export function stepsOfAnyPurchase(document: ProgramDocument): number {
  return compilePurchaseSteps(document).stepsFor(sizesOfLines(LINES_OF_ANY_PURCHASE));
}

/** Lines of purchases have no tags. */
function sizesOfLines(lines: number): FieldSizes {
  return { lines, lineTags: 0, cartTags: 0, memberTags: 0, memberLists: 0 };
}

function tooLarge(reason: string): Refusal<'cart_too_large'> {
  return refuse(
    'cart_too_large',
    `${reason} Send fewer lines, or publish fewer rules and campaigns that work on lines.`,
    [{ path: 'items', message: 'is too large for the rules and campaigns of the program' }],
  );
}
