import { expect, test } from '@jest/globals';
import { tierFor } from '../../../src/rules/shared/tiers.ts';
import { program } from '../../support/rules/fixtures.ts';

test.each([
  [0, 'bronze'],
  [999, 'bronze'],
  [1_000, 'silver'],
  [4_999, 'silver'],
  [5_000, 'gold'],
  [Number.MAX_SAFE_INTEGER, 'gold'],
])('%p qualification points reach %s', (points, tier) => {
  expect(tierFor(program().tiers, points).id).toBe(tier);
});
