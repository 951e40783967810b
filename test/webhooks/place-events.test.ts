import { expect, test } from '@jest/globals';
import { type PlacedEvent, placeEvents, type Subscriber } from '../../src/webhooks/place-events.ts';

const activatedAt = new Date('2026-03-01T12:00:00.000Z');
const event = (id: string, ms: number, type = 'points.earned'): PlacedEvent => ({
  ...{ id, type, at: new Date(activatedAt.getTime() + ms) },
});
const subscriber = (id: string, change: Partial<Subscriber> = {}): Subscriber => ({
  ...{ id, eventTypes: ['points.earned'], activatedAt, lastSequence: 0, ...change },
});

test('an endpoint gets what happens from the very millisecond of its activation on', () => {
  const placed = placeEvents([event('before', -1), event('then', 0), event('after', 1)], [subscriber('one')]);
  expect(placed.map(({ eventId, sequence }) => [eventId, sequence])).toEqual([
    ['then', 1],
    ['after', 2],
  ]);
});

test('an endpoint with * gets every type', () => {
  const events = [event('a', 1), event('b', 2, 'tier.changed'), event('c', 3, 'one.to_come')];
  const placed = placeEvents(events, [subscriber('all', { eventTypes: ['*'] })]);
  expect(placed.map(({ eventId, sequence }) => [eventId, sequence])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
});

test('each endpoint counts for itself, and gets the types that it asked for alone', () => {
  const subscribers = [
    subscriber('one', { lastSequence: 7 }),
    subscriber('two', { eventTypes: ['tier.changed', 'points.earned'] }),
    subscriber('late', { activatedAt: new Date(activatedAt.getTime() + 5) }),
  ];
  const events = [event('a', 1), event('b', 2, 'tier.changed'), event('c', 5)];
  expect(placeEvents(events, subscribers).map((one) => [one.endpointId, one.eventId, one.sequence])).toEqual([
    ['one', 'a', 8],
    ['two', 'a', 1],
    ['two', 'b', 2],
    ['one', 'c', 9],
    ['two', 'c', 3],
    ['late', 'c', 1],
  ]);
});
