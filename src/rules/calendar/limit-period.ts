import type { LimitPeriod } from '../../programs/document/document-values.ts';
import { utcDay } from './utc-day.ts';

/**
 * Start of the period of a limit that contains an instant, on the UTC calendar; it is the key of the period's counter.
 * A week begins on Monday. The period `lifetime` begins in 1970.
 */
export function limitPeriodStart(period: LimitPeriod, at: Date): Date {
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  const day = at.getUTCDate();
  switch (period) {
    case 'day':
      return new Date(utcDay(year, month, day));
    case 'week':
      return new Date(utcDay(year, month, day - ((at.getUTCDay() + 6) % 7)));
    case 'month':
      return new Date(utcDay(year, month, 1));
    case 'year':
      return new Date(utcDay(year, 0, 1));
    case 'lifetime':
      return new Date(0);
  }
}

/** End of the period that begins at `start`: the start of the next one. */
export function limitPeriodEnd(period: Exclude<LimitPeriod, 'lifetime'>, start: Date): Date {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  switch (period) {
    case 'day':
      return new Date(utcDay(year, month, day + 1));
    case 'week':
      return new Date(utcDay(year, month, day + 7));
    case 'month':
      return new Date(utcDay(year, month + 1, 1));
    case 'year':
      return new Date(utcDay(year + 1, 0, 1));
  }
}
