import type { PlainProgram } from '../programs/program.ts';
import type { Model } from './model.ts';
import type { ModelProfile } from './profile.ts';

type Standing = Pick<ModelProfile, 'tier' | 'qualificationPoints' | 'countedSince' | 'earned'>;

const DAY_MS = 86_400_000;

/** The highest tier that the points reach. */
export function tierReached(program: PlainProgram, points: number): string {
  let reached = '';
  for (const tier of program.tiers) if (points >= tier.threshold) reached = tier.id;
  return reached;
}

/** Tells of a changed tier. @param name of the profile @param before the tier before */
export function tellOfTier(
  model: Model,
  name: string,
  before: string,
  { tier, qualificationPoints }: Pick<Standing, 'tier' | 'qualificationPoints'>,
): void {
  if (tier === before) return;
  model.tell('tier.changed', name, { previousTier: before, tier, qualificationPoints });
}

/**
 * The standing of a member who enrolls.
 * @param brought the tier that an import says, as if its threshold was earned today
 */
export function firstStanding(program: PlainProgram, now: Date, brought: string | null): Standing {
  const { countsBy } = program;
  const today = midnight(now.getTime());
  const tier = program.tiers.find(({ id }) => id === brought) ?? program.tiers[0];
  const points = tier?.threshold ?? 0;
  return {
    tier: tier?.id ?? '',
    qualificationPoints: points,
    countedSince: countsBy === 'lifetime' ? null : countsBy === 'calendar_year' ? newYear(now) : today,
    earned: countsBy === 'rolling_12_months' ? (points > 0 ? [{ day: today, points }] : []) : null,
  };
}

/** The standing at `now`, computed step by step: by year for calendar years, by midnight for rolling 12 months. */
export function standingNow(program: PlainProgram, standing: Standing, now: Date): Standing {
  const then =
    program.countsBy === 'lifetime'
      ? { ...standing, countedSince: null, earned: null }
      : program.countsBy === 'calendar_year'
        ? yearByYear(program, standing, now)
        : midnightByMidnight(program, standing, now);
  const tierExists = program.tiers.some((candidate) => candidate.id === then.tier);
  return tierExists ? then : { ...then, tier: tierReached(program, then.qualificationPoints) };
}

/**
 * The standing after an event has earned qualification points. Events before the qualification window do not count.
 * @param at when the event counts
 */
export function standingWith(
  program: PlainProgram,
  standing: Standing,
  points: number,
  { at, now }: { at: Date; now: Date },
): Standing {
  const { tier, countedSince } = standing;
  let { earned } = standing;
  if (earned) {
    if (goneAt(at.getTime()) <= now.getTime()) return standing;
    if (points > 0) earned = [...earned, { day: midnight(at.getTime()), points }];
  } else if (countedSince !== null && at.getTime() < countedSince) return standing;
  const qualificationPoints = standing.qualificationPoints + points;
  const reached = tierReached(program, qualificationPoints);
  const rises = rank(program, reached) > rank(program, tier);
  return { tier: rises ? reached : tier, qualificationPoints, countedSince, earned };
}

/** The first midnight at which the tier is a lower one, where nothing more is earned; null where there is none. */
export function fallsAt(program: PlainProgram, standing: Standing, now: Date): number | null {
  const today = midnight(now.getTime());
  const present = standingNow(program, standing, now);
  // Qualification points last a year, or until the end of the next one; each year may take one tier. A tier whose
  // threshold was lowered rises first, and then takes a year for each step down again.
  const reached = rank(program, tierReached(program, present.qualificationPoints));
  const rises = Math.max(0, reached - rank(program, present.tier));
  const last = rises > 0 ? 370 * (rises + 3) : 370;
  const nights = program.countsBy === 'calendar_year' ? newYears(now) : [];
  for (let night = 1; program.countsBy === 'rolling_12_months' && night <= last; night++) {
    nights.push(today + night * DAY_MS);
  }
  const falls = (night: number): boolean =>
    rank(program, standingNow(program, present, new Date(night)).tier) < rank(program, present.tier);
  return nights.find(falls) ?? null;
}

function newYears(now: Date): number[] {
  return Array.from({ length: 6 }, (_, index) => Date.UTC(now.getUTCFullYear() + 1 + index, 0));
}

function yearByYear(program: PlainProgram, standing: Standing, now: Date): Standing {
  let { tier, qualificationPoints, countedSince } = standing;
  const thisYear = newYear(now);
  if (standing.earned) {
    qualificationPoints = total(standing.earned.filter(({ day }) => day >= thisYear));
    return { tier, qualificationPoints, countedSince: thisYear, earned: null };
  }
  countedSince ??= thisYear;
  while (countedSince < thisYear) {
    tier = stepped(program, tier, qualificationPoints);
    qualificationPoints = 0;
    countedSince = Date.UTC(new Date(countedSince).getUTCFullYear() + 1, 0);
  }
  return { tier, qualificationPoints, countedSince, earned: null };
}

function midnightByMidnight(program: PlainProgram, standing: Standing, now: Date): Standing {
  let { tier } = standing;
  const today = midnight(now.getTime());
  let since = standing.countedSince ?? today;
  let earned = (standing.earned ?? [asIfEarned(standing, today)]).filter(({ points }) => points > 0);
  const first = Math.min(goneAt(since), ...earned.map(({ day }) => goneAt(day)));
  for (let night = first; night <= today; night += DAY_MS) {
    const remainingDays = earned.filter(({ day }) => goneAt(day) > night);
    const somethingWent = remainingDays.length < earned.length;
    earned = remainingDays;
    const then = stepped(program, tier, total(earned));
    const falls = rank(program, then) < rank(program, tier);
    // With `one_tier`, a member keeps each tier for a year, then falls one tier even where no points have gone.
    const mayChange = falls && program.falls === 'one_tier' ? goneAt(since) <= night : somethingWent;
    if (!mayChange) continue;
    tier = then;
    if (falls) since = night;
  }
  return { tier, qualificationPoints: total(earned), countedSince: since, earned };
}

/**
 * The qualification points of another kind of window as points of one day: today, or the last day of the calendar year
 * that they were counted in.
 */
function asIfEarned({ qualificationPoints, countedSince }: Standing, today: number) {
  const year = countedSince === null ? null : new Date(countedSince).getUTCFullYear();
  const lastDay = year === null ? today : Date.UTC(year, 11, 31);
  return { day: Math.min(lastDay, today), points: qualificationPoints };
}

/** The tier after a re-qualification. */
function stepped(program: PlainProgram, tier: string, points: number): string {
  const reached = tierReached(program, points);
  const steps = rank(program, tier) - rank(program, reached);
  if (steps <= 0 || program.falls === 'to_reached') return reached;
  return program.falls === 'never' ? tier : (program.tiers[rank(program, tier) - 1]?.id ?? '');
}

function rank(program: PlainProgram, tier: string): number {
  return program.tiers.findIndex((candidate) => candidate.id === tier);
}

function total(earned: readonly { points: number }[]): number {
  let sum = 0;
  for (const { points } of earned) sum += points;
  return sum;
}

/** The midnight from which points earned at `at` are more than twelve months old. */
export function goneAt(at: number): number {
  const date = new Date(midnight(at));
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.getTime();
}

function midnight(at: number): number {
  return at - (((at % DAY_MS) + DAY_MS) % DAY_MS);
}

function newYear(now: Date): number {
  return Date.UTC(now.getUTCFullYear(), 0);
}
