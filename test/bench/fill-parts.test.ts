import { expect, test } from '@jest/globals';
import { fillHistory } from '../../bench/fill-history.ts';
import type { StoredReceipt } from '../../bench/scenarios.ts';
import { Seeder } from '../../bench/seed.ts';
import { purchaseEarn } from '../../src/commands/earning/purchase-earn.ts';
import { readRelease } from '../../src/db/postgres-release.ts';
import { rollUp } from '../../src/ledger/closed-days/roll-up.ts';
import { receiptOf } from '../support/commands/desk.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { createWorld } from '../support/surfaces/world.ts';

const counter = useCounter();

test('a history that is written in parts is one history, which verify ledger finds right', async () => {
  const { adminPool } = counter.database;
  // The ids of the history are made by uuidv7().
  if ((await readRelease(adminPool)).major < 18) return;
  const seeder = await Seeder.open(createWorld(counter.database).administrator, adminPool);
  const { uuid: environmentId, place } = await seeder.makePlace('Filled', 16, 1);
  const caller = { environmentId, actor: { type: 'api_key', id: 'bench' }, requestId: 'req_test' } as const;
  const purchase = purchaseEarn(
    {
      idempotencyKey: 'first',
      externalCustomerId: 'customer-0',
      programId: place.programId,
      amountMinor: 100,
      currency: 'USD',
      channel: 'web',
      sourceReference: 'first',
    },
    caller,
  );
  const receipt = receiptOf(await counter.writer().submit(purchase)) as unknown as StoredReceipt;
  const written: number[] = [];
  const filled = await fillHistory(adminPool, {
    environmentId,
    document: seeder.document,
    transactions: 1_000,
    amounts: { least: 100, different: 1_900 },
    receipt,
    partSize: 400,
    onProgress: (done) => written.push(done),
  });
  expect(written).toEqual([400, 800, 1_000]);
  expect(filled).toMatchObject({ purchases: 950, events: 950, returns: 50 });
  const stored = 'select count(*) from transactions where environment_id = $1';
  expect(await counter.value(stored, [environmentId])).toBe(1_001);
  await rollUp(adminPool, environmentId);
  expect(await counter.failedControls()).toEqual([]);
});
