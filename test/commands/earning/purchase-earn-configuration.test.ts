import { describe, expect, test } from '@jest/globals';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { codeOf, counter, Desk, daysFrom, receiptOf, rows } from '../../support/commands/desk.ts';
import { noon, program, rule, tier } from '../../support/rules/fixtures.ts';

describe('pinned mode', () => {
  function pinned(configurationVersion: number, memberTier: string, days: number) {
    return {
      occurredAt: daysFrom(noon, days).toISOString(),
      context: {
        attributes: {
          svcEvaluation: { mode: 'event_time_pinned_configuration', configurationVersion, memberTier },
        },
      },
    };
  }

  function twoVersions(): Desk {
    const desk = new Desk();
    const first = { version: 1, effectiveFrom: daysFrom(noon, -60), publishedAt: daysFrom(noon, -60) };
    desk.publish(program({ earn: { rules: [rule('base', [], { rateNumerator: 2 })] } }), {
      effectiveFrom: daysFrom(noon, -30),
      versions: [{ ...first, document: program() }],
    });
    desk.createMember();
    desk.enroll();
    return desk;
  }

  test("the version, time and tier are the event's own", () => {
    const desk = twoVersions();
    const event = pinned(1, 'gold', -40);
    expect(receiptOf(desk.earn(event))).toMatchObject({
      award: { points: 150 },
      member: { tier: 'bronze' },
      evaluationMode: 'event_time_pinned_configuration',
      evaluationAt: event.occurredAt,
      configurationVersion: 1,
      evidence: { profile: { tier: 'gold' } },
    });
    expect(receiptOf(desk.earn())).toMatchObject({ award: { points: 200 }, configurationVersion: 2 });
  });

  test.each([
    ['the version in effect then', 1, -40, 'done'],
    ['the last instant of a version', 1, -30 - 1 / 86_400_000, 'done'],
    ['the first instant of the next', 2, -30, 'done'],
    ['a version superseded by then', 1, -30, 'configuration_not_effective'],
    ['a version not yet published then', 2, -40, 'configuration_not_effective'],
    ['a time before the first version', 1, -61, 'configuration_not_effective'],
    ['a version that never was', 3, -1, 'configuration_not_effective'],
  ])('%s', (_what, version, days, expected) => {
    expect(codeOf(twoVersions().earn(pinned(version, 'bronze', days)))).toBe(expected);
  });

  test('a tier that the version lacks is refused, and one that the profile lacks is not', () => {
    const desk = twoVersions();
    expect(desk.earn(pinned(1, 'platinum', -40))).toMatchObject({ code: 'unknown_tier' });
    expect(codeOf(desk.earn(pinned(1, 'silver', -40)))).toBe('done');
  });

  test("the limit of the event's own period counts", () => {
    const desk = counter({ memberLimit: { points: 150, period: 'month', onExceed: 'trim' } });
    const points = (outcome: ReturnType<Desk['earn']>) => receiptOf(outcome).award;
    // Noon is a 4 March; 20 days earlier it was February.
    expect(points(desk.earn(pinned(1, 'bronze', -20)))).toMatchObject({ points: 100 });
    expect(points(desk.earn(pinned(1, 'bronze', -20)))).toMatchObject({ points: 50 });
    expect(points(desk.earn())).toMatchObject({ points: 100 });
    expect(points(desk.earn(pinned(1, 'bronze', -21)))).toMatchObject({ points: 0 });
    const counters = rows(desk.store.tables.limitCounters);
    expect(counters.map((row) => [row.periodStart.toISOString().slice(0, 10), row.points])).toEqual([
      ['2026-02-01', 150],
      ['2026-03-01', 100],
    ]);
  });
});

test('an event of an older version leaves tier and window to the present one', () => {
  const desk = new Desk();
  const first = { version: 1, effectiveFrom: daysFrom(noon, -60), publishedAt: daysFrom(noon, -60) };
  const lifetime = program({ qualification: { window: 'lifetime' } });
  const tiers = [tier('bronze', 0, 1), tier('platinum', 50, 2)];
  desk.publish(program({ tiers, qualification: { window: 'calendar_year' } }), {
    effectiveFrom: daysFrom(noon, -30),
    versions: [{ ...first, document: lifetime }],
  });
  desk.createMember();
  desk.enroll();
  desk.earn();
  const before = desk.profile();
  expect(before).toMatchObject({ tier: 'platinum', qualificationSince: new Date('2026-01-01T00:00:00Z') });
  const svcEvaluation = {
    mode: 'event_time_pinned_configuration',
    configurationVersion: 1,
    memberTier: 'gold',
  };
  const late = { occurredAt: daysFrom(noon, -40).toISOString(), context: { attributes: { svcEvaluation } } };
  expect(receiptOf(desk.earn(late))).toMatchObject({
    award: { points: 150 },
    configurationVersion: 1,
    member: { tier: 'platinum' },
  });
  expect(desk.profile()).toMatchObject({
    tier: 'platinum',
    qualificationSince: before.qualificationSince,
    qualificationPoints: 200,
  });
});

describe('member limit', () => {
  test('periods of different kinds that begin together are counted apart', () => {
    const desk = new Desk();
    const firstOfMarch = new Date('2026-03-01T12:00:00Z');
    const daily = program({ memberLimit: { points: 150, period: 'day', onExceed: 'trim' } });
    desk.publish(daily);
    desk.createMember();
    desk.enroll();
    desk.now = firstOfMarch;
    desk.earn();
    const first = { version: 1, effectiveFrom: daysFrom(noon, -365), publishedAt: daysFrom(noon, -365) };
    desk.publish(program({ memberLimit: { points: 150, period: 'month', onExceed: 'trim' } }), {
      effectiveFrom: daysFrom(firstOfMarch, 0.1),
      versions: [{ ...first, document: daily }],
    });
    desk.now = noon;
    // The limit per month begins at 0 when it is published: points counted by the limit per day are not part of it.
    expect(receiptOf(desk.earn())).toMatchObject({ award: { points: 100 }, configurationVersion: 2 });
    expect(rows(desk.store.tables.limitCounters)).toHaveLength(2);
  });

  test('trim awards what is left, down to nothing, and begins anew with the period', () => {
    const desk = counter({ memberLimit: { points: 150, period: 'month', onExceed: 'trim' } });
    const awards = [0, 0, 0, 31].map((days) => {
      desk.now = daysFrom(noon, days);
      return (receiptOf(desk.earn()).award as { points: number }).points;
    });
    expect(awards).toEqual([100, 50, 0, 100]);
    expect(rows(desk.store.tables.limitCounters).map((row) => row.points)).toEqual([150, 100]);
    // Trimmed points still count for the tier.
    expect(desk.profile()).toMatchObject({ available: 250, qualificationPoints: 400 });
  });

  test('reject refuses what exceeds it, and a smaller purchase still fits', () => {
    const desk = counter({ memberLimit: { points: 150, period: 'day', onExceed: 'reject' } });
    expect(codeOf(desk.earn())).toBe('done');
    expect(codeOf(desk.earn())).toBe('member_limit_reached');
    expect(codeOf(desk.earn({ amountMinor: 5000 }))).toBe('done');
    expect(codeOf(desk.earn({ amountMinor: 0 }))).toBe('done');
    desk.now = daysFrom(noon, 1);
    expect(codeOf(desk.earn())).toBe('done');
  });

  test('purchases of one batch share the limit', () => {
    const desk = counter({ memberLimit: { points: 150, period: 'lifetime', onExceed: 'trim' } });
    const commands = [1, 2, 3].map(() => purchaseEarn(desk.purchaseInput(), desk.caller));
    const awards = desk.store.runBatch(commands, noon).map((outcome) => receiptOf(outcome).award);
    expect(awards).toMatchObject([{ points: 100 }, { points: 50 }, { points: 0 }]);
    expect(desk.profile().available).toBe(150);
    expect(rows(desk.store.tables.limitCounters)).toMatchObject([{ points: 150, periodStart: new Date(0) }]);
  });
});
