import { expect, test } from '@jest/globals';
import { approveAdjustment } from '../../../src/commands/adjustments/approve-adjustment.ts';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { reverseAdjustment } from '../../../src/commands/adjustments/reverse-adjustment.ts';
import type { Caller } from '../../../src/commands/shared/caller.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { untilWaiting } from '../../support/ledger/while-open.ts';

const counter = useCounter();
const writer = useWriter(counter);

const as = (shop: Shop, id: string): Caller => ({ ...shop.caller, actor: { type: 'api_key', id } });

test('a transaction whose receipt is rewritten while it is reversed is marked as reversed', async () => {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann']);
  const owner = { programId: 'coffee-club', externalCustomerId: 'ann' };
  const wanted = { ...owner, direction: 'credit' as const, points: 100, reason: 'cold coffee' };
  const request = requestAdjustment(
    { ...wanted, idempotencyKey: newUuid(), evidence: { ticket: 'CS-1' } },
    as(shop, 'clerk'),
  );
  const { adjustment } = receiptOf(await writer.submit(request)) as { adjustment: { id: string } };
  const resource = { ...owner, id: fromTypeId('adj', adjustment.id) ?? '', points: 100 };
  const input = () => ({ idempotencyKey: newUuid(), adjustmentId: adjustment.id, reason: 'looked at it' });
  receiptOf(await writer.submit(approveAdjustment(input(), resource, as(shop, 'boss'))));
  const rewriting = await counter.database.adminPool.connect();
  try {
    await rewriting.query('begin');
    await rewriting.query(
      `update transactions set receipt = jsonb_set(receipt::jsonb, '{rewritten}', 'true') where environment_id = $1`,
      [shop.id],
    );
    const reversed = writer.submit(reverseAdjustment(input(), resource, as(shop, 'boss')));
    await untilWaiting(counter, 1);
    await rewriting.query('commit');
    receiptOf(await reversed);
  } finally {
    rewriting.release(true);
  }
  const { rows } = await counter.database.adminPool.query(
    `select t.event_type, t.state, t.receipt ->> 'rewritten' as rewritten, r.event_type as reversed_by
     from transactions t
     left join transactions r on r.environment_id = t.environment_id and r.id = t.reversed_by
     where t.environment_id = $1
     order by t.created_at, t.id`,
    [shop.id],
  );
  expect(rows).toEqual([
    {
      event_type: 'adjustment.posted',
      state: 'reversed',
      rewritten: 'true',
      reversed_by: 'adjustment.reversed',
    },
    { event_type: 'adjustment.reversed', state: 'committed', rewritten: null, reversed_by: null },
  ]);
  expect(await counter.failedControls()).toEqual([]);
});
