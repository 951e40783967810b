import { describe, expect, test } from '@jest/globals';
import { codeOf, counter, type Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { settle } from '../../support/commands/exchange.ts';
import { noon } from '../../support/rules/fixtures.ts';

/** Postings as debit, credit and amount. */
function posted(desk: Desk): unknown[][] {
  return rows(desk.store.tables.postings).map(({ debitAccount, creditAccount, amount }) => [
    debitAccount,
    creditAccount,
    amount,
  ]);
}

function balances(desk: Desk): number[] {
  const { available, pending, reserved } = desk.profile();
  return [available, pending, reserved];
}

describe('points that come in', () => {
  test('come through program.clearing, in a lot under the expiration policy, available at once', () => {
    const desk = counter({ pending: { days: 14 }, expiration: { policy: 'rolling_days', days: 30 } });
    const { exchange } = receiptOf(settle(desk)) as { exchange: { transactionId: string } };
    expect(exchange).toEqual({
      settlementReference: 's-1',
      transactionId: expect.stringMatching(/^txn_/),
      programId: 'coffee-club',
      partnerId: 'airline',
      direction: 'in',
      points: 100,
      reverses: null,
    });
    expect(posted(desk)).toEqual([['program.clearing', 'member.available', 100]]);
    expect(balances(desk)).toEqual([100, 0, 0]);
    expect(rows(desk.store.tables.lots)).toMatchObject([{ granted: 100, expiresAt: daysFrom(noon, 30) }]);
    expect(rows(desk.store.tables.transactions)).toMatchObject([
      { eventType: 'exchange.settled', sourceReference: 's-1', points: 100, state: 'committed' },
    ]);
    // An exchange is activity, and no purchase: it counts toward no tier.
    expect(desk.profile()).toMatchObject({ lastActivityAt: noon, qualificationPoints: 0 });
  });

  test('are an award: points.earned beside exchange.settled, and one audit event', () => {
    const desk = counter();
    const { exchange } = receiptOf(settle(desk)) as { exchange: { transactionId: string } };
    const of = { transactionId: exchange.transactionId, programId: 'coffee-club', points: 100 };
    const [earned, settled] = rows(desk.store.tables.events).slice(-2);
    expect({ earned: earned?.type, settled: settled?.type }).toEqual({
      earned: 'points.earned',
      settled: 'exchange.settled',
    });
    expect(earned?.data).toMatchObject({
      ...of,
      eventType: 'exchange.settled',
      sourceReference: 's-1',
      basePoints: 0,
      campaignPoints: 0,
      activatesAt: null,
      occurredAt: noon.toISOString(),
    });
    const facts = { settlementReference: 's-1', partnerId: 'airline', direction: 'in' };
    expect(settled?.data).toMatchObject({ ...of, ...facts });
    const audits = rows(desk.store.tables.audits).filter(({ action }) => action.startsWith('exchange'));
    expect(audits).toMatchObject([{ action: 'exchange.settled', targetId: exchange.transactionId }]);
    // Without the reference: it may contain the customer's id, and the audit trail never changes.
    const changes = { programId: 'coffee-club', partnerId: 'airline', direction: 'in', points: 100 };
    expect(audits[0]?.changes).toEqual(changes);
  });
});

describe('points that go out', () => {
  test('are spent through program.clearing, soonest-expiring first, and earn nothing', () => {
    const desk = counter();
    settle(desk);
    settle(desk, { settlementReference: 's-2', direction: 'out', points: 70 });
    expect(posted(desk).at(-1)).toEqual(['member.available', 'program.clearing', 70]);
    expect(balances(desk)).toEqual([30, 0, 0]);
    const types = rows(desk.store.tables.events).map(({ type }) => type);
    expect(types).toEqual([
      'member.created',
      'member.enrolled',
      'points.earned',
      'exchange.settled',
      'exchange.settled',
    ]);
  });

  test('cannot be more than the member has', () => {
    const desk = counter();
    settle(desk);
    expect(codeOf(settle(desk, { settlementReference: 's-2', direction: 'out', points: 101 }))).toBe(
      'insufficient_points',
    );
    expect(balances(desk)).toEqual([100, 0, 0]);
    expect(desk.store.tables.exchangeSettlements.size).toBe(1);
  });
});

test('a settlement is posted once under its reference, whatever the key', () => {
  const desk = counter();
  const first = receiptOf(settle(desk));
  const again = settle(desk);
  expect(again).toEqual({ receipt: first, idempotent: true });
  expect(codeOf(settle(desk, { points: 101 }))).toBe('idempotency_key_reused');
  expect(codeOf(settle(desk, { idempotencyKey: 'another' }))).toBe('source_reference_conflict');
  expect(balances(desk)).toEqual([100, 0, 0]);
});

test.each<[string, string, (desk: Desk) => ReturnType<typeof settle>]>([
  ['an unknown program', 'program_not_found', (desk) => settle(desk, { programId: 'tea-club' })],
  ['an unknown member', 'member_not_found', (desk) => settle(desk, { externalCustomerId: 'bob' })],
  [
    'a suspended member',
    'member_not_found',
    (desk) => {
      desk.setStatus('suspended');
      return settle(desk);
    },
  ],
  [
    'a member who has left',
    'enrollment_required',
    (desk) => {
      desk.unenroll();
      return settle(desk);
    },
  ],
  [
    'a balance that would exceed 2^53-1',
    'balance_limit_exceeded',
    (desk) => {
      settle(desk);
      return settle(desk, { settlementReference: 's-2', points: Number.MAX_SAFE_INTEGER });
    },
  ],
])('%s: %s', (_what, code, attempt) => {
  const desk = counter();
  expect(codeOf(attempt(desk))).toBe(code);
});
