import { type DayOfWeek, daysOfWeek } from '../../programs/document/condition-fields.ts';
import { utcDay } from './utc-day.ts';

/** An instant on the calendar and clock of a time zone. */
export interface LocalTime {
  dayOfWeek: DayOfWeek;
  /** 0 to 23. */
  hour: number;
  /** 1 to 31. */
  dayOfMonth: number;
  /** 1 to 12. */
  month: number;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** Converts instants to the local time of one time zone. */
export type Clock = (at: Date) => LocalTime;

// No time zone changes its offset within a quarter of an hour, so one offset is right for all of it.
const quarterHourMs = 900_000;

/**
 * Makes the clock of a time zone.
 * @param timeZone an IANA name; throws RangeError where the runtime does not know it
 */
export function createClock(timeZone: string): Clock {
  if (timeZone === 'UTC') return (at) => readUtc(at);
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Formatting costs microseconds. Purchases come nearly in order of time, so the last offset is nearly always right.
  let quarterHour = Number.NaN;
  let offsetMs = 0;
  return (at) => {
    const quarter = Math.floor(at.getTime() / quarterHourMs);
    if (quarter !== quarterHour) {
      offsetMs = offsetAt(format, quarter * quarterHourMs);
      quarterHour = quarter;
    }
    return readUtc(new Date(at.getTime() + offsetMs));
  };
}

function readUtc(at: Date): LocalTime {
  return {
    dayOfWeek: daysOfWeek[at.getUTCDay() as 0 | 1 | 2 | 3 | 4 | 5 | 6],
    hour: at.getUTCHours(),
    dayOfMonth: at.getUTCDate(),
    month: at.getUTCMonth() + 1,
    date: at.toISOString().slice(0, -14),
  };
}

function offsetAt(format: Intl.DateTimeFormat, epochMs: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(epochMs)) part[type] = Number(value);
  const { month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  // The year comes from the instant itself: Intl writes the years before 1 without a sign.
  const at = new Date(epochMs);
  const turn =
    (at.getUTCMonth() === 0 && month === 12 ? -1 : 0) + (at.getUTCMonth() === 11 && month === 1 ? 1 : 0);
  const local =
    utcDay(at.getUTCFullYear() + turn, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1_000;
  return local - epochMs;
}
