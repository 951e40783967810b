/**
 * The schedule of requests that arrive at a constant rate, whether or not earlier ones were answered. Latency counts
 * from the scheduled time. A generator that waits for answers sends nothing while the server stands still, and so
 * misses just the requests that would have had to wait.
 */
export class Arrivals {
  readonly #perMs: number;
  /** How many arrive in all. */
  readonly count: number;
  #taken = 0;

  constructor(perSecond: number, seconds: number) {
    this.#perMs = perSecond / 1000;
    this.count = Math.max(1, Math.floor(perSecond * seconds));
  }

  /** Whether all have been taken. */
  get ended(): boolean {
    return this.#taken === this.count;
  }

  /** When an arrival is scheduled, in milliseconds from the beginning. @param index from 0 */
  scheduledMs(index: number): number {
    return index / this.#perMs;
  }

  /** Takes the next arrival, if it is due. @param nowMs since the beginning @returns its scheduled time, or null */
  take(nowMs: number): number | null {
    if (this.ended) return null;
    const scheduled = this.scheduledMs(this.#taken);
    if (scheduled > nowMs) return null;
    this.#taken += 1;
    return scheduled;
  }

  /** Milliseconds until the next one is due; null where none is left. */
  untilNextMs(nowMs: number): number | null {
    return this.ended ? null : Math.max(0, this.scheduledMs(this.#taken) - nowMs);
  }
}
