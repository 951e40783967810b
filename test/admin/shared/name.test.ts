import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeName } from '../../../src/admin/shared/name.ts';

test.each([
  ['spaces around it', '  shop \u00a0', 'shop'],
  ['an accent of its own', 'Jose\u0301', 'Jos\u00e9'],
  ['spaces within', 'Beans & Co', 'Beans & Co'],
  ['200 characters, of two code units each', '\u{1f600}'.repeat(200), '\u{1f600}'.repeat(200)],
])('names that look the same are the same text: %s', (_what, text, name) => {
  expect(normalizeName(text)).toBe(name);
});

test.each([
  ['nothing', ''],
  ['spaces alone', ' \t\u2003'],
  ['201 characters', 'x'.repeat(201)],
  ['an escape sequence', 'shop\u001b[2J'],
  ['a line end', 'shop\nada'],
  ['a space without width', 'sh\u200bop'],
  ['a change of direction', 'sh\u202eop'],
  ['half of a surrogate pair', 'shop\ud800'],
])('an invalid name: %s', (_what, text) => {
  expect(normalizeName(text)).toBeNull();
});

test('a normal name stays what it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      const name = normalizeName(text);
      fc.pre(name !== null);
      expect(normalizeName(name)).toBe(name);
    }),
  );
});
