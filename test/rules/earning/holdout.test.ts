import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CartItemInput } from '../../../src/contract/generated/types.ts';
import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import { BUCKETS, bucketOf, heldOutOf } from '../../../src/rules/earning/holdout.ts';
import { input, program, purchase } from '../../support/rules/fixtures.ts';

const WITHHELD = 'The member is among those from whom this campaign is withheld.';

function campaign(id: string, more: Partial<Campaign> = {}): Campaign {
  return { id, match: 'all', conditions: [], award: { bonusPoints: 10 }, ...more };
}

const withheld = (percent: number, salt = 'spring') => ({ holdout: { percent, salt } });

/** The campaigns that give points to the purchase of a member, and the decisions on campaigns. */
function evaluate(campaigns: Campaign[], customer: string | null, items: CartItemInput[] = []) {
  const document = program({ campaigns });
  const heldOut = heldOutOf(document, customer);
  const result = evaluatePurchase(
    input({ program: document, purchase: purchase({ items }), heldOut, capsUsed: new Map() }),
  );
  if (isRefusal(result)) throw new Error(result.code);
  return {
    given: result.campaigns.map(({ campaignId }) => campaignId),
    decisions: result.ruleDecisions.filter(({ kind }) => kind.startsWith('campaign')),
  };
}

// Computed with another language's SHA-256.
test.each([
  ['customer-ada', 6158],
  ['customer-1', 8699],
  ['ann', 2444],
])('with the salt spring, %s is in bucket %i', (customer, bucket) => {
  expect(bucketOf('spring', customer)).toBe(bucket);
});

describe('a campaign with a holdout', () => {
  test('is withheld from the members of the first buckets, to a hundredth of a percent', () => {
    expect(evaluate([campaign('a', withheld(24.44))], 'ann').given).toEqual(['a']);
    expect(evaluate([campaign('a', withheld(24.45))], 'ann').given).toEqual([]);
  });

  test('says so in a decision', () => {
    expect(evaluate([campaign('a', withheld(50))], 'ann').decisions).toEqual([
      { kind: 'campaign_holdout', id: 'a', matched: true, reason: WITHHELD, points: 0 },
    ]);
  });

  test('says of the others that they are compared with those', () => {
    expect(evaluate([campaign('a', withheld(10))], 'ann').decisions).toMatchObject([
      { kind: 'campaign_holdout', id: 'a', matched: false, points: 0 },
      { kind: 'campaign', id: 'a', matched: true, points: 10 },
    ]);
  });

  test('says nothing of it where it does not hold for the purchase', () => {
    const conditions = [{ field: 'purchase.amountMinor', operator: 'gte' as const, value: 1_000_000 }];
    const [decision] = evaluate([campaign('a', { ...withheld(50), conditions })], 'ann').decisions;
    expect(decision).toMatchObject({ kind: 'campaign', id: 'a', matched: false });
  });

  test('says nothing of it where the purchase has no line that it works on', () => {
    const lines = {
      match: 'all' as const,
      conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'beans' }],
    };
    const ofBeans = [campaign('a', { ...withheld(50), lines })];
    const sold = (category: string) =>
      evaluate(ofBeans, 'ann', [{ category, unitPriceMinor: 500 }]).decisions;
    expect(sold('cups')).toMatchObject([{ kind: 'campaign', id: 'a', matched: false }]);
    expect(sold('beans')).toMatchObject([{ kind: 'campaign_holdout', id: 'a', matched: true }]);
  });

  test('is withheld from nobody where it is not known who buys', () => {
    expect(evaluate([campaign('a', withheld(99.99))], null).given).toEqual(['a']);
  });

  test('leaves room for the others: it is neither exclusive nor the best where it is withheld', () => {
    const other = campaign('b');
    expect(evaluate([campaign('a', { ...withheld(50), stacking: 'exclusive' }), other], 'ann').given).toEqual(
      ['b'],
    );
    const best = { stacking: 'best' as const };
    const more = campaign('a', { ...withheld(50), ...best, award: { bonusPoints: 99 } });
    expect(evaluate([more, campaign('b', best)], 'ann').given).toEqual(['b']);
    expect(evaluate([more, campaign('b', best)], 'customer-1').given).toEqual(['a']);
  });

  test('is withheld from the same members as another with the same salt', () => {
    const both = [campaign('a', withheld(50)), campaign('b', withheld(50))];
    expect(evaluate(both, 'ann').given).toEqual([]);
    expect(evaluate(both, 'customer-1').given).toEqual(['a', 'b']);
  });
});

describe('laws', () => {
  test('whoever is held out at a share is held out at any larger one', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.integer({ min: 1, max: 9_999 }),
        fc.integer({ min: 1, max: 9_999 }),
        (customer, one, other) => {
          const heldOut = (share: number) =>
            heldOutOf(program({ campaigns: [campaign('a', withheld(share / 100))] }), customer).has('a');
          if (heldOut(Math.min(one, other))) expect(heldOut(Math.max(one, other))).toBe(true);
        },
      ),
    );
  });

  test('every share is of so many buckets, and members fall in all of them evenly', () => {
    const document = program({ campaigns: [campaign('a', withheld(12.34))] });
    const members = 50_000;
    let count = 0;
    for (let index = 0; index < members; index++) count += heldOutOf(document, `customer-${index}`).size;
    // Six standard deviations.
    expect(Math.abs(count - members * 0.1234)).toBeLessThan(6 * Math.sqrt(members * 0.1234 * 0.8766));
    expect(BUCKETS).toBe(10_000);
  });
});
