import type { Challenge } from '../programs/engagement-document.ts';
import type { ProgramDocument } from '../programs/program-document.ts';
import { compileTargets } from './audiences.ts';
import { compileProgram } from './compiled-program.ts';
import { type EvaluationFacts, factsOf } from './evaluation-facts.ts';
import { limitPeriodStart } from './limit-period.ts';
import { compileMatch } from './match.ts';
import type { KnownMember } from './member-facts.ts';
import { type CompiledSchedule, compileSchedule } from './schedule.ts';

/** Completions that one event can bring about in one challenge; what is left over completes it at the next event. */
export const MAX_COMPLETIONS = 20;

/** Windows that began longer ago take no more events. */
export const WINDOW_LIFE_DAYS = 400;

const DAY_MS = 86_400_000;
const LIFETIME = new Date(0);

/** An engagement event, as far as challenges look at it. */
export interface EngagementEvent {
  type: string;
  occurredAt: Date;
  attributes: Readonly<Record<string, unknown>> | null;
}

/** How far a member is in a challenge, in one window. */
export interface WindowProgress {
  /** 1970 for the lifetime. */
  windowStart: Date;
  /** Count; or sum, in thousandths. At most 2^53-1, and there it stays. */
  reached: number;
  completions: number;
}

/** What an event does to a challenge that it counts for. */
export interface Advance {
  challenge: Challenge;
  progress: WindowProgress;
  /** The completions that it brings about, by their number within the window, from 1. */
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
 * Advances the challenges of a program by an event. Pure. An event counts in the window that holds the instant at which
 * it happened, however late it comes; schedule and `time.*` conditions are read at that instant too, the member's
 * profile as it stands.
 * @param progressOf the member's windows in a challenge, in any order
 * @param now windows that began over 400 days before count nothing more
 * @returns one for each challenge that the event counts for, in the document's order
 */
export function advanceChallenges(
  document: ProgramDocument,
  event: EngagementEvent,
  known: KnownMember,
  progressOf: (challengeId: string) => readonly WindowProgress[],
  now: Date,
): Advance[] {
  const candidates = challengesOf(document).get(event.type);
  if (!candidates) return [];
  const { attributes, occurredAt } = event;
  const { clock } = compileProgram(document);
  const facts = factsOf({ ...known, attributes }, document.currency, clock, occurredAt);
  return candidates.flatMap(({ challenge, whyClosed, whyNotTarget, whyNotMatch }) => {
    if ((whyClosed(occurredAt) ?? whyNotTarget(facts) ?? whyNotMatch(facts)) !== null) return [];
    const amount = amountOf(challenge, attributes);
    const before = amount > 0 ? windowAt(challenge, occurredAt, progressOf(challenge.id), now) : null;
    const advance = before && advanceBy(challenge, before, amount);
    return advance ? [advance] : [];
  });
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

/** What an event counts: 1, or the attribute in thousandths. What is no positive number counts nothing. */
function amountOf({ goal }: Challenge, attributes: EngagementEvent['attributes']): number {
  if ('count' in goal) return 1;
  const value = attributes && Object.hasOwn(attributes, goal.sumOf) ? attributes[goal.sumOf] : null;
  return typeof value === 'number' && value > 0 ? thousandths(value) : 0;
}

function thousandths(value: number): number {
  return Math.min(Math.round(value * 1000), Number.MAX_SAFE_INTEGER);
}

/**
 * The window that holds an instant, as it stands or new. A window of days begins with its first event; where two hold
 * the instant, because an earlier event came later, the later one counts.
 * @returns null where it is over for good
 */
function windowAt(
  { window }: Challenge,
  at: Date,
  known: readonly WindowProgress[],
  now: Date,
): WindowProgress | null {
  if (!window) return startingAt(LIFETIME, known);
  if ('period' in window) return whileAlive(startingAt(limitPeriodStart(window.period, at), known), now);
  const holding = known
    .filter(({ windowStart }) => {
      const elapsed = at.getTime() - windowStart.getTime();
      return elapsed >= 0 && elapsed < window.days * DAY_MS;
    })
    .sort((a, b) => b.windowStart.getTime() - a.windowStart.getTime())[0];
  return whileAlive(holding ?? fresh(at), now);
}

function startingAt(windowStart: Date, known: readonly WindowProgress[]): WindowProgress {
  return known.find((row) => row.windowStart.getTime() === windowStart.getTime()) ?? fresh(windowStart);
}

function fresh(windowStart: Date): WindowProgress {
  return { windowStart, reached: 0, completions: 0 };
}

/** Not for the lifetime, which has no end: its start is also that of windows that are long over. */
function whileAlive(progress: WindowProgress, now: Date): WindowProgress | null {
  return progress.windowStart.getTime() > now.getTime() - WINDOW_LIFE_DAYS * DAY_MS ? progress : null;
}

/** @returns null where the challenge is over: completed, and not repeatable. */
function advanceBy(challenge: Challenge, before: WindowProgress, amount: number): Advance | null {
  const { goal, repeatable = false } = challenge;
  if (!repeatable && before.completions > 0) return null;
  const target = 'count' in goal ? goal.count : Math.max(1, thousandths(goal.reach));
  const reached = Math.min(before.reached + amount, Number.MAX_SAFE_INTEGER);
  const due = Math.max(0, Math.floor(reached / target) - before.completions);
  const times = Math.min(due, repeatable ? MAX_COMPLETIONS : 1);
  return {
    challenge,
    progress: { ...before, reached, completions: before.completions + times },
    completed: Array.from({ length: times }, (_, index) => before.completions + 1 + index),
  };
}
