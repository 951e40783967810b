const LABEL_CHARACTERS = 100;
// Control characters and invisible characters: texts that look the same must be the same.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The rule for tags and names of lists, as messages state it. */
export const LABEL_RULE = `1 to ${LABEL_CHARACTERS} characters, none of them a control or invisible character`;

/** Normalizes a tag or the name of a list like `visibleText`. @returns null where it is invalid */
export function normalizeLabel(text: string): string | null {
  return visibleText(text, LABEL_CHARACTERS);
}

/**
 * Normalizes a text as a person typed it: trimmed, in Unicode NFC, so that texts that look the same are the same.
 * @param maxLength characters (Unicode code points)
 * @returns null where it is empty or longer, or contains control or invisible characters
 */
export function visibleText(text: string, maxLength: number): string | null {
  const normal = text.normalize('NFC').trim();
  const length = [...normal].length;
  return length === 0 || length > maxLength || INVISIBLE.test(normal) ? null : normal;
}
