import type { ProgramDocument } from '../programs/document/program-document.ts';
import { tierFor } from './shared/tiers.ts';

/** Where a member stands in a program's tiers. */
export interface Standing {
  /** Tier id. */
  tier: string;
  /** Points counted in the present window, in the smallest loyalty unit. */
  qualificationPoints: number;
  /**
   * Start of the present year where the window is the calendar year; where it is rolling, the UTC day of enrollment or
   * of the last fall; null where it is the lifetime.
   */
  qualificationSince: Date | null;
  /** The points by UTC day (`2026-03-15`), ascending, of the days in a rolling window; null for every other window. */
  qualificationDays: Readonly<Record<string, number>> | null;
  /** When points next leave the window, or the tier may fall next; null where nothing is to come. */
  requalifyAt: Date | null;
}

/** Qualification points that a purchase has earned. */
export interface Qualifying {
  /** In the smallest loyalty unit. */
  points: number;
  /** The instant that the purchase was evaluated at. */
  at: Date;
}

/** What qualification comes down to while time goes by. */
type Course = Omit<Standing, 'requalifyAt'>;

const DAY_MS = 86_400_000;

/** The standing of a member who enrolls. */
export function initialStanding(document: ProgramDocument, at: Date): Standing {
  const tier = tierFor(document.tiers, 0).id;
  const course = { tier, qualificationPoints: 0 };
  switch (document.qualification.window) {
    case 'lifetime':
      return { ...course, qualificationSince: null, qualificationDays: null, requalifyAt: null };
    case 'calendar_year':
      return { ...course, qualificationSince: yearOf(at), qualificationDays: null, requalifyAt: null };
    case 'rolling_12_months':
      return { ...course, qualificationSince: dayOf(at), qualificationDays: {}, requalifyAt: null };
  }
}

/**
 * The standing with every re-qualification that was due by `at`, one after the other (docs/programs.md, "Tiers"): at the
 * turn of the UTC year, or where the window is rolling at the midnight at which a day's points leave it. The tier is
 * then what the points reach, or what the downgrade policy leaves of the difference. A tier that the document no longer
 * has becomes the one that the points reach. A window that the document has changed goes on from what was counted.
 */
export function standingAt(document: ProgramDocument, standing: Standing, at: Date): Standing {
  const course = courseAt(document, standing, at);
  const known = document.tiers.some(({ id }) => id === course.tier);
  const tier = known ? course.tier : tierFor(document.tiers, course.qualificationPoints).id;
  return foreseen(document, { ...course, tier });
}

/**
 * The standing as if a window had ended at `at`, whose points go on counting: what a re-qualification by hand makes of
 * new thresholds. A tier rises to the one that the points reach, and falls to it under `to_reached`. Two falls wait for
 * their window all the same: under `one_tier`, so that a second run takes no second step, and of a calendar year, whose
 * tiers rest on the points of the year before until it has ended.
 */
export function requalifiedAt(document: ProgramDocument, standing: Standing, at: Date): Standing {
  const due = standingAt(document, standing, at);
  const tier = requalified(document, due.tier, due.qualificationPoints);
  const falls = rankOf(document, tier) < rankOf(document, due.tier);
  const { window, downgrade } = document.qualification;
  if (falls && (downgrade === 'one_tier' || window === 'calendar_year')) return due;
  const since = falls && due.qualificationDays ? dayOf(at) : due.qualificationSince;
  return foreseen(document, { ...due, tier, qualificationSince: since });
}

/**
 * The standing after points were earned: a tier rises at once and never falls here.
 * @param standing as `standingAt` gives it for `now`
 * @param earned points of a day or a year that is over do not count in the present window; the sum stays at 2^53-1 once
 *   it gets there
 */
export function standingAfter(
  document: ProgramDocument,
  standing: Standing,
  earned: Qualifying,
  now: Date,
): Standing {
  const { qualificationSince, qualificationDays } = standing;
  let { qualificationPoints, qualificationDays: days } = standing;
  if (qualificationDays) {
    const day = dayOf(earned.at);
    if (leavesAt(day) <= now) return standing;
    days = withPoints(qualificationDays, day, earned.points);
    qualificationPoints = sumOf(days);
  } else {
    if (qualificationSince !== null && earned.at < qualificationSince) return standing;
    qualificationPoints = safe(qualificationPoints + earned.points);
  }
  const { tiers } = document;
  const reached = tierFor(tiers, qualificationPoints);
  const rises = tiers.indexOf(reached) > rankOf(document, standing.tier);
  const tier = rises ? reached.id : standing.tier;
  return foreseen(document, { tier, qualificationPoints, qualificationSince, qualificationDays: days });
}

function courseAt(document: ProgramDocument, standing: Standing, at: Date): Course {
  const { tier, qualificationPoints } = standing;
  switch (document.qualification.window) {
    case 'lifetime':
      return { tier, qualificationPoints, qualificationSince: null, qualificationDays: null };
    case 'calendar_year':
      return throughYears(document, standing, at);
    case 'rolling_12_months':
      return throughDays(document, standing, at);
  }
}

function throughYears(document: ProgramDocument, standing: Standing, at: Date): Course {
  let { tier, qualificationPoints, qualificationSince } = standing;
  if (standing.qualificationDays) {
    // The window was a rolling one before: what was earned in this year stands.
    qualificationSince = yearOf(at);
    const from = keyOf(qualificationSince);
    const ofThisYear = Object.entries(standing.qualificationDays).filter(([day]) => day >= from);
    qualificationPoints = sumOf(Object.fromEntries(ofThisYear));
  } else if (qualificationSince === null) {
    // It was the lifetime before: what was counted stands for the year that begins.
    qualificationSince = yearOf(at);
  } else {
    for (let end = nextYear(qualificationSince); end <= at; end = nextYear(end)) {
      tier = requalified(document, tier, qualificationPoints);
      qualificationPoints = 0;
      qualificationSince = end;
    }
  }
  return { tier, qualificationPoints, qualificationSince, qualificationDays: null };
}

function throughDays(document: ProgramDocument, standing: Standing, at: Date): Course {
  let { tier } = standing;
  let since = standing.qualificationSince ?? dayOf(at);
  let days = standing.qualificationDays ?? daysBefore(standing, at);
  for (let next = nextRequalification(document, tier, since, days); next; ) {
    if (next > at) break;
    days = daysThat(days, (day) => leavesAt(day) > (next as Date));
    const then = requalified(document, tier, sumOf(days));
    const falls = rankOf(document, then) < rankOf(document, tier);
    const tooSoon = falls && document.qualification.downgrade === 'one_tier' && next < leavesAt(since);
    if (!tooSoon) tier = then;
    if (falls && !tooSoon) since = next;
    next = nextRequalification(document, tier, since, days);
  }
  return {
    tier,
    qualificationPoints: sumOf(days),
    qualificationSince: since,
    qualificationDays: days,
  };
}

/** What another window has counted counts as earned today, or on the last day of its year where that is over. */
function daysBefore({ qualificationPoints, qualificationSince }: Standing, at: Date): Record<string, number> {
  const today = dayOf(at);
  const lastOfYear = qualificationSince && new Date(nextYear(qualificationSince).getTime() - DAY_MS);
  const day = lastOfYear && lastOfYear < today ? lastOfYear : today;
  return withPoints({}, day, qualificationPoints);
}

/** The tier after a re-qualification with these points. */
function requalified({ tiers, qualification }: ProgramDocument, tier: string, points: number): string {
  const reached = tierFor(tiers, points);
  const from = rankOf({ tiers }, tier);
  if (tiers.indexOf(reached) >= from) return reached.id;
  switch (qualification.downgrade ?? 'to_reached') {
    case 'to_reached':
      return reached.id;
    case 'one_tier':
      return tiers[from - 1]?.id ?? reached.id;
    case 'never':
      return tier;
  }
}

/** -1 for a tier that the document does not have. */
function rankOf({ tiers }: Pick<ProgramDocument, 'tiers'>, tier: string): number {
  return tiers.findIndex(({ id }) => id === tier);
}

/** With the instant of the next re-qualification; null where it would change nothing. */
function foreseen(document: ProgramDocument, course: Course): Standing {
  const { tier, qualificationPoints, qualificationSince, qualificationDays } = course;
  let requalifyAt: Date | null = null;
  if (qualificationSince && qualificationDays) {
    requalifyAt = nextRequalification(document, tier, qualificationSince, qualificationDays);
  } else if (qualificationSince) {
    const stays = qualificationPoints === 0 && requalified(document, tier, 0) === tier;
    requalifyAt = stays ? null : nextYear(qualificationSince);
  }
  return { tier, qualificationPoints, qualificationSince, qualificationDays, requalifyAt };
}

/** When the first day leaves a rolling window, or a further step down is due; whichever comes first. */
function nextRequalification(
  document: ProgramDocument,
  tier: string,
  since: Date,
  days: Readonly<Record<string, number>>,
): Date | null {
  const [first] = Object.keys(days);
  const leaves = first === undefined ? null : leavesAt(dayNamed(first));
  const stepsDown =
    document.qualification.downgrade === 'one_tier' &&
    rankOf(document, requalified(document, tier, sumOf(days))) < rankOf(document, tier);
  const step = stepsDown ? leavesAt(since) : null;
  return leaves && step && step < leaves ? step : (leaves ?? step);
}

/** The midnight at which a day is no longer one of the last twelve months; a leap day counts to the end of February. */
function leavesAt(day: Date): Date {
  return new Date(Date.UTC(day.getUTCFullYear() + 1, day.getUTCMonth(), day.getUTCDate()));
}

function withPoints(
  days: Readonly<Record<string, number>>,
  day: Date,
  points: number,
): Record<string, number> {
  if (points === 0) return days;
  const key = keyOf(day);
  const all = { ...days, [key]: safe((days[key] ?? 0) + points) };
  const last = Object.keys(days).at(-1);
  // As good as always: it is today's.
  if (last === undefined || key >= last || key in days) return all;
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function daysThat(
  days: Readonly<Record<string, number>>,
  keep: (day: Date) => boolean,
): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(days).filter(([day]) => keep(dayNamed(day))));
}

function sumOf(days: Readonly<Record<string, number>>): number {
  return Object.values(days).reduce((sum, points) => safe(sum + points), 0);
}

function safe(points: number): number {
  return Math.min(points, Number.MAX_SAFE_INTEGER);
}

function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

function keyOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function dayNamed(key: string): Date {
  return new Date(`${key}T00:00:00Z`);
}

function yearOf(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), 0, 1));
}

function nextYear(since: Date): Date {
  return new Date(Date.UTC(since.getUTCFullYear() + 1, 0, 1));
}
