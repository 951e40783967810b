import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { codeOf } from '../../support/commands/desk.ts';
import { Counter, type Shop } from '../../support/ledger/counter.ts';

let counter: Counter;
let one: Writer;
let two: Writer;

beforeAll(async () => {
  counter = await Counter.open();
  one = counter.writer();
  two = counter.writer();
});

afterAll(async () => {
  await counter.close();
});

async function addEndpoint(shop: Shop, eventTypes: string[], status = 'active'): Promise<string> {
  const id = newUuid();
  await counter.database.adminPool.query(
    `insert into webhook_endpoints (environment_id, id, url, event_types, status, created_at)
     values ($1, $2, 'https://example.com/hook', $3, $4, now())`,
    [shop.id, id, eventTypes, status],
  );
  return id;
}

interface Delivery {
  sequence: number;
  event_type: string;
  status: string;
  payload: { type: string; timestamp: string; environmentId: string; sequence: number; data: object };
}

async function deliveriesOf(endpointId: string): Promise<Delivery[]> {
  const { rows } = await counter.database.adminPool.query<Delivery>(
    `select sequence, event_type, status, payload from webhook_deliveries
     where endpoint_id = $1 order by sequence`,
    [endpointId],
  );
  return rows;
}

test('sequences have no gaps under two processes, and each event goes once to each endpoint that wants it', async () => {
  const shop = await counter.environment();
  const earned = await addEndpoint(shop, ['points.earned']);
  const all = await addEndpoint(shop, ['member.enrolled', 'points.earned', 'member.unenrolled'], 'disabled');
  const other = await addEndpoint(shop, ['program.published']);
  const ids = Array.from({ length: 30 }, (_, index) => `m${index}`);
  await shop.addMembers(one, ids);
  const outcomes = await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      (index % 2 ? one : two).submit(shop.earn(ids[(index * 7) % ids.length] as string)),
    ),
  );
  expect(outcomes.every((outcome) => codeOf(outcome) === 'done')).toBe(true);
  const [ofEarned, ofAll] = [await deliveriesOf(earned), await deliveriesOf(all)];
  expect(ofEarned.map((delivery) => delivery.sequence)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  expect(ofAll.map((delivery) => delivery.sequence)).toEqual(Array.from({ length: 330 }, (_, i) => i + 1));
  expect(await deliveriesOf(other)).toEqual([]);
  for (const { sequence, payload } of ofAll) expect(payload.sequence).toBe(sequence);
  expect(new Set(ofEarned.map(({ payload }) => JSON.stringify(payload.data))).size).toBe(300);
  expect(await counter.value('select last_sequence from webhook_endpoints where id = $1', [all])).toBe(330);
});

test('the payload says what happened, when and where; nothing personal is in it', async () => {
  const shop = await counter.environment();
  const endpoint = await addEndpoint(shop, ['member.enrolled']);
  await shop.addMembers(one, ['ann']);
  const [delivery, ...others] = await deliveriesOf(endpoint);
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({ sequence: 1, event_type: 'member.enrolled', status: 'pending' });
  expect(delivery?.payload).toEqual({
    type: 'member.enrolled',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    environmentId: toTypeId('env', shop.id),
    sequence: 1,
    data: {
      memberId: expect.stringMatching(/^mem_/),
      externalCustomerId: 'ann',
      programId: 'coffee-club',
      tier: 'bronze',
    },
  });
});

test('a refusal, a replay and a batch that fails deliver nothing and take no number', async () => {
  const shop = await counter.environment();
  const endpoint = await addEndpoint(shop, ['points.earned']);
  await shop.addMembers(one, ['ann']);
  const command = shop.earn('ann', { sourceReference: 'o1' });
  const broken = {
    ...shop.earn('ann'),
    decide: (): never => {
      throw new Error('broken');
    },
  };
  await Promise.allSettled(
    [command, command, shop.earn('ann', { sourceReference: 'o1' }), broken].map((each) => one.submit(each)),
  );
  await one.submit(shop.earn('ann'));
  expect((await deliveriesOf(endpoint)).map((delivery) => delivery.sequence)).toEqual([1, 2]);
});

test('an endpoint of another environment hears nothing', async () => {
  const [shop, neighbour] = [await counter.environment(), await counter.environment()];
  const endpoint = await addEndpoint(neighbour, ['points.earned', 'member.enrolled']);
  await shop.addMembers(one, ['ann']);
  await one.submit(shop.earn('ann'));
  expect(await deliveriesOf(endpoint)).toEqual([]);
});
