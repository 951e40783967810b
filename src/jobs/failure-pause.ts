import { recentlyUsed } from '../recently-used.ts';

const PAUSE_MS = 15 * 60 * 1000;
const MOST = 10_000;

/** Remembers profiles and adjustments that failed: sweeps and tier runs skip them for a quarter of an hour. */
export class FailurePause {
  readonly #failed = recentlyUsed<true>(MOST, { ttl: PAUSE_MS });

  note(subject: string): void {
    this.#failed.set(subject, true);
  }

  has(subject: string): boolean {
    return this.#failed.has(subject);
  }
}
