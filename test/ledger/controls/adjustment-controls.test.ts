import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { openBalance } from '../../../src/commands/adjustments/open-balance.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import { reverseExchange } from '../../../src/commands/exchange/reverse-exchange.ts';
import { settleExchange } from '../../../src/commands/exchange/settle-exchange.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { MIGRATIONS_DIRECTORY } from '../../../src/db/migrate.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import type { Command } from '../../../src/ledger/command.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';

const counter = useCounter();
const writer = useWriter(counter);

/** Posts an adjustment. @returns what reverses it */
async function adjust(
  shop: Shop,
  externalCustomerId: string,
  direction: 'credit' | 'debit',
  points: number,
): Promise<() => Promise<void>> {
  const by = (id: string): Caller => ({ ...shop.caller, actor: { type: 'api_key', id } });
  const programId = 'coffee-club';
  const said = { programId, externalCustomerId, direction, points, reason: 'test', evidence: { n: 1 } };
  const request = requestAdjustment({ idempotencyKey: newUuid(), ...said }, by('clerk'));
  const { adjustment } = receiptOf(await writer.submit(request)) as { adjustment: { id: string } };
  const named = { id: fromTypeId('adj', adjustment.id) ?? '', programId, externalCustomerId, points };
  const decideBy = (decide: typeof approveAdjustment | typeof reverseAdjustment) => async () => {
    const input = { idempotencyKey: newUuid(), adjustmentId: adjustment.id, reason: 'test' };
    receiptOf(await writer.submit(decide(input, named, by('boss'))));
  };
  await decideBy(approveAdjustment)();
  return decideBy(reverseAdjustment);
}

/** An environment with a reversed credit of 100, a reversed debit of 40 and a posted credit of 7. */
async function adjusted(): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  await writer.submit(shop.earn('ann'));
  for (const [direction, points, isReversed] of [
    ['credit', 100, true],
    ['debit', 40, true],
    ['credit', 7, false],
  ] as const) {
    const reverse = await adjust(shop, 'ann', direction, points);
    if (isReversed) await reverse();
  }
  return shop;
}

/**
 * An environment in which ann's reversed credits owe 40 points to an order, and 60 points were repaid to it that a
 * debit had taken from one of them. The order's lot had nothing left, so only the look-up of lending lots finds it.
 */
async function lent(): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann']);
  const repaid = await adjust(shop, 'ann', 'credit', 60);
  const debit = await adjust(shop, 'ann', 'debit', 60);
  const owing = await adjust(shop, 'ann', 'credit', 40);
  await adjust(shop, 'ann', 'debit', 40);
  await writer.submit(shop.earn('ann'));
  for (const reverse of [repaid, owing, debit]) await reverse();
  return shop;
}

/**
 * An environment in which ann's balance was opened with 30 points, 50 came in from a partner and were reversed after a
 * debit had spent them, and 20 went out.
 */
async function exchanged(): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  const said = { programId: 'coffee-club', externalCustomerId: 'ann' };
  const partner = (settlementReference: string) => ({
    ...said,
    idempotencyKey: settlementReference,
    settlementReference,
    partnerId: 'airline',
  });
  const settle = (reference: string, direction: 'in' | 'out', points: number): Command =>
    settleExchange({ ...partner(reference), direction, points }, shop.caller);
  const opening = { ...said, idempotencyKey: 'o', reference: 'o', points: 30, expiresAt: null };
  receiptOf(await writer.submit(settle('s-1', 'in', 50)));
  await adjust(shop, 'ann', 'debit', 50);
  receiptOf(await writer.submit(openBalance(opening, shop.caller)));
  receiptOf(await writer.submit(shop.earn('ann')));
  receiptOf(await writer.submit(reverseExchange({ ...partner('r-1'), reverses: 's-1' }, shop.caller)));
  receiptOf(await writer.submit(settle('s-2', 'out', 20)));
  return shop;
}

const failed = (shop: Shop) => counter.failedControlsOf(shop.id);

test.each([
  ['nothing', 'select $1::uuid', []],
  [
    'an adjustment of other points',
    'update adjustments set points = 8 where points = 7 and environment_id = $1',
    ['adjustments-equal-postings'],
  ],
  [
    'an adjustment in the other direction',
    `update adjustments set direction = 'debit' where points = 7 and environment_id = $1`,
    ['adjustments-equal-postings'],
  ],
  [
    "an adjustment in another member's name",
    `update adjustments set member_id = m.id from members m where adjustments.environment_id = $1
     and m.environment_id = $1 and external_customer_id = 'bob'`,
    ['adjustments-equal-postings'],
  ],
  [
    'a lost adjustment',
    'delete from adjustments where points = 7 and environment_id = $1',
    ['adjustments-equal-postings', 'lent-points-equal-postings', 'openings-equal-postings'],
  ],
  [
    'a reversal that the adjustment does not know of',
    `update adjustments set state = 'posted', reversal_transaction_id = null where points = 40
     and environment_id = $1`,
    ['adjustments-equal-postings', 'lent-points-equal-postings'],
  ],
  [
    'a reversed transaction that says it stands',
    `update transactions set state = 'committed', reversed_by = null where points = 100 and state = 'reversed'
     and environment_id = $1`,
    ['reversals-are-mutual'],
  ],
  [
    'a transaction reversed by another one than says so',
    `update transactions t set reversed_by = t.id where state = 'reversed' and points = 100
     and environment_id = $1`,
    ['reversals-are-mutual'],
  ],
])('%s', async (_what, corruption, expected) => {
  const shop = await adjusted();
  await counter.database.adminPool.query(corruption, [shop.id]);
  expect(await failed(shop)).toEqual(expected);
});

test.each([
  ['nothing', 'select $1::uuid', []],
  [
    'a loan that is forgotten on both sides',
    'update lots set lent = 0 where environment_id = $1',
    ['lent-points-equal-postings'],
  ],
  [
    'a loan that the lender does not know of',
    'update lots set lent = 0 where lent > 0 and environment_id = $1',
    ['lent-points-equal-postings'],
  ],
  [
    'a loan to the lot of a credit that owes nothing any more',
    'update lots set lent = -1 where granted = 60 and environment_id = $1',
    ['lent-points-equal-postings'],
  ],
  [
    'points that came back to a credit that owes them, and stayed there',
    'update lots set available = 40 where granted = 40 and environment_id = $1',
    ['lots-equal-postings', 'lots-equal-balances', 'lent-points-equal-postings'],
  ],
])('lent points: %s', async (_what, corruption, expected) => {
  const shop = await lent();
  await counter.database.adminPool.query(corruption, [shop.id]);
  expect(await failed(shop)).toEqual(expected);
});

test('the migration records what reversals before it have taken from other lots', async () => {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann']);
  const owing = await adjust(shop, 'ann', 'credit', 30);
  await adjust(shop, 'ann', 'debit', 30);
  await writer.submit(shop.earn('ann'));
  await owing();
  const { adminPool } = counter.database;
  const lentOf = async (): Promise<unknown[]> => {
    const { rows } = await adminPool.query(
      'select granted, lent from lots where environment_id = $1 order by id',
      [shop.id],
    );
    return rows;
  };
  const recorded = await lentOf();
  expect(recorded).toEqual([
    { granted: 30, lent: -30 },
    { granted: 100, lent: 30 },
  ]);
  await adminPool.query('update lots set lent = 0 where environment_id = $1', [shop.id]);
  const migration = await readFile(
    `${MIGRATIONS_DIRECTORY}/20261122130000_lent_points/migration.sql`,
    'utf8',
  );
  const backfill = migration.match(/^update lots[^;]*/m)?.[0];
  await adminPool.query(`${backfill} and lots.environment_id = $1`, [shop.id]);
  expect(await lentOf()).toEqual(recorded);
  expect(await failed(shop)).toEqual([]);
});

test.each([
  ['nothing', 'select $1::uuid', []],
  [
    'a settlement of other points',
    `update exchange_settlements set points = 21 where settlement_reference = 's-2' and environment_id = $1`,
    ['exchanges-equal-postings', 'settlements-equal-transactions'],
  ],
  [
    'a settlement in the other direction',
    `update exchange_settlements set direction = 'in' where settlement_reference = 's-2' and environment_id = $1`,
    ['exchanges-equal-postings'],
  ],
  [
    "a settlement in another member's name",
    `update exchange_settlements set member_id = m.id from members m where settlement_reference = 's-2'
     and exchange_settlements.environment_id = $1 and m.environment_id = $1 and external_customer_id = 'bob'`,
    ['exchanges-equal-postings'],
  ],
  [
    'a reversal that the settlement does not know of',
    `update exchange_settlements set reversed_by = null where environment_id = $1`,
    ['lent-points-equal-postings', 'exchanges-are-reversed-once'],
  ],
  [
    'a reversal of another partner',
    `update exchange_settlements set partner_id = 'hotel' where settlement_reference = 'r-1' and environment_id = $1`,
    ['exchanges-are-reversed-once'],
  ],
  [
    'a settlement that says it was reversed',
    `update exchange_settlements set reversed_by = 'r-1' where settlement_reference = 's-2' and environment_id = $1`,
    ['exchanges-are-reversed-once'],
  ],
  [
    'a loan of the reversed settlement that is forgotten',
    'update lots set lent = 0 where environment_id = $1',
    ['lent-points-equal-postings'],
  ],
  [
    'an opening balance that was acknowledged with other points',
    `update transactions set receipt = '{"balance": {"points": 31}}' where source_reference = 'o'
     and environment_id = $1`,
    ['openings-equal-postings'],
  ],
  [
    'an opening balance without its key',
    `delete from idempotency_keys where operation = 'openBalance' and environment_id = $1`,
    ['openings-equal-postings'],
  ],
])('exchange and opening balances: %s', async (_what, corruption, expected) => {
  const shop = await exchanged();
  await counter.database.adminPool.query(corruption, [shop.id]);
  expect(await failed(shop)).toEqual(expected);
});
