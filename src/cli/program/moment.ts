import { InvalidArgumentError } from 'commander';
import { normalizeDateTime } from '../../contract/date-time.ts';
import { createClock } from '../../rules/calendar/local-time.ts';
import { parseInstant } from '../shell/arguments.ts';

/** A moment as it is typed: an instant, or a time of day or the beginning of a day on the clock of the program. */
export type Moment = { instant: Date } | { local: string } | { day: string };

const LOCAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const QUARTER_HOUR_MS = 900_000;
/** More than the largest offset of a time zone. */
const FARTHEST_OFFSET_MS = 15 * 3_600_000;

/** Reads `2027-05-04T10:00`, `2027-05-04T10:00:00Z` or `2027-05-04`. */
export function parseMoment(text: string): Moment {
  if (DAY.test(text) && normalizeDateTime(`${text}T00:00:00Z`) !== null) return { day: text };
  if (!LOCAL.test(text)) return { instant: parseInstant(text) };
  const local = text.length === 'YYYY-MM-DDTHH:MM'.length ? `${text}:00` : text;
  if (normalizeDateTime(`${local}Z`) === null)
    throw new InvalidArgumentError('There is no such day or time.');
  return { local };
}

/**
 * The instant of a moment.
 * @param timeZone IANA name, for a moment that names no zone
 * @returns null where the clock of the zone skips that time or that day
 */
export function instantOf(moment: Moment, timeZone: string): Date | null {
  if ('instant' in moment) return moment.instant;
  if ('day' in moment) return startOfDay(moment.day, timeZone);
  const wantedMs = Date.parse(`${moment.local}Z`);
  let atMs = wantedMs;
  // Twice: the first step may cross a change of the zone's offset.
  for (let step = 0; step < 2; step += 1) atMs += wantedMs - shownMs(new Date(atMs), timeZone);
  return shownMs(new Date(atMs), timeZone) === wantedMs ? new Date(atMs) : null;
}

/** The first instant of a day, which is later than 00:00 where clocks go forward at midnight. */
function startOfDay(day: string, timeZone: string): Date | null {
  const clock = createClock(timeZone);
  const midnightMs = Date.parse(`${day}T00:00:00Z`);
  const lastMs = midnightMs + FARTHEST_OFFSET_MS;
  for (let atMs = midnightMs - FARTHEST_OFFSET_MS; atMs <= lastMs; atMs += QUARTER_HOUR_MS) {
    const at = new Date(atMs);
    if (clock(at).date === day) return at;
  }
  return null;
}

/** What the clock of a zone shows at an instant, as if it were UTC. */
function shownMs(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
