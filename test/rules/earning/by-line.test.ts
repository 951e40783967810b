import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { ItemFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { input, program, purchase, rule } from '../../support/rules/fixtures.ts';
import { anyProgramByLine } from '../../support/rules/random-programs.ts';
import { anySituation, anySituationByLine } from '../../support/rules/random-situations.ts';

/** Points and values by what is said of a line, whatever its position. */
function byContent(items: readonly ItemFacts[], lines: PurchaseEvaluation['lines'] | undefined) {
  return (lines ?? [])
    .map(({ index, ...line }) => JSON.stringify([index == null ? 'rest' : contentOf(items[index]), line]))
    .sort();
}

/**
 * What is null is absent, and an item without a quantity is one: items that are told apart by these alone are the same.
 */
function contentOf(item: ItemFacts | undefined): string | undefined {
  const parts = Object.entries({ ...item, quantity: item?.quantity ?? 1 });
  // Canonical: the order of an item's properties says nothing.
  return canonicalize(Object.fromEntries(parts.filter(([, value]) => value != null)));
}

function ordered(situation: PurchaseEvaluationInput, items: readonly ItemFacts[]) {
  const evaluation = evaluatePurchase({ ...situation, purchase: { ...situation.purchase, items } });
  if (isRefusal(evaluation)) return evaluation.code;
  const { ruleDecisions, lines, ...award } = evaluation;
  return {
    ...award,
    lines: byContent(items, lines),
    decisions: ruleDecisions.map((decision) => ({ ...decision, lines: byContent(items, decision.lines) })),
  };
}

describe('a program that earns by line', () => {
  test('agrees with the second implementation on random programs and baskets, line by line', () => {
    const seen: Record<string, number> = {};
    const count = (what: string, saw: unknown) => {
      if (saw) seen[what] = (seen[what] ?? 0) + 1;
    };
    fc.assert(
      fc.property(anySituationByLine, (situation) => {
        const evaluation = evaluatePurchase(situation);
        const expected = referenceEvaluation(situation);
        if (isRefusal(evaluation)) {
          expect(evaluation.code).toBe(expected);
          return;
        }
        expect(awardOf(evaluation)).toEqual(expected);
        const { ruleDecisions, lines } = evaluation;
        const applied = ruleDecisions.filter(({ kind, matched }) => kind === 'earn_rule' && matched);
        count('several rules', applied.length > 1);
        count('several lines', (lines?.length ?? 0) > 2);
        count(
          'a rest with points',
          lines?.some(({ index, points }) => index === null && points > 0),
        );
        count(
          'a campaign on lines',
          ruleDecisions.some(({ kind, lines: on }) => kind === 'campaign' && on),
        );
        count(
          'taken',
          ruleDecisions.some(({ reason }) => reason === 'Earlier rules took its lines.'),
        );
        count(
          'the limit',
          ruleDecisions.some(({ kind, points }) => kind === 'member_limit' && points < 0),
        );
        count('not by line', lines === null);
      }),
      { numRuns: 3_000 },
    );
    const all = ['several rules', 'several lines', 'a rest with points', 'a campaign on lines', 'taken'];
    expect([...all, 'the limit', 'not by line'].filter((what) => (seen[what] ?? 0) < 20)).toEqual([]);
  });

  test('can be published', () => {
    fc.assert(
      fc.property(anyProgramByLine, (document) => {
        expect(parseProgram(JSON.stringify(document))).toEqual({ ok: true, document });
      }),
      { numRuns: 100 },
    );
  });

  test('divides the amount and the award over the lines, and each decision over its lines', () => {
    fc.assert(
      fc.property(anySituationByLine, (situation) => {
        const evaluation = evaluatePurchase(situation);
        if (isRefusal(evaluation) || !evaluation.lines) return;
        const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
        const { lines, points, ruleDecisions } = evaluation;
        expect(sum(lines.map((line) => line.points))).toBe(points);
        expect(sum(lines.map((line) => line.valueMinor))).toBe(situation.purchase.amountMinor);
        expect(lines.every((line) => line.points >= 0 && line.valueMinor >= 0)).toBe(true);
        for (const decision of ruleDecisions) {
          if (decision.lines) expect(sum(decision.lines.map((line) => line.points))).toBe(decision.points);
        }
        // No line is taken twice by earn rules.
        const taken = ruleDecisions
          .filter(({ kind }) => kind === 'earn_rule')
          .flatMap((decision) => (decision.lines ?? []).map(({ index }) => index));
        expect(new Set(taken).size).toBe(taken.length);
      }),
      { numRuns: 1_000 },
    );
  });

  test('does not look at the order of the lines', () => {
    fc.assert(
      fc.property(
        anySituationByLine.chain((situation) => {
          const items = situation.purchase.items ?? [];
          return fc.tuple(
            fc.constant(situation),
            fc.shuffledSubarray([...items], { minLength: items.length }),
          );
        }),
        ([situation, shuffled]) => {
          expect(ordered(situation, shuffled)).toEqual(ordered(situation, situation.purchase.items ?? []));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('gives the same as without lines where one rule takes every line and the rest', () => {
    fc.assert(
      fc.property(anySituation, (situation) => {
        // A rule for a line that no purchase has makes the program one that earns by line.
        const [first] = situation.program.earn.rules;
        if (!first) return;
        const never = {
          ...first,
          id: 'never',
          match: 'all' as const,
          conditions: [],
          lines: {
            match: 'all' as const,
            conditions: [{ field: 'items.sku', operator: 'equals' as const, value: 'no such thing' }],
          },
        };
        const rules = [never, ...situation.program.earn.rules];
        const plain = evaluatePurchase(situation);
        const byLine = evaluatePurchase({
          ...situation,
          program: { ...situation.program, earn: { rules } },
        });
        if (isRefusal(plain) || isRefusal(byLine)) {
          expect(isRefusal(byLine) && byLine.code).toBe(isRefusal(plain) && plain.code);
          return;
        }
        const { ruleDecisions, lines, ...award } = byLine;
        const { ruleDecisions: before, lines: none, ...expected } = plain;
        expect(award).toEqual(expected);
        expect(none).toBeNull();
        expect(lines).not.toBeNull();
        expect(ruleDecisions.slice(1).map(({ lines: _lines, ...decision }) => decision)).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a basket of two lines and delivery, with a rule for coffee before the one for everything', () => {
  const inCategory = (...values: string[]) => ({
    match: 'any' as const,
    conditions: values.map((value) => ({ field: 'items.category', operator: 'equals' as const, value })),
  });
  const rules = [{ ...rule('coffee', [], { rateNumerator: 2 }), lines: inCategory('coffee') }, rule('base')];
  const document = program({
    earn: { rules },
    campaigns: [
      {
        ...{
          id: 'double-goods',
          match: 'all',
          conditions: [],
          award: { multiplier: { numerator: 2, denominator: 1 }, rounding: 'floor' },
        },
        lines: inCategory('ware', 'coffee'),
      },
      { id: 'thanks', match: 'all', conditions: [], award: { bonusPoints: 7 } },
    ],
    coupons: [
      { code: 'FIVE', award: { bonusPoints: 5 } },
      { code: 'TRIPLE', award: { multiplier: { numerator: 3, denominator: 1 }, rounding: 'floor' } },
    ],
  });
  const items = [
    { lineReference: 'mug', category: 'ware', quantity: 1, unitPriceMinor: 1_999 },
    { lineReference: 'beans', category: 'coffee', quantity: 1, unitPriceMinor: 1_050 },
  ];
  /** The purchase of a silver member: 19.99 and 10.50, and 4.51 for delivery. */
  function bought(couponCode: string | null, limit?: number): PurchaseEvaluation {
    const limits =
      limit === undefined ? {} : { memberLimit: { points: limit, period: 'day', onExceed: 'trim' } as const };
    const evaluation = evaluatePurchase(
      input({
        program: { ...document, ...limits },
        purchase: purchase({ amountMinor: 3_500, items, couponCode }),
        profile: { tier: 'silver', qualificationPoints: 1_000 },
      }),
    );
    if (isRefusal(evaluation)) throw new Error(evaluation.code);
    return evaluation;
  }
  const pointsOf = (lines: PurchaseEvaluation['lines'] | undefined) =>
    (lines ?? []).map(({ lineReference, points }) => [lineReference ?? 'rest', points]);

  test('each rule rounds once what its lines are worth, before and after the tier multiplier', () => {
    const { ruleDecisions, basePoints, qualificationPoints } = bought(null);
    // Coffee: 2 x 10.50. Base: 1 x (19.99 + 4.51), rounded down, divided as 19.58 and 4.42.
    expect(ruleDecisions.slice(0, 2)).toEqual([
      {
        ...{ kind: 'earn_rule', id: 'coffee', matched: true, reason: null, points: 21 },
        lines: [{ index: 1, lineReference: 'beans', valueMinor: 1_050, points: 21 }],
      },
      {
        ...{ kind: 'earn_rule', id: 'base', matched: true, reason: null, points: 24 },
        lines: [
          { index: 0, lineReference: 'mug', valueMinor: 1_999, points: 20 },
          { index: null, lineReference: null, valueMinor: 451, points: 4 },
        ],
      },
    ]);
    expect(qualificationPoints).toBe(45);
    // Silver, times 5/4: 26.25 and 30.
    expect(basePoints).toBe(56);
  });

  test('campaigns and coupons give to the lines that they work on: by base points or by value', () => {
    // The 30 are 24.48 of the mug and 5.52 of delivery: 24 and 6. Doubled on goods: 24 and 26 more.
    // The 7 of thanks are 3.998, 2.1 and 0.9: 4, 2 and 1.
    const plain = bought(null);
    expect(plain).toMatchObject({ points: 113, basePoints: 56, campaignPoints: 57 });
    expect(plain.lines).toEqual([
      { index: 0, lineReference: 'mug', valueMinor: 1_999, points: 24 + 24 + 4 },
      { index: 1, lineReference: 'beans', valueMinor: 1_050, points: 26 + 26 + 2 },
      { index: null, lineReference: null, valueMinor: 451, points: 6 + 1 },
    ]);
    const decisionOf = (id: string) => plain.ruleDecisions.find((decision) => decision.id === id);
    expect(pointsOf(decisionOf('double-goods')?.lines)).toEqual([
      ['mug', 24],
      ['beans', 26],
    ]);
    // The 5 are 2.86, 1.5 and 0.64.
    expect(pointsOf(bought('FIVE').lines)).toEqual([
      ['mug', 52 + 3],
      ['beans', 54 + 1],
      ['rest', 7 + 1],
    ]);
    // Twice the base points once more.
    expect(pointsOf(bought('TRIPLE').lines)).toEqual([
      ['mug', 52 + 48],
      ['beans', 54 + 52],
      ['rest', 7 + 12],
    ]);
  });

  test('the member limit takes from the last rule first', () => {
    expect(pointsOf(bought(null, 56).lines)).toEqual([
      ['mug', 24],
      ['beans', 26],
      ['rest', 6],
    ]);
    // Of the 30 of base 4 are left: 3.26 and 0.74.
    expect(pointsOf(bought(null, 30).lines)).toEqual([
      ['mug', 3],
      ['beans', 26],
      ['rest', 1],
    ]);
    expect(pointsOf(bought(null, 20).lines)).toEqual([
      ['mug', 0],
      ['beans', 20],
      ['rest', 0],
    ]);
  });
});
