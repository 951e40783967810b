import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { erasedId, Forgotten } from '../../src/erasure/forgotten.ts';

const memberId = '01a20446-0050-72db-a1f9-45bea753cdfa';
const forget = (externalCustomerId: string) => new Forgotten({ memberId, externalCustomerId });

test('an id is a word: it ends where no letter or digit follows', () => {
  const joan = forget('joan');
  expect(joan.reference('order-joan-7')).toBe(`order-${erasedId(memberId)}-7`);
  expect(joan.reference('joan')).toBe(erasedId(memberId));
  for (const kept of ['joanna', 'order-joan7', 'Joan', 'john']) expect(joan.reference(kept)).toBe(kept);
});

test('of every id nothing is left, whatever characters it has, and a second time changes nothing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
      fc.constantFrom('', 'order ', '#', '(', '-', 'ü'),
      fc.constantFrom('', ' 7', '/x', '.', '-'),
      (id, before, after) => {
        const forgotten = forget(id);
        const text = `${before}${id}${after}`;
        const once = forgotten.reference(text);
        expect(once).toContain(forgotten.newId);
        expect(forgotten.isIn(text)).toBe(true);
        const receipt = { member: { externalCustomerId: id }, sourceReference: text, points: 7 };
        expect(forgotten.json(receipt)).toEqual({
          member: { externalCustomerId: forgotten.newId },
          sourceReference: once,
          points: 7,
        });
      },
    ),
  );
});

test('names, sentences and codes go; the reasons of rules, other members and numbers stay', () => {
  const receipt = {
    member: { externalCustomerId: 'joan', displayName: 'Joan', tier: 'gold' },
    program: { referralCode: 'C20DMTRDFS' },
    adjustment: { reason: 'cold coffee', decisionReason: null },
    other: { externalCustomerId: 'ann' },
    ruleDecisions: [{ id: 'base', reason: 'Does not hold.', sourceReference: 'joan' }],
  };
  expect(forget('joan').json(receipt)).toEqual({
    member: { externalCustomerId: erasedId(memberId), displayName: null, tier: 'gold' },
    program: { referralCode: null },
    adjustment: { reason: 'erased', decisionReason: null },
    other: { externalCustomerId: 'ann' },
    ruleDecisions: receipt.ruleDecisions,
  });
});
