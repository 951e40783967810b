import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { FeedEvent, Page } from '../../src/contract/generated/types.ts';
import { earn, type Sent } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { until } from '../support/until.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';
import { validateData } from '../support/webhooks/validate-event.ts';

jest.setTimeout(240_000);

const { create, deliveries, endpoints, feed } = webhookRequests;
const PURCHASES = 5;

async function read(query = ''): Promise<{ data: FeedEvent[]; page: Page }> {
  const answer = await client.send(feed(shop, query));
  expect(answer).toMatchObject({ status: 200, code: null });
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.body as unknown as { data: FeedEvent[]; page: Page };
}

const { world, client, shop } = useShop({ members: ['ada'] });

beforeAll(async () => {
  for (let index = 0; index < PURCHASES; index++) {
    const sourceReference = `order-${index}`;
    await client.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference, amountMinor: 1000 }, sourceReference),
    );
  }
  // The publication of the program, the member, its enrollment, and the purchases.
  await until(async () => (await read()).data.length === PURCHASES + 3, 'all events');
});

test('the feed gives every event in its order, whoever subscribes, and a cursor to go on with', async () => {
  const { data, page } = await read();
  expect(data.map(({ position, type }) => [position, type])).toEqual([
    [1, 'program.published'],
    [2, 'member.created'],
    [3, 'member.enrolled'],
    ...Array.from({ length: PURCHASES }, (_, index) => [index + 4, 'points.earned']),
  ]);
  expect(data.at(-1)).toMatchObject({
    environmentId: shop.environmentId,
    data: { externalCustomerId: 'ada', sourceReference: `order-${PURCHASES - 1}` },
  });
  expect(data.flatMap(({ type, data }) => validateData(type, data))).toEqual([]);
  expect(page).toEqual({ nextCursor: expect.any(String), hasMore: false });
  expect(await read(`?after=${page.nextCursor}`)).toMatchObject({ data: [], page });
});

test('a position is gone on from with its epoch and when that began; an epoch that is not known is refused', async () => {
  const { epoch, epochAt } = (await client.send(feed(shop))).body as { epoch: number; epochAt: string };
  const { data } = await read(`?afterPosition=6&epoch=${epoch}&epochAt=${epochAt}`);
  expect(data.map(({ position }) => position)).toEqual([7, 8]);
  expect(data[0]).toMatchObject({ epoch, epochAt });
  const details = [
    { path: 'epoch', message: '1' },
    { path: 'lastPositionKept', message: '0' },
    { path: 'epochAt', message: epochAt },
  ];
  for (const query of ['epoch=99', 'epoch=1&epochAt=2026-01-01T00:00:00Z']) {
    const answer = await client.send(feed(shop, `?afterPosition=6&${query}`));
    expect(answer).toMatchObject({ status: 409, code: 'feed_forked', body: { error: { details } } });
  }
});

test('types are separated by commas, and pages follow each other', async () => {
  const types = '?types=points.earned,program.published&limit=4';
  const first = await read(types);
  expect(first.data.map(({ position }) => position)).toEqual([1, 4, 5, 6]);
  expect(first.page.hasMore).toBe(true);
  const second = await read(`${types}&after=${first.page.nextCursor}`);
  expect(second.data.map(({ position }) => position)).toEqual([7, 8]);
  expect(second.page.hasMore).toBe(false);
  const other = await read(`?types=program.published%2Cpoints.earned&after=${first.page.nextCursor}`);
  expect(other.data).toEqual(second.data);
});

describe('what is refused', () => {
  const cases: [code: string, what: string, sent: () => Sent | Promise<Sent>][] = [
    ['validation_failed', 'no type', () => feed(shop, '?types=')],
    ['validation_failed', 'an empty type', () => feed(shop, '?types=points.earned,')],
    ['validation_failed', 'an unknown type', () => feed(shop, '?types=points.lost')],
    ['validation_failed', 'the type of tests', () => feed(shop, '?types=webhook.test')],
    ['validation_failed', 'a doubled type', () => feed(shop, '?types=points.earned,points.earned')],
    ['validation_failed', 'types twice', () => feed(shop, '?types=points.earned&types=tier.changed')],
    ['validation_failed', 'a space', () => feed(shop, '?types=points.earned,+tier.changed')],
    ['validation_failed', 'limit 0', () => feed(shop, '?limit=0')],
    ['validation_failed', 'limit 201', () => feed(shop, '?limit=201')],
    ['validation_failed', 'the name of other lists', () => feed(shop, '?cursor=abc')],
    ['validation_failed', 'an empty cursor', () => feed(shop, '?after=')],
    [
      'validation_failed',
      'a day for an instant',
      () => feed(shop, '?afterPosition=1&epoch=1&epochAt=2026-01-01'),
    ],
    [
      'validation_failed',
      'no epoch of a time',
      () => feed(shop, '?afterPosition=1&epochAt=2026-01-01T00:00:00Z'),
    ],
    ['invalid_cursor', 'a broken cursor', () => feed(shop, '?after=abc')],
    [
      'invalid_cursor',
      'a cursor of other types',
      async () => feed(shop, `?types=points.earned&after=${(await read()).page.nextCursor}`),
    ],
    [
      'invalid_cursor',
      'a cursor of another list',
      async () => {
        for (const key of ['one', 'two'])
          await client.send(create(shop, { url: 'https://example.com', eventTypes: ['points.earned'] }, key));
        const { body } = await client.send(endpoints(shop, '?limit=1'));
        return feed(shop, `?after=${(body.page as unknown as Page).nextCursor}`);
      },
    ],
    [
      'invalid_cursor',
      'its cursor in another list',
      async () => deliveries(shop, `?cursor=${(await read()).page.nextCursor}`),
    ],
    [
      'invalid_cursor',
      'a cursor of another environment',
      async () => feed(await world.environment(), `?after=${(await read()).page.nextCursor}`),
    ],
  ];

  test.each(cases)('422 %s: %s', async (code, _what, sent) => {
    const answer = await client.send(await sent());
    expect(answer).toMatchObject({ status: 422, code });
  });
});
