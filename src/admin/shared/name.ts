import { visibleText } from '../../commands/shared/label.ts';
import { type Refusal, refuse } from '../../refusal.ts';

const MAX_CHARACTERS = 200;

/** The rule for names, as messages state it. */
export const NAME_RULE = `1 to ${MAX_CHARACTERS} characters, none of them a control or invisible character`;

/**
 * Normalizes the name of a tenant, an environment, a principal or an operator as a person typed it: trimmed, in Unicode
 * NFC, so that names that look the same are the same text.
 * @returns null where it is empty, longer than 200 characters, or contains control or invisible characters
 */
export function normalizeName(text: string): string | null {
  return visibleText(text, MAX_CHARACTERS);
}

/** The refusal of an invalid name. @param path the field, such as `principal` */
export function refuseName(path: string): Refusal<'validation_failed'> {
  return refuse('validation_failed', `The ${path} must be ${NAME_RULE}.`, [
    { path, message: `must be ${NAME_RULE}` },
  ]);
}
