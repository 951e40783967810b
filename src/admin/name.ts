import { type Refusal, refuse } from '../refusal.ts';

const MAX_CHARACTERS = 200;
// Control characters, and those that nobody sees: two names that look alike must be one name.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** What a name must be, for people. */
export const NAME_RULE = `1 to ${MAX_CHARACTERS} characters, none of them a control or invisible character`;

/**
 * A name that a person typed, of a tenant, an environment, a principal or an operator: trimmed, in Unicode NFC, so that
 * what is the same to people is the same text.
 * @returns null for one that is empty or longer than 200 characters, or has control or invisible characters in it
 */
export function normalizeName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  const length = [...name].length;
  return length === 0 || length > MAX_CHARACTERS || INVISIBLE.test(name) ? null : name;
}

/** The refusal of what is no name. @param path what it was to name, such as `principal` */
export function refuseName(path: string): Refusal<'validation_failed'> {
  return refuse('validation_failed', `The ${path} must be ${NAME_RULE}.`, [
    { path, message: `must be ${NAME_RULE}` },
  ]);
}

const LABEL_CHARACTERS = 100;

/** What a tag or the name of a list must be, for people. */
export const LABEL_RULE = `1 to ${LABEL_CHARACTERS} characters, none of them a control or invisible character`;

/** A tag of members, or the name of a list of members, as `normalizeName` takes a name. @returns null for no good one */
export function normalizeLabel(text: string): string | null {
  const label = normalizeName(text);
  return label === null || [...label].length > LABEL_CHARACTERS ? null : label;
}
