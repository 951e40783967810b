import { describe, expect, test } from '@jest/globals';
import type { PublishedProgram } from '../../../src/programs/published/published-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { type EvaluationRequest, pickVersion } from '../../../src/rules/earning/pick-version.ts';
import { program, tier } from '../../support/rules/fixtures.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));
const version = (number: number, publishedAt: Date, effectiveFrom: Date, document = program()) => ({
  version: number,
  publishedAt,
  effectiveFrom,
  document,
});

// Version 1 from day 1; 2 published on day 5, effective from day 10; 3 published on day 20, backdated to day 15.
const published: PublishedProgram = {
  programId: 'coffee-club',
  versions: [
    version(1, day(1), day(1)),
    version(2, day(5), day(10), program({ tiers: [tier('basic', 0, 1)] })),
    version(3, day(20), day(15)),
  ],
};

function picked(request: EvaluationRequest, now: Date): number | string {
  const result = pickVersion(published, request, now);
  return isRefusal(result) ? result.code : result.version.version;
}

describe('receipt mode takes the version in effect now', () => {
  test.each([
    [day(0), 'program_not_found'],
    [day(1), 1],
    [day(9), 1],
    [day(10), 2],
    [day(25), 3],
  ])('%p: %p', (now, expected) => {
    expect(picked({}, now)).toBe(expected);
  });

  test('whatever the event says of its time', () => {
    const result = pickVersion(
      published,
      { occurredAt: day(1), mode: 'receipt_time_current_configuration' },
      day(25),
    );
    expect(result).toMatchObject({
      mode: 'receipt_time_current_configuration',
      evaluationAt: day(25),
      memberTier: null,
      version: { version: 3 },
    });
  });
});

describe('pinned mode takes what was in force at the event', () => {
  const pin = (configurationVersion: number, occurredAt: Date, memberTier = 'bronze') =>
    picked(
      { mode: 'event_time_pinned_configuration', configurationVersion, occurredAt, memberTier },
      day(30),
    );

  test.each<[string, number, Date, number | string]>([
    ['before it was published', 1, new Date(day(1).getTime() - 1), 'configuration_not_effective'],
    ['at its first instant', 1, day(1), 1],
    ['published, not effective yet', 2, day(9), 'configuration_not_effective'],
    ['still the old one', 1, day(9), 1],
    ['superseded', 1, day(10), 'configuration_not_effective'],
    ['effective, but not published by then', 3, day(16), 'configuration_not_effective'],
    ['published and effective', 3, day(20), 3],
    ['never published', 4, day(20), 'configuration_not_effective'],
  ])('%s', (_what, number, occurredAt, expected) => {
    expect(pin(number, occurredAt)).toBe(expected);
  });

  test('a backdated version does not replace the one that was in effect', () => {
    expect(pin(2, day(16), 'basic')).toBe(2);
  });

  test('the tier has to be one of that version', () => {
    expect(pin(2, day(12), 'bronze')).toBe('unknown_tier');
    expect(pin(2, day(12), 'basic')).toBe(2);
  });

  test('is evaluated at the event', () => {
    const request = {
      mode: 'event_time_pinned_configuration' as const,
      occurredAt: day(2),
      configurationVersion: 1,
      memberTier: 'gold',
    };
    expect(pickVersion(published, request, day(30))).toMatchObject({
      evaluationAt: day(2),
      memberTier: 'gold',
    });
  });

  test('names every piece of evidence that is missing', () => {
    const result = pickVersion(published, { mode: 'event_time_pinned_configuration' }, day(30));
    expect(result).toMatchObject({ code: 'invalid_event' });
    expect(isRefusal(result) && result.details?.map(({ path }) => path)).toEqual([
      'occurredAt',
      'context.attributes.svcEvaluation.configurationVersion',
      'context.attributes.svcEvaluation.memberTier',
    ]);
  });
});
