import type { PlainStreak } from '../programs/engagement.ts';
import type { ModelProgress } from './progress.ts';

const DAY_MS = 86_400_000;
const LATEST_DAYS = 400;

/** An event that counts toward a streak. */
interface Counted {
  /** In milliseconds since 1970. */
  occurredAt: number;
  /** What it adds. */
  worth: number;
  /** What fills a window. */
  fullWorth: number;
  /** When it arrives. */
  now: Date;
}

/**
 * A streak after an event: its progress, before completions are counted, and whether it is completed once more. All
 * windows are kept for ever. The most runs that can be made of the filled ones are counted before the event and after
 * it. Those in a row are told without the ones that are too long ago for any event that still counts to add to them.
 */
export function streakAfter(
  streak: PlainStreak,
  before: ModelProgress,
  { occurredAt, worth, fullWorth, now }: Counted,
  timeZone: string,
): { after: ModelProgress; times: number } {
  const asks = JSON.stringify([streak, fullWorth]);
  // What was reached for another goal counts no more.
  const windowsBefore = before.streak?.asks === asks ? before.streak.windows : new Map<number, number>();
  const window = windowOf(streak, occurredAt, timeZone);
  if (windowsBefore.get(window) === fullWorth) return { after: before, times: 0 };
  const windows = new Map([
    ...windowsBefore,
    [window, Math.min((windowsBefore.get(window) ?? 0) + worth, fullWorth)],
  ]);
  const [had, has] = [
    mostRuns(streak, filled(windowsBefore, fullWorth)),
    mostRuns(streak, filled(windows, fullWorth)),
  ];
  const firstOpen = windowOf(streak, now.getTime() - (LATEST_DAYS + 1) * DAY_MS, 'UTC');
  const within = has.rest.filter((each) => each >= firstOpen - (streak.windows + streak.forgiven - 1));
  const after = { ...before, reached: within.length, fullWorth, streak: { asks, windows } };
  return { after, times: has.runs - had.runs };
}

/** How many windows are filled in a row, of those that a filled window of today would go on with. */
export function inARowNow(
  streak: PlainStreak,
  progress: ModelProgress,
  { fullWorth, now }: Pick<Counted, 'fullWorth' | 'now'>,
  timeZone: string,
): number {
  if (progress.streak?.asks !== JSON.stringify([streak, fullWorth])) return 0;
  const before = filled(progress.streak.windows, fullWorth);
  const today = windowOf(streak, now.getTime(), timeZone);
  const had = mostRuns(streak, before);
  // An event may be dated a few minutes ahead, into a window that has not begun.
  if (before.some((window) => window >= today)) return had.rest.length;
  const has = mostRuns(streak, [...before, today]);
  return (has.runs > had.runs ? streak.windows : has.rest.length) - 1;
}

/** The numbers of the filled windows, ascending. */
function filled(windows: ReadonlyMap<number, number>, fullWorth: number): number[] {
  return [...windows.keys()].filter((window) => windows.get(window) === fullWorth).sort((a, b) => a - b);
}

/** The most runs without a common window, and which of the windows after the earliest end of the last are in a row. */
function mostRuns({ windows, forgiven }: PlainStreak, from: readonly number[]) {
  const missed = (part: readonly number[]): number => (part.at(-1) ?? 0) - (part[0] ?? 0) + 1 - part.length;
  /** The most runs among the first windows, by how many those are. */
  const most = [0];
  for (let count = 1; count <= from.length; count++) {
    const run = count >= windows && missed(from.slice(count - windows, count)) <= forgiven;
    most.push(Math.max(most[count - 1] ?? 0, run ? 1 + (most[count - windows] ?? 0) : 0));
  }
  const runs = most.at(-1) ?? 0;
  let rest = from.slice(most.indexOf(runs));
  while (rest.length > 0 && missed(rest) > forgiven) rest = rest.slice(1);
  return { runs, rest };
}

/** The number of the window in which an instant lies: of the day or week since 1970, or of the month. */
function windowOf({ period }: PlainStreak, at: number, timeZone: string): number {
  // In Swedish, dates are written as in ISO 8601.
  const date = new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);
  if (period === 'month') return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  const day = Date.parse(date) / DAY_MS;
  // The Thursday of a week decides its number; day 0 was one.
  return period === 'day' ? day : (day - ((new Date(date).getUTCDay() || 7) - 4)) / 7;
}
