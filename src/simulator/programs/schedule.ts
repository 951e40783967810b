import type { Schedule } from '../../programs/document/campaign-document.ts';
import type { Random } from '../random.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Where clocks are never put forward or back. */
const ZONES = [
  { name: 'UTC', hours: 0 },
  { name: 'Asia/Tokyo', hours: 9 },
  { name: 'America/Phoenix', hours: -7 },
] as const;

/** When something holds. What is null is not asked. */
export interface PlainSchedule {
  from: Date | null;
  until: Date | null;
  days: (typeof DAYS)[number][] | null;
  /** The first hour, and the one before which it ends; over midnight where that is the smaller one. */
  hours: { from: number; to: number } | null;
  zone: (typeof ZONES)[number];
}

/** Invents one that holds now and then. */
export function inventSchedule(random: Random, now: Date): PlainSchedule {
  // At midnight, as many things are: there the clock of a world often stops.
  const today = Math.floor(now.getTime() / DAY_MS);
  const day = (low: number, high: number): Date => new Date((today + random.between(low, high)) * DAY_MS);
  const from = random.below(24);
  return {
    from: random.chance(0.5) ? day(-20, 10) : null,
    until: random.chance(0.5) ? day(11, 60) : null,
    days: random.chance(0.4) ? DAYS.filter((_, index) => index === 0 || random.chance(0.5)) : null,
    hours: random.chance(0.5) ? { from, to: (from + random.between(6, 20)) % 24 } : null,
    zone: random.pick(ZONES),
  };
}

/** Whether it holds at the instant. */
export function holdsAt({ from, until, days, hours, zone }: PlainSchedule, at: number): boolean {
  if (from && at < from.getTime()) return false;
  if (until && at >= until.getTime()) return false;
  const onTheWall = new Date(at + zone.hours * HOUR_MS);
  const hour = onTheWall.getUTCHours();
  let day = onTheWall.getUTCDay();
  if (hours && hours.from < hours.to && (hour < hours.from || hour >= hours.to)) return false;
  if (hours && hours.from > hours.to) {
    if (hour >= hours.to && hour < hours.from) return false;
    // After midnight it is still the night of the day before.
    if (hour < hours.to) day = (day + 6) % 7;
  }
  return days === null || days.includes(DAYS[day] as (typeof DAYS)[number]);
}

/** The same as a document says it; nothing where nothing is asked. */
export function scheduleOf(schedule: PlainSchedule | null): { schedule?: Schedule } {
  if (!schedule) return {};
  const { from, until, days, hours, zone } = schedule;
  return {
    schedule: {
      timeZone: zone.name,
      ...(from ? { from: from.toISOString() } : {}),
      ...(until ? { until: until.toISOString() } : {}),
      ...(days ? { daysOfWeek: days } : {}),
      ...(hours ? { hours } : {}),
    },
  };
}
