import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { verifyAward } from '../../../src/queries/transactions/verify-award.ts';
import { Desk, daysFrom } from '../../support/commands/desk.ts';
import { recordedAwards } from '../../support/commands/recorded-awards.ts';
import { program, rule } from '../../support/rules/fixtures.ts';

/** A program whose earning reads every fact, so that a fact missing in the evidence is noticed. */
const document: ProgramDocument = program({
  earn: {
    rules: [
      rule('regulars', [{ field: 'history.daysSinceLastPurchase', operator: 'lte', value: 2 }], {
        rateNumerator: 3,
        rateDenominator: 2,
        rounding: 'nearest_half_even',
      }),
      rule('base', [], { rounding: 'nearest_half_up' }),
    ],
  },
  audiences: [
    {
      id: 'vip',
      match: 'any',
      conditions: [
        { field: 'member.tags', operator: 'equals', value: 'vip' },
        { field: 'member.lists', operator: 'equals', value: 'spring' },
        { field: 'history.purchaseAmountMinor', operator: 'gte', value: 30_000 },
      ],
    },
  ],
  campaigns: [
    {
      id: 'first',
      match: 'all',
      conditions: [{ field: 'history.purchaseCount', operator: 'equals', value: 0 }],
      award: { bonusPoints: 50 },
      caps: { totalPoints: 120 },
    },
    {
      id: 'vip',
      match: 'all',
      audiences: ['vip'],
      conditions: [],
      award: { multiplier: { numerator: 4, denominator: 3 }, rounding: 'ceil' },
      stacking: 'best',
      caps: { memberPoints: 90, memberPeriod: { points: 40, period: 'day' } },
    },
    {
      id: 'weekend',
      match: 'all',
      schedule: {
        daysOfWeek: ['friday', 'saturday'],
        hours: { from: 18, to: 6 },
        timeZone: 'America/New_York',
      },
      conditions: [],
      award: { bonusPoints: 20 },
      stacking: 'best',
      holdout: { percent: 50, salt: 'weekend' },
    },
    {
      id: 'app',
      match: 'all',
      conditions: [{ field: 'purchase.channel', operator: 'equals', value: 'app' }],
      award: { bonusPoints: 5 },
      stacking: 'exclusive',
      priority: 1,
    },
  ],
  coupons: [
    { code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 3, perMember: 2 } },
    { code: 'X', audiences: ['vip'] },
  ],
  referral: { referrerPoints: 30, refereePoints: 20, minimumAmountMinor: 500, maxPerReferrer: 2 },
  memberLimit: { points: 400, period: 'week', onExceed: 'trim' },
});

const members = ['ann', 'bob', 'cat', 'dan'];
const purchases = fc.array(
  fc.record({
    externalCustomerId: fc.constantFrom(...members),
    amountMinor: fc.nat(20_000),
    channel: fc.constantFrom('web' as const, 'app' as const),
    couponCode: fc.option(fc.constantFrom('TEN', 'X', 'NONE')),
    referrer: fc.option(fc.constantFrom(...members, 'nobody')),
    hours: fc.nat(30),
    sku: fc.option(fc.constantFrom('a', 'b')),
  }),
  { minLength: 1, maxLength: 12 },
);

test('verify award reproduces every award', () => {
  const seen: Record<string, number> = {};
  fc.assert(
    fc.property(purchases, fc.subarray(members), (list, tagged) => {
      const desk = new Desk();
      desk.publish(document);
      for (const externalCustomerId of members) {
        desk.createMember({ externalCustomerId });
        desk.enroll({ externalCustomerId });
        const member = desk.member(externalCustomerId);
        const known = {
          ...member,
          tags: tagged.includes(externalCustomerId) ? ['vip'] : [],
          lists: ['autumn'],
        };
        desk.store.tables.members.set(externalCustomerId, known);
      }
      for (const { referrer, hours, sku, ...purchase } of list) {
        desk.now = daysFrom(desk.now, hours / 24);
        const known = referrer !== null && referrer !== 'nobody' ? referrer : null;
        const referralCode = known ? desk.profile(known).referralCode : referrer;
        const input = desk.purchaseInput({
          ...purchase,
          ...(referralCode && { context: { attributes: { referralCode } } }),
          ...(sku && { items: [{ sku, quantity: 1 }] }),
        });
        desk.run(purchaseEarn(input, desk.caller, known));
      }
      for (const award of recordedAwards(desk, document)) {
        expect(verifyAward(award).differences).toEqual([]);
        for (const { kind, matched } of award.receipt.ruleDecisions) {
          if (matched) seen[kind] = (seen[kind] ?? 0) + 1;
        }
      }
    }),
    { numRuns: 300 },
  );
  for (const kind of [
    'earn_rule',
    'tier',
    'campaign',
    'campaign_cap',
    'campaign_holdout',
    'coupon',
    'member_limit',
    'referral',
  ]) {
    expect([kind, seen[kind] ?? 0]).toEqual([kind, expect.any(Number)]);
    expect(seen[kind] ?? 0).toBeGreaterThan(20);
  }
});

test.each([
  ['evidence', { evidence: undefined }],
  ['profile in its evidence', { evidence: {} }],
  ['award', { award: undefined }],
  ['rule decisions', { ruleDecisions: undefined }],
])('a receipt without %s lacks evidence: there is nothing to compute from', (_what, change) => {
  const desk = new Desk();
  desk.publish(document);
  desk.createMember({ externalCustomerId: 'ann' });
  desk.enroll({ externalCustomerId: 'ann' });
  desk.run(purchaseEarn(desk.purchaseInput({ externalCustomerId: 'ann' }), desk.caller, null));
  const [award] = recordedAwards(desk, document);
  if (!award) throw new Error('nothing was awarded');
  expect(verifyAward(award).differences).toEqual([]);
  const receipt = { ...award.receipt, ...change } as typeof award.receipt;
  const { steps, differences } = verifyAward({ ...award, receipt });
  expect({ steps, differences: differences.map(({ what }) => what) }).toEqual({
    steps: [],
    differences: ['evidence'],
  });
});
