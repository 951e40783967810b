import { expect, test } from '@jest/globals';
import { type OpenBalanceInput, openBalance } from '../../../src/commands/adjustments/open-balance.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

const NEXT_YEAR = '2027-06-30T22:00:00.000Z';

/** Opens ann's balance with 500 points by default; the key follows from the reference. */
function open(desk: Desk, overrides: Partial<OpenBalanceInput> = {}): Outcome {
  const { reference = 'old-1' } = overrides;
  return desk.run(
    openBalance(
      {
        idempotencyKey: reference,
        reference,
        programId: 'coffee-club',
        externalCustomerId: 'ann',
        points: 500,
        expiresAt: NEXT_YEAR,
        ...overrides,
      },
      desk.caller,
    ),
  );
}

test('a lot with a date of its own, issued by the program and available at once', () => {
  const desk = counter({ pending: { days: 14 }, expiration: { policy: 'rolling_days', days: 30 } });
  const { balance } = receiptOf(open(desk)) as { balance: { transactionId: string } };
  expect(balance).toEqual({
    reference: 'old-1',
    transactionId: expect.stringMatching(/^txn_/),
    programId: 'coffee-club',
    points: 500,
    expiresAt: NEXT_YEAR,
  });
  expect(rows(desk.store.tables.postings)).toMatchObject([
    { debitAccount: 'program.issuance', creditAccount: 'member.available', amount: 500 },
  ]);
  expect(rows(desk.store.tables.lots)).toMatchObject([
    { granted: 500, available: 500, activatesAt: null, expiresAt: new Date(NEXT_YEAR), inactivityDays: null },
  ]);
  expect(rows(desk.store.tables.transactions)).toMatchObject([
    { eventType: 'adjustment.posted', sourceReference: 'old-1', points: 500 },
  ]);
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'balance.opened',
    targetId: balance.transactionId,
  });
  // Without the reference: it may contain the customer's id, and the audit trail never changes.
  expect(rows(desk.store.tables.audits).at(-1)?.changes).toEqual({
    programId: 'coffee-club',
    points: 500,
    expiresAt: NEXT_YEAR,
  });
});

test('it is no award and no activity: no points.earned, no qualification points', () => {
  const desk = counter();
  const before = desk.store.tables.events.size;
  open(desk);
  expect(rows(desk.store.tables.events).slice(before)).toMatchObject([
    {
      type: 'adjustment.posted',
      data: { adjustmentId: null, direction: 'credit', reason: 'opening balance', profileVersion: 2 },
    },
  ]);
  expect(desk.profile()).toMatchObject({ qualificationPoints: 0, lastActivityAt: null, purchaseCount: 0 });
});

test.each([
  ['never', null, null],
  [null, daysFrom(noon, 30), 30],
])('an expiry of %s', (expiresAt, expected, inactivityDays) => {
  const desk = counter({ expiration: { policy: 'inactivity', days: 30 } });
  open(desk, { expiresAt });
  expect(rows(desk.store.tables.lots)).toMatchObject([{ expiresAt: expected, inactivityDays }]);
});

test('each reference is posted once', () => {
  const desk = counter();
  const first = receiptOf(open(desk));
  // Also after the date has passed: what was posted stays acknowledged.
  desk.now = new Date('2027-07-01T00:00:00Z');
  expect(open(desk)).toEqual({ receipt: first, idempotent: true });
  expect(codeOf(open(desk, { points: 501 }))).toBe('idempotency_key_reused');
  expect(codeOf(open(desk, { externalCustomerId: 'bob' }))).toBe('idempotency_key_reused');
  expect(rows(desk.store.tables.lots)).toHaveLength(1);
});

test.each<[string, string, (desk: Desk) => Outcome]>([
  ['an unknown program', 'program_not_found', (desk) => open(desk, { programId: 'tea-club' })],
  ['an unknown member', 'member_not_found', (desk) => open(desk, { externalCustomerId: 'bob' })],
  [
    'a member who has left',
    'enrollment_required',
    (desk) => {
      desk.unenroll();
      return open(desk);
    },
  ],
  ['a date that has come', 'validation_failed', (desk) => open(desk, { expiresAt: noon.toISOString() })],
  [
    'a balance that would exceed 2^53-1',
    'balance_limit_exceeded',
    (desk) => {
      open(desk, { reference: 'old-0' });
      return open(desk, { points: Number.MAX_SAFE_INTEGER });
    },
  ],
])('%s: %s', (_what, code, attempt) => {
  const desk = counter();
  expect(codeOf(attempt(desk))).toBe(code);
  expect(desk.store.tables.lots.size).toBe(code === 'balance_limit_exceeded' ? 1 : 0);
});
