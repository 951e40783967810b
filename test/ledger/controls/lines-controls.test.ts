import { expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { createQueries } from '../../../src/queries/queries.ts';
import { readRecordedAward } from '../../../src/queries/transactions/recorded-award.ts';
import { verifyAward } from '../../../src/queries/transactions/verify-award.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program, rule } from '../../support/rules/fixtures.ts';

const counter = useCounter();
const writer = useWriter(counter);

const gift = {
  ...rule('gift', [], { rateNumerator: 0 }),
  lines: {
    match: 'all' as const,
    conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'gift-card' }],
  },
};

/** Two orders under a program that earns by line, with returns of both forms; the second was paid for with nothing. */
async function bought(): Promise<{ shop: Shop; id: string }> {
  const shop = await counter.environment(
    program({
      earn: { rules: [gift, rule('base')] },
      coupons: [{ code: 'TEN', award: { bonusPoints: 10 } }],
    }),
  );
  await shop.addMembers(writer, ['ann']);
  const items = [
    { lineReference: 'card', category: 'gift-card', unitPriceMinor: 5000 },
    { lineReference: 'mug', category: 'cups', quantity: 3, unitPriceMinor: 1100 },
    { lineReference: 'mug', category: 'cups', quantity: 1, unitPriceMinor: 600 },
  ];
  const earn = async (sourceReference: string, amountMinor: number) =>
    receiptOf(
      await writer.submit(
        purchaseEarn(
          {
            idempotencyKey: newUuid(),
            programId: 'coffee-club',
            externalCustomerId: 'ann',
            amountMinor,
            channel: 'web',
            sourceReference,
            couponCode: 'TEN',
            items,
          },
          shop.caller,
        ),
      ),
    ) as unknown as { id: string };
  const { id } = await earn('paid', 9_400);
  await earn('free', 0);
  const queries = createQueries(counter.database.adminPool);
  const giveBack = async (sourceReference: string, what: object): Promise<number> => {
    const owner = await queries.owner(shop.id, { kind: 'order', sourceReference });
    const input = { idempotencyKey: newUuid(), sourceReference, returnReference: newUuid(), ...what };
    const command = recordReturn(input, owner, shop.caller);
    if ('refused' in command) throw new Error(command.code);
    return (receiptOf(await writer.submit(command)).return as { pointsClawedBack: number }).pointsClawedBack;
  };
  // 33, 6 and 5 base points on mugs and delivery, and 5, 3, 1 and 1 of the coupon: 5, 36, 7 and 6.
  expect(await giveBack('paid', { items: [{ lineReference: 'mug', quantity: 2 }] })).toBe(24);
  // 30 points are left, and 7076 of the value, because 2200 of 8900 are 2324 of 9400; 1000 are 4.24.
  expect(await giveBack('paid', { returnAmountMinor: 1000 })).toBe(4);
  expect(await giveBack('free', { items: [{ lineReference: 'mug', quantity: 1 }] })).toBe(2);
  return { shop, id: fromTypeId('txn', id) ?? '' };
}

const failed = (shop: Shop) => counter.failedControlsOf(shop.id);

const PURCHASE = "environment_id = $1 and source_reference = 'paid' and event_type = 'purchase.completed'";

test.each<[what: string, sql: string, controls: string[]]>([
  ['nothing', 'select $1::uuid', []],
  [
    'points of a line of the order',
    `update orders set lines = jsonb_set(lines::jsonb, '{1,points}', '33')::json
     where environment_id = $1 and source_reference = 'paid'`,
    ['claims-equal-dues', 'order-lines-equal-receipts'],
  ],
  [
    'points of a line in the receipt',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{lines,2,points}', '8')::json
     where ${PURCHASE}`,
    ['lines-add-up-to-awards', 'order-lines-equal-receipts'],
  ],
  [
    'points of the rest in the receipt',
    `update transactions set receipt = jsonb_set(receipt::jsonb, '{lines,3,points}', '7')::json
     where ${PURCHASE}`,
    ['lines-add-up-to-awards'],
  ],
  [
    'the lines that went back',
    `update orders set returned_lines = '{"mug":1}' where environment_id = $1 and source_reference = 'paid'`,
    ['claims-equal-dues'],
  ],
])('the controls find a change of %s', async (_what, sql, controls) => {
  const { shop } = await bought();
  await counter.database.adminPool.query(sql, [shop.id]);
  expect((await failed(shop)).toSorted()).toEqual(controls);
});

test('an award by line is computed again from its evidence, and said in words', async () => {
  const { shop, id } = await bought();
  const award = await readRecordedAward(counter.database.adminPool, id, shop.id);
  if (!award || 'eventType' in award) throw new Error('no purchase');
  const { differences, steps } = verifyAward(award);
  expect(differences).toEqual([]);
  expect(steps).toEqual([
    'Rule gift applies to line 1: 5000 × 0 ÷ (1 × 10^2) = 0, rounded (floor) to 0 points.',
    'Rule base applies to lines 2, 3 and to the part that no line explains: 4400 ' +
      '× 1 ÷ (1 × 10^2) = 44, rounded (floor) to 44 points.',
    'Tier bronze: 0 × 1/1 = 0, rounded (nearest_half_up) to 0; 44 × 1/1 = ' +
      '44, rounded (nearest_half_up) to 44; 44 points.',
    'Coupon TEN applies: 10 bonus points.',
    '54 points in all: 44 base and 10 of campaigns.',
  ]);
  const [first] = award.lines ?? [];
  const moved = { ...award, lines: [{ ...first, points: 1 }, ...(award.lines ?? []).slice(1)] };
  expect(verifyAward(moved).differences.map(({ what }) => what)).toEqual(['order.lines']);
});
