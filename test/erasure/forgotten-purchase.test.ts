import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { Forgotten } from '../../src/erasure/forgotten.ts';
import { forgottenPurchase } from '../../src/erasure/forgotten-purchase.ts';
import type { Condition } from '../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { verifyAward } from '../../src/queries/transactions/verify-award.ts';
import { Desk } from '../support/commands/desk.ts';
import { recordedAwards } from '../support/commands/recorded-awards.ts';
import { program, rule } from '../support/rules/fixtures.ts';

// Any values meet any conditions: what an erasure leaves of a purchase gives the same award and the same decisions.

const texts = fc.constantFrom(
  'vip',
  'spring',
  '2026-03-01',
  '2026-04-01',
  'joan',
  'Joan Smith',
  'erased',
  '',
);
const value = fc.oneof(texts, fc.integer({ min: -2, max: 2 }), fc.boolean());
const field = fc.constantFrom('attributes.a', 'attributes.b', 'purchase.couponCode');
const condition = fc.oneof(
  fc.record({ field, operator: fc.constantFrom('equals' as const, 'not_equals' as const), value }),
  fc.record({
    field,
    operator: fc.constantFrom('in' as const, 'not_in' as const),
    value: fc.array(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    field: fc.constantFrom('attributes.a', 'attributes.b'),
    operator: fc.constantFrom('gt' as const, 'gte' as const, 'lt' as const, 'lte' as const),
    value: fc.constantFrom('2026-03-15', 0),
  }),
  fc.record({ field, operator: fc.constant('exists' as const), value: fc.boolean() }),
);
const labelled = fc.record({
  field: fc.constantFrom('member.tags', 'member.lists'),
  operator: fc.constantFrom('equals' as const, 'not_equals' as const),
  value: texts,
});

function club(conditions: readonly Condition[], audience: Condition): ProgramDocument {
  return program({
    audiences: [{ id: 'some', match: 'all', conditions: [audience] }],
    campaigns: [
      ...conditions.map((each, index) => ({
        id: `c${index}`,
        match: 'all' as const,
        conditions: [each],
        award: { bonusPoints: 2 ** index },
        stacking: 'stack' as const,
      })),
      {
        id: 'labelled',
        match: 'all',
        audiences: ['some'],
        conditions: [],
        award: { bonusPoints: 1_000 },
        stacking: 'stack',
      },
    ],
    coupons: [{ code: 'TEN', award: { bonusPoints: 10 } }],
    referral: { referrerPoints: 30, refereePoints: 20 },
  });
}

test('verify award finds the same award in what is left of a purchase, twice over', () => {
  const anything = fc.oneof(value, fc.constant(null), fc.constant(['vip']), fc.constant({ deep: 'Joan' }));
  const attributes = fc.record({ a: anything, b: anything, c: anything }, { requiredKeys: [] });
  const labels = fc.uniqueArray(texts, { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(condition, { minLength: 1, maxLength: 6 }),
      labelled,
      attributes,
      labels,
      labels,
      fc.option(fc.constantFrom('TEN', 'JOAN10', 'vip')),
      fc.option(fc.constant('NOBODY')),
      (conditions, audience, given, tags, lists, couponCode, referralCode) => {
        const document = club(conditions, audience);
        const desk = new Desk();
        desk.publish(document);
        desk.createMember({ externalCustomerId: 'joan' });
        desk.enroll({ externalCustomerId: 'joan' });
        desk.store.tables.members.set('joan', { ...desk.member('joan'), tags, lists });
        const context = { attributes: { ...given, ...(referralCode && { referralCode }) } };
        const input = desk.purchaseInput({ externalCustomerId: 'joan', couponCode, context });
        desk.run(purchaseEarn(input, desk.caller, null));
        const [award] = recordedAwards(desk, document);
        if (!award) throw new Error('nothing was awarded');
        expect(verifyAward(award).differences).toEqual([]);
        const forgotten = new Forgotten({ memberId: desk.member('joan').id, externalCustomerId: 'joan' });
        const once = forgottenPurchase(award.receipt, document, forgotten);
        expect(verifyAward({ ...award, receipt: once }).differences).toEqual([]);
        const twice = forgottenPurchase(once, document, forgotten);
        expect(twice).toEqual(once);
        const typed =
          JSON.stringify(conditions).includes('Joan') || JSON.stringify(audience).includes('Joan');
        if (!typed) expect(JSON.stringify(once)).not.toMatch(/Joan|JOAN10|NOBODY/);
      },
    ),
    { numRuns: 500 },
  );
});

test('references of lines change in decisions and receipts as they do in the order', () => {
  const beans = {
    match: 'all' as const,
    conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'beans' }],
  };
  const document = program({ earn: { rules: [{ ...rule('beans'), lines: beans }, rule('base')] } });
  const desk = new Desk();
  desk.publish(document);
  desk.createMember({ externalCustomerId: 'joan' });
  desk.enroll({ externalCustomerId: 'joan' });
  const items = [
    { lineReference: 'joan-1', category: 'beans', quantity: 1, unitPriceMinor: 1_000 },
    { lineReference: 'joan-2', category: 'cups', quantity: 1, unitPriceMinor: 500 },
  ];
  desk.run(purchaseEarn(desk.purchaseInput({ externalCustomerId: 'joan', items }), desk.caller, null));
  const [award] = recordedAwards(desk, document);
  if (!award) throw new Error('nothing was awarded');
  const forgotten = new Forgotten({ memberId: desk.member('joan').id, externalCustomerId: 'joan' });
  const receipt = forgottenPurchase(award.receipt, document, forgotten);
  const lines = forgotten.json(award.lines);
  expect(verifyAward({ ...award, lines, receipt }).differences).toEqual([]);
  const { lines: kept, ruleDecisions } = receipt;
  expect(JSON.stringify([kept, ruleDecisions])).toContain(`${forgotten.newId}-1`);
  expect(JSON.stringify([kept, ruleDecisions])).not.toContain('joan-');
});
