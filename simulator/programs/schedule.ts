import type { Schedule } from '../../src/programs/document/campaign-document.ts';
import type { Random } from '../random.ts';

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const DAY_MS = 86_400_000;
/** Time zones without daylight saving time. */
const ZONES = ['UTC', 'Asia/Tokyo', 'America/Phoenix'] as const;

/** When something is in effect. A criterion that is null does not apply. */
export interface PlainSchedule {
  from: Date | null;
  until: Date | null;
  days: (typeof DAYS)[number][] | null;
  /** From the first hour to before the second one; over midnight where the second is smaller. */
  hours: { from: number; to: number } | null;
  /** IANA name. */
  zone: (typeof ZONES)[number];
}

/** Invents a schedule that is in effect at some times around `now`. */
export function inventSchedule(random: Random, now: Date): PlainSchedule {
  // Limits at midnight, where other things are due as well: the simulator stops the clock around them.
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

/** The schedule in the form of a program document; no field for null. */
export function scheduleOf(schedule: PlainSchedule | null): { schedule?: Schedule } {
  if (!schedule) return {};
  const { from, until, days, hours, zone } = schedule;
  return {
    schedule: {
      timeZone: zone,
      ...(from ? { from: from.toISOString() } : {}),
      ...(until ? { until: until.toISOString() } : {}),
      ...(days ? { daysOfWeek: days } : {}),
      ...(hours ? { hours } : {}),
    },
  };
}
