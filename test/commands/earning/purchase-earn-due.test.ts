import { describe, expect, test } from '@jest/globals';
import { counter, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';

const INACTIVITY = { expiration: { policy: 'inactivity', days: 30 } } as const;

describe('a purchase after points were over', () => {
  test('does not bring them back, though no sweep has seen them', () => {
    const desk = counter(INACTIVITY);
    desk.earn({ amountMinor: 10_000 });
    const first = desk.profile().available;
    expect(first).toBeGreaterThan(0);
    desk.now = daysFrom(desk.now, 30);
    desk.earn({ amountMinor: 5_000 });
    expect(desk.profile().available).toBe(first / 2);
    const lots = rows(desk.store.tables.lots);
    expect(lots.map((lot) => lot.available)).toEqual([0, first / 2]);
    expect(rows(desk.store.tables.transactions).map((row) => row.eventType)).toEqual([
      'purchase.completed',
      'points.expired',
      'purchase.completed',
    ]);
    expect(rows(desk.store.tables.audits).filter((row) => row.action === 'points.expired')).toMatchObject([
      { actorType: 'system', actorId: 'time' },
    ]);
  });

  test('keeps those alive that were not over', () => {
    const desk = counter(INACTIVITY);
    desk.earn({ amountMinor: 10_000 });
    const first = desk.profile().available;
    desk.now = daysFrom(desk.now, 29);
    desk.earn({ amountMinor: 5_000 });
    desk.now = daysFrom(desk.now, 29);
    desk.earn({ amountMinor: 5_000 });
    expect(desk.profile().available).toBe(2 * first);
    expect(rows(desk.store.tables.transactions)).toHaveLength(3);
  });

  test('activates what has become due, and answers with its own points alone', () => {
    const desk = counter({ pending: { days: 7 } });
    desk.earn({ amountMinor: 10_000 });
    desk.now = daysFrom(desk.now, 7);
    const award = receiptOf(desk.earn({ amountMinor: 5_000 })).award as { points: number };
    expect(desk.profile()).toMatchObject({ available: 2 * award.points, pending: award.points });
  });

  test('reads nothing of points where nothing is due', () => {
    const desk = counter(INACTIVITY);
    desk.earn();
    const lots = rows(desk.store.tables.lots);
    desk.earn();
    expect(rows(desk.store.tables.lots)[0]).toBe(lots[0]);
  });
});

test('points whose time was over before their event came are granted and lapse at once', () => {
  const desk = counter({ expiration: { policy: 'rolling_days', days: 5 } });
  const svcEvaluation = {
    mode: 'event_time_pinned_configuration',
    configurationVersion: 1,
    memberTier: 'bronze',
  };
  const occurredAt = daysFrom(desk.now, -5).toISOString();
  const award = receiptOf(desk.earn({ occurredAt, context: { attributes: { svcEvaluation } } })).award;
  expect(award).toMatchObject({ points: 100 });
  expect(desk.profile().available).toBe(0);
  expect(
    rows(desk.store.tables.postings).map((row) => [row.debitAccount, row.creditAccount, row.amount]),
  ).toEqual([
    ['program.issuance', 'member.available', 100],
    ['member.available', 'program.expiry', 100],
  ]);
});
