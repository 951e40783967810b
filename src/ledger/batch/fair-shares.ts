/**
 * Counts what waits, by who has sent it: environments, or the callers of one environment. Where more waits than should,
 * it tells who waits with less than the others.
 */
export class FairShares {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#total += 1;
  }

  remove(name: string): void {
    const remaining = (this.#counts.get(name) ?? 0) - 1;
    if (remaining > 0) this.#counts.set(name, remaining);
    else this.#counts.delete(name);
    this.#total -= 1;
  }

  /**
   * Whether one more is admitted: up to `bound` always, up to twice that of those who have less than the average
   * waiting. So a single sender never has more than `bound`, and cannot keep others out.
   * @param load how much waits, in any unit
   * @param bound in the same unit
   */
  admits(name: string, load: number, bound: number): boolean {
    return load < bound || (load < 2 * bound && this.#isBelowAverage(name));
  }

  #isBelowAverage(name: string): boolean {
    const ownCount = this.#counts.get(name);
    const parties = this.#counts.size + (ownCount === undefined ? 1 : 0);
    return (ownCount ?? 0) * parties < this.#total;
  }
}
