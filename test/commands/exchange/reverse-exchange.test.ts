import { describe, expect, test } from '@jest/globals';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reverse, settle } from '../../support/commands/exchange.ts';
import { undoCounter } from '../../support/commands/undoing.ts';
import { noon } from '../../support/rules/fixtures.ts';

/** Each lot's `available` and what it has lent; oldest first. */
function standings(desk: Desk): number[][] {
  return rows(desk.store.tables.lots).map(({ available, lent }) => [available, lent]);
}

describe('of points that came in', () => {
  test('takes them back out of their lot through program.clearing, and names the settlement', () => {
    const desk = counter();
    settle(desk);
    const { exchange } = receiptOf(reverse(desk)) as { exchange: { transactionId: string } };
    expect(exchange).toMatchObject({
      settlementReference: 'r-1',
      partnerId: 'airline',
      direction: 'in',
      points: 100,
      reverses: 's-1',
    });
    expect(desk.profile().available).toBe(0);
    const [settled, reversed] = rows(desk.store.tables.transactions);
    expect(settled).toMatchObject({ state: 'reversed', reversedBy: reversed?.id });
    expect(reversed).toMatchObject({
      eventType: 'exchange.reversed',
      sourceReference: 'r-1',
      reversalOf: settled?.id,
      points: 100,
    });
    expect(rows(desk.store.tables.postings).at(-1)).toMatchObject({
      debitAccount: 'member.available',
      creditAccount: 'program.clearing',
      amount: 100,
    });
    expect(rows(desk.store.tables.events).at(-1)).toMatchObject({
      type: 'exchange.reversed',
      data: {
        transactionId: exchange.transactionId,
        settlementReference: 'r-1',
        partnerId: 'airline',
        direction: 'in',
        points: 100,
        reverses: 's-1',
      },
    });
  });

  test("takes what their lot lacks out of the member's other lots, and gives it back to them later", () => {
    const desk = undoCounter();
    settle(desk, { points: 150 });
    receiptOf(desk.hold({ rewardId: 'of-100' }));
    const reservationId = desk.newestId('rsv');
    desk.earn({ amountMinor: 20_000 });
    receiptOf(reverse(desk));
    // 50 were left of the lot; the other 100 are lent by the order's.
    expect(standings(desk)).toEqual([
      [0, -100],
      [100, 100],
    ]);
    desk.release({ reservationId });
    expect(standings(desk)).toEqual([
      [0, 0],
      [200, 0],
    ]);
  });

  test('is refused where the member has fewer points: the balance is never negative', () => {
    const desk = counter();
    settle(desk);
    settle(desk, { settlementReference: 's-2', direction: 'out', points: 1 });
    expect(codeOf(reverse(desk))).toBe('insufficient_points');
    expect(desk.profile().available).toBe(99);
    // A refusal uses up neither key nor reference: once the points are there, the same row succeeds.
    desk.earn({ amountMinor: 100 });
    expect(codeOf(reverse(desk))).toBe('done');
    expect(desk.profile().available).toBe(0);
  });

  test('is possible while the member is suspended', () => {
    const desk = counter();
    settle(desk);
    desk.setStatus('suspended');
    expect(codeOf(reverse(desk))).toBe('done');
  });
});

describe('of points that went out', () => {
  test('gives them back to their lot, with the grace days where it has expired meanwhile', () => {
    const desk = counter({ expiration: { policy: 'rolling_days', days: 10 }, graceDays: 5 });
    settle(desk, { settlementReference: 's-0' });
    settle(desk, { direction: 'out', points: 60 });
    desk.now = daysFrom(noon, 20);
    receiptOf(reverse(desk));
    expect(rows(desk.store.tables.lots)).toMatchObject([{ available: 60, expiresAt: daysFrom(desk.now, 5) }]);
    expect(rows(desk.store.tables.postings).at(-1)).toMatchObject({
      debitAccount: 'program.clearing',
      creditAccount: 'member.available',
      amount: 60,
    });
  });

  test('is refused while the member is suspended', () => {
    const desk = counter();
    settle(desk, { settlementReference: 's-0' });
    settle(desk, { direction: 'out', points: 60 });
    desk.setStatus('suspended');
    expect(codeOf(reverse(desk))).toBe('member_not_found');
  });
});

test.each<[string, string, (desk: Desk) => ReturnType<typeof reverse>]>([
  ['an unknown program', 'program_not_found', (desk) => reverse(desk, { programId: 'tea-club' })],
  ['an unknown member', 'member_not_found', (desk) => reverse(desk, { externalCustomerId: 'bob' })],
  ['an unknown settlement', 'settlement_not_found', (desk) => reverse(desk, { reverses: 's-2' })],
  [
    "another member's settlement",
    'settlement_not_found',
    (desk) => {
      desk.createMember({ externalCustomerId: 'bob' });
      desk.enroll({ externalCustomerId: 'bob' });
      return reverse(desk, { externalCustomerId: 'bob' });
    },
  ],
  [
    'one that was reversed before',
    'invalid_settlement_state',
    (desk) => {
      reverse(desk);
      return reverse(desk, { settlementReference: 'r-2' });
    },
  ],
  [
    'a reversal',
    'invalid_settlement_state',
    (desk) => {
      reverse(desk);
      return reverse(desk, { settlementReference: 'r-2', reverses: 'r-1' });
    },
  ],
  [
    'a reference that a settlement has',
    'source_reference_conflict',
    (desk) => reverse(desk, { settlementReference: 's-1' }),
  ],
  ['other points than were settled', 'validation_failed', (desk) => reverse(desk, { points: 99 })],
  ['another partner', 'validation_failed', (desk) => reverse(desk, { partnerId: 'hotel' })],
  [
    'a member who has left',
    'enrollment_required',
    (desk) => {
      settle(desk, { settlementReference: 's-2', direction: 'out' });
      desk.unenroll();
      return reverse(desk);
    },
  ],
])('%s: %s', (_what, code, attempt) => {
  const desk = counter();
  settle(desk);
  expect(codeOf(attempt(desk))).toBe(code);
  expect(rows(desk.store.tables.exchangeSettlements).filter(({ reverses }) => reverses).length).toBe(
    code === 'invalid_settlement_state' ? 1 : 0,
  );
});

test('a reversal is posted once', () => {
  const desk = counter();
  settle(desk);
  receiptOf(reverse(desk));
  expect(codeOf(reverse(desk))).toBe('replayed');
  expect(codeOf(reverse(desk, { reverses: 's-9' }))).toBe('idempotency_key_reused');
  expect(desk.profile().available).toBe(0);
});
