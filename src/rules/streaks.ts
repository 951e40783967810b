import type { Streak } from '../programs/document/engagement-document.ts';
import { utcDay } from './calendar/utc-day.ts';

/**
 * What a member has reached in the windows of a streak. Each amount is at most the goal: a window that has reached it
 * is filled, and counts once.
 */
export interface StreakWindows {
  /** The first day of the first window, `YYYY-MM-DD` on the calendar of the program's time zone. */
  first: string;
  /** The amount in that window and in each one after it; the last is above 0. */
  reached: readonly number[];
}

/** An event that counts toward a streak. */
export interface StreakEvent {
  /** The day on which it happened, `YYYY-MM-DD` on the calendar of the program's time zone. */
  date: string;
  /** What it adds to the goal. */
  amount: number;
  /** The amount that fills a window. */
  target: number;
  /** A day before every event that can still come: windows that end before it never change again. */
  settledBefore: string;
}

/** A streak after an event. */
export interface StreakProgress {
  windows: StreakWindows;
  /**
   * Windows of the run that has not been completed, up to the last one that is filled; without those that are
   * forgotten.
   */
  inARow: number;
  /** Whether the event completes a run. */
  completed: boolean;
}

const DAY_MS = 86_400_000;

/** The first Monday of 1970 was the 5th of January: so many days after the first. */
const FIRST_MONDAY = 4;

/**
 * Counts an event toward a streak. Pure. A run is so many filled windows as the streak asks for, with at most as many
 * others between its first and its last one as it forgives. A window belongs to one run. The windows are divided from
 * the first one on: each run ends as early as it can, and the next one begins after it. So there are as many runs as
 * can be, filling a window takes none away, and the order in which events arrive makes no difference.
 * @param before null for none
 * @returns null where the window was already filled, so that nothing changes
 */
export function extendStreak(
  streak: Streak,
  before: StreakWindows | null,
  { date, amount, target, settledBefore }: StreakEvent,
): StreakProgress | null {
  const { period } = streak;
  const window = windowNumber(period, date);
  const firstWindow = before ? windowNumber(period, before.first) : window;
  const first = Math.min(firstWindow, window);
  const earlier = [...Array<number>(firstWindow - first).fill(0), ...(before?.reached ?? [])];
  const reached = [...earlier];
  while (reached.length <= window - first) reached.push(0);
  const had = reached[window - first] ?? 0;
  if (had >= target) return null;
  reached[window - first] = Math.min(target, had + amount);
  const after = runsIn(streak, reached, target);
  const dropped = settledCount(streak, after.ends, windowNumber(period, settledBefore) - first);
  const start = reached.findIndex((amountThen, index) => index >= dropped && amountThen > 0);
  const recentWindows = reached.slice(start);
  return {
    windows: { first: firstDay(period, first + start), reached: recentWindows },
    // Of what is kept, so that the number is the same before and after windows are forgotten.
    inARow: runsIn(streak, recentWindows, target).inARow,
    completed: after.ends.length > runsIn(streak, earlier, target).ends.length,
  };
}

/**
 * How many windows of the run in progress are filled, of those that a filled window of today would still continue.
 * @param windows null for none
 * @param date today, `YYYY-MM-DD` on the calendar of the program's time zone
 * @param target the amount that fills a window
 */
export function runInProgress(
  streak: Streak,
  windows: StreakWindows | null,
  date: string,
  target: number,
): number {
  if (!windows) return 0;
  const reached = [...windows.reached];
  const today = windowNumber(streak.period, date) - windowNumber(streak.period, windows.first);
  while (reached.length <= today) reached.push(0);
  const run = runsIn(streak, reached, target);
  if (today < 0 || (reached[today] ?? 0) >= target) return run.inARow;
  reached[today] = target;
  const filledToday = runsIn(streak, reached, target);
  return (filledToday.ends.length > run.ends.length ? streak.windows : filledToday.inARow) - 1;
}

/** The runs among windows: the indexes of their last windows, and how many windows the run in progress has. */
function runsIn({ windows, forgiven = 0 }: Streak, reached: readonly number[], target: number) {
  const ends: number[] = [];
  /** The indexes of the filled windows since the last run. */
  let filled: number[] = [];
  const missedSince = (index: number): number =>
    (filled.at(-1) ?? 0) - (filled[index] ?? 0) + 1 - (filled.length - index);
  for (const [index, amount] of reached.entries()) {
    if (amount < target) continue;
    filled.push(index);
    const from = filled.length - windows;
    if (from < 0 || missedSince(from) > forgiven) continue;
    ends.push(index);
    filled = [];
  }
  const start = filled.findIndex((_, index) => missedSince(index) <= forgiven);
  return { ends, inARow: start === -1 ? 0 : filled.length - start };
}

/**
 * How many of the first windows can be forgotten: those of runs that are settled, and those too long ago for a run with
 * a window that can still change. This bounds what is stored for a member.
 * @param settled the index of the first window that can still change
 */
function settledCount({ windows, forgiven = 0 }: Streak, ends: readonly number[], settled: number): number {
  const lastRun = ends.findLast((end) => end < settled) ?? -1;
  return Math.max(lastRun + 1, settled - (windows + forgiven - 1));
}

/** The number of the window that contains a day. Windows that follow each other have numbers that do. */
function windowNumber(period: Streak['period'], date: string): number {
  const at = new Date(date);
  switch (period) {
    case 'day':
      return at.getTime() / DAY_MS;
    case 'week':
      return Math.floor((at.getTime() / DAY_MS - FIRST_MONDAY) / 7);
    case 'month':
      return at.getUTCFullYear() * 12 + at.getUTCMonth();
  }
}

/** The first day of a window, `YYYY-MM-DD`. */
function firstDay(period: Streak['period'], window: number): string {
  return new Date(startOf(period, window)).toISOString().slice(0, 10);
}

function startOf(period: Streak['period'], window: number): number {
  switch (period) {
    case 'day':
      return window * DAY_MS;
    case 'week':
      return (window * 7 + FIRST_MONDAY) * DAY_MS;
    case 'month':
      return utcDay(0, window);
  }
}
