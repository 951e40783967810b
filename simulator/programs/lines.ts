import type { Condition, LineSelection } from '../../src/programs/document/document-values.ts';
import type { Random } from '../random.ts';

export const CATEGORIES = ['beans', 'cups', 'gift-card'];

/** Lines of any of these categories and at least that price, null for any; or what no line explains. */
export type PlainLines = 'none' | { categories: string[] | null; leastPrice: number | null };

/** Lines that a rule or campaign is for. */
export function inventLines(random: Random): PlainLines {
  if (random.chance(0.15)) return 'none';
  return {
    categories: random.chance(0.8) ? [random.pick(CATEGORIES), random.pick(CATEGORIES)] : null,
    leastPrice: random.chance(0.2) ? random.pick([1, 99, 1_000]) : null,
  };
}

/** A selection of lines as a document says it. */
export function linesOf(lines: PlainLines): LineSelection {
  if (lines === 'none') return lines;
  const { categories, leastPrice } = lines;
  return {
    match: 'all',
    conditions: [
      ...(categories
        ? [{ field: 'items.category', operator: 'in' as const, value: [...new Set(categories)] }]
        : []),
      ...atLeast('items.unitPriceMinor', leastPrice),
    ],
  };
}

/** The condition that a field is at least so much; none for null. */
export function atLeast(field: string, least: number | null): Condition[] {
  return least === null ? [] : [{ field, operator: 'gte', value: least }];
}
