/**
 * A law by which few are asked for often: of `count`, the one of rank n is chosen with a probability in proportion to
 * 1 / n^exponent. With exponent 1 and 20,000 members, one purchase in ten is of the first member, and half of all are
 * of the first hundred.
 */
export class Zipf {
  /** The probability of a rank or a lower one. */
  readonly #upTo: Float64Array;

  constructor(count: number, exponent = 1) {
    this.#upTo = new Float64Array(count);
    let sum = 0;
    for (let rank = 1; rank <= count; rank++) {
      sum += rank ** -exponent;
      this.#upTo[rank - 1] = sum;
    }
    for (let index = 0; index < count; index++) this.#upTo[index] = (this.#upTo[index] as number) / sum;
  }

  /** @param uniform from 0 to below 1, evenly distributed @returns a rank less 1: from 0 to below `count` */
  pick(uniform: number): number {
    let low = 0;
    let high = this.#upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#upTo[middle] as number) > uniform) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
