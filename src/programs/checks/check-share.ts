import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';
import type { Share } from '../document/program-document.ts';

/** Checks that a share is at most the whole. @param path of the share */
export function checkShare({ numerator, denominator }: Share, path: DocumentPath): DocumentProblem[] {
  if (numerator <= denominator) return [];
  return [{ path: [...path, 'numerator'], message: `must be at most the denominator, ${denominator}` }];
}
