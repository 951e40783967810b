import { type Refusal, refuse } from '../../refusal.ts';
import type { EvaluationFacts } from '../conditions/evaluation-facts.ts';
import { type FieldSizes, MOST_STEPS } from '../shared/evaluation-steps.ts';
import type { Cart } from './cart.ts';

/** For each offer that is looked at, whatever its conditions. */
export const STEPS_OF_OFFER = 10;
/** Most bytes of the effects, and of the rejections where they are asked for, as JSON in UTF-8. */
export const MOST_ANSWER_BYTES = 1_000_000;

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

/**
 * What an evaluation has spent. Work is counted before it is done, by what it takes at most, so that the same cart
 * under the same offers is always accepted or always refused.
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
  refuse(lines: number): Refusal<'cart_too_large'> {
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
