import type { Refusal } from '../../../refusal.ts';
import { checkWindow } from '../../shared/check-window.ts';

const DAY_MS = 86_400_000;

/** Half-open: from inclusive, to exclusive. */
export interface Window {
  from: Date;
  to: Date;
}

/** The longest period of a close, in days (specification, "Ledger close window"). */
const closeWindowDays = 366;

/**
 * The period of a close. `to` is now by default. `from` is by default the first day of the UTC month of the last
 * instant before `to`, so that a `to` at the end of a month closes that month.
 * @param now the time of the database snapshot that is read
 * @returns invalid_window for a period that is empty, reversed, longer than 366 days or still to come
 */
export function closePeriod(from: Date | null, to: Date | null, now: Date): Window | Refusal {
  const end = to ?? now;
  const last = new Date(end.getTime() - 1);
  const start = from ?? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  const window = { from: start, to: end };
  return checkWindow(window, closeWindowDays, now) ?? window;
}

/**
 * What a period is read from: the totals of whole closed days, and postings for the rest of the days at its ends. All
 * are instants; spans are half-open.
 */
export interface Stretches {
  /**
   * The opening is the closed days before this instant, and the postings from it to `from`. Null with no closed day.
   */
  openingFrom: Date | null;
  /** The closed days that lie wholly in the period; null where there is none. */
  closed: Window | null;
  /** The closing is the closed days before this instant, and the postings from it to `to`. Null with no closed day. */
  closingFrom: Date | null;
  /** The end of the last closed day; null where no day is closed. */
  openSince: Date | null;
}

/** @param closedThrough the last closed day, `YYYY-MM-DD`, or null */
export function stretchesOf({ from, to }: Window, closedThrough: string | null): Stretches {
  if (closedThrough === null) return { openingFrom: null, closed: null, closingFrom: null, openSince: null };
  const openSince = new Date(Date.parse(`${closedThrough}T00:00:00Z`) + DAY_MS);
  const firstWhole = earlier(dayAfter(from), openSince);
  const end = earlier(dayOf(to), openSince);
  return {
    openingFrom: earlier(dayOf(from), openSince),
    closed: firstWhole < end && firstWhole >= from ? { from: firstWhole, to: end } : null,
    closingFrom: end,
    openSince,
  };
}

/**
 * The first day of a period that has ended and is not closed yet, `YYYY-MM-DD`; null where there is none.
 * @param closedThrough the last closed day, `YYYY-MM-DD`, or null
 */
export function firstOpenDayOf({ from, to }: Window, closedThrough: string | null, now: Date): string | null {
  const { openSince } = stretchesOf({ from, to }, closedThrough);
  const first = openSince === null || openSince < from ? dayOf(from) : openSince;
  return first < dayOf(earlier(to, now)) ? first.toISOString().slice(0, 10) : null;
}

function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** The first midnight at or after the instant. */
function dayAfter(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
