import { describe, expect, test } from '@jest/globals';
import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

test('the points are held, soonest-expiring lot first, until the hold ends', () => {
  const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 30 } });
  desk.quote();
  desk.inSeconds(10);
  const receipt = receiptOf(desk.reserve());
  const transaction = rows(desk.store.tables.transactions).at(-1);
  expect(receipt).toEqual({
    reservation: {
      id: toTypeId('rsv', desk.newestReservation.id),
      quoteId: toTypeId('quo', desk.newestQuote.id),
      state: 'reserved',
      programId: 'coffee-club',
      externalCustomerId: 'ann',
      rewardId: 'mug',
      sourceReference: 'checkout-1',
      points: 100,
      reservedAt: '2026-03-04T12:00:10.000Z',
      expiresAt: '2026-03-04T12:30:10.000Z',
      changedAt: '2026-03-04T12:00:10.000Z',
      authorizationReference: null,
      reason: null,
      fulfillmentStatus: null,
      fulfillmentReference: null,
      transactionId: toTypeId('txn', transaction?.id ?? ''),
    },
  });
  expect(transaction).toMatchObject({
    eventType: 'redemption.reserved',
    sourceReference: 'checkout-1',
    state: 'committed',
    points: 100,
  });
  expect(desk.lots).toEqual(['0/50', '70/50', '80/0']);
  expect(desk.balances).toEqual([150, 0, 100]);
  expect(rows(desk.store.tables.postings).slice(3)).toMatchObject([
    { line: 1, debitAccount: 'member.available', creditAccount: 'member.reserved', amount: 50 },
    { line: 2, debitAccount: 'member.available', creditAccount: 'member.reserved', amount: 50 },
  ]);
  expect(desk.newestQuote.state).toBe('reserved');
  expect(desk.profile()).toMatchObject({
    lastActivityAt: desk.now,
    nextDueAt: new Date('2026-03-04T12:30:10.000Z'),
  });
  expect(desk.store.webhookEvents.at(-1)).toEqual({
    type: 'redemption.reserved',
    data: {
      reservationId: toTypeId('rsv', desk.newestReservation.id),
      transactionId: toTypeId('txn', transaction?.id ?? ''),
      programId: 'coffee-club',
      memberId: toTypeId('mem', desk.member().id),
      externalCustomerId: 'ann',
      rewardId: 'mug',
      sourceReference: 'checkout-1',
      points: 100,
      expiresAt: '2026-03-04T12:30:10.000Z',
      balances: { available: 150, pending: 0, reserved: 100 },
      profileVersion: 5,
    },
  });
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'redemption.reserved',
    targetType: 'reservation',
  });
});

test('the terms are those of the quote, whatever was published since', () => {
  const desk = rewardCounter({ rewards: [reward({ holdSeconds: 60 })] });
  desk.quote();
  desk.publish(program({ rewards: [reward({ points: 1, holdSeconds: 600 })] }));
  expect(receiptOf(desk.reserve())).toMatchObject({
    reservation: { points: 100, expiresAt: '2026-03-04T12:01:00.000Z' },
  });
});

test('what expires is not spent, and what a lapsed hold gives back is', () => {
  const desk = rewardCounter({ rewards: [reward({ points: 250 })] });
  desk.hold();
  desk.inSeconds(1800);
  desk.quote();
  expect(codeOf(desk.reserve())).toBe('done');
  expect(rows(desk.store.tables.reservations).map(({ state }) => state)).toEqual(['expired', 'reserved']);
  expect(desk.balances).toEqual([0, 0, 250]);
  expect(desk.store.webhookEvents.slice(-2)).toMatchObject([
    { type: 'redemption.expired', data: { externalCustomerId: 'ann', points: 250 } },
    { type: 'redemption.reserved' },
  ]);
  const expiry = rows(desk.store.tables.audits).find(({ action }) => action === 'redemption.expired');
  expect(expiry).toMatchObject({ actorType: 'system', actorId: 'time', targetType: 'reservation' });

  const lapsing = rewardCounter({ expiration: { policy: 'rolling_days', days: 1 } });
  lapsing.quote({ ttlSeconds: 86_400 });
  lapsing.now = new Date(daysFrom(noon, 1).getTime() - 1);
  expect(codeOf(lapsing.reserve({ idempotencyKey: 'k' }))).toBe('done');
  lapsing.quote({ ttlSeconds: 86_400 });
  lapsing.now = daysFrom(noon, 1);
  expect(codeOf(lapsing.reserve())).toBe('insufficient_points');
});

test('the name of a quote that is another member’s by now takes nothing from that one', () => {
  const desk = rewardCounter({});
  desk.quote();
  const { id, programId, points, rewardId } = desk.newestQuote;
  receiptOf(desk.createMember({ externalCustomerId: 'bob' }));
  receiptOf(desk.enroll({ externalCustomerId: 'bob' }));
  receiptOf(desk.earn({ externalCustomerId: 'bob', amountMinor: 10_000, sourceReference: 'of bob' }));
  const before = desk.profile('bob');
  const input = { idempotencyKey: 'of-bob', quoteId: toTypeId('quo', id) };
  const resource = { id, programId, points, rewardId, externalCustomerId: 'bob' };
  expect(codeOf(desk.run(reserveRedemption(input, resource, desk.caller)))).toBe('overloaded');
  expect(desk.profile('bob')).toEqual(before);
  expect(desk.newestQuote.state).toBe('quoted');
});

describe('inventory', () => {
  const limited = (inventory: number) =>
    program({ rewards: [reward({ points: 10, inventory }), reward({ id: 'pin', points: 10 })] });
  const taken = (desk: ReturnType<typeof rewardCounter>): number[] =>
    rows(desk.store.tables.stocks).map((row) => row.taken);

  test('each reservation takes one, as long as one is left', () => {
    const desk = rewardCounter(limited(2));
    desk.hold({ rewardId: 'pin' });
    expect(taken(desk)).toEqual([]);
    desk.quote();
    const third = desk.newestId('quo');
    desk.hold();
    desk.hold();
    expect(taken(desk)).toEqual([2]);
    expect(codeOf(desk.quote())).toBe('inventory_exhausted');
    expect(codeOf(desk.reserve({ quoteId: third }))).toBe('inventory_exhausted');
    desk.release();
    expect(taken(desk)).toEqual([1]);
    expect(codeOf(desk.reserve({ quoteId: third }))).toBe('done');
    desk.commit();
    expect(codeOf(desk.quote())).toBe('inventory_exhausted');
    desk.reverse();
    expect(taken(desk)).toEqual([1]);
    // An expired hold gives one back to the stock.
    desk.inSeconds(1800);
    expect(codeOf(desk.hold())).toBe('done');
    expect(taken(desk)).toEqual([1]);
  });

  test("it is the present configuration's; of a reward that is gone the quote's", () => {
    const desk = rewardCounter(limited(1));
    desk.quote();
    desk.publish(limited(0));
    expect(codeOf(desk.reserve())).toBe('inventory_exhausted');
    desk.publish(program({ rewards: [] }));
    expect(codeOf(desk.reserve())).toBe('done');
    expect(taken(desk)).toEqual([1]);
  });

  test('what was quoted without a limit, and held under one, gives back what it took', () => {
    const desk = rewardCounter({ rewards: [reward({ points: 10 })] });
    desk.quote();
    desk.publish(limited(2));
    desk.reserve();
    expect(desk.newestReservation.terms.inventory).toBe(2);
    expect(taken(desk)).toEqual([1]);
    desk.release();
    expect(taken(desk)).toEqual([0]);
  });

  test('what was quoted under a limit, and held without one, gives nothing back', () => {
    const desk = rewardCounter(limited(2));
    desk.hold();
    desk.quote();
    desk.publish(program({ rewards: [reward({ points: 10 })] }));
    desk.reserve();
    expect(desk.newestReservation.terms.inventory).toBeNull();
    expect(taken(desk)).toEqual([1]);
    desk.release();
    expect(taken(desk)).toEqual([1]);
  });

  test('what took nothing out of a stock gives nothing back to it', () => {
    const desk = rewardCounter({ rewards: [reward({ points: 10 })] });
    desk.hold();
    const unlimited = desk.newestId('rsv');
    desk.publish(limited(1));
    desk.hold();
    desk.commit();
    expect(codeOf(desk.release({ reservationId: unlimited }))).toBe('done');
    expect(taken(desk)).toEqual([1]);
    expect(codeOf(desk.quote())).toBe('inventory_exhausted');
  });
});

test('a quote ends at its instant, not before', () => {
  const desk = rewardCounter();
  desk.quote({ ttlSeconds: 60 });
  desk.now = new Date(noon.getTime() + 60_000);
  expect(desk.reserve()).toMatchObject({
    code: 'invalid_redemption_state',
    message: expect.stringContaining('expired'),
  });
  desk.now = new Date(noon.getTime() + 59_999);
  expect(codeOf(desk.reserve())).toBe('done');
  expect(desk.reserve()).toMatchObject({
    code: 'invalid_redemption_state',
    message: expect.stringContaining('reserved'),
  });
});

test('refusals, each before the ones below it', () => {
  const desk = rewardCounter({ rewards: [reward({ points: 200, inventory: 1 })] });
  desk.quote();
  const quoteId = desk.newestId('quo');
  desk.reserve({ idempotencyKey: 'used' });
  desk.quote({ rewardId: 'mug' });
  desk.release();
  desk.quote();
  const open = desk.newestId('quo');
  desk.quote();
  const rival = desk.newestId('quo');
  desk.reserve({ quoteId: rival });
  const holder = desk.newestId('rsv');
  desk.setMember({ status: 'suspended' });
  const { available, reserved } = desk.profile();
  desk.setProfile({ enrolled: false, unenrolledAt: noon, available: 0, reserved: 0 });
  desk.store.setLocked(true);
  let input = { idempotencyKey: 'used', quoteId: 'quo_nonsense' };
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['production_locked', () => desk.store.setLocked(false)],
    ['quote_not_found', () => (input = { ...input, quoteId })],
    ['member_not_found', () => desk.setMember({ status: 'active' })],
    [
      'enrollment_required',
      () => desk.setProfile({ enrolled: true, unenrolledAt: null, available, reserved }),
    ],
    ['invalid_redemption_state', () => (input = { ...input, quoteId: open })],
    [
      'inventory_exhausted',
      () => desk.publish(program({ rewards: [reward({ points: 200, inventory: 2 })] })),
    ],
    ['insufficient_points', () => desk.release({ reservationId: holder })],
    ['done', () => desk.store.setLocked(true)],
    ['replayed', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.reserve(input))).toBe(code);
    repair();
  }
});
