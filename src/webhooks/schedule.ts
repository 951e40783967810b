const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * How long after a failed attempt the next one comes: after the first, the second, and so on (decisions, "Webhooks").
 */
const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Delays differ by up to this share, so that what failed together does not come again together. */
const JITTER = 0.2;
/** The longest wait that a receiver may ask for. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;

/**
 * The wait before the next attempt.
 * @param failures attempts that have failed, from 1
 * @param chance at least 0 and less than 1
 * @param retryAfterMs what the receiver asked for; null where it did not
 * @returns milliseconds; null where no further attempt is made
 */
export function retryDelayMs(failures: number, chance: number, retryAfterMs: number | null): number | null {
  const delay = RETRY_DELAYS_MS[failures - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 - JITTER + 2 * JITTER * chance));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/**
 * Reads a Retry-After header: seconds or a date of HTTP.
 * @param now by the clock that dates are compared with
 * @returns milliseconds from now, not negative; null where there is none or it is malformed
 */
export function readRetryAfter(value: string | null, now: Date): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * SECOND;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
