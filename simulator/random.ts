/** Random numbers that follow from a seed alone: the same on every machine (sfc32 by Chris Doty-Humphrey). */
export class Random {
  #a: number;
  #b = 0x9e3779b9;
  #c = 0x243f6a88;
  #counter = 1;

  /** @param seed 0 to 2^32-1 */
  constructor(seed: number) {
    this.#a = seed | 0;
    // Neighbouring seeds may differ in one bit only: mix the state before the first number is drawn.
    for (let round = 0; round < 15; round++) this.next();
  }

  /** 0 to 2^32-1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.next() / 2 ** 32 < probability;
  }

  pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw new RangeError('nothing to pick from');
    return values[this.below(values.length)] as T;
  }

  /** Picks one, each as often as its weight says. */
  pickWeighted<T extends { weight: number }>(values: readonly T[]): T {
    let remaining = this.below(values.reduce((sum, { weight }) => sum + weight, 0));
    for (const value of values) {
      remaining -= value.weight;
      if (remaining < 0) return value;
    }
    throw new RangeError('nothing to pick from');
  }

  /** In the form of a UUID of version 7, but all random: it contains no time. */
  uuid(): string {
    const hex = [0, 0, 0, 0].map(() => this.next().toString(16).padStart(8, '0')).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
