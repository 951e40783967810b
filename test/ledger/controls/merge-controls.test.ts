import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import { Counter } from '../../support/ledger/counter.ts';
import { requestedMerge, requestedUnmerge } from '../../support/ledger/merges.ts';

let counter: Counter;
let client: PoolClient;
let writer: Writer;

beforeAll(async () => {
  counter = await Counter.open();
  client = await counter.database.adminPool.connect();
  writer = counter.writer();
}, 60_000);

afterAll(async () => {
  client.release();
  await counter.close();
});

/** An environment where ann, who has bought something, was merged into bob. @returns its UUID */
async function merged(): Promise<string> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  receiptOf(await writer.submit(shop.earn('ann')));
  receiptOf(await writer.submit(await requestedMerge(writer, shop, 'ann', 'bob')));
  return shop.id;
}

/** The same, and the merge was undone. */
async function unmerged(): Promise<string> {
  const shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  for (const name of ['ann', 'bob']) receiptOf(await writer.submit(shop.earn(name)));
  receiptOf(await writer.submit(await requestedMerge(writer, shop, 'ann', 'bob')));
  receiptOf(await writer.submit(await requestedUnmerge(writer, shop, 'ann', 'bob')));
  return shop.id;
}

const failedIn = (environmentId: string) => counter.failedControlsOf(environmentId);

test('a merge as the service writes it passes', async () => {
  const environmentId = await merged();
  const controls = await verifyLedger(client, environmentId);
  expect(controls.filter(({ passed }) => !passed)).toEqual([]);
  const found = new Map(controls.map((control) => [control.id, [control.checked, control.found]]));
  expect(found.get('moved-lots-equal-origins')).toEqual([1, '100']);
  expect(found.get('transfers-add-up')).toEqual([1, '100']);
  expect(found.get('transfers-are-merges')).toEqual([2, '200']);
  expect(found.get('merged-members-are-empty')).toEqual([1, '0']);
  expect(found.get('merges-equal-members')).toEqual([1, '1']);
});

const ANN = `(select id from members where environment_id = $1 and external_customer_id = 'ann')`;

test.each<[string, string, string]>([
  [
    'a purchase that is counted for the ended account again',
    'merged-members-are-empty',
    `update program_profiles set purchase_count = 1 where environment_id = $1 and member_id = ${ANN}`,
  ],
  [
    'an ended account that is enrolled',
    'merged-members-are-empty',
    'update program_profiles set enrolled = true, unenrolled_at = null ' +
      `where environment_id = $1 and member_id = ${ANN}`,
  ],
  [
    'a member that nothing was merged into',
    'merges-equal-members',
    `update members set merged_into = null where environment_id = $1 and external_customer_id = 'ann'`,
  ],
  [
    'a merge that was never approved',
    'merges-equal-members',
    `update member_merges set state = 'rejected' where environment_id = $1`,
  ],
  [
    'a moved lot that becomes available later than it would have',
    'moved-lots-equal-origins',
    `update lots set activates_at = now() where environment_id = $1 and origin_lot_id is not null`,
  ],
  [
    'a moved lot of another transaction',
    'moved-lots-equal-origins',
    `update lots set transaction_id = (select id from transactions
       where environment_id = $1 and event_type = 'member.merged' limit 1)
     where environment_id = $1 and origin_lot_id is not null`,
  ],
  [
    'points that got lost on their way',
    'transfers-add-up',
    `update postings set amount = 99 where environment_id = $1 and debit_account = 'program.transfer'`,
  ],
  [
    'a transfer in a correction',
    'transfers-are-merges',
    `update transactions set event_type = 'adjustment.posted' where ` +
      `environment_id = $1 and event_type = 'member.merged'`,
  ],
])('%s: %s', async (_what, control, sql) => {
  const environmentId = await merged();
  await client.query(sql, [environmentId]);
  expect(await failedIn(environmentId)).toContain(control);
});

test('an undone merge as the service writes it passes', async () => {
  const environmentId = await unmerged();
  const controls = await verifyLedger(client, environmentId);
  expect(controls.filter(({ passed }) => !passed)).toEqual([]);
  const found = new Map(controls.map((control) => [control.id, [control.checked, control.found]]));
  expect(found.get('given-back-equals-moved')).toEqual([1, '100']);
  expect(found.get('moved-lots-equal-origins')).toEqual([1, '100']);
  expect(found.get('transfers-add-up')).toEqual([2, '200']);
  expect(found.get('transfers-are-merges')).toEqual([4, '400']);
  expect(found.get('merged-members-are-empty')).toEqual([0, '0']);
  expect(found.get('merges-equal-members')).toEqual([0, '0']);
});

test.each<[string, string, string]>([
  [
    'fewer points that are given back than were moved',
    'given-back-equals-moved',
    `update postings set amount = 99
     where environment_id = $1 and member_id = ${ANN} and debit_account = 'program.transfer'`,
  ],
  [
    'a lot of the other account that still has something',
    'moved-lots-equal-origins',
    `update lots set claimed = 1 where environment_id = $1 and origin_lot_id is not null`,
  ],
  [
    'a transfer at another time than that of the decision',
    'transfers-are-merges',
    `update member_merges set unmerged_at = unmerged_at - interval '1 second' where environment_id = $1`,
  ],
  [
    'a member that stays merged',
    'merges-equal-members',
    `update members set merged_into = (select id from members where environment_id = $1 and external_customer_id = 'bob')
     where environment_id = $1 and external_customer_id = 'ann'`,
  ],
  [
    'purchases that are counted for the other account still',
    'history-equals-orders',
    `update program_profiles set purchase_count = 2 where environment_id = $1 and member_id <> ${ANN}`,
  ],
])('after an unmerge, %s: %s', async (_what, control, sql) => {
  const environmentId = await unmerged();
  await client.query(sql, [environmentId]);
  expect(await failedIn(environmentId)).toContain(control);
});
