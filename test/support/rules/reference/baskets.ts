import type { LineSelection } from '../../../../src/programs/document/document-values.ts';
import { together } from './holds.ts';
import { Rational } from './rational.ts';
import type { Situation } from './situation.ts';

/** A line of a purchase with its value; or, without a place, what no line explains. */
export interface Ware {
  /** Position in the purchase, from 0; null for what no line explains. */
  place: number | null;
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

/** The lines in the order of what they say, with their values, and what no line explains at the end. */
export function waresOf({ purchase }: Situation): Ware[] {
  const lines = (purchase.items ?? []).map((line, place) => ({ line: line as Line, place }));
  const said = ({ line }: { line: Line }) => [
    line.sku ?? '',
    line.unitPriceMinor ?? 0,
    line.quantity ?? 1,
    line.lineReference ?? '',
    line.category ?? '',
  ];
  lines.sort((a, b) => {
    const [left, right] = [said(a), said(b)];
    const differs = left.findIndex((part, index) => part !== right[index]);
    if (differs < 0) return a.place - b.place;
    return (left[differs] ?? '') < (right[differs] ?? '') ? -1 : 1;
  });
  const priced = lines.some(({ line }) => (line.unitPriceMinor ?? 0) > 0);
  const worth = ({ line }: { line: Line }) =>
    BigInt(line.quantity ?? 1) * (priced ? BigInt(line.unitPriceMinor ?? 0) : 1n);
  const whole = lines.reduce((sum, each) => sum + worth(each), 0n);
  const amount = BigInt(purchase.amountMinor);
  const explained = lines.length === 0 ? 0n : priced && whole < amount ? whole : amount;
  let [sofar, valued] = [0n, 0n];
  const wares = lines.map(({ line, place }): Ware => {
    sofar += worth({ line });
    const upToHere = new Rational(explained).times(sofar, whole).round('nearest_half_up');
    const value = upToHere - valued;
    valued = upToHere;
    return { place, line, value, base: 0n, points: 0n };
  });
  return [...wares, { place: null, line: null, value: amount - explained, base: 0n, points: 0n }];
}

/** The wares that a selection of lines means. */
export function meant(lines: LineSelection, wares: readonly Ware[], situation: Situation): Ware[] {
  if (lines === 'none') return wares.filter(({ line, value }) => line === null && value > 0n);
  const { purchase } = situation;
  return wares.filter(
    ({ line }) =>
      line !== null && together(lines, { ...situation, purchase: { ...purchase, items: [line] } }),
  );
}

/**
 * Hands points out one by one, each to whoever is furthest behind its exact part: the largest remainders get the odd
 * ones.
 */
export function handOut(points: bigint, wares: readonly Ware[], by: (ware: Ware) => bigint): bigint[] {
  if (points === 0n) return wares.map(() => 0n);
  const proportional = wares.some((ware) => by(ware) > 0n);
  const units = ({ line }: Ware) => (line ? BigInt(line.quantity ?? 1) : wares.length === 1 ? 1n : 0n);
  const weights = wares.map(proportional ? by : units);
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const exact = weights.map((weight) => new Rational(points).times(weight, whole));
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

/** Wares with numbers, as an award tells of them: `place: value points`, in the order of the purchase. */
export function toldLines(wares: readonly Ware[], points: readonly bigint[]): string[] {
  return wares
    .map(({ place, value }, index) => ({ place, value, given: points[index] ?? 0n }))
    .filter(({ place, value, given }) => place !== null || value > 0n || given > 0n)
    .sort((a, b) => (a.place ?? 1e9) - (b.place ?? 1e9))
    .map(({ place, value, given }) => `${place ?? 'rest'}: ${value} ${given}`);
}
