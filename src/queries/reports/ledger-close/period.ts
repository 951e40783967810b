import type { Refusal } from '../../../refusal.ts';
import { checkWindow } from '../../shared/check-window.ts';

const DAY_MS = 86_400_000;

/** Half-open: from inclusive, to exclusive. */
export interface Window {
  from: Date;
  to: Date;
}

/** Most days of a close's period (specification, "Ledger close window"). */
export const closeWindowDays = 366;

/**
 * The period of a close: `to` is now by default, and `from` the first day of the UTC month that holds the last instant
 * before `to`, so that a month's own end closes that month.
 * @param now the time of the snapshot that is read
 * @returns invalid_window for a period that is empty, reversed, longer than 366 days or still to come
 */
export function closePeriod(from: Date | null, to: Date | null, now: Date): Window | Refusal {
  const end = to ?? now;
  const last = new Date(end.getTime() - 1);
  const start = from ?? new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  const window = { from: start, to: end };
  return checkWindow(window, closeWindowDays, now) ?? window;
}

/** Where a period is read: closed days where they are whole, postings at its edges. Instants, half-open. */
export interface Stretches {
  /** Closed days before it are the opening; the postings from here to `from` are added. */
  openingFrom: Date | null;
  /** Closed days inside of the period; null where there is no whole one. */
  closed: Window | null;
  /** Closed days before it are the closing; the postings from here to `to` are added. */
  closingFrom: Date | null;
  /** The first instant that is not rolled up; null where nothing is. */
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

function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** The first midnight that is not before. */
function dayAfter(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / DAY_MS) * DAY_MS);
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
