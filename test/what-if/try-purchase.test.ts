import { describe, expect, test } from '@jest/globals';
import type { PurchaseEarnInput } from '../../src/contract/generated/types.ts';
import type { ProgramDocument } from '../../src/programs/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { withDraft } from '../../src/what-if/simulated-program.ts';
import { type DescribedMember, type TriedPurchase, tryPurchase } from '../../src/what-if/try-purchase.ts';
import { noon, program, rule, tier } from '../rules/fixtures.ts';

const draft = program({
  earn: {
    rules: [
      rule('app', [{ field: 'purchase.channel', operator: 'equals', value: 'app' }], { rateNumerator: 2 }),
      rule('base'),
    ],
  },
  tiers: [tier('bronze', 0, 1), tier('silver', 500, 5, 4)],
  audiences: [
    {
      id: 'friends',
      match: 'all',
      conditions: [{ field: 'member.tags', operator: 'equals', value: 'friend' }],
    },
    {
      id: 'regulars',
      match: 'all',
      conditions: [{ field: 'history.daysSinceLastPurchase', operator: 'lte', value: 10 }],
    },
  ],
  campaigns: [
    {
      id: 'hello',
      audiences: ['friends', 'regulars'],
      match: 'all',
      conditions: [],
      award: { bonusPoints: 30 },
      caps: { memberPoints: 20 },
    },
  ],
  memberLimit: { points: 1_000, period: 'month', onExceed: 'trim' },
  pending: { days: 14 },
  expiration: { policy: 'rolling_days', days: 100 },
});

function tried(
  purchase: Partial<PurchaseEarnInput> = {},
  described: DescribedMember = {},
  document: ProgramDocument = draft,
) {
  return tryPurchase({
    program: withDraft({ programId: document.id, versions: [] }, document, null, 'receipt'),
    purchase: {
      idempotencyKey: 'try',
      programId: document.id,
      externalCustomerId: 'ann',
      sourceReference: 'order',
      amountMinor: 10_000,
      channel: 'web',
      ...purchase,
    },
    buyer: { described },
    now: noon,
  });
}

function taken(outcome: ReturnType<typeof tried>): TriedPurchase {
  if (isRefusal(outcome)) throw new Error(outcome.code);
  return outcome;
}

describe('a purchase that is tried', () => {
  test('by a newcomer: every rule, tier, campaign and limit says why', () => {
    const { award, tier: after, steps, ruleDecisions, activatesAt, expiresAt } = taken(tried());
    expect(award).toEqual({ points: 100, basePoints: 100, campaignPoints: 0 });
    expect(after).toBe('bronze');
    expect(ruleDecisions.map(({ kind, id, matched }) => [kind, id, matched])).toEqual(
      expect.arrayContaining([
        ['earn_rule', 'app', false],
        ['earn_rule', 'base', true],
        ['tier', 'bronze', true],
        ['campaign', 'hello', false],
        ['member_limit', 'member_limit', false],
      ]),
    );
    expect(steps[0]).toBe('Rule app gives nothing. Does not hold: purchase.channel equals "app".');
    expect(steps.at(-1)).toBe('100 points in all: 100 base and 0 of campaigns.');
    expect(activatesAt).toBe('2026-03-18T12:00:00.000Z');
    expect(expiresAt).toBe('2026-06-26T12:00:00.000Z');
  });

  test('by a member as the file describes it', () => {
    const friend = taken(tried({ channel: 'app' }, { tier: 'silver', tags: ['friend'] }));
    expect(friend.award).toEqual({ points: 270, basePoints: 250, campaignPoints: 20 });
    expect(friend.circumstances[2]).toMatch(/tier silver with 0 qualification points; 0 points/);
    const byPoints = taken(tried({}, { qualificationPoints: 500 }));
    expect(byPoints.award.basePoints).toBe(125);
    const lately = '2026-03-01T00:00:00Z';
    const regular = taken(tried({}, { purchaseCount: 3, firstPurchaseAt: lately, lastPurchaseAt: lately }));
    expect(regular.award.campaignPoints).toBe(20);
    const full = taken(tried({}, { memberLimitUsed: 990 }));
    expect(full.award.points).toBe(10);
  });

  test('makes its member rise', () => {
    expect(taken(tried({ amountMinor: 60_000 })).tier).toBe('silver');
  });

  test('is refused as it would be', () => {
    const reject = { ...draft, memberLimit: { points: 50, period: 'day', onExceed: 'reject' } as const };
    expect(tried({}, {}, reject)).toMatchObject({ code: 'member_limit_reached' });
    expect(tried({ currency: 'EUR' })).toMatchObject({ code: 'currency_mismatch' });
  });

  test('in a rolling window starts from the points that the file names', () => {
    const rolling = { ...draft, qualification: { window: 'rolling_12_months' } as const };
    expect(taken(tried({ amountMinor: 5_000 }, { qualificationPoints: 450 }, rolling)).tier).toBe('silver');
  });
});
