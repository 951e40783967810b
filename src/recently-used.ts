import { LRUCache } from 'lru-cache';

export interface RecentlyUsedOptions<Value> {
  /** How long an entry is kept at most, in milliseconds. Default: as long as there is room. */
  ttl?: number;
  /** How much of `most` an entry takes. Default: 1, so that `most` is a number of entries. */
  sizeCalculation?: (value: Value) => number;
  /** Called with a value that is no longer kept. */
  dispose?: (value: Value) => void;
}

/**
 * Makes a map that keeps the entries that were used last. Most of these maps stay nearly empty: their bound is given as
 * a size, for where LRUCache is given a number of entries it takes the memory for all of them at once.
 * @param maximum the sum of the sizes of all entries
 */
export function recentlyUsed<Value extends object | true>(
  maximum: number,
  { ttl = 0, sizeCalculation = () => 1, dispose }: RecentlyUsedOptions<Value> = {},
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maximum, sizeCalculation, ttl, ...(dispose && { dispose }) });
}
