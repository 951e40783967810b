import { type Refusal, refuse } from '../refusal.ts';

const MAX_CHARACTERS = 200;
// Control characters and invisible characters: names that look the same must be the same.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The rule for names, as messages state it. */
export const NAME_RULE = `1 to ${MAX_CHARACTERS} characters, none of them a control or invisible character`;

/**
 * Normalizes the name of a tenant, an environment, a principal or an operator as a person typed it: trimmed, in Unicode
 * NFC, so that names that look the same are the same text.
 * @returns null where it is empty, longer than 200 characters, or contains control or invisible characters
 */
export function normalizeName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  return length === 0 || length > MAX_CHARACTERS || INVISIBLE.test(name) ? null : name;
}

/** The refusal of an invalid name. @param path the field, such as `principal` */
export function refuseName(path: string): Refusal<'validation_failed'> {
  return refuse('validation_failed', `The ${path} must be ${NAME_RULE}.`, [
    { path, message: `must be ${NAME_RULE}` },
  ]);
}

const LABEL_CHARACTERS = 100;

/** The rule for tags and names of lists, as messages state it. */
export const LABEL_RULE = `1 to ${LABEL_CHARACTERS} characters, none of them a control or invisible character`;

/** Normalizes a tag or the name of a list like `normalizeName`. @returns null where it is invalid */
export function normalizeLabel(text: string): string | null {
  const label = normalizeName(text);
  return label === null || [...label].length > LABEL_CHARACTERS ? null : label;
}
