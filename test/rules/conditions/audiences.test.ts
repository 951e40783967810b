import { describe, expect, test } from '@jest/globals';
import type { Audience } from '../../../src/programs/document/campaign-document.ts';
import { createClock } from '../../../src/rules/calendar/local-time.ts';
import { compileAudiences, compileTargets } from '../../../src/rules/conditions/audiences.ts';
import { factsOf } from '../../../src/rules/conditions/evaluation-facts.ts';
import { type MemberFacts, newcomer } from '../../../src/rules/conditions/member-facts.ts';
import { noon } from '../../support/rules/fixtures.ts';

const audiences: Audience[] = [
  { id: 'vip', match: 'all', conditions: [{ field: 'member.tags', operator: 'equals', value: 'vip' }] },
  {
    id: 'regulars',
    match: 'all',
    conditions: [
      { field: 'history.purchaseCount', operator: 'gte', value: 3 },
      { field: 'history.daysSinceLastPurchase', operator: 'lte', value: 30 },
    ],
  },
  {
    id: 'not-banned',
    match: 'all',
    conditions: [{ field: 'member.lists', operator: 'not_equals', value: 'banned' }],
  },
  {
    id: 'silver',
    match: 'any',
    conditions: [{ field: 'profile.tier', operator: 'equals', value: 'silver' }],
  },
];

const compiled = compileAudiences(audiences);

function whyNot(ids: string[] | undefined, member: Partial<MemberFacts> | null = {}): string | null {
  const known =
    member === null
      ? {}
      : { profile: { tier: 'bronze', qualificationPoints: 0 }, member: { ...newcomer, ...member } };
  return compileTargets(ids, compiled)(factsOf(known, 'USD', createClock('UTC'), noon));
}

function daysAgo(days: number, milliseconds = 0): Date {
  return new Date(noon.getTime() - days * 86_400_000 + milliseconds);
}

describe('who something is for', () => {
  test('everyone where no audience is named, nobody where the list is empty', () => {
    expect(whyNot(undefined)).toBeNull();
    expect(whyNot(undefined, null)).toBeNull();
    expect(whyNot([])).not.toBeNull();
  });

  test('any one of the audiences is enough', () => {
    expect(whyNot(['vip', 'silver'], { tags: ['new', 'vip'] })).toBeNull();
    expect(whyNot(['silver', 'vip'], { tags: ['vip'] })).toBeNull();
    expect(whyNot(['vip', 'silver'], { tags: ['new'] })).toBe(
      'The member is in none of the audiences vip, silver.',
    );
    expect(whyNot(['vip'], { tags: ['VIP'] })).toBe(
      'The member is not in audience vip: Does not hold: member.tags equals "vip".',
    );
  });

  test('a negation holds where no list is the one named, also without any', () => {
    expect(whyNot(['not-banned'], { lists: [] })).toBeNull();
    expect(whyNot(['not-banned'], { lists: ['spring'] })).toBeNull();
    expect(whyNot(['not-banned'], { lists: ['spring', 'banned'] })).not.toBeNull();
  });

  test('history counts whole days before the instant', () => {
    const three = { purchaseCount: 3, firstPurchaseAt: daysAgo(400) };
    expect(whyNot(['regulars'], { ...three, lastPurchaseAt: daysAgo(30) })).toBeNull();
    expect(whyNot(['regulars'], { ...three, lastPurchaseAt: daysAgo(31, 1) })).toBeNull();
    expect(whyNot(['regulars'], { ...three, lastPurchaseAt: daysAgo(31) })).not.toBeNull();
    expect(whyNot(['regulars'], { ...three, purchaseCount: 2, lastPurchaseAt: daysAgo(1) })).not.toBeNull();
    // A purchase that is dated after this one was 0 days ago.
    expect(whyNot(['regulars'], { ...three, lastPurchaseAt: daysAgo(-2) })).toBeNull();
    expect(whyNot(['regulars'], { ...three, lastPurchaseAt: null })).not.toBeNull();
  });

  test('of someone unknown nothing holds that needs a value', () => {
    expect(whyNot(['vip', 'regulars', 'silver'], null)).not.toBeNull();
  });

  test('someone unknown is in no audience, not even in one of those who are not on a list', () => {
    expect(whyNot(['not-banned'], null)).toBe('It is for some members alone, and the customer is not known.');
  });

  test('an audience that does not exist is an error of the program', () => {
    expect(() => compileTargets(['nobody'], compiled)).toThrow(RangeError);
  });
});
