import type { ProgramDocument, Tier } from '../programs/document/program-document.ts';
import { tierFor } from './shared/tiers.ts';

/** A member's tier in a program, and the qualification points that it rests on. */
export interface Standing {
  /** Tier id. */
  tier: string;
  /** Points counted in the current window, in the smallest loyalty unit. */
  qualificationPoints: number;
  /**
   * Of a calendar-year window, the start of the year; of a rolling window, the UTC day of enrollment or of the last
   * fall to a lower tier; null for the lifetime.
   */
  qualificationSince: Date | null;
  /** The points of each UTC day (`2026-03-15`) in a rolling window, ascending; null for every other window. */
  qualificationDays: Readonly<Record<string, number>> | null;
  /** The next instant at which points leave the window or the tier may fall; null where there is none. */
  requalifyAt: Date | null;
}

/** Qualification points that a purchase has earned. */
export interface Qualifying {
  /** In the smallest loyalty unit. */
  points: number;
  /** The instant that the purchase was evaluated at. */
  at: Date;
}

/** A standing while its re-qualifications are computed. */
type Course = Omit<Standing, 'requalifyAt'>;

const DAY_MS = 86_400_000;

/**
 * The standing of a member who enrolls.
 * @param tier a tier that the member brings along, with the qualification points of its threshold, as if earned at
 *   `at`; the first tier by default
 */
export function initialStanding(
  document: ProgramDocument,
  at: Date,
  { id: tier, threshold: qualificationPoints }: Pick<Tier, 'id' | 'threshold'> = tierFor(document.tiers, 0),
): Standing {
  const course = { tier, qualificationPoints, qualificationDays: null };
  switch (document.qualification.window) {
    case 'lifetime':
      return withRequalifyAt(document, { ...course, qualificationSince: null });
    case 'calendar_year':
      return withRequalifyAt(document, { ...course, qualificationSince: yearOf(at) });
    case 'rolling_12_months': {
      const qualificationDays = withPoints({}, dayOf(at), qualificationPoints);
      return withRequalifyAt(document, { ...course, qualificationSince: dayOf(at), qualificationDays });
    }
  }
}

/**
 * The standing after every re-qualification that was due by `at`, one after the other (docs/guide/programs.md,
 * "Tiers"). They are due at the end of the UTC year, or in a rolling window at the midnight at which a day's points
 * leave it. The new tier is the one that the points reach, or a higher one that the downgrade policy allows. A tier
 * that the document no longer has becomes the one that the points reach. Where the document has changed its window, the
 * points counted so far are carried over.
 */
export function standingAt(document: ProgramDocument, standing: Standing, at: Date): Standing {
  const course = courseAt(document, standing, at);
  const tierExists = document.tiers.some(({ id }) => id === course.tier);
  const tier = tierExists ? course.tier : tierFor(document.tiers, course.qualificationPoints).id;
  return withRequalifyAt(document, { ...course, tier });
}

/**
 * The standing as if the window had ended at `at`, though its points go on counting: the result of a manual
 * re-qualification after thresholds have changed. A tier rises to the one that the points reach, and falls to it under
 * `to_reached`. In two cases a fall still waits for the end of the window: under `one_tier`, so that a second run does
 * not take a second step; and with a calendar year, where a tier reached in the year before is kept for the whole year.
 */
export function requalifiedAt(document: ProgramDocument, standing: Standing, at: Date): Standing {
  const due = standingAt(document, standing, at);
  const tier = requalified(document, due.tier, due.qualificationPoints);
  const falls = rankOf(document, tier) < rankOf(document, due.tier);
  const { window, downgrade } = document.qualification;
  if (falls && (downgrade === 'one_tier' || window === 'calendar_year')) return due;
  const since = falls && due.qualificationDays ? dayOf(at) : due.qualificationSince;
  return withRequalifyAt(document, { ...due, tier, qualificationSince: since });
}

/**
 * The standing after points were earned: a tier rises at once and never falls here.
 * @param standing as `standingAt` gives it for `now`
 * @param earned its points do not count where its instant lies before the current window; the sum is capped at 2^53-1
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
  return withRequalifyAt(document, {
    tier,
    qualificationPoints,
    qualificationSince,
    qualificationDays: days,
  });
}

/**
 * The standing of a member that takes over the account of another one, its own. The qualification points of both count
 * together, day by day in a rolling window. The tier is the highest of the two tiers and the one that the points reach,
 * and it is kept as long as the one of them that began later would have been.
 */
export function joinedStanding(
  document: ProgramDocument,
  target: Standing,
  source: Standing,
  at: Date,
): Standing {
  const [one, other] = [standingAt(document, target, at), standingAt(document, source, at)];
  let days = one.qualificationDays;
  for (const [day, points] of Object.entries((days && other.qualificationDays) ?? {})) {
    days = withPoints(days ?? {}, dayNamed(day), points);
  }
  const qualificationPoints = days ? sumOf(days) : safe(one.qualificationPoints + other.qualificationPoints);
  const tiers = [tierFor(document.tiers, qualificationPoints).id, one.tier, other.tier];
  const tier = tiers.reduce((best, id) => (rankOf(document, id) > rankOf(document, best) ? id : best));
  const [a, b] = [one.qualificationSince, other.qualificationSince];
  return withRequalifyAt(document, {
    tier,
    qualificationPoints,
    qualificationSince: a && b && b > a ? b : a,
    qualificationDays: days,
  });
}

/** What an account that is given back had brought to the standing of the member that had taken it over. */
export interface MergedStandings {
  /** The member's own standing before; null where it had none. */
  target: Standing | null;
  /** The other account's standing, at the time at which it was taken over. */
  source: Standing;
  /** The member's standing right after that. */
  afterMerge: Standing;
}

/**
 * The standing of a member that gives back an account that it had taken over. The points that the account had brought
 * no longer count. The tier is the one that the points left reach, or the one that the member would have without the
 * account, whichever is higher.
 * @returns null where the program counts points in another kind of window than at that time: then nobody can say which
 *   are left
 */
export function separatedStanding(
  document: ProgramDocument,
  standing: Standing,
  { target, source, afterMerge }: MergedStandings,
  at: Date,
): Standing | null {
  const joined = standingAt(document, standing, at);
  if (windowOf(joined) !== windowOf(afterMerge)) return null;
  const { qualificationSince } = joined;
  const days = joined.qualificationDays && withoutDays(joined.qualificationDays, source.qualificationDays);
  // The points of a year that is over do not count any more in any case.
  const stillCounts = qualificationSince?.getTime() === afterMerge.qualificationSince?.getTime();
  const sourcePoints = stillCounts ? Math.min(source.qualificationPoints, joined.qualificationPoints) : 0;
  const qualificationPoints = days ? sumOf(days) : joined.qualificationPoints - sourcePoints;
  const reached = tierFor(document.tiers, qualificationPoints).id;
  const without = target ? standingAt(document, target, at).tier : reached;
  const tier = rankOf(document, without) > rankOf(document, reached) ? without : reached;
  return withRequalifyAt(document, {
    tier,
    qualificationPoints,
    qualificationSince,
    qualificationDays: days,
  });
}

/** The kind of window that a standing is counted in. */
function windowOf({ qualificationSince, qualificationDays }: Standing): string {
  if (qualificationDays) return 'rolling_12_months';
  return qualificationSince ? 'calendar_year' : 'lifetime';
}

function withoutDays(
  days: Readonly<Record<string, number>>,
  sourceDays: Readonly<Record<string, number>> | null,
): Readonly<Record<string, number>> {
  const remaining = Object.entries(days).map(
    ([day, points]) => [day, points - (sourceDays?.[day] ?? 0)] as const,
  );
  return Object.fromEntries(remaining.filter(([, points]) => points > 0));
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
    // The window was a rolling one before: the points of this year's days are carried over.
    qualificationSince = yearOf(at);
    const from = keyOf(qualificationSince);
    const ofThisYear = Object.entries(standing.qualificationDays).filter(([day]) => day >= from);
    qualificationPoints = sumOf(Object.fromEntries(ofThisYear));
  } else if (qualificationSince === null) {
    // The window was the lifetime before: all points counted so far are carried over to this year.
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

/** Points that another window has counted, as if earned today, or on the last day of its year if that is over. */
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

/** Adds the instant of the next re-qualification; null where that would change nothing. */
function withRequalifyAt(document: ProgramDocument, course: Course): Standing {
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

/** When the oldest day leaves a rolling window, or a further step down is due, whichever is earlier. */
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

/** The midnight at which a day leaves the last twelve months; 29 February leaves at the start of 1 March. */
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
  // Nearly always the points are of today, which is already the last day.
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
