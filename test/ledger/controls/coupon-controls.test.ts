import { expect, test } from '@jest/globals';
import { operator } from '../../../src/admin/shared/admin-change.ts';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { createPrisma } from '../../../src/db/prisma.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { readRecordedAward } from '../../../src/queries/transactions/recorded-award.ts';
import { verifyAward } from '../../../src/queries/transactions/verify-award.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';
import { makeCodes } from '../../support/surfaces/coupon-codes.ts';

const counter = useCounter();

/** An environment with two pools, and purchases that redeemed three codes and tried one of them again. */
async function redeemed(): Promise<{ shop: Shop; purchases: { id: string }[] }> {
  const document = program({
    coupons: [
      { code: 'SUMMER', award: { bonusPoints: 10 }, limits: { perMember: 5 }, pool: { usesPerCode: 2 } },
      { code: 'WINTER', pool: {} },
    ],
  });
  const shop = await counter.environment(document);
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'bob']);
  const prisma = createPrisma(counter.database.adminPool);
  const name = { environmentId: shop.id, programId: document.id };
  const codes = [
    ...(await makeCodes(
      counter.database,
      { administrator: { prisma, actor: operator('eve') } },
      { ...name, poolId: 'SUMMER' },
      3,
    )),
    ...(await makeCodes(
      counter.database,
      { administrator: { prisma, actor: operator('eve') } },
      { ...name, poolId: 'WINTER' },
      1,
    )),
  ];
  const purchases: { id: string }[] = [];
  for (const [externalCustomerId, place] of [
    ['ann', 0],
    ['bob', 0],
    ['ann', 0],
    ['ann', 1],
    ['bob', 3],
  ] as const) {
    const idempotencyKey = newUuid();
    const input = {
      ...{ idempotencyKey, programId: document.id, externalCustomerId, amountMinor: 100 },
      ...{ channel: 'web' as const, sourceReference: idempotencyKey, couponCode: codes[place] ?? '' },
    };
    purchases.push(receiptOf(await writer.submit(purchaseEarn(input, shop.caller))) as { id: string });
  }
  return { shop, purchases };
}

test('awards with codes of pools can be computed again', async () => {
  const { shop, purchases } = await redeemed();
  for (const { id } of purchases) {
    const award = await readRecordedAward(counter.database.adminPool, fromTypeId('txn', id) ?? '', shop.id);
    if (!award || !('receipt' in award)) throw new Error('no purchase');
    expect(verifyAward(award).differences).toEqual([]);
  }
});

const of = 'where environment_id = $1';

test.each<[what: string, sql: string, controls: string[]]>([
  ['nothing', 'select $1::uuid', []],
  ['a use too few', `update coupon_codes set uses = 1 ${of} and uses = 2`, ['coupon-uses-equal-redemptions']],
  [
    'a use that no purchase made',
    `update coupon_codes set uses = 1 ${of} and uses = 0`,
    ['coupon-uses-equal-redemptions'],
  ],
  [
    'a lost redemption',
    `delete from coupon_redemptions ${of} and transaction_id = (select ` +
      `min(transaction_id::text)::uuid from coupon_redemptions ${of})`,
    ['coupon-uses-equal-redemptions', 'coupon-redemptions-equal-purchases'],
  ],
  [
    'a redemption by another member',
    `update coupon_redemptions r set member_id = m.id from members m
      where r.environment_id = $1 and m.environment_id = $1 and m.external_customer_id = 'bob'`,
    ['coupon-redemptions-equal-purchases'],
  ],
  [
    'a code that has changed its pool',
    `update coupon_codes set pool_id = 'WINTER' ${of} and uses = 2`,
    ['coupon-redemptions-equal-purchases'],
  ],
  [
    'a use of the pool that was not counted for the member',
    `delete from limit_counters ${of} and limit_id = 'coupon:SUMMER'`,
    ['member-counters-equal-purchases'],
  ],
])('finds %s', async (_what, sql, controls) => {
  const { shop } = await redeemed();
  await counter.database.adminPool.query(sql, [shop.id]);
  const client = await counter.database.adminPool.connect();
  const all = await verifyLedger(client, shop.id).finally(() => client.release());
  expect(all.filter(({ passed }) => !passed).map(({ id }) => id)).toEqual(controls);
});

test('the database itself refuses a use more than allowed', async () => {
  const { shop } = await redeemed();
  const update = `update coupon_codes set uses = uses_allowed + 1 ${of}`;
  await expect(counter.database.adminPool.query(update, [shop.id])).rejects.toMatchObject({
    constraint: 'coupon_codes_uses_check',
  });
});
