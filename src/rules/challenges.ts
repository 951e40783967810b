import type { Challenge, Streak } from '../programs/document/engagement-document.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { limitPeriodEnd, limitPeriodStart } from './calendar/limit-period.ts';
import { type CompiledSchedule, compileSchedule } from './calendar/schedule.ts';
import { compileProgram } from './compiled/compiled-program.ts';
import { compileTargets } from './conditions/audiences.ts';
import { type EvaluationFacts, factsOf } from './conditions/evaluation-facts.ts';
import { compileMatch } from './conditions/match.ts';
import type { AudienceFacts } from './conditions/member-facts.ts';
import { extendStreak, runInProgress, type StreakWindows } from './streaks.ts';

/** Most completions of one challenge by one event. Completions beyond it follow at the next event. */
export const MAX_COMPLETIONS = 20;

/** Events at least so many days old count only for challenges that have neither a window nor a streak. */
export const EVENT_LIFE_DAYS = 400;

const DAY_MS = 86_400_000;
const LIFETIME = new Date(0);

/** The parts of an engagement event that challenges read. */
export interface EngagementEvent {
  type: string;
  occurredAt: Date;
  attributes: Readonly<Record<string, unknown>> | null;
}

/** A member's progress in one window of a challenge; in all windows of a streak together. */
export interface WindowProgress {
  /** The start of 1970 for a challenge without a window, and for a streak. */
  windowStart: Date;
  /**
   * The count of events, or the sum of the attribute in thousandths; capped at 2^53-1. Of a streak, how many windows
   * are filled of the run in progress.
   */
  reached: number;
  completions: number;
  /**
   * The goal that `reached` was counted for, as `goalOf` writes it; null where unknown: then the goal of now is taken.
   */
  goal: string | null;
  /** What was reached in each window of a streak; null for other challenges. */
  streak: StreakWindows | null;
}

/** The progress of a challenge that an event counts for. */
export interface Advance {
  challenge: Challenge;
  progress: WindowProgress;
  /** The numbers of the completions that the event brings about; they count from 1 in each window. */
  completed: readonly number[];
}

interface CompiledChallenge {
  challenge: Challenge;
  whyClosed: CompiledSchedule;
  whyNotTarget: (facts: EvaluationFacts) => string | null;
  whyNotMatch: (facts: EvaluationFacts) => string | null;
}

const compiled = new WeakMap<ProgramDocument, ReadonlyMap<string, CompiledChallenge[]>>();

/**
 * Advances the challenges of a program by an event. Pure. An event counts in the window that contains the instant at
 * which it happened, however late it arrives. Schedules and `time.*` conditions are evaluated at that instant too; the
 * member's profile is the current one.
 * @param progressOf the member's windows in a challenge, in any order
 * @param now events that happened 400 days or more before it count for no window
 * @returns an entry for each challenge that the event counts for, in the document's order
 */
export function advanceChallenges(
  document: ProgramDocument,
  event: EngagementEvent,
  audienceFacts: AudienceFacts,
  progressOf: (challengeId: string) => readonly WindowProgress[],
  now: Date,
): Advance[] {
  const candidates = challengesOf(document).get(event.type);
  if (!candidates) return [];
  const { attributes, occurredAt } = event;
  const { clock } = compileProgram(document);
  const facts = factsOf({ ...audienceFacts, attributes }, document.currency, clock, occurredAt);
  return candidates.flatMap(({ challenge, whyClosed, whyNotTarget, whyNotMatch }) => {
    if ((whyClosed(occurredAt) ?? whyNotTarget(facts) ?? whyNotMatch(facts)) !== null) return [];
    const amount = amountOf(challenge, attributes);
    const before = amount > 0 ? windowAt(challenge, occurredAt, progressOf(challenge.id), now) : null;
    const { repeatable = false, streak } = challenge;
    if (!before || (!repeatable && before.completions > 0)) return [];
    if (!streak) return [advanceBy(challenge, before, amount)];
    const advance = advanceStreak(challenge, streak, before, { amount, date: clock(occurredAt).date, now });
    return advance ? [advance] : [];
  });
}

/** Where a member stands in a challenge. */
export interface ChallengeStanding {
  challenge: Challenge;
  /** Whether events of now count: the challenge is in effect, and for this member. */
  open: boolean;
  /**
   * What counts toward the next completion, in the unit of `goal`; the goal itself where it cannot be completed again.
   */
  reached: number;
  /** A number of events, a sum of an attribute, or of a streak the number of windows in a row. */
  goal: number;
  /** In the present window. */
  completions: number;
  /** Null without a window, for a streak, and for a window of days that has not begun. */
  windowStart: Date | null;
  windowEnd: Date | null;
}

/**
 * Where a member stands in each challenge of a program, in the document's order. Pure. The progress is that of the
 * window which contains `at`.
 * @param progressOf the member's windows in a challenge, in any order
 */
export function challengesAt(
  document: ProgramDocument,
  audienceFacts: AudienceFacts,
  progressOf: (challengeId: string) => readonly WindowProgress[],
  at: Date,
): ChallengeStanding[] {
  const { clock } = compileProgram(document);
  const facts = factsOf(audienceFacts, document.currency, clock, at);
  const byId = new Map([...challengesOf(document).values()].flat().map((each) => [each.challenge.id, each]));
  return (document.challenges ?? []).map((challenge) => {
    const { whyClosed, whyNotTarget } = byId.get(challenge.id) ?? {};
    const open = (whyClosed?.(at) ?? whyNotTarget?.(facts) ?? null) === null;
    const { progress, ...window } = presentWindow(challenge, at, progressOf(challenge.id));
    const { completions } = progress;
    const goal =
      challenge.streak?.windows ?? ('count' in challenge.goal ? challenge.goal.count : challenge.goal.reach);
    const done = challenge.repeatable !== true && completions > 0;
    const reached = done ? goal : reachedOf(challenge, progress, clock(at).date);
    return { challenge, open, reached: Math.min(goal, reached), goal, completions, ...window };
  });
}

type Window = Pick<ChallengeStanding, 'windowStart' | 'windowEnd'> & { progress: WindowProgress };

/** The window that contains `at`, with its progress. */
function presentWindow({ window, streak }: Challenge, at: Date, windows: readonly WindowProgress[]): Window {
  const none = { windowStart: null, windowEnd: null };
  if (!window || streak) return { progress: startingAt(LIFETIME, windows), ...none };
  if ('period' in window) {
    const windowStart = limitPeriodStart(window.period, at);
    const windowEnd = limitPeriodEnd(window.period, windowStart);
    return { progress: startingAt(windowStart, windows), windowStart, windowEnd };
  }
  const endOf = ({ windowStart }: WindowProgress): Date =>
    new Date(windowStart.getTime() + window.days * DAY_MS);
  // The windows of two members that were merged may overlap: the newest one is shown, in which an event of `at` would
  // count.
  const progress = windows
    .filter((row) => row.windowStart <= at && at < endOf(row))
    .reduce<WindowProgress | null>(
      (newest, row) => (newest && newest.windowStart > row.windowStart ? newest : row),
      null,
    );
  if (!progress) return { progress: fresh(at), ...none };
  return { progress, windowStart: progress.windowStart, windowEnd: endOf(progress) };
}

/** What a progress has toward the next completion. @param date today on the calendar of the program's time zone */
function reachedOf(
  challenge: Challenge,
  { reached, completions, goal, streak }: WindowProgress,
  date: string,
) {
  const target = targetOf(challenge);
  const counts = goal === goalOf(challenge);
  if (challenge.streak) return runInProgress(challenge.streak, counts ? streak : null, date, target);
  // As in `advanceBy`: of what was counted for another goal, only the completions are kept.
  const toward = goal === null || counts ? Math.max(0, reached - completions * target) : 0;
  return 'count' in challenge.goal ? toward : toward / 1000;
}

function challengesOf(document: ProgramDocument): ReadonlyMap<string, CompiledChallenge[]> {
  let byType = compiled.get(document);
  if (!byType) {
    const { audiences } = compileProgram(document);
    byType = Map.groupBy(
      (document.challenges ?? []).map((challenge) => ({
        challenge,
        whyClosed: compileSchedule(challenge.schedule, document.timeZone ?? 'UTC'),
        whyNotTarget: compileTargets(challenge.audiences, audiences),
        whyNotMatch: compileMatch(challenge),
      })),
      ({ challenge }) => challenge.eventType,
    );
    compiled.set(document, byType);
  }
  return byType;
}

/** How much an event counts: 1, or the attribute in thousandths; 0 where that is not a positive number. */
function amountOf({ goal }: Challenge, attributes: EngagementEvent['attributes']): number {
  if ('count' in goal) return 1;
  const value = attributes && Object.hasOwn(attributes, goal.sumOf) ? attributes[goal.sumOf] : null;
  return typeof value === 'number' && value > 0 ? thousandths(value) : 0;
}

function thousandths(value: number): number {
  return Math.min(Math.round(value * 1000), Number.MAX_SAFE_INTEGER);
}

/**
 * The progress that an event counts toward, existing or new. A streak has one for all of its windows. A window of N
 * days begins with its first event. A late event from less than N days before the start of a window counts in that
 * window too. So the starts of two windows are at least N days apart, and no instant counts in two windows, in whatever
 * order events arrive. Those of two members that were merged may overlap: of windows that have begun, the last one
 * counts.
 * @returns null where the event is too old
 */
function windowAt(
  { window, streak }: Challenge,
  at: Date,
  windows: readonly WindowProgress[],
  now: Date,
): WindowProgress | null {
  if (!window && !streak) return startingAt(LIFETIME, windows);
  if (at.getTime() <= now.getTime() - EVENT_LIFE_DAYS * DAY_MS) return null;
  if (!window) return startingAt(LIFETIME, windows);
  if ('period' in window) return startingAt(limitPeriodStart(window.period, at), windows);
  const lengthMs = window.days * DAY_MS;
  const elapsed = ({ windowStart }: WindowProgress): number => at.getTime() - windowStart.getTime();
  const near = windows.filter((row) => Math.abs(elapsed(row)) < lengthMs);
  // A window that contains the event goes before one that begins after it; of each kind, the nearest first.
  near.sort(
    (a, b) => Number(elapsed(a) < 0) - Number(elapsed(b) < 0) || Math.abs(elapsed(a)) - Math.abs(elapsed(b)),
  );
  return near[0] ?? fresh(at);
}

function startingAt(windowStart: Date, windows: readonly WindowProgress[]): WindowProgress {
  return windows.find((row) => row.windowStart.getTime() === windowStart.getTime()) ?? fresh(windowStart);
}

function fresh(windowStart: Date): WindowProgress {
  return { windowStart, reached: 0, completions: 0, goal: null, streak: null };
}

/** @param before of a challenge that is repeatable, or that is not completed */
function advanceBy(challenge: Challenge, before: WindowProgress, amount: number): Advance {
  const { repeatable = false } = challenge;
  const goal = goalOf(challenge);
  const target = targetOf(challenge);
  // Progress counted for another goal cannot be converted: only the completions are kept.
  const start =
    before.goal === null || before.goal === goal ? before.reached : bounded(before.completions * target);
  const reached = bounded(start + amount);
  const due = Math.max(0, Math.floor(reached / target) - before.completions);
  const times = Math.min(due, repeatable ? MAX_COMPLETIONS : 1);
  return {
    challenge,
    progress: {
      windowStart: before.windowStart,
      reached,
      completions: before.completions + times,
      goal,
      streak: null,
    },
    completed: Array.from({ length: times }, (_, index) => before.completions + 1 + index),
  };
}

/** @returns null where the event's window was already filled */
function advanceStreak(
  challenge: Challenge,
  streak: Streak,
  before: WindowProgress,
  { amount, date, now }: { amount: number; date: string; now: Date },
): Advance | null {
  const goal = goalOf(challenge);
  const target = targetOf(challenge);
  // One day more than events live: in no time zone is the calendar so far from that of UTC.
  const settled = new Date(now.getTime() - (EVENT_LIFE_DAYS + 1) * DAY_MS);
  const event = { date, amount, target, settledBefore: settled.toISOString().slice(0, 10) };
  const after = extendStreak(streak, before.goal === goal ? before.streak : null, event);
  if (!after) return null;
  const { windowStart } = before;
  const completions = before.completions + (after.completed ? 1 : 0);
  return {
    challenge,
    progress: { windowStart, reached: after.inARow, completions, goal, streak: after.windows },
    completed: after.completed ? [completions] : [],
  };
}

/**
 * The goal and windows of a challenge as a text, such as `count 3 in month`, `grams 1000 in 30 days` or
 * `count 1 in 4 weeks in a row, 1 forgiven`.
 */
function goalOf({ goal, window, streak }: Challenge): string {
  const what = 'count' in goal ? `count ${goal.count}` : `${goal.sumOf} ${goal.reach}`;
  if (streak) {
    return `${what} in ${streak.windows} ${streak.period}s in a row, ${streak.forgiven ?? 0} forgiven`;
  }
  if (!window) return what;
  return `${what} in ${'period' in window ? window.period : `${window.days} days`}`;
}

function targetOf({ goal }: Challenge): number {
  return 'count' in goal ? goal.count : Math.max(1, thousandths(goal.reach));
}

function bounded(value: number): number {
  return Math.min(value, Number.MAX_SAFE_INTEGER);
}
