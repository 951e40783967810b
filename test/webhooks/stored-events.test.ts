import { beforeAll, expect, test } from '@jest/globals';
import { exportMember } from '../../src/export/member/member-export.ts';
import { toTypeId } from '../../src/ids.ts';
import { createLanePool } from '../../src/ledger/batch/lane-pool.ts';
import { createQueries } from '../../src/queries/queries.ts';
import { findPerson } from '../../src/queries/shared/find-person.ts';
import { isRefusal } from '../../src/refusal.ts';
import { readWaiting, type WaitingRow } from '../../src/webhooks/delivery-statements.ts';
import { messageBody } from '../../src/webhooks/message.ts';
import { Sequencer } from '../../src/webhooks/sequencer.ts';
import { receiptOf } from '../support/commands/desk.ts';
import { fixture } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';

// The data of a purchase's event is stored as a list. Whoever reads events gets what was reported, as before there were
// lists.

let endpointId: string;

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

beforeAll(async () => {
  endpointId = await addEndpoint(counter.database.adminPool, shop.id, ['points.earned']);
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann']);
  for (const sourceReference of ['order-ann-1', 'order-2'])
    receiptOf(await writer.submit(shop.earn('ann', { sourceReference, amountMinor: 700 })));
  const pool = createLanePool({ url: counter.database.serverUrl, role: 'rewards_app', size: 1 });
  const sequencer = new Sequencer({ pool });
  // The first step of an environment makes the row that has its last position.
  while ((await sequencer.step(shop.id)).more);
  await pool.end();
});

/** Everything that is told of the purchases, as text. */
async function told() {
  const { adminPool } = counter.database;
  const { rows } = await adminPool.query<WaitingRow>(
    readWaiting({ environmentId: shop.id, endpointId }, [], false, 10),
  );
  const feed = await createQueries(adminPool).eventsFeed(shop.id, ['points.earned'], 10, {
    cursor: null,
    position: null,
    epoch: null,
    epochAt: null,
  });
  if (isRefusal(feed)) throw new Error(feed.code);
  const person = await findPerson(adminPool, shop.id, 'ann');
  if (!person) throw new Error('there is no ann');
  let exported = '';
  await exportMember(adminPool, person, async (text) => {
    exported += text;
  });
  return {
    messages: rows.map((row) => messageBody(toTypeId('env', shop.id), row)),
    feed: feed.data.map(({ data }) => JSON.stringify(data)),
    exported: JSON.stringify((JSON.parse(exported) as { events: unknown }).events),
  };
}

test('deliveries, the feed and the export of a member tell it as it was reported, byte for byte', async () => {
  const { adminPool } = counter.database;
  const ofPurchases = `environment_id = $1 and type = 'points.earned'`;
  const { rows } = await adminPool.query<{ id: string; member: string; at: Date; data: unknown }>(
    `select id, member_id as member, at, data from events where ${ofPurchases} order by position`,
    [shop.id],
  );
  expect(rows.map(({ data }) => data)).toEqual([
    ['order-ann-1', 7, 7, 0, 0, 2],
    ['order-2', 7, 14, 0, 0, 3],
  ]);
  const whole = rows.map(({ id, at }, index) => ({
    transactionId: toTypeId('txn', id),
    programId: 'coffee-club',
    eventType: 'purchase.completed',
    sourceReference: ['order-ann-1', 'order-2'][index],
    points: 7,
    basePoints: 7,
    campaignPoints: 0,
    activatesAt: null,
    occurredAt: at.toISOString(),
    balances: { available: 7 * (index + 1), pending: 0, reserved: 0 },
    profileVersion: index + 2,
  }));
  const now = await told();
  const memberId = toTypeId('mem', rows[0]?.member ?? '');
  expect(now.feed).toEqual(
    whole.map((data) => JSON.stringify({ memberId, externalCustomerId: 'ann', ...data })),
  );
  expect(now.messages.map((body) => body.slice(body.indexOf('"data":')))).toEqual(
    now.feed.map((data) => `"data":${data}}`),
  );
  for (const [index, { id }] of rows.entries()) {
    await adminPool.query('update events set data = $3 where environment_id = $1 and id = $2', [
      shop.id,
      id,
      JSON.stringify(whole[index]),
    ]);
  }
  expect(await told()).toEqual(now);
});
