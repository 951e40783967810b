import { expect, test } from '@jest/globals';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon } from '../../support/rules/fixtures.ts';

test('the same lots get their points back', () => {
  const desk = rewardCounter();
  const held = receiptOf(desk.hold()).reservation;
  desk.inSeconds(5);
  expect(receiptOf(desk.release({ reason: 'changed my mind' }))).toEqual({
    reservation: {
      ...(held as object),
      state: 'released',
      changedAt: '2026-03-04T12:00:05.000Z',
      reason: 'changed my mind',
      transactionId: expect.stringMatching(/^txn_/),
    },
  });
  expect(desk.lots).toEqual(['50/0', '120/0', '80/0']);
  expect(desk.balances).toEqual([250, 0, 0]);
  expect(rows(desk.store.tables.transactions).at(-1)).toMatchObject({
    eventType: 'redemption.released',
    sourceReference: 'checkout-1',
    points: 100,
  });
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'redemption.released',
    data: { externalCustomerId: 'ann', points: 100 },
  });
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'redemption.released',
    actorId: 'key_a',
    changes: { transactionId: expect.any(String), points: 100 },
  });
});

test('it goes on while Production is locked, and for suspended members', () => {
  const desk = rewardCounter();
  desk.hold();
  desk.store.setLocked(true);
  desk.setMember({ status: 'suspended' });
  expect(codeOf(desk.release())).toBe('done');
});

test('a lot that has expired while it was held expires at the release', () => {
  const desk = rewardCounter({
    expiration: { policy: 'rolling_days', days: 1 },
    rewards: [reward({ holdSeconds: 172_800 })],
  });
  desk.inSeconds(3600);
  desk.earn({ amountMinor: 1_000 });
  desk.hold();
  desk.now = daysFrom(noon, 1);
  desk.release();
  expect(desk.lots).toEqual(['0/0', '0/0', '0/0', '10/0']);
  expect(desk.balances).toEqual([10, 0, 0]);
  expect(rows(desk.store.tables.transactions).map(({ eventType, points }) => [eventType, points])).toEqual([
    ...[50, 120, 80, 10].map((points) => ['purchase.completed', points]),
    ['redemption.reserved', 100],
    ['points.expired', 150],
    ['redemption.released', 100],
    ['points.expired', 100],
  ]);
});

test('points that a return has claimed pay it first', () => {
  const desk = rewardCounter({ rewards: [reward({ points: 250 })] });
  desk.hold();
  const order = rows(desk.store.tables.orders)[1];
  const returned = receiptOf(
    desk.return({
      sourceReference: order?.sourceReference ?? '',
      returnReference: 'r1',
      returnAmountMinor: 6_000,
    }),
  );
  expect(returned).toMatchObject({ return: { pointsClawedBack: 0, shortfall: 60 } });
  desk.release();
  expect(desk.balances).toEqual([190, 0, 0]);
  expect(desk.lots).toEqual(['50/0', '60/0', '80/0']);
  expect(rows(desk.store.tables.orders)[1]).toMatchObject({ clawedBack: 60 });
});

test.each(['expired', 'committed', 'released'])('not where it is %s', (state) => {
  const desk = rewardCounter();
  desk.hold();
  if (state === 'committed') desk.commit();
  if (state === 'released') desk.release();
  if (state === 'expired') desk.inSeconds(1800);
  const before = desk.store.tables.postings.size;
  expect(desk.release()).toMatchObject({
    code: 'invalid_redemption_state',
    message: expect.stringContaining(`is ${state}`),
  });
  expect(desk.store.tables.postings.size).toBe(before);
});

test('refusals, each before the ones below it', () => {
  const desk = rewardCounter();
  desk.hold();
  desk.release({ idempotencyKey: 'used' });
  const done = desk.newestId('rsv');
  desk.hold();
  let input = { idempotencyKey: 'used', reservationId: 'rsv_nonsense' };
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['reservation_not_found', () => (input = { ...input, reservationId: done })],
    ['invalid_redemption_state', () => (input = { ...input, reservationId: desk.newestId('rsv') })],
    ['done', () => {}],
    ['replayed', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.release(input))).toBe(code);
    repair();
  }
});
