import type { Pool } from '../db/pool.ts';
import { emptyPayloads } from './empty-payloads.ts';
import { removeQuotes } from './remove-quotes.ts';

/** How long what may go is kept, in days; null: for ever. */
export interface Retention {
  /** Data of events, after the event (`emptyPayloads`). */
  payloadsDays: number | null;
  /** Quotes that were not reserved, after their end (`removeQuotes`). */
  quotesDays: number | null;
}

/** What may go. */
export type Removable = 'payload' | 'quote';

/**
 * Removes what has been kept long enough.
 * @param signal aborted when the process stops: the current step is finished, and no other is begun
 * @param onRemoved called with how many rows of a kind were removed
 * @throws AggregateError where it failed for some environments, after all else is done
 */
export async function applyRetention(
  pool: Pool,
  { payloadsDays, quotesDays }: Retention,
  signal: AbortSignal,
  onRemoved: (kind: Removable, rows: number) => void,
): Promise<void> {
  const errors: unknown[] = [];
  const remove = async (
    kind: Removable,
    keptDays: number | null,
    work: (pool: Pool, keptDays: number, signal: AbortSignal) => Promise<number>,
  ): Promise<void> => {
    if (keptDays === null) return;
    try {
      onRemoved(kind, await work(pool, keptDays, signal));
    } catch (error) {
      errors.push(error);
    }
  };
  await remove('payload', payloadsDays, emptyPayloads);
  await remove('quote', quotesDays, removeQuotes);
  if (errors.length > 0)
    throw new AggregateError(errors, `Old rows could not be removed: ${errors.map(String).join('; ')}`);
}
