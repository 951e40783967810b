import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import type { PurchaseFacts } from '../conditions/purchase-facts.ts';
import { largestRemainder } from './largest-remainder.ts';
import { lineOrder } from './line-order.ts';
import { explainedByLines, valuesOfLines } from './line-value.ts';

/** A line of a purchase; or the rest: the part of its amount that no line explains, such as delivery. */
export interface BasketPart {
  /** Position in the purchase's items, from 0; null for the rest. */
  index: number | null;
  lineReference: string | null;
  /** In minor currency units. The parts of a basket add up to the purchase's amount. */
  valueMinor: number;
  /** 0 for the rest beside lines. */
  quantity: number;
  /** The facts of the purchase, with this line alone in `items`; null for the rest. */
  facts: EvaluationFacts | null;
}

/**
 * A purchase as rules see it that look at lines: its lines, sorted by their content so that their order in the purchase
 * makes no difference, and the rest at the end, which may be worth 0.
 */
export type Basket = readonly BasketPart[];

/** Values the lines of a purchase: in proportion to their prices, and at no more than these. */
export function basketOf({ items, amountMinor }: PurchaseFacts, facts: EvaluationFacts): Basket {
  const all = items ?? [];
  const sorted = lineOrder(all).flatMap((index) => {
    const item = all[index];
    return item ? [{ index, item }] : [];
  });
  const lines = sorted.map(({ item }) => item);
  const explainedMinor = explainedByLines(lines, amountMinor);
  const values = valuesOfLines(lines, explainedMinor);
  const parts = sorted.map(
    ({ index, item }, position): BasketPart => ({
      index,
      lineReference: item.lineReference ?? null,
      valueMinor: values[position] ?? 0,
      quantity: item.quantity ?? 1,
      facts: { ...facts, items: [item] },
    }),
  );
  const rest = { index: null, lineReference: null, facts: null };
  return [
    ...parts,
    { ...rest, valueMinor: amountMinor - explainedMinor, quantity: all.length === 0 ? 1 : 0 },
  ];
}

/** Which parts of a basket are meant, in the order of the parts. */
export type Chosen = readonly boolean[];

/** The sum of amounts of the chosen parts. @param amounts in the order of the parts */
export function sumOfChosen(chosen: Chosen, amounts: readonly number[]): number {
  return amounts.reduce((sum, amount, place) => (chosen[place] ? sum + amount : sum), 0);
}

/**
 * Divides points over the chosen parts of a basket by largest remainder: in proportion to `amounts`, or to the
 * quantities where these are 0.
 * @param amounts in the order of the parts
 * @returns the points of every part, in the order of the parts; 0 for those not chosen
 */
export function divideOver(
  basket: Basket,
  chosen: Chosen,
  points: number,
  amounts: readonly number[],
): number[] {
  if (points === 0) return basket.map(() => 0);
  const weights = amounts.map((amount, place) => (chosen[place] ? amount : 0));
  if (weights.some((weight) => weight > 0)) return largestRemainder(points, weights);
  return largestRemainder(
    points,
    basket.map(({ quantity }, place) => (chosen[place] ? quantity : 0)),
  );
}
