import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeOf, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { reward, rewardCounter } from '../../support/commands/reward-counter.ts';
import { noon } from '../../support/rules/fixtures.ts';

test('the lots that paid get their points back, and the two transactions name each other', () => {
  const desk = rewardCounter({ rewards: [reward({ inventory: 1 })] });
  const committed = receiptOf(desk.redeem()).reservation;
  const commit = rows(desk.store.tables.transactions).at(-1);
  desk.inSeconds(5);
  const cancellationEvidence = { ticket: 'CS-1' };
  expect(receiptOf(desk.reverse({ reason: 'broken', cancellationEvidence }))).toEqual({
    reservation: {
      ...(committed as object),
      state: 'reversed',
      changedAt: '2026-03-04T12:00:05.000Z',
      reason: 'broken',
      transactionId: expect.stringMatching(/^txn_/),
    },
  });
  expect(desk.lots).toEqual(['50/0', '120/0', '80/0']);
  expect(desk.balances).toEqual([250, 0, 0]);
  const reversal = rows(desk.store.tables.transactions).at(-1);
  expect(reversal).toMatchObject({
    eventType: 'redemption.reversed',
    state: 'committed',
    points: 100,
    reversalOf: commit?.id,
  });
  expect(desk.store.tables.transactions.get(commit?.id ?? '')).toMatchObject({
    state: 'reversed',
    reversedBy: reversal?.id,
  });
  expect(desk.newestReservation).toMatchObject({ cancellationEvidence, commitTransactionId: commit?.id });
  expect(rows(desk.store.tables.stocks)).toMatchObject([{ taken: 0 }]);
  expect(desk.events.at(-1)).toBe('redemption.reversed');
  expect(rows(desk.store.tables.audits).at(-1)).toMatchObject({
    action: 'redemption.reversed',
    changes: { transactionId: expect.any(String), points: 100 },
  });
});

describe('lots that have expired meanwhile', () => {
  const expiresAt = (desk: ReturnType<typeof rewardCounter>) =>
    rows(desk.store.tables.lots).map((lot) => lot.expiresAt?.toISOString().slice(0, 10));

  test('come back with the grace days of the terms; what lay in them unspent does not', () => {
    const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 10 }, graceDays: 5 });
    desk.redeem();
    desk.now = daysFrom(noon, 8);
    desk.earn({ amountMinor: 1_000 });
    desk.now = daysFrom(noon, 12);
    desk.reverse();
    // The third lot, and the rest of the second, have expired meanwhile.
    expect(desk.lots).toEqual(['50/0', '50/0', '0/0', '10/0']);
    expect(expiresAt(desk)).toEqual(['2026-03-21', '2026-03-21', '2026-03-14', '2026-03-22']);
    expect(desk.balances).toEqual([110, 0, 0]);
    desk.now = daysFrom(noon, 17);
    expect(codeOf(desk.quote())).toBe('insufficient_points');
  });

  test.each([
    ['at the instant of the expiry', 0, '2026-03-19'],
    ['a millisecond before it', -1, '2026-03-14'],
  ])('%s', (_what, milliseconds, expected) => {
    const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 10 }, graceDays: 5 });
    desk.redeem();
    desk.now = new Date(daysFrom(noon, 10).getTime() + milliseconds);
    desk.reverse();
    expect(expiresAt(desk).slice(0, 2)).toEqual([expected, expected]);
    expect(desk.balances[0]).toBe(milliseconds < 0 ? 250 : 100);
  });

  test('a lot that lives keeps its date', () => {
    const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 10 }, graceDays: 5 });
    desk.redeem();
    desk.now = daysFrom(noon, 9);
    desk.reverse();
    expect(expiresAt(desk)).toEqual(['2026-03-14', '2026-03-14', '2026-03-14']);
    expect(desk.balances).toEqual([250, 0, 0]);
  });

  test('without grace they expire at once', () => {
    const desk = rewardCounter({ expiration: { policy: 'rolling_days', days: 10 }, graceDays: 0 });
    desk.redeem();
    desk.now = daysFrom(noon, 12);
    expect(codeOf(desk.reverse())).toBe('done');
    expect(desk.balances).toEqual([0, 0, 0]);
    expect(rows(desk.store.tables.transactions).slice(-3)).toMatchObject([
      { eventType: 'points.expired', points: 150 },
      { eventType: 'redemption.reversed', points: 100 },
      { eventType: 'points.expired', points: 100 },
    ]);
  });

  test('points that live on by activity are not touched', () => {
    const desk = rewardCounter({ expiration: { policy: 'inactivity', days: 10 }, graceDays: 5 });
    desk.now = daysFrom(noon, 8);
    desk.redeem();
    desk.now = daysFrom(noon, 12);
    desk.reverse();
    expect(desk.balances).toEqual([250, 0, 0]);
    expect(expiresAt(desk)).toEqual(['2026-03-22', '2026-03-22', '2026-03-22']);
  });
});

test('points that a return has claimed pay it first', () => {
  const desk = rewardCounter();
  desk.redeem();
  const [first] = rows(desk.store.tables.orders);
  desk.return({
    sourceReference: first?.sourceReference ?? '',
    returnReference: 'r1',
    returnAmountMinor: 5_000,
  });
  expect(desk.balances).toEqual([150, 0, 0]);
  desk.reverse();
  expect(desk.balances).toEqual([200, 0, 0]);
  expect(desk.lots).toEqual(['0/0', '120/0', '80/0']);
  expect(rows(desk.store.tables.orders)[0]).toMatchObject({ clawedBack: 50 });
});

test('evidence is asked for by the terms of the quote', () => {
  const desk = rewardCounter({ rewards: [reward({ cancellationEvidenceRequired: true })] });
  desk.redeem();
  expect(desk.reverse()).toMatchObject({
    code: 'cancellation_evidence_required',
    details: [{ path: 'cancellationEvidence' }],
  });
  expect(codeOf(desk.reverse({ cancellationEvidence: { ticket: 'CS-1' } }))).toBe('done');
});

test('evidence is part of what a key stands for, nulls and all', () => {
  const desk = rewardCounter();
  desk.redeem();
  const input = { idempotencyKey: 'k', cancellationEvidence: { seen: null } };
  expect(codeOf(desk.reverse(input))).toBe('done');
  expect(codeOf(desk.reverse(input))).toBe('replayed');
  expect(codeOf(desk.reverse({ ...input, cancellationEvidence: {} }))).toBe('idempotency_key_reused');
});

test('it goes on for a suspended member', () => {
  const desk = rewardCounter();
  desk.redeem();
  desk.setMember({ status: 'suspended' });
  expect(codeOf(desk.reverse())).toBe('done');
});

test('refusals, each before the ones below it', () => {
  const desk = rewardCounter({
    rewards: [reward({ points: 125, cancellationEvidenceRequired: true })],
  });
  desk.hold();
  desk.commit();
  desk.reverse({ idempotencyKey: 'used', cancellationEvidence: { ticket: 'CS-1' } });
  const done = desk.newestId('rsv');
  desk.redeem();
  desk.redeem();
  desk.setProfile({ enrolled: false, unenrolledAt: noon });
  desk.store.setLocked(true);
  let input: Parameters<typeof desk.reverse>[0] = { idempotencyKey: 'used', reservationId: 'rsv_nonsense' };
  const steps: [code: string, repair: () => void][] = [
    ['idempotency_key_reused', () => (input = { ...input, idempotencyKey: 'fresh' })],
    ['production_locked', () => desk.store.setLocked(false)],
    ['reservation_not_found', () => (input = { ...input, reservationId: done })],
    ['invalid_redemption_state', () => (input = { ...input, reservationId: desk.newestId('rsv') })],
    [
      'cancellation_evidence_required',
      () => (input = { ...input, cancellationEvidence: { ticket: 'CS-2' } }),
    ],
    [
      'enrollment_required',
      () => desk.setProfile({ enrolled: true, unenrolledAt: null, pending: Number.MAX_SAFE_INTEGER - 124 }),
    ],
    ['balance_limit_exceeded', () => desk.setProfile({ pending: 0 })],
    ['done', () => desk.store.setLocked(true)],
    ['replayed', () => {}],
  ];
  for (const [code, repair] of steps) {
    expect(codeOf(desk.reverse(input))).toBe(code);
    repair();
  }
});

test('however redemptions come and go, lots, balances and postings agree, and no point is lost', () => {
  const steps = fc.array(
    fc.record({
      act: fc.constantFrom('hold', 'commit', 'release', 'reverse', 'wait' as const),
      which: fc.nat(4),
    }),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(steps, (acts) => {
      const desk = rewardCounter({ rewards: [reward({ points: 70, inventory: 2 })] });
      for (const { act, which } of acts) {
        const ids = rows(desk.store.tables.reservations).map(({ id }) => id);
        const picked = desk.idOf(ids[which % Math.max(ids.length, 1)]);
        if (act === 'hold' && codeOf(desk.quote()) === 'done') desk.reserve();
        if (act === 'commit') desk.commit({ reservationId: picked });
        if (act === 'release') desk.release({ reservationId: picked });
        if (act === 'reverse') desk.reverse({ reservationId: picked });
        if (act === 'wait') desk.inSeconds(700);
        const all = rows(desk.store.tables.reservations);
        const count = (state: string): number => all.filter((row) => row.state === state).length;
        const lots = rows(desk.store.tables.lots);
        const sum = (amount: 'available' | 'reserved'): number =>
          lots.reduce((total, lot) => total + lot[amount], 0);
        expect(desk.balances).toEqual([
          250 - 70 * (count('reserved') + count('committed')),
          0,
          70 * count('reserved'),
        ]);
        const [available, , reserved] = desk.balances;
        expect({ available: sum('available'), reserved: sum('reserved') }).toEqual({ available, reserved });
        expect(desk.store.tables.stocks.size === 0 ? 0 : rows(desk.store.tables.stocks)[0]?.taken).toBe(
          count('reserved') + count('committed'),
        );
        expect(count('reserved') + count('committed')).toBeLessThanOrEqual(2);
      }
    }),
    { numRuns: 150 },
  );
});
