import { describe, expect, test } from '@jest/globals';
import type { PurchaseEarnInput } from '../../src/contract/generated/types.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { isRefusal } from '../../src/refusal.ts';
import { withDraft } from '../../src/what-if/simulated-program.ts';
import {
  type DescribedMember,
  type Trial,
  type TriedPurchase,
  tryPurchase,
} from '../../src/what-if/try-purchase.ts';
import { counter } from '../support/commands/desk.ts';
import { noon, program, rule, tier } from '../support/rules/fixtures.ts';

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
  buyer: Trial['buyer'] = { described },
) {
  return tryPurchase({
    program: withDraft({ programId: document.id, versions: [] }, document, null, 'receipt'),
    draftName: 'spring.yaml',
    purchase: {
      idempotencyKey: 'try',
      programId: document.id,
      externalCustomerId: 'ann',
      sourceReference: 'order',
      amountMinor: 10_000,
      channel: 'web',
      ...purchase,
    },
    buyer,
    now: noon,
  });
}

function taken(outcome: ReturnType<typeof tried>): TriedPurchase {
  if (isRefusal(outcome)) throw new Error(outcome.code);
  return outcome;
}

describe('a purchase that is tried', () => {
  test('by a newcomer: every rule, tier, campaign and limit says why', () => {
    const {
      award,
      tier: after,
      circumstances,
      steps,
      ruleDecisions,
      activatesAt,
      expiresAt,
    } = taken(tried());
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
    expect(circumstances[1]).toBe(
      `Evaluated at ${noon.toISOString()} under the draft spring.yaml of ${draft.id}.`,
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

  test('under a draft without a limit: none is spoken of', () => {
    const { memberLimit: _limit, ...unlimited } = draft;
    const { circumstances, steps } = taken(tried({}, {}, unlimited));
    expect(circumstances[2]).toBe('The member was in tier bronze with 0 qualification points.');
    expect([...circumstances, ...steps].join()).not.toMatch(/limit/);
  });

  test('by a member whose first purchase is recent and whose last one is not known', () => {
    const first = taken(tried({}, { purchaseCount: 1, firstPurchaseAt: '2026-03-01T00:00:00Z' }));
    expect(first.award.campaignPoints).toBe(0);
    const regular = { purchaseCount: 9, firstPurchaseAt: '2020-01-01T00:00:00Z' };
    const last = taken(tried({}, { ...regular, lastPurchaseAt: '2026-02-22T12:00:00Z' }));
    expect(last.award.campaignPoints).toBe(20);
    expect(
      taken(tried({}, { ...regular, lastPurchaseAt: '2026-02-21T12:00:00Z' })).award.campaignPoints,
    ).toBe(0);
  });

  test('by a member whom the ledger knows: what it and all others have taken counts', () => {
    const document = program({
      campaigns: [
        {
          id: 'launch',
          match: 'all',
          conditions: [],
          award: { bonusPoints: 30 },
          caps: { totalPoints: 100 },
        },
      ],
      memberLimit: { points: 1_000, period: 'month', onExceed: 'trim' },
    });
    const desk = counter(document);
    const known = (limitUsed: number, taken_: number) =>
      taken(
        tried({}, {}, document, {
          known: {
            member: desk.member(),
            profile: desk.profile(),
            counters: [
              { limitId: 'member_limit.month', periodStart: new Date('2026-03-01'), points: limitUsed },
              { limitId: 'member_limit.month', periodStart: new Date('2026-02-01'), points: 999 },
            ],
            shared: [{ counterId: 'campaign:launch', taken: taken_ }],
          },
        }),
      ).award;
    expect(known(0, 0)).toEqual({ points: 130, basePoints: 100, campaignPoints: 30 });
    expect(known(0, 90)).toEqual({ points: 110, basePoints: 100, campaignPoints: 10 });
    expect(known(985, 0)).toEqual({ points: 15, basePoints: 15, campaignPoints: 0 });
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
