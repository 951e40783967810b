import type { ItemFacts } from '../conditions/purchase-facts.ts';

/**
 * The positions of the lines of a cart or purchase, sorted by the content of the lines. This order breaks ties (the odd
 * cent, equally cheap units), so that the same lines in another order get the same totals. Lines with the same content
 * keep their order: which of them is first makes no difference.
 */
export function lineOrder(lines: readonly ItemFacts[]): number[] {
  return lines.map((_, index) => index).sort((a, b) => compareLines(lines[a], lines[b]) || a - b);
}

function compareLines(a: ItemFacts | undefined, b: ItemFacts | undefined): number {
  if (!a || !b) return 0;
  return (
    compareText(a.sku ?? '', b.sku ?? '') ||
    (a.unitPriceMinor ?? 0) - (b.unitPriceMinor ?? 0) ||
    (a.quantity ?? 1) - (b.quantity ?? 1) ||
    compareText(a.lineReference ?? '', b.lineReference ?? '') ||
    compareText(a.category ?? '', b.category ?? '') ||
    compareText(textOf(a), textOf(b))
  );
}

function textOf({ tags, attributes }: ItemFacts): string {
  return JSON.stringify([tags ?? null, attributes ?? null]);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
