import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { guessBits, PATTERN_RULE, readPattern } from '../../../src/admin/coupons/code-pattern.ts';
import { CODE_ALPHABET, isChecked, normalizeCode } from '../../../src/rules/shared/coupon-code.ts';

const PATTERNS = ['SUMMER-########', '######', 'UIOL-####-####', `B${'#'.repeat(60)}`, 'A1#B2##C-#'];

/** Codes as `rewards coupon generate` makes them, of several patterns. */
const generated = fc.constantFrom(...PATTERNS).chain((text) => {
  const pattern = readPattern(text);
  if (!pattern) throw new Error(`${text} is no pattern: ${PATTERN_RULE}`);
  const { randomCharacters: minLength } = pattern;
  return fc.uint8Array({ minLength, maxLength: minLength }).map((bytes) => pattern.make(bytes));
});

const accepted = (text: string): boolean => {
  const normalized = normalizeCode(text);
  return normalized !== null && isChecked(normalized);
};

test('every generated code is accepted, however it is typed', () => {
  fc.assert(
    fc.property(generated, (code) => {
      expect(accepted(code)).toBe(true);
      const retyped = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      expect(normalizeCode(retyped)).toBe(normalizeCode(code));
    }),
  );
});

test('a code with one other character is refused, whichever character it is', () => {
  fc.assert(
    fc.property(generated, (code) => {
      const right = normalizeCode(code) ?? '';
      for (let place = 0; place < right.length; place += 1) {
        for (const other of CODE_ALPHABET) {
          const changed = right.slice(0, place) + other + right.slice(place + 1);
          expect(accepted(changed)).toBe(changed === right);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test('a code with two neighbours swapped is refused', () => {
  fc.assert(
    fc.property(generated, (code) => {
      const right = normalizeCode(code) ?? '';
      for (let place = 1; place < right.length; place += 1) {
        const [before, after] = [right.charAt(place - 1), right.charAt(place)];
        const swapped = right.slice(0, place - 1) + after + before + right.slice(place + 1);
        expect(accepted(swapped)).toBe(before === after);
      }
    }),
  );
});

test('codes are letters and digits; hyphens, dashes, blanks, case and look-alikes do not count', () => {
  expect(normalizeCode(' su-mm er–7kq3 m9tx ')).toBe('SVMMER7KQ3M9TX');
  expect(normalizeCode('Oil001')).toBe('011001');
  for (const not of ['', 'ABCDE', 'A'.repeat(101), 'ABC_DEF', 'ABCDÉF', 'ABC.DEF', 'ABCDEß']) {
    expect(normalizeCode(not)).toBeNull();
  }
});

test('a pattern has random characters and ends with one; its letters may be small', () => {
  expect(readPattern('summer-########')?.make(new Uint8Array(7))).toMatch(/^SUMMER-0{7}[0-9A-HJKMNP-TV-Z]$/);
  expect(readPattern('SUMMER-########')).toMatchObject({ randomCharacters: 7, randomBits: 35 });
  for (const not of ['SUMMER', '#####', 'A_######', '######-A', 'ABCDEF#', ''])
    expect(readPattern(not)).toBeNull();
});

test('what is shown of a code is its fixed beginning and at most two random characters', () => {
  const shownOf = (text: string) => {
    const pattern = readPattern(text);
    return pattern?.prefixOf(pattern.make(new Uint8Array(60)));
  };
  expect(shownOf('SUMMER-########')).toBe('SUMMER-0');
  expect(shownOf('A-#-#-#######')).toBe('A-0-0');
  expect(shownOf('ABC####')).toBe('ABC');
});

test('a million codes of SUMMER-######## cost 32,768 guesses each, and more codes fewer', () => {
  const pattern = readPattern('SUMMER-########');
  if (!pattern) throw new Error('no pattern');
  expect(2 ** guessBits(pattern, 1_048_576)).toBeCloseTo(32_768);
  expect(2 ** guessBits(pattern, 1_000_000)).toBeGreaterThan(32_768);
  expect(2 ** guessBits(pattern, 2_097_152)).toBeCloseTo(16_384);
});
