import type { LRUCache } from 'lru-cache';
import { recentlyUsed } from '../recently-used.ts';

/** A value as it was read, and when the read began by the cache's clock. */
interface Entry<Value extends object> {
  value: Value;
  at: number;
}

export interface AnnouncedCacheOptions {
  /** Most values. */
  max: number;
  /** How long a value is used while changes are announced, in milliseconds. */
  announcedMs: number;
  /** A monotonic clock, in milliseconds: the same one that AdminNotices reads. */
  now?: () => number;
}

/** How long a value is used while changes are not announced. */
const UNANNOUNCED_MS = 1_000;

/**
 * Keeps what was read of environments that administration can change. A value is used until a change of its environment
 * is announced (see AdminNotices), and for a second where no announcement could have been heard.
 */
export class AnnouncedCache<Value extends object> {
  readonly #announcedMs: number;
  readonly #now: () => number;
  readonly #entries: LRUCache<string, Entry<Value>>;
  /** The reads that are under way, for requests that come meanwhile. */
  readonly #reading = new Map<string, Promise<Value>>();
  #heardAt = Number.NEGATIVE_INFINITY;
  /** Number of announced changes. A read during which it grows may be of the old state, so it is not kept. */
  #changes = 0;

  constructor({ max, announcedMs, now = () => performance.now() }: AnnouncedCacheOptions) {
    this.#announcedMs = announcedMs;
    this.#now = now;
    this.#entries = recentlyUsed<Entry<Value>>(max);
  }

  /**
   * The value of a key: the kept one, or that of a read, which concurrent requests share.
   * @param read gets the value that was kept before, even if it is old, and when the read begins
   */
  async get(key: string, read: (before: Value | undefined, at: number) => Promise<Value>): Promise<Value> {
    const entry = this.#entries.get(key);
    const at = this.#now();
    if (
      entry &&
      at < entry.at + this.#announcedMs &&
      at < Math.max(entry.at, this.#heardAt) + UNANNOUNCED_MS
    ) {
      return entry.value;
    }
    const underWay = this.#reading.get(key);
    if (underWay) return underWay;
    const reading = this.#read(key, at, read(entry?.value, at));
    this.#reading.set(key, reading);
    const end = (): void => {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    };
    reading.then(end, end);
    return reading;
  }

  async #read(key: string, at: number, read: Promise<Value>): Promise<Value> {
    const changes = this.#changes;
    const value = await read;
    if (changes === this.#changes) this.#entries.set(key, { value, at });
    return value;
  }

  /** Drops values because something about them has changed. @param isChanged by default all have */
  forget(isChanged: (value: Value, key: string) => boolean = () => true): void {
    this.#changes += 1;
    this.#reading.clear();
    for (const [key, { value }] of this.#entries.entries())
      if (isChanged(value, key)) this.#entries.delete(key);
  }

  /** Drops the value of one key. */
  drop(key: string): void {
    this.#entries.delete(key);
  }

  /** Every change before this moment of the clock has been announced (see AdminNotices). */
  onAnnouncement(at: number): void {
    this.#heardAt = at;
  }
}
