import type { Schedule } from '../../../src/programs/document/campaign-document.ts';

/** An instant on the calendar and clock of a time zone. */
export interface WallClock {
  date: string;
  year: number;
  month: number;
  dayOfMonth: number;
  hour: number;
  dayOfWeek: string;
}

const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_MS = 24 * 60 * 60 * 1000;

/** Formats the instant and parses the text; the day of the week is computed from the date (Sakamoto's method). */
export function wallClock(at: Date, timeZone: string): WallClock {
  const written = writerOf(timeZone).format(at);
  const [date = '', time = ''] = written.split(' ');
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  return { date, year, month, dayOfMonth, hour: Number(time.split(':')[0]), dayOfWeek: weekday(date) };
}

const writers = new Map<string, Intl.DateTimeFormat>();

function writerOf(timeZone: string): Intl.DateTimeFormat {
  const writer =
    writers.get(timeZone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  writers.set(timeZone, writer);
  return writer;
}

function weekday(date: string): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][month - 1] ?? 0;
  const y = month < 3 ? year - 1 : year;
  const count = y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + shift + day;
  return names[count % 7] ?? '';
}

/** Whether a schedule is open. Hours over midnight are those of the day on which they began. */
export function open(schedule: Schedule | undefined, at: Date, programZone: string): boolean {
  if (!schedule) return true;
  const { from, until, daysOfWeek, hours } = schedule;
  if (from !== undefined && at < new Date(from)) return false;
  if (until !== undefined && !(at < new Date(until))) return false;
  const { hour, dayOfWeek } = wallClock(at, schedule.timeZone ?? programZone);
  const dayBefore = names[(names.indexOf(dayOfWeek) + 6) % 7] ?? '';
  const listed = (day: string) => daysOfWeek === undefined || daysOfWeek.includes(day);
  if (!hours) return listed(dayOfWeek);
  // The hours that begin on a day, written out one by one: those past 23 are of the next day.
  const end = hours.to > hours.from ? hours.to : hours.to + 24;
  for (let each = hours.from; each < end; each += 1) {
    if (each < 24 && each === hour && listed(dayOfWeek)) return true;
    if (each >= 24 && each - 24 === hour && listed(dayBefore)) return true;
  }
  return false;
}

/** Full days from one instant to another; null where there is no first instant. */
export function fullDays(from: Date | null, to: Date): number | null {
  if (from === null) return null;
  let days = Math.trunc((to.getTime() - from.getTime()) / DAY_MS);
  if (days < 0) days = 0;
  return days;
}
