import { describe, expect, test } from '@jest/globals';
import { toTypeId } from '../../../src/ids.ts';
import { decide, request, requested } from '../../support/commands/adjustments.ts';
import { codeOf, counter, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon } from '../../support/rules/fixtures.ts';

test('a request is recorded with its evidence, audited and told of; it moves nothing', () => {
  const desk = counter();
  const before = { ...desk.profile() };
  const adjustment = requested(desk);
  expect(adjustment).toMatchObject({
    programId: 'coffee-club',
    memberId: desk.member().id,
    direction: 'credit',
    points: 100,
    reason: 'cold coffee',
    evidence: { ticket: 'CS-1' },
    state: 'requested',
    requestedBy: 'clerk',
    requestedAt: noon,
    expiresAt: daysFrom(noon, 14),
    decidedBy: null,
    transactionId: null,
  });
  expect(desk.profile()).toEqual(before);
  expect(desk.store.tables.transactions.size).toBe(0);
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'adjustment.requested',
    targetType: 'adjustment',
    targetId: toTypeId('adj', adjustment.id),
    actorId: 'clerk',
    changes: { programId: 'coffee-club', direction: 'credit', points: 100 },
  });
  expect(desk.store.webhookEvents.at(-1)).toEqual({
    type: 'adjustment.requested',
    data: {
      adjustmentId: toTypeId('adj', adjustment.id),
      state: 'requested',
      programId: 'coffee-club',
      memberId: toTypeId('mem', desk.member().id),
      externalCustomerId: 'ann',
      direction: 'credit',
      points: 100,
      reason: 'cold coffee',
      balances: { available: 0, pending: 0, reserved: 0 },
      profileVersion: 1,
    },
  });
});

test('the receipt shows the request; neither evidence nor principals', () => {
  const desk = counter();
  const receipt = receiptOf(request(desk, { direction: 'debit', points: 7 }));
  expect(receipt).toEqual({
    adjustment: {
      id: expect.stringMatching(/^adj_/),
      state: 'requested',
      programId: 'coffee-club',
      externalCustomerId: 'ann',
      direction: 'debit',
      points: 7,
      reason: 'cold coffee',
      requestedAt: noon.toISOString(),
      expiresAt: daysFrom(noon, 14).toISOString(),
      decidedAt: null,
      decisionReason: null,
      transactionId: null,
      reversalTransactionId: null,
    },
  });
});

test('a replay gives the first receipt, also once the adjustment is decided; another input is refused', () => {
  const desk = counter();
  const first = request(desk, { idempotencyKey: 'k' });
  decide(desk, 'approve', rows(desk.store.tables.adjustments)[0] as { id: string });
  expect(request(desk, { idempotencyKey: 'k' })).toEqual({ receipt: receiptOf(first), idempotent: true });
  expect(codeOf(request(desk, { idempotencyKey: 'k', points: 101 }))).toBe('idempotency_key_reused');
  expect(desk.store.tables.adjustments.size).toBe(1);
});

test('a debit larger than the balance is a request like any other', () => {
  expect(codeOf(request(counter(), { direction: 'debit', points: 1_000_000 }))).toBe('done');
});

describe('refusals, in order of precedence', () => {
  const known = (desk: Desk) => desk.createMember();
  const left = (desk: Desk) => {
    desk.createMember();
    desk.enroll();
    desk.unenroll();
  };
  const suspended = (desk: Desk) => {
    desk.createMember();
    desk.setMember({ status: 'suspended' });
  };
  const cases: [string, 'credit' | 'debit', (desk: Desk) => unknown][] = [
    ['production_locked', 'credit', (desk) => desk.store.setLocked(true)],
    ['program_not_found', 'credit', () => {}],
    ['member_not_found', 'credit', () => {}],
    ['member_not_found', 'credit', suspended],
    ['enrollment_required', 'credit', known],
    ['profile_not_found', 'debit', known],
    ['enrollment_required', 'credit', left],
    ['done', 'debit', left],
  ];
  test.each(cases)('%s for a %s (case %#)', (code, direction, prepare) => {
    const desk = new Desk();
    prepare(desk);
    const programId =
      code === 'program_not_found' || code === 'production_locked' ? 'nowhere' : 'coffee-club';
    expect(codeOf(request(desk, { direction, programId }))).toBe(code);
    expect(desk.store.tables.adjustments.size).toBe(code === 'done' ? 1 : 0);
  });
});
