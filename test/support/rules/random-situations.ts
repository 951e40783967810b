import fc from 'fast-check';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import type { PoolCode } from '../../../src/rules/compiled/coupons.ts';
import type { PurchaseEvaluationInput } from '../../../src/rules/earning/evaluate-purchase.ts';
import { input } from './fixtures.ts';
import { anyProgram, anyProgramByLine, tiers } from './random-programs.ts';

// Members and purchases under random programs.

/** Around changes of the clock, ends of periods, and anywhere in a year. */
export const anyInstant: fc.Arbitrary<Date> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-03-08T07:00:00Z',
        '2026-12-31T23:59:59Z',
      ),
      fc.integer({ min: -7_200_000, max: 7_200_000 }),
    )
    .map(([text, shift]) => new Date(Date.parse(text) + shift)),
  fc.date({
    min: new Date('2026-01-01T00:00:00Z'),
    max: new Date('2027-01-02T00:00:00Z'),
    noInvalidDate: true,
  }),
);

const name = fc.constantFrom('a', 'b', 'c');
const line = fc.record(
  {
    sku: fc.option(name),
    category: fc.option(name),
    lineReference: name,
    quantity: fc.option(fc.integer({ min: 1, max: 4 })),
    unitPriceMinor: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: ['unitPriceMinor'] },
);

/** The input of a purchase, without its member and its time. */
export const anyPurchase = fc.record(
  {
    amountMinor: fc.oneof(
      { weight: 8, arbitrary: fc.nat(3_000) },
      { weight: 1, arbitrary: fc.oneof(fc.nat(1_000_000_000_000), fc.constant(1_000_000_000_000)) },
    ),
    channel: fc.constantFrom('web' as const, 'store' as const, 'app' as const),
    couponCode: fc.constantFrom('A', 'B', 'C'),
    items: fc.array(line, { maxLength: 3 }),
    attributes: fc.record(
      { x: fc.constantFrom('a', 'b', 1, 2, true), y: fc.constantFrom(0, 1, 2.5, 'a', null) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['amountMinor', 'channel'] },
);

/** What is known of a code that was found in a pool. */
const poolCode: fc.Arbitrary<PoolCode> = fc.record({
  poolId: fc.constantFrom('A', 'A', 'B', 'B', 'gone'),
  shown: fc.constant('A…'),
  uses: fc.constantFrom(0, 0, 1, 2),
  usesAllowed: fc.constantFrom(1, 2),
  assigned: fc.constantFrom('to_nobody' as const, 'to_buyer' as const, 'to_another' as const),
  disabled: fc.constantFrom(false, false, false, true),
});

const names = fc.uniqueArray(name, { maxLength: 2 });
const used = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(70) });

/** Everything that a purchase's points depend on, including how much of the limits was used before it. */
export const anySituation: fc.Arbitrary<PurchaseEvaluationInput> = situationsUnder(anyProgram);

/** The same under programs that earn by line. */
export const anySituationByLine: fc.Arbitrary<PurchaseEvaluationInput> = situationsUnder(anyProgramByLine);

function situationsUnder(documents: fc.Arbitrary<ProgramDocument>): fc.Arbitrary<PurchaseEvaluationInput> {
  return fc
    .record({
      document: documents,
      bought: anyPurchase,
      currency: fc.constantFrom(...[undefined, null, 'USD', 'USD', 'USD', 'USD', 'USD'], 'EUR'),
      sourceReference: fc.constantFrom(undefined, 'one'),
      at: anyInstant,
      sinceMs: fc.nat(4 * 86_400_000),
      tier: fc.constantFrom(...tiers, ...tiers, 'gone'),
      pinned: fc.boolean(),
      qualificationPoints: fc.nat(6),
      limitUsed: fc.oneof(fc.constant(0), fc.nat(130)),
      uses: fc.array(fc.tuple(used, used, used), { minLength: 8, maxLength: 8 }),
      couponUsed: fc.record({ total: fc.nat(3), member: fc.nat(3) }),
      poolCode: fc.option(poolCode, { freq: 2 }),
      heldOut: fc.subarray(['a', 'b', 'c', 'd', 'Z', 'aa', '10', '9']),
      history: fc.option(
        fc.record({
          purchaseCount: fc.nat(5),
          purchaseAmountMinor: fc.nat(4_000),
          days: fc.tuple(fc.nat(5), fc.nat(5)),
          tags: names,
          lists: names,
        }),
      ),
    })
    .map(({ document, bought, currency, sourceReference, at, history, pinned, ...more }) => {
      const daysBefore = (days: number) =>
        new Date(at.getTime() - days * 86_400_000 + (days === 5 ? 6e8 : 1));
      const { days: [first, last] = [0, 0], ...rest } = history ?? {};
      return input({
        program: document,
        mode: pinned ? 'event_time_pinned_configuration' : 'receipt_time_current_configuration',
        evaluationAt: at,
        purchase: { ...bought, currency, sourceReference, occurredAt: new Date(at.getTime() - more.sinceMs) },
        profile: { tier: more.tier, qualificationPoints: more.qualificationPoints },
        ...(history && {
          member: {
            ...(rest as Omit<typeof history, 'days'>),
            firstPurchaseAt: history.purchaseCount > 0 ? daysBefore(first) : null,
            lastPurchaseAt: history.purchaseCount > 0 ? daysBefore(last) : null,
          },
        }),
        limitUsed: document.memberLimit ? more.limitUsed : 0,
        capsUsed: new Map(
          (document.campaigns ?? []).map(({ id }, index) => {
            const [total = 0, member = 0, memberPeriod = 0] = more.uses[index] ?? [];
            return [id, { total, member, memberPeriod }];
          }),
        ),
        couponUsed: more.couponUsed,
        // A code that is a coupon's own is not looked for in pools.
        poolCode: isOwnCode(document, bought.couponCode) ? null : more.poolCode,
        heldOut: new Set(
          (document.campaigns ?? [])
            .filter(({ id, holdout }) => holdout && more.heldOut.includes(id))
            .map(({ id }) => id),
        ),
      });
    });
}

function isOwnCode({ coupons = [] }: ProgramDocument, code: string | undefined): boolean {
  return coupons.some((one) => one.code === code && !one.pool);
}
