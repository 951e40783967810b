import { describe, expect, test } from '@jest/globals';
import type { Campaign } from '../../../src/programs/document/campaign-document.ts';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { newcomer } from '../../../src/rules/conditions/member-facts.ts';
import { evaluatePurchase } from '../../../src/rules/earning/evaluate-purchase.ts';
import {
  MOST_RECEIPT_BYTES,
  refuseBytes,
  refuseSteps,
  stepsOfAnyPurchase,
} from '../../../src/rules/earning/purchase-budget.ts';
import { input, program, purchase, rule } from '../../support/rules/fixtures.ts';

const always: Condition = { field: 'items.unitPriceMinor', operator: 'gt', value: 0 };
const onLines = { match: 'all' as const, conditions: [always] };

function campaigns(count: number): Campaign[] {
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `c-${index}`, match: 'all' as const, conditions: [], lines: onLines },
    award: { bonusPoints: 10 },
  }));
}

function lines(count: number, reference = 'line') {
  return Array.from({ length: count }, (_, index) => ({
    ...{ lineReference: `${reference}-${index}`, sku: 'S', quantity: 1, unitPriceMinor: 100 },
  }));
}

describe('the steps of a purchase', () => {
  test('are ten for each rule and campaign, and for each line eleven where a campaign of one condition works on lines', () => {
    expect(stepsOfAnyPurchase(program())).toBe(10);
    expect(stepsOfAnyPurchase(program({ campaigns: campaigns(2) }))).toBe(10 + 2 * (10 + 100 * 11));
  });

  test('are refused one line beyond the budget, and not before', () => {
    // 10 + 100 × (10 + 11 × lines) ≤ 250,000 for 226 lines.
    const document = program({ campaigns: campaigns(100) });
    expect(refuseSteps(document, lines(226), newcomer)).toBeNull();
    expect(refuseSteps(document, lines(227), newcomer)).toMatchObject({
      code: 'cart_too_large',
      details: [{ path: 'items' }],
    });
  });

  test('count tags and lists of the member for each condition that looks at them', () => {
    const tagged: Condition = { field: 'member.tags', operator: 'equals', value: 'vip' };
    const rules = Array.from({ length: 100 }, (_, index) => rule(`r-${index}`, Array(20).fill(tagged)));
    const document = program({ earn: { rules } });
    const withTags = (count: number) => ({
      ...newcomer,
      tags: Array.from({ length: count }, (_, at) => `t-${at}`),
    });
    expect(refuseSteps(document, null, withTags(100))).toBeNull();
    expect(refuseSteps(document, null, withTags(125))).toMatchObject({ code: 'cart_too_large' });
  });
});

describe('the bytes of a receipt', () => {
  function refusedFor(document: ProgramDocument, items: ReturnType<typeof lines>) {
    const situation = input({
      program: document,
      purchase: purchase({ amountMinor: items.length * 100, items }),
    });
    const evaluation = evaluatePurchase(situation);
    if (isRefusal(evaluation)) throw new Error(evaluation.message);
    const bytes = Buffer.byteLength(JSON.stringify([evaluation.ruleDecisions, evaluation.lines]));
    return { bytes, refusal: refuseBytes(document, items, evaluation) };
  }

  test('are refused beyond the limit, and taken below it', () => {
    const results = [60, 70, 80, 90, 100, 110, 120].map((count) =>
      refusedFor(program({ campaigns: campaigns(40) }), lines(count, 'x'.repeat(150))),
    );
    for (const { bytes, refusal } of results)
      expect([bytes, refusal?.code ?? null]).toEqual([
        bytes,
        bytes > MOST_RECEIPT_BYTES ? 'cart_too_large' : null,
      ]);
    const codes = results.map(({ refusal }) => refusal?.code ?? null);
    expect(new Set(codes)).toEqual(new Set([null, 'cart_too_large']));
  });

  test('count the escapes of references', () => {
    const { bytes, refusal } = refusedFor(program({ campaigns: campaigns(60) }), lines(60, '"'.repeat(150)));
    expect(bytes).toBeGreaterThan(MOST_RECEIPT_BYTES);
    expect(refusal?.code).toBe('cart_too_large');
  });
});
