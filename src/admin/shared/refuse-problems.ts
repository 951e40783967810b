import type { PositionedProblem } from '../../programs/parse/parse-document.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/** The most problems that a refusal lists; a dry run has all that were found. */
const MOST_DETAILS = 20;

/** The refusal of a document with these problems: each with its place in the text. */
export function refuseProblems(problems: readonly PositionedProblem[]): Refusal<'validation_failed'> {
  const details = problems.slice(0, MOST_DETAILS).map(({ path, line, column, message }) => ({
    path,
    message: `${message} (line ${line}, column ${column})`,
  }));
  const [first] = details;
  return refuse('validation_failed', `The document is not valid: ${first?.path} ${first?.message}.`, details);
}
