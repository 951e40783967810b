/**
 * The 32 characters of generated codes: Crockford's Base32, digits and capital letters without I, L, O and U. As their
 * number is a power of two, random bits give each of them with the same probability.
 */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The letters that are not in the alphabet, and the characters that they are read as. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0', U: 'V' };

const VALUES: ReadonlyMap<string, number> = new Map(
  [...CODE_ALPHABET].map((character, value) => [character, value]),
);

/** The least and the most letters and digits of a code. */
export const CODE_LENGTH = { least: 6, most: 100 } as const;

/**
 * The form in which codes of pools are compared: capital letters, without blanks and hyphens, I and L read as 1, O as 0
 * and U as V. Every character of it is in the alphabet.
 * @returns null for what cannot be a code of a pool: other characters, or not 6 to 100 letters and digits
 */
export function normalizeCode(text: string): string | null {
  const plain = text.replaceAll(/[\s\p{Pd}]/gu, '');
  if (!/^[0-9A-Za-z]+$/.test(plain)) return null;
  if (plain.length < CODE_LENGTH.least || plain.length > CODE_LENGTH.most) return null;
  return foldCode(plain);
}

/** Letters and digits with capitals and look-alikes folded. */
export function foldCode(plain: string): string {
  return plain.toUpperCase().replaceAll(/[ILOU]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/**
 * Whether the last character of a normalized code is the check character of those before it. A code in which one
 * character was changed, or two adjacent ones were swapped, never passes.
 *
 * The characters are elements of the field GF(32), and the code is read as a polynomial at a generator of the field.
 * Each place has a weight that is not zero, so one changed character changes the value; adjacent places have different
 * weights, so swapping two different characters does too.
 */
export function isChecked(normalized: string): boolean {
  return polynomialOf(normalized) === 0;
}

/** The check character that completes a normalized code. */
export function checkCharacter(normalized: string): string {
  return CODE_ALPHABET.charAt(timesGenerator(polynomialOf(normalized)));
}

function polynomialOf(normalized: string): number {
  let value = 0;
  for (const character of normalized) value = timesGenerator(value) ^ (VALUES.get(character) ?? 0);
  return value;
}

/** Multiplies by x in GF(2)[x] modulo the primitive polynomial x^5 + x^2 + 1. */
function timesGenerator(value: number): number {
  const doubled = value << 1;
  return doubled & 0b100000 ? doubled ^ 0b100101 : doubled;
}
