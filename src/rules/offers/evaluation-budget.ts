import type { Condition } from '../../programs/document/document-values.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import type { Cart } from './cart.ts';

/**
 * Most steps of an evaluation, over all programs of the environment. A step is a condition that looks at one value; the
 * discount of an offer on one line counts as `STEPS_OF_SHARE`. They take about 25 ms of CPU.
 */
export const MOST_STEPS = 250_000;
export const STEPS_OF_SHARE = 10;
/** For each offer that is looked at, whatever its conditions. */
export const STEPS_OF_OFFER = 10;
/** For a schedule with days or hours, whose time zone has to be computed. */
export const STEPS_OF_LOCAL_TIME = 20;
/** Most bytes of the effects, and of the rejections where they are asked for, as JSON in UTF-8. */
export const MOST_ANSWER_BYTES = 1_000_000;

/** How many values the fields of an evaluation have that may have several. */
export interface FieldSizes {
  lines: number;
  /** Of all lines together. */
  lineTags: number;
  cartTags: number;
  memberTags: number;
  memberLists: number;
}

export function sizesOf(cart: Cart, { member }: EvaluationFacts): FieldSizes {
  return {
    lines: cart.items.length,
    lineTags: cart.items.reduce((sum, { tags }) => sum + (tags?.length ?? 0), 0),
    cartTags: cart.tags?.length ?? 0,
    memberTags: member?.tags.length ?? 0,
    memberLists: member?.lists.length ?? 0,
  };
}

/** The smallest cart: one line, without tags, of an unknown customer. */
export const smallestSizes: FieldSizes = {
  lines: 1,
  lineTags: 0,
  cartTags: 0,
  memberTags: 0,
  memberLists: 0,
};

/** The most steps that conditions take. @param of each condition is tested once, or once for each line */
export function compileSteps(
  conditions: readonly Pick<Condition, 'field'>[],
  of: 'cart' | 'each_line',
): (sizes: FieldSizes) => number {
  const fields = [...Map.groupBy(conditions, ({ field }) => field)];
  return (sizes) => {
    const atLeast = of === 'cart' ? 1 : sizes.lines;
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

/**
 * What an evaluation has spent. Work is counted before it is done, by what it takes at most, so that the same cart under
 * the same offers is always accepted or always refused.
 */
export class EvaluationBudget {
  #steps = 0;
  #bytes = 0;

  /** The steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** The bytes of the answer so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get exceeded(): boolean {
    return this.#steps > MOST_STEPS || this.#bytes > MOST_ANSWER_BYTES;
  }

  /** @returns whether the work may be done */
  take(steps: number): boolean {
    this.#steps += steps;
    return !this.exceeded;
  }

  /** @returns whether the answer may have them */
  takeBytes(bytes: number): boolean {
    this.#bytes += bytes;
    return !this.exceeded;
  }

  /** `cart_too_large`. Call it where the budget is exceeded. */
  refuse(lines: number): Refusal {
    return this.#steps > MOST_STEPS
      ? refuse(
          'cart_too_large',
          `The offers of this environment take more than ${MOST_STEPS} steps for a cart of ${lines} ` +
            `${lines === 1 ? 'line' : 'lines'}. Send fewer lines, or publish fewer offers and conditions.`,
          [{ path: 'items', message: 'is too large for the offers that are evaluated for it' }],
        )
      : refuse(
          'cart_too_large',
          `The answer would be larger than ${MOST_ANSWER_BYTES} bytes. Send fewer lines, or ask without \`explain\`.`,
          [{ path: 'items', message: 'has too many lines for the offers that apply to them' }],
        );
  }
}

/** The bytes of a JSON value in an answer, with the comma behind it. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1;
}
