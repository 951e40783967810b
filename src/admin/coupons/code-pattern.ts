import { CODE_ALPHABET, CODE_LENGTH, checkCharacter, foldCode } from '../../rules/shared/coupon-code.ts';

/** The pattern of generated codes. */
export interface CodePattern {
  /** The random characters of a code: one byte makes each. */
  randomCharacters: number;
  /** How many bits of a code are random. */
  randomBits: number;
  /** Makes a code. @param bytes random, `randomCharacters` of them */
  make(bytes: Uint8Array): string;
  /** The beginning of a code that may be shown: the text before the first `#`, and at most two random characters. */
  prefixOf(code: string): string;
}

/** What a pattern has to be, for messages. */
export const PATTERN_RULE =
  'letters, digits, hyphens and #, ending with #, such as SUMMER-########: each # ' +
  'becomes a random character, the last one the check character';

/**
 * How many guesses one code of a pool has to cost on average, as a power of two: 15 is 32,768. Each guess is a request
 * of a merchant's or a customer's credential, and these have rate limits.
 */
export const LEAST_GUESS_BITS = 15;

const BITS_OF_CHARACTER = Math.log2(CODE_ALPHABET.length);

/** Reads a pattern. @returns null where it is none (`PATTERN_RULE`) */
export function readPattern(text: string): CodePattern | null {
  const pattern = text.toUpperCase();
  if (!/^[0-9A-Z#-]*#$/.test(pattern)) return null;
  const length = pattern.replaceAll('-', '').length;
  const randomCharacters = pattern.split('#').length - 2;
  if (length < CODE_LENGTH.least || length > CODE_LENGTH.most || randomCharacters < 1) return null;
  const shownOfRandom = Math.min(2, Math.floor(randomCharacters / 4));
  const shownLength = endOfRandom(pattern, shownOfRandom);
  return {
    randomCharacters,
    randomBits: randomCharacters * BITS_OF_CHARACTER,
    make: (bytes) => {
      let used = 0;
      const code = pattern.slice(0, -1).replaceAll('#', () => {
        const byte = bytes[used] ?? 0;
        used += 1;
        return CODE_ALPHABET.charAt(byte % CODE_ALPHABET.length);
      });
      return code + checkCharacter(foldCode(code.replaceAll('-', '')));
    },
    prefixOf: (code) => code.slice(0, shownLength),
  };
}

/**
 * The length of the beginning of a pattern up to its `count`-th random character; of the text before the first for 0.
 */
function endOfRandom(pattern: string, count: number): number {
  let position = pattern.indexOf('#');
  for (let index = 0; index < count; index += 1) position = pattern.indexOf('#', position) + 1;
  return position;
}

/** How many guesses a code of a pool costs on average, as a power of two. @param codes how many the pool has */
export function guessBits({ randomBits }: Pick<CodePattern, 'randomBits'>, codes: number): number {
  return randomBits - Math.log2(Math.max(1, codes));
}
