import { type Refusal, refuse } from '../../refusal.ts';

const DAY_MS = 86_400_000;

/** A half-open span of time: from inclusive, to exclusive. An end that is null is open. */
export interface Window {
  from: Date | null;
  to: Date | null;
}

/**
 * Checks the window of a read by the rule of the decisions ("Lists"). A window may end in the future.
 * @param longestDays the longest window, in days
 * @returns `invalid_window` where it is empty, reversed, too long or begins in the future; else null
 */
export function checkWindow({ from, to }: Window, longestDays: number, now: Date): Refusal | null {
  if (from && from > now) return invalid('The window begins in the future.', 'from');
  if (!from || !to) return null;
  if (to <= from) return invalid('The window is empty: `to` must be later than `from`.', 'to');
  if (to.getTime() - from.getTime() > longestDays * DAY_MS) {
    return invalid(`The window is longer than ${longestDays} days.`, 'to');
  }
  return null;
}

function invalid(message: string, path: 'from' | 'to'): Refusal {
  return refuse('invalid_window', message, [{ path, message: 'makes no valid window' }]);
}
