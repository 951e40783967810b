import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ExpirationPolicy } from '../../../src/programs/document/program-document.ts';
import { lotDates } from '../../../src/rules/calendar/lot-dates.ts';
import { noon, program } from '../../support/rules/fixtures.ts';

const date = (text: string) => new Date(text);

describe('activation', () => {
  test.each([
    [undefined, null],
    [0, null],
    [1, date('2026-03-05T12:00:00Z')],
    [30, date('2026-04-03T12:00:00Z')],
  ])('%p pending days', (days, activatesAt) => {
    const document = program(days === undefined ? {} : { pending: { days } });
    expect(lotDates(document, noon, noon).activatesAt).toEqual(activatesAt);
  });

  test('counts from the purchase, and is over where it would lie in the past', () => {
    const document = program({ pending: { days: 14 } });
    expect(lotDates(document, date('2026-02-20T00:00:00Z'), noon).activatesAt).toEqual(
      date('2026-03-06T00:00:00Z'),
    );
    expect(lotDates(document, date('2026-02-18T12:00:00Z'), noon).activatesAt).toBe(null);
    expect(lotDates(document, date('1997-01-01T00:00:00Z'), noon).activatesAt).toBe(null);
  });
});

describe('expiry of points that are available on 2026-03-04 at noon', () => {
  test.each<[ExpirationPolicy | undefined, string | null]>([
    [undefined, null],
    [{ policy: 'never' }, null],
    [{ policy: 'rolling_days', days: 1 }, '2026-03-05T12:00:00Z'],
    [{ policy: 'rolling_days', days: 365 }, '2027-03-04T12:00:00Z'],
    [{ policy: 'inactivity', days: 10 }, '2026-03-14T12:00:00Z'],
    [{ policy: 'end_of_period', period: 'month' }, '2026-04-01T00:00:00Z'],
    [{ policy: 'end_of_period', period: 'quarter' }, '2026-04-01T00:00:00Z'],
    [{ policy: 'end_of_period', period: 'year' }, '2027-01-01T00:00:00Z'],
    [{ policy: 'end_of_period', period: 'year', offsetDays: 90 }, '2027-04-01T00:00:00Z'],
  ])('%j: %s', (expiration, expected) => {
    const document = program(expiration ? { expiration } : {});
    expect(lotDates(document, noon, noon).expiresAt).toEqual(expected === null ? null : date(expected));
  });

  test.each([
    ['2026-01-01T00:00:00Z', '2026-04-01T00:00:00Z'],
    ['2026-06-30T23:59:59Z', '2026-07-01T00:00:00Z'],
    ['2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ])('the quarter of %s ends at %s', (at, end) => {
    const document = program({ expiration: { policy: 'end_of_period', period: 'quarter' } });
    expect(lotDates(document, date(at), date(at)).expiresAt).toEqual(date(end));
  });

  test('is counted from the activation of pending points', () => {
    const document = program({
      pending: { days: 30 },
      expiration: { policy: 'end_of_period', period: 'month' },
    });
    expect(lotDates(document, noon, noon).expiresAt).toEqual(date('2026-05-01T00:00:00Z'));
  });
});

test('law: no points expire before they become available, or before they are earned', () => {
  const days = fc.integer({ min: 1, max: 400 });
  const policy: fc.Arbitrary<ExpirationPolicy> = fc.oneof(
    fc.record({ policy: fc.constant('rolling_days' as const), days }),
    fc.record({
      policy: fc.constant('end_of_period' as const),
      period: fc.constantFrom('month' as const, 'quarter' as const, 'year' as const),
      offsetDays: fc.nat(30),
    }),
  );
  const instant = fc.date({
    min: date('2020-01-01T00:00:00Z'),
    max: date('2030-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(
      policy,
      fc.nat(400),
      instant,
      instant,
      (expiration, pendingDays, occurredAt, evaluationAt) => {
        const document = program({ expiration, pending: { days: pendingDays } });
        const { activatesAt, expiresAt } = lotDates(document, occurredAt, evaluationAt);
        expect(expiresAt?.getTime()).toBeGreaterThan((activatesAt ?? evaluationAt).getTime());
        if (activatesAt) expect(activatesAt.getTime()).toBeGreaterThan(evaluationAt.getTime());
      },
    ),
  );
});
