import { expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { codeOf, receiptOf, rows } from '../../support/commands/desk.ts';
import { rewardCounter } from '../../support/commands/reward-counter.ts';

test('held points are spent, lot by lot', () => {
  const desk = rewardCounter();
  const held = receiptOf(desk.hold()).reservation;
  desk.inSeconds(5);
  const receipt = receiptOf(desk.commit({ authorizationReference: 'auth-7' }));
  const transaction = rows(desk.store.tables.transactions).at(-1);
  const transactionId = toTypeId('txn', transaction?.id ?? '');
  expect(receipt).toEqual({
    reservation: {
      ...(held as object),
      state: 'committed',
      changedAt: '2026-03-04T12:00:05.000Z',
      authorizationReference: 'auth-7',
      fulfillmentStatus: 'pending',
      transactionId,
    },
  });
  expect(transaction).toMatchObject({ eventType: 'redemption.committed', points: 100, reversalOf: null });
  expect(rows(desk.store.tables.postings).slice(-2)).toMatchObject([
    { debitAccount: 'member.reserved', creditAccount: 'program.redemption', amount: 50 },
    { debitAccount: 'member.reserved', creditAccount: 'program.redemption', amount: 50 },
  ]);
  expect(desk.lots).toEqual(['0/0', '70/0', '80/0']);
  expect(desk.balances).toEqual([150, 0, 0]);
  expect(desk.newestReservation.commitTransactionId).toBe(transaction?.id);
  expect(desk.store.webhookEvents.at(-1)).toMatchObject({
    type: 'redemption.committed',
    data: { transactionId, externalCustomerId: 'ann', authorizationReference: 'auth-7', points: 100 },
  });
});

test('it goes on for a suspended member: the merchant has authorized it', () => {
  const desk = rewardCounter();
  desk.hold();
  desk.setMember({ status: 'suspended' });
  expect(codeOf(desk.commit())).toBe('done');
});

test.each([
  ['after its end', 1800, 'expired'],
  ['twice', 0, 'committed'],
  ['after a release', 0, 'released'],
  ['after a reversal', 0, 'reversed'],
])('not %s', (_name, seconds, state) => {
  const desk = rewardCounter();
  desk.hold();
  if (state === 'committed' || state === 'reversed') desk.commit();
  if (state === 'released') desk.release();
  if (state === 'reversed') desk.reverse();
  desk.inSeconds(seconds);
  const before = desk.store.tables.postings.size;
  expect(desk.commit()).toMatchObject({
    code: 'invalid_redemption_state',
    message: expect.stringContaining(`is ${state}`),
  });
  expect(desk.store.tables.postings.size).toBe(before);
});

test('the moment before its end it can be committed', () => {
  const desk = rewardCounter();
  desk.hold();
  desk.inSeconds(1799.999);
  expect(codeOf(desk.commit())).toBe('done');
});

test('refusals, each before the ones below it', () => {
  const desk = rewardCounter();
  desk.hold();
  desk.commit({ idempotencyKey: 'used' });
  const done = desk.newestId('rsv');
  desk.hold();
  desk.store.setLocked(true);
  let input = { idempotencyKey: 'used', reservationId: 'rsv_nonsense' };
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['production_locked', () => desk.store.setLocked(false)],
    ['reservation_not_found', () => (input = { ...input, reservationId: done })],
    ['invalid_redemption_state', () => (input = { ...input, reservationId: desk.newestId('rsv') })],
    ['done', () => desk.store.setLocked(true)],
    ['replayed', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.commit(input))).toBe(code);
    repair();
  }
});
