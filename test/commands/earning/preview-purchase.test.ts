import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Preview,
  previewForCustomer,
  previewPurchase,
} from '../../../src/commands/earning/preview-purchase.ts';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { PurchaseEarnInput } from '../../../src/contract/generated/types.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal, type Refusal, refuse } from '../../../src/refusal.ts';
import { counter, Desk, daysFrom, receiptOf } from '../../support/commands/desk.ts';
import { repetitions } from '../../support/repetitions.ts';
import { program, rule } from '../../support/rules/fixtures.ts';

const ofBeans = {
  match: 'all' as const,
  conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'beans' }],
};

/** Everything that a purchase meets, with limits that are soon used up. */
const document: ProgramDocument = program({
  earn: { rules: [{ ...rule('beans', [], { rateNumerator: 2 }), lines: ofBeans }, rule('base')] },
  qualification: { window: 'rolling_12_months' },
  audiences: [
    {
      id: 'regulars',
      match: 'all',
      conditions: [{ field: 'history.purchaseCount', operator: 'gte', value: 2 }],
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
      id: 'roast',
      audiences: ['regulars'],
      match: 'all',
      conditions: [],
      lines: ofBeans,
      award: { multiplier: { numerator: 4, denominator: 3 }, rounding: 'ceil' },
      caps: { memberPoints: 90, memberPeriod: { points: 40, period: 'day' } },
    },
    {
      id: 'compared',
      match: 'all',
      conditions: [],
      lines: ofBeans,
      award: { bonusPoints: 3 },
      // Of the members below, withheld from bob and dan.
      holdout: { percent: 50, salt: 'beans' },
    },
  ],
  coupons: [
    { code: 'TEN', award: { bonusPoints: 10 }, limits: { total: 3, perMember: 2 } },
    { code: 'X', audiences: ['regulars'] },
  ],
  referral: { referrerPoints: 30, refereePoints: 20, minimumAmountMinor: 500, maxPerReferrer: 2 },
  memberLimit: { points: 500, period: 'week', onExceed: 'trim' },
});

/** The preview of a purchase on the rows that the purchase itself would be decided on. */
function preview(
  desk: Desk,
  { sourceReference: _order, ...input }: PurchaseEarnInput,
  known: string | null,
  previewing = previewPurchase,
) {
  let seen: Preview | Refusal | null = null;
  const command = purchaseEarn({ ...input, sourceReference: 'no-order' }, desk.caller, known);
  desk.run({
    ...command,
    decide: (state, now) => {
      seen = previewing(input, known, state, now);
      return refuse('overloaded', 'A preview writes nothing.');
    },
  });
  return seen as Preview | Refusal | null;
}

const members = ['ann', 'bob', 'cat', 'dan'];
const purchase = fc.record({
  externalCustomerId: fc.constantFrom(...members, ...members, 'nobody', 'eve'),
  amountMinor: fc.nat(20_000),
  channel: fc.constantFrom('web' as const, 'app' as const),
  couponCode: fc.option(fc.constantFrom('TEN', ' X ', 'NONE')),
  currency: fc.constantFrom(...Array<undefined>(9).fill(undefined), 'USD', 'EUR'),
  referrer: fc.option(fc.constantFrom(...members, 'nobody')),
  hours: fc.nat(30),
  items: fc.option(
    fc.array(
      fc.record({
        category: fc.constantFrom('beans', 'cups'),
        quantity: fc.integer({ min: 1, max: 3 }),
        unitPriceMinor: fc.integer({ min: 1, max: 4_000 }),
      }),
      { maxLength: 3 },
    ),
  ),
});

/** Each compares eleven purchases and more. */
const RUNS = repetitions({ few: 200, many: 900 });

test('law: a purchase earns what its preview said, or is refused as its preview was', () => {
  let compared = 0;
  const seen: Record<string, number> = {};
  fc.assert(
    fc.property(fc.array(purchase, { minLength: 6, maxLength: 20 }), (list) => {
      const desk = new Desk();
      desk.publish(document);
      for (const externalCustomerId of [...members, 'eve']) {
        desk.createMember({ externalCustomerId });
        // Eve is a member, and not of the program.
        if (externalCustomerId !== 'eve') desk.enroll({ externalCustomerId });
      }
      for (const { referrer, hours, items, ...bought } of list) {
        desk.now = daysFrom(desk.now, hours / 24);
        const known = referrer !== null && referrer !== 'nobody' ? referrer : null;
        const referralCode = known ? desk.profile(known).referralCode : referrer;
        const input = desk.purchaseInput({
          ...bought,
          ...(referralCode && { context: { attributes: { referralCode } } }),
          ...(items && { items }),
        } as Partial<PurchaseEarnInput>);
        const expected = preview(desk, input, known);
        const outcome = desk.run(purchaseEarn(input, desk.caller, known));
        compared += 1;
        if (expected === null || isRefusal(expected) || isRefusal(outcome)) {
          const code = isRefusal(outcome) ? outcome.code : null;
          expect(expected && isRefusal(expected) ? expected.code : null).toBe(code);
          seen[code ?? ''] = (seen[code ?? ''] ?? 0) + 1;
          continue;
        }
        const { id: _id, status: _status, evidence: _evidence, member, ...award } = receiptOf(outcome);
        const { personalized, tier, ...previewed } = expected;
        expect(previewed).toEqual(award);
        expect({ personalized, tier }).toEqual({
          personalized: true,
          tier: (member as { tier: string }).tier,
        });
        for (const { kind, matched } of expected.ruleDecisions) {
          if (matched) seen[kind] = (seen[kind] ?? 0) + 1;
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(compared).toBeGreaterThanOrEqual(11 * RUNS);
  const ofCampaigns = ['campaign', 'campaign_cap', 'campaign_holdout'];
  const often = ['earn_rule', 'tier', ...ofCampaigns, 'coupon', 'member_limit', 'referral'];
  const refusals = ['member_not_found', 'enrollment_required', 'currency_mismatch'];
  expect([...often, ...refusals].filter((what) => (seen[what] ?? 0) < RUNS / 18)).toEqual([]);
}, 300_000);

describe('for anyone', () => {
  /** Nobody has bought anything yet. */
  const forAnyone = (said: Partial<PurchaseEarnInput>) => {
    const desk = counter(document);
    const { externalCustomerId: _who, sourceReference: _order, ...input } = desk.purchaseInput(said);
    const version = { version: 1, effectiveFrom: daysFrom(desk.now, -1), publishedAt: desk.now, document };
    const none = () => null;
    const state = {
      program: () => ({ programId: document.id, versions: [version] }),
      ...{ member: none, profile: none, limitCounter: none, sharedCounter: none, couponCode: none },
    };
    return previewPurchase(input, null, state, desk.now) as Preview;
  };

  test('it is what a new member in the first tier gets with a first purchase', () => {
    const beans = [{ category: 'beans', quantity: 1, unitPriceMinor: 3000 }];
    const bought = { amountMinor: 4000, items: beans, couponCode: 'TEN' };
    const receipt = receiptOf(counter(document).earn(bought));
    const { id: _id, status: _status, evidence: _evidence, member: _member, ...award } = receipt;
    expect(forAnyone(bought)).toEqual({ personalized: false, tier: 'bronze', ...award });
  });

  test('a referral code gives nothing, because nobody is referred', () => {
    const { referral, ruleDecisions } = forAnyone({
      context: { attributes: { referralCode: '0000000000' } },
    });
    expect(referral).toBeNull();
    expect(ruleDecisions.filter(({ kind }) => kind === 'referral')).toEqual([]);
  });
});

describe('for the customer who asks', () => {
  const said = { amountMinor: 4000, couponCode: 'TEN' };

  test.each(['USD', 'XXX'])(
    'it is the preview of a purchase where the customer is enrolled, in %s',
    (currency) => {
      const desk = counter(document);
      const input = desk.purchaseInput({ ...said, currency });
      const own = preview(desk, input, null);
      expect(own).toMatchObject(currency === 'XXX' ? { code: 'currency_mismatch' } : { personalized: true });
      expect(preview(desk, input, null, previewForCustomer)).toEqual(own);
    },
  );

  test.each(['nobody', 'eve'])(
    'it is for anyone where the customer is not enrolled: %s',
    (externalCustomerId) => {
      const desk = counter(document);
      desk.createMember({ externalCustomerId: 'eve' });
      const input = desk.purchaseInput({ ...said, externalCustomerId });
      expect(preview(desk, input, null)).toMatchObject({
        code: expect.stringMatching(/^member_not_found|enrollment_required$/),
      });
      const forAnyone = preview(desk, input, null, (asked, _known, state, now) =>
        previewPurchase({ ...asked, externalCustomerId: null }, null, state, now),
      );
      expect(forAnyone).toMatchObject({ personalized: false, coupon: { valid: true } });
      expect(preview(desk, input, null, previewForCustomer)).toEqual(forAnyone);
    },
  );
});
