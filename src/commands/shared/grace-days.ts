import { defaultGraceDays } from '../../programs/document/program-document.ts';
import { type PublishedProgram, versionAt } from '../../programs/published/published-program.ts';

/**
 * The days for which points that come back to an expired lot are valid again, by the version in effect at an instant.
 */
export function graceDaysAt(program: PublishedProgram | null, now: Date): number {
  return (program && versionAt(program, now))?.document.graceDays ?? defaultGraceDays;
}
