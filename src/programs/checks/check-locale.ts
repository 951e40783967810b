import type { DocumentPath, DocumentProblem } from '../document/document-problem.ts';

/** Checks that a text is a language tag. */
export function checkLocale(locale: string, path: DocumentPath): DocumentProblem[] {
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch (error) {
    if (error instanceof RangeError) return [{ path, message: 'is no BCP 47 language tag, such as en-US' }];
    throw error;
  }
}
