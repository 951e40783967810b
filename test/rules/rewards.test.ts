import { describe, expect, test } from '@jest/globals';
import type { Eligibility, Reward } from '../../src/programs/document/program-document.ts';
import { findReward, rewardTerms, whyNotEligible } from '../../src/rules/rewards.ts';
import { noon, program } from '../support/rules/fixtures.ts';

const mug: Reward = { id: 'mug', name: 'A mug', points: 100 };
const bronze = { tier: 'bronze', qualificationPoints: 10 };
const gold = { tier: 'gold', qualificationPoints: 6000 };

const offering = (overrides: Partial<Reward>, timeZone = 'UTC') =>
  program({ timeZone, rewards: [{ ...mug, ...overrides }] });

const why = (overrides: Partial<Reward>, profile = bronze, at = noon, timeZone?: string) =>
  whyNotEligible(offering(overrides, timeZone), 'mug', profile, at);

test('a reward is found by its id alone', () => {
  expect(findReward(offering({}), 'mug')).toMatchObject({ id: 'mug', points: 100 });
  expect(findReward(offering({}), 'Mug')).toBeNull();
  expect(findReward(program(), 'mug')).toBeNull();
});

describe('eligibility', () => {
  const goldOnly: Eligibility = {
    match: 'all',
    conditions: [{ field: 'profile.tier', operator: 'equals', value: 'gold' }],
  };
  const goldOrTen: Eligibility = {
    match: 'any',
    conditions: [
      ...goldOnly.conditions,
      { field: 'profile.qualificationPoints', operator: 'gte', value: 10 },
    ],
  };

  test('everyone may have a reward that says nothing', () => {
    expect(why({})).toBeNull();
    expect(why({ eligibility: { match: 'all', conditions: [] } })).toBeNull();
  });

  test('all conditions have to hold, or any of them', () => {
    expect(why({ eligibility: goldOnly }, gold)).toBeNull();
    expect(why({ eligibility: goldOnly })).toBe('Does not hold: profile.tier equals "gold".');
    expect(why({ eligibility: goldOrTen })).toBeNull();
    expect(why({ eligibility: goldOrTen }, { tier: 'silver', qualificationPoints: 9 })).toBe(
      'None of the conditions holds.',
    );
  });

  test("time is the program's own", () => {
    const eligibility: Eligibility = {
      match: 'all',
      conditions: [{ field: 'time.hour', operator: 'lt', value: 12 }],
    };
    expect(why({ eligibility })).toMatch(/time.hour/);
    expect(why({ eligibility }, bronze, noon, 'America/New_York')).toBeNull();
  });

  test('an unchecked condition on a purchase holds for nobody', () => {
    const eligibility: Eligibility = {
      match: 'all',
      conditions: [{ field: 'purchase.channel', operator: 'equals', value: 'web' }],
    };
    expect(why({ eligibility })).toMatch(/purchase.channel/);
  });
});

test.each([
  ['before it begins', { availableFrom: '2026-03-04T12:00:00.001Z' }, 'not available before'],
  ['the moment that it begins', { availableFrom: '2026-03-04T12:00:00Z' }, null],
  ['the moment before it ends', { availableUntil: '2026-03-04T12:00:00.001Z' }, null],
  ['the moment that it ends', { availableUntil: '2026-03-04T13:00:00+01:00' }, 'was available until'],
])('its time: %s', (_name, overrides, reason) => {
  const found = why(overrides);
  if (reason === null) expect(found).toBeNull();
  else expect(found).toContain(reason);
});

test('terms are what the document says, and what holds where it says nothing', () => {
  const version = { version: 7, effectiveFrom: noon, publishedAt: noon, document: offering({}) };
  expect(rewardTerms(version, mug)).toEqual({
    configurationVersion: 7,
    rewardName: 'A mug',
    description: null,
    holdSeconds: 1800,
    cancellationEvidenceRequired: false,
    graceDays: 30,
    inventory: null,
  });
  const document = { ...version.document, graceDays: 0 };
  expect(
    rewardTerms(
      { ...version, document },
      { ...mug, description: 'Blue.', holdSeconds: 60, cancellationEvidenceRequired: true, inventory: 0 },
    ),
  ).toEqual({
    configurationVersion: 7,
    rewardName: 'A mug',
    description: 'Blue.',
    holdSeconds: 60,
    cancellationEvidenceRequired: true,
    graceDays: 0,
    inventory: 0,
  });
});
