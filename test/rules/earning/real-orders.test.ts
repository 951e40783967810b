import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import { Random } from '../../../simulator/random.ts';
import { isRefusal } from '../../../src/refusal.ts';
import {
  evaluatePurchase,
  type PurchaseEvaluationInput,
} from '../../../src/rules/earning/evaluate-purchase.ts';
import { repetitions } from '../../support/repetitions.ts';
import { awardOf } from '../../support/rules/award-of.ts';
import { input, program, purchase, rule } from '../../support/rules/fixtures.ts';
import { describeWhere } from '../../support/where.ts';

// Real orders, with random lines put on them.

const HISTORY = '../shared/data/cdnow.txt';
const ORDERS = repetitions({ few: 5_000, many: 100_000 });
const ofJazz = {
  match: 'all' as const,
  conditions: [{ field: 'items.category', operator: 'equals' as const, value: 'jazz' }],
};
const campaigns = [{ id: 'large', match: 'all' as const, conditions: [], award: { bonusPoints: 3 } }];
const before = program({ campaigns });
const after = program({
  campaigns,
  earn: { rules: [{ ...rule('jazz', [], { rateNumerator: 2 }), lines: ofJazz }, rule('base')] },
});

function evaluated(situation: PurchaseEvaluationInput) {
  const evaluation = evaluatePurchase(situation);
  if (isRefusal(evaluation)) throw new Error(evaluation.code);
  return awardOf(evaluation);
}

describeWhere(existsSync(HISTORY), `no ${HISTORY}`)('real orders with random lines', () => {
  const orders = () =>
    readFileSync(HISTORY, 'utf8')
      .trim()
      .split('\n')
      .slice(1, ORDERS + 1);

  test('earn the same as without where no rule has lines, and as the second implementation says where one has', () => {
    const random = new Random(1997);
    let differing = 0;
    for (const line of orders()) {
      const [, , , dollars = ''] = line.trim().split(/\s+/);
      const amountMinor = Number(dollars.replace('.', ''));
      const items = Array.from({ length: random.between(1, 4) }, (_, index) => ({
        lineReference: `line-${index}`,
        category: random.pick(['jazz', 'rock', 'folk']),
        quantity: random.between(1, 3),
        unitPriceMinor: random.between(1, 3_000),
      }));
      const plain = evaluated(input({ program: before, purchase: purchase({ amountMinor }) }));
      const withLines = purchase({ amountMinor, items });
      expect(evaluated(input({ program: before, purchase: withLines }))).toEqual(plain);
      const byLine = input({ program: after, purchase: withLines });
      const award = evaluated(byLine);
      expect(award).toEqual(referenceEvaluation(byLine));
      if (award.points !== plain.points) differing += 1;
    }
    expect(differing).toBeGreaterThan(orders().length / 3);
  }, 600_000);
});
