import type { Condition } from '../../programs/document/document-values.ts';

/**
 * Most steps of an evaluation: of the offers of all programs of the environment for a cart, or of the rules and
 * campaigns of a program for a purchase. A step is a condition that looks at one value; what a line gets of an offer,
 * rule or campaign counts as `STEPS_OF_SHARE`. They take 25 to 50 ms of CPU.
 */
export const MOST_STEPS = 250_000;
export const STEPS_OF_SHARE = 10;
/** For a schedule with days or hours, whose time zone has to be computed. */
export const STEPS_OF_LOCAL_TIME = 20;

/** How many values the fields of an evaluation have that may have several. */
export interface FieldSizes {
  lines: number;
  /** Of all lines together. */
  lineTags: number;
  cartTags: number;
  memberTags: number;
  memberLists: number;
}

/** The most steps that conditions take. @param unit each condition is tested once, or once for each line */
export function compileSteps(
  conditions: readonly Pick<Condition, 'field'>[],
  unit: 'cart' | 'each_line',
): (sizes: FieldSizes) => number {
  const fields = [...Map.groupBy(conditions, ({ field }) => field)];
  return (sizes) => {
    const atLeast = unit === 'cart' ? 1 : sizes.lines;
    let steps = 0;
    for (const [field, tests] of fields) steps += tests.length * Math.max(atLeast, valuesOf(field, sizes));
    return steps;
  };
}

function valuesOf(field: string, sizes: FieldSizes): number {
  switch (field) {
    case 'items.tags':
      return Math.max(sizes.lines, sizes.lineTags);
    case 'context.tags':
      return sizes.cartTags;
    case 'member.tags':
      return sizes.memberTags;
    case 'member.lists':
      return sizes.memberLists;
    default:
      return field.startsWith('items.') ? sizes.lines : 1;
  }
}
