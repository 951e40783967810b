import type { LineSelection } from '../../../src/programs/document/document-values.ts';
import { matches } from './conditions.ts';
import { Rational } from './rational.ts';
import type { LineAward, Situation } from './situation.ts';

/** A line of a purchase with its value; or, with index null, what no line explains. */
export interface Ware {
  /** Position in the purchase, from 0; null for what no line explains. */
  index: number | null;
  line: Line | null;
  value: bigint;
  /** What the earn rules gave it, after the tier. */
  base: bigint;
  /** What it earned in all. */
  points: bigint;
}

interface Line {
  lineReference?: string | null;
  sku?: string | null;
  category?: string | null;
  quantity?: number | null;
  unitPriceMinor?: number | null;
}

/** Whether any rule or campaign of the program looks at lines. */
export function looksAtLines({ program }: Situation): boolean {
  return [...program.earn.rules, ...(program.campaigns ?? [])].some((part) => 'lines' in part);
}

/** The lines ordered by their content, with their values; at the end what no line explains. */
export function waresOf({ purchase }: Situation): Ware[] {
  const lines = (purchase.items ?? []).map((line, index) => ({ line: line as Line, index }));
  const content = ({ line }: { line: Line }) => [
    line.sku ?? '',
    line.unitPriceMinor ?? 0,
    line.quantity ?? 1,
    line.lineReference ?? '',
    line.category ?? '',
  ];
  lines.sort((a, b) => {
    const [left, right] = [content(a), content(b)];
    const differs = left.findIndex((part, index) => part !== right[index]);
    if (differs < 0) return a.index - b.index;
    return (left[differs] ?? '') < (right[differs] ?? '') ? -1 : 1;
  });
  const priced = lines.some(({ line }) => (line.unitPriceMinor ?? 0) > 0);
  const worth = ({ line }: { line: Line }) =>
    BigInt(line.quantity ?? 1) * (priced ? BigInt(line.unitPriceMinor ?? 0) : 1n);
  const total = lines.reduce((sum, each) => sum + worth(each), 0n);
  const amount = BigInt(purchase.amountMinor);
  const explained = lines.length === 0 ? 0n : priced && total < amount ? total : amount;
  let [sofar, valued] = [0n, 0n];
  const wares = lines.map(({ line, index }): Ware => {
    sofar += worth({ line });
    const upToHere = new Rational(explained).times(sofar, total).round('nearest_half_up');
    const value = upToHere - valued;
    valued = upToHere;
    return { index, line, value, base: 0n, points: 0n };
  });
  return [...wares, { index: null, line: null, value: amount - explained, base: 0n, points: 0n }];
}

/** The wares that a selection of lines means. */
export function meant(lines: LineSelection, wares: readonly Ware[], situation: Situation): Ware[] {
  if (lines === 'none') return wares.filter(({ line, value }) => line === null && value > 0n);
  const { purchase } = situation;
  return wares.filter(
    ({ line }) => line !== null && matches(lines, { ...situation, purchase: { ...purchase, items: [line] } }),
  );
}

/** Divides points: whole parts first, then one by one to the ware whose share is furthest below its exact part. */
export function handOut(points: bigint, wares: readonly Ware[], weightOf: (ware: Ware) => bigint): bigint[] {
  if (points === 0n) return wares.map(() => 0n);
  const proportional = wares.some((ware) => weightOf(ware) > 0n);
  const units = ({ line }: Ware) => (line ? BigInt(line.quantity ?? 1) : wares.length === 1 ? 1n : 0n);
  const weights = wares.map(proportional ? weightOf : units);
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0n);
  const exact = weights.map((weight) => new Rational(points).times(weight, totalWeight));
  const shares = exact.map((part) => part.round('floor'));
  let odd = points - shares.reduce((sum, share) => sum + share, 0n);
  while (odd > 0n) {
    let behind = 0;
    exact.forEach((part, index) => {
      const most = exact[behind] ?? part;
      const missing = part.minus(new Rational(shares[index] ?? 0n));
      if (missing.minus(most.minus(new Rational(shares[behind] ?? 0n))).n > 0n) behind = index;
    });
    shares[behind] = (shares[behind] ?? 0n) + 1n;
    odd -= 1n;
  }
  return shares;
}

/** What an award shows of wares and their points: in the order of the purchase, without a remainder of nothing. */
export function lineAwards(wares: readonly Ware[], points: readonly bigint[]): LineAward[] {
  return wares
    .map(({ index, line, value }, position) => ({
      index,
      lineReference: line?.lineReference ?? null,
      valueMinor: Number(value),
      points: Number(points[position] ?? 0n),
    }))
    .filter(({ index, valueMinor, points: given }) => index !== null || valueMinor > 0 || given > 0)
    .sort((a, b) => (a.index ?? 1e9) - (b.index ?? 1e9));
}

/** The same as the text of a decision: ` [index: value points, …]`. */
export function inDecision(wares: readonly Ware[], points: readonly bigint[]): string {
  const texts = lineAwards(wares, points).map(
    ({ index, valueMinor, points: given }) => `${index ?? 'rest'}: ${valueMinor} ${given}`,
  );
  return ` [${texts.join(', ')}]`;
}
