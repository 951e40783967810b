import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nearestNames } from '../../../src/programs/document/nearest-name.ts';

const names = ['earn', 'tiers', 'qualification', 'memberLimit', 'expiration', 'rewards', 'returns'];

test.each([
  ['tier', ['tiers']],
  ['member_limit', ['memberLimit']],
  ['expriation', ['expiration']],
  ['qualificaton', ['qualification']],
  ['rewrads', ['rewards']],
  ['Earn', ['earn']],
  ['colour', []],
  ['e', []],
  ['', []],
  ['x'.repeat(100_000), []],
])('%s', (typed, expected) => {
  expect(nearestNames(typed, names)).toEqual(expected);
});

test('a name is nearest to itself, and whatever is suggested is a name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.string(), (name, text) => {
      expect(nearestNames(name, names)).toEqual([name]);
      expect(names).toEqual(expect.arrayContaining(nearestNames(text, names)));
    }),
  );
});
