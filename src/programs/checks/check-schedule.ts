import type { Schedule } from '../document/campaign-document.ts';
import type { DocumentProblem } from '../document/document-problem.ts';

/** Checks what the JSON Schema cannot say of a schedule. Paths begin at it. */
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

/** What is said of a `timeZone` that there is not. */
export const noTimeZone: DocumentProblem = {
  path: ['timeZone'],
  message: 'is no IANA time zone, such as Europe/Berlin or Asia/Kolkata',
};

/** Whether there is an IANA time zone of that name. An offset, which the runtime would take as well, is none. */
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
