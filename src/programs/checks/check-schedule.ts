import type { Schedule } from '../document/campaign-document.ts';
import type { DocumentProblem } from '../document/document-problem.ts';

/** Checks what the JSON Schema cannot say of a schedule. Paths begin at the schedule. */
export function checkSchedule(schedule: Schedule | undefined): DocumentProblem[] {
  if (!schedule) return [];
  const { from, until, timeZone, hours } = schedule;
  const problems: DocumentProblem[] = [];
  if (from && until && Date.parse(until) <= Date.parse(from)) {
    problems.push({ path: ['until'], message: 'must be later than from' });
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) problems.push(noTimeZone);
  if (hours && hours.from === hours.to) {
    problems.push({
      path: ['hours', 'to'],
      message: 'must be another hour than from; leave hours out for all day',
    });
  }
  return problems;
}

/** The problem of a `timeZone` that does not exist. */
export const noTimeZone: DocumentProblem = {
  path: ['timeZone'],
  message: 'is no IANA time zone, such as Europe/Berlin or Asia/Kolkata',
};

/** Whether an IANA time zone has that name. An offset such as `+02:00` is not one, though the runtime accepts it. */
export function isTimeZone(timeZone: string): boolean {
  if (/^[+-]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
