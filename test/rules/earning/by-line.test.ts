import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseProgram } from '../../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { ItemFacts } from '../../../src/rules/conditions/purchase-facts.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluation,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { awardOf } from '../../support/rules/reference/award-of.ts';
import { referenceEvaluation } from '../../support/rules/reference/evaluation.ts';
import {
  anyProgramByLine,
  anySituation,
  anySituationByLine,
} from '../../support/rules/reference/random-situations.ts';

/** Points and values by what is said of a line, whatever its position. */
function byContent(items: readonly ItemFacts[], lines: PurchaseEvaluation['lines'] | undefined) {
  return (lines ?? [])
    .map(({ index, ...line }) => JSON.stringify([index == null ? 'rest' : contentOf(items[index]), line]))
    .sort();
}

/** What is null is absent, and an item without a quantity is one: items that are told apart by these alone are the same. */
function contentOf(item: ItemFacts | undefined): object {
  const parts = Object.entries({ ...item, quantity: item?.quantity ?? 1 });
  return Object.fromEntries(parts.filter(([, value]) => value != null));
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
