import { beforeAll, describe, expect, test } from '@jest/globals';
import { EVENT_TYPES } from '../../src/contract/generated/webhook-events.ts';
import { toTypeId } from '../../src/ids.ts';
import { atEnd } from '../support/fixture.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { install } from '../support/time-machine.ts';
import { everySendingOperation, type SendingOperation } from '../support/webhooks/every-event.ts';

const ABOUT_NO_PROFILE = [
  'feed.epoch_started',
  'program.published',
  'import.completed',
  'member.created',
  'member.updated',
  'member.suspended',
  'member.consent_changed',
  'member.erased',
  'member.merged',
  'member.unmerged',
  'campaign.cap_reached',
];

let operations: SendingOperation[];

const counter = useCounter();

beforeAll(async () => {
  const time = await install(counter.database.adminUrl);
  operations = await everySendingOperation(counter, counter.writer(), time);
});

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

test('every operation sends the events that are named after it, and no others', () => {
  expect(operations.map(({ operation, sent }) => [operation, sent.map(({ type }) => type)])).toEqual(
    operations.map(({ operation, sends }) => [operation, sends]),
  );
});

test('every type that can be subscribed to is sent by an operation', () => {
  const sent = new Set(operations.flatMap((operation) => operation.sent.map(({ type }) => type)));
  expect([...sent].toSorted()).toEqual(EVENT_TYPES.toSorted());
});

describe('the data of an event', () => {
  const all = () => operations.flatMap(({ sent }) => sent);

  test('about a profile names the member and the program, with balances and a version that never falls', () => {
    let last = 0;
    for (const { type, data } of all()) {
      if (ABOUT_NO_PROFILE.includes(type)) continue;
      expect([type, data]).toEqual([
        type,
        expect.objectContaining({
          programId: 'coffee-club',
          memberId: expect.stringMatching(/^mem_/),
          externalCustomerId: expect.stringMatching(/^(ann|bob)$/),
          balances: {
            available: expect.any(Number),
            pending: expect.any(Number),
            reserved: expect.any(Number),
          },
          profileVersion: expect.any(Number),
        }),
      ]);
      if (data.externalCustomerId !== 'ann') continue;
      expect(data.profileVersion).toBeGreaterThanOrEqual(last);
      last = Number(data.profileVersion);
    }
  });

  test('is enough to keep a mirror of the balances', async () => {
    const mirror = new Map<string, { version: number; balances: unknown }>();
    // In whatever order they arrive: here the last one first.
    for (const { data } of all().toReversed()) {
      const known = mirror.get(String(data.memberId));
      const version = Number(data.profileVersion);
      if (data.balances && (!known || version > known.version)) {
        mirror.set(String(data.memberId), { version, balances: data.balances });
      }
    }
    const { rows } = await counter.database.adminPool.query<{ id: string; balances: object }>(
      `select member_id as id, json_build_object('available', available, 'pending', pending, 'reserved', reserved)
         as balances
       from program_profiles`,
    );
    const stored = rows.map(({ id, balances }) => [toTypeId('mem', id), balances] as const);
    const mirrored = [...mirror].map(([id, { balances }]) => [id, balances] as const);
    expect(new Map(mirrored)).toEqual(new Map(stored));
    expect(stored.map(([, balances]) => balances)).toContainEqual({ available: 10, pending: 0, reserved: 0 });
  });
});
