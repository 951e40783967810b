import type { Schedule } from '../../programs/document/campaign-document.ts';
import { daysOfWeek } from '../../programs/document/condition-fields.ts';
import { createClock } from './local-time.ts';

/** @returns null where the schedule is open at the instant, else the reason why it is not. */
export type CompiledSchedule = (at: Date) => string | null;

/**
 * Compiles a schedule of a checked document. `from` is included, `until` is not. Days and hours are those of the
 * schedule's time zone. Hours over midnight belong to the day on which they begin: Friday from 22 to 2 ends on Saturday
 * at 2. An hour that the clock shows twice, when it is set back, is open both times.
 * @param schedule always open where absent
 * @param timeZone of the document, for a schedule that names none: IANA name
 */
export function compileSchedule(schedule: Schedule | undefined, timeZone: string): CompiledSchedule {
  if (!schedule) return () => null;
  const { from, until, hours } = schedule;
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const days = schedule.daysOfWeek && new Set(schedule.daysOfWeek);
  const zone = schedule.timeZone ?? timeZone;
  const clock = days || hours ? createClock(zone) : null;
  return (at) => {
    if (at.getTime() < fromMs) return `Begins at ${from}.`;
    if (at.getTime() >= untilMs) return `Ended at ${until}.`;
    if (!clock) return null;
    const { dayOfWeek, hour } = clock(at);
    let day = daysOfWeek.indexOf(dayOfWeek);
    if (hours) {
      const overMidnight = hours.to <= hours.from;
      const open = overMidnight
        ? hour >= hours.from || hour < hours.to
        : hour >= hours.from && hour < hours.to;
      if (!open) return `Holds from ${hours.from} to ${hours.to} o'clock (${zone}).`;
      if (overMidnight && hour < hours.to) day = (day + 6) % 7;
    }
    if (days && !days.has(daysOfWeek[day] ?? '')) return `Does not hold on a ${daysOfWeek[day]} (${zone}).`;
    return null;
  };
}
