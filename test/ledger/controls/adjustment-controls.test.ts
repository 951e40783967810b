import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import { Counter, type Shop } from '../../support/ledger/counter.ts';

let counter: Counter;
let writer: Writer;

beforeAll(async () => {
  counter = await Counter.open();
  writer = counter.writer();
});

afterAll(() => counter.close());

/** An environment with a reversed credit of 100, a reversed debit of 40 and a posted credit of 7. */
async function adjusted(): Promise<Shop> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  await writer.submit(shop.earn('ann'));
  const by = (id: string): Caller => ({ ...shop.caller, actor: { type: 'api_key', id } });
  for (const [direction, points, isReversed] of [
    ['credit', 100, true],
    ['debit', 40, true],
    ['credit', 7, false],
  ] as const) {
    const [programId, externalCustomerId] = ['coffee-club', 'ann'];
    const said = { programId, externalCustomerId, direction, points, reason: 'test', evidence: { n: 1 } };
    const request = requestAdjustment({ idempotencyKey: newUuid(), ...said }, by('clerk'));
    const { adjustment } = receiptOf(await writer.submit(request)) as { adjustment: { id: string } };
    const named = { id: fromTypeId('adj', adjustment.id) ?? '', programId, externalCustomerId, points };
    const input = { adjustmentId: adjustment.id, reason: 'test' };
    for (const decide of isReversed ? [approveAdjustment, reverseAdjustment] : [approveAdjustment]) {
      const command = decide({ idempotencyKey: newUuid(), ...input }, named, by('boss'));
      receiptOf(await writer.submit(command));
    }
  }
  return shop;
}

async function failed(shop: Shop): Promise<string[]> {
  const client = await counter.database.adminPool.connect();
  try {
    const controls = await verifyLedger(client, shop.id);
    return controls.filter((control) => !control.passed).map((control) => control.id);
  } finally {
    client.release();
  }
}

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
    ['adjustments-equal-postings'],
  ],
  [
    'a reversal that the adjustment does not know of',
    `update adjustments set state = 'posted', reversal_transaction_id = null where points = 40
     and environment_id = $1`,
    ['adjustments-equal-postings'],
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
