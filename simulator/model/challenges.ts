import type { PlainChallenge, PlainEventDefinition } from '../programs/engagement.ts';
import type { PlainProgram } from '../programs/program.ts';
import { historyOf, isOpenTo } from './campaigns.ts';
import { grant } from './choices.ts';
import { firstDay } from './counters.ts';
import { earn, pendingUntil, tellOfAward } from './earning.ts';
import { settledBalance, storeBalance } from './ledger.ts';
import { type Model, nameOf } from './model.ts';
import type { ModelProfile } from './profile.ts';
import type { ModelProgress } from './progress.ts';
import { standingNow } from './standing.ts';
import { inARowNow, streakAfter } from './streaks.ts';

const DAY_MS = 86_400_000;
const MOST_AT_ONCE = 20;
const LATEST_DAYS = 400;

export type Attributes = Record<string, unknown>;

export interface EventAward {
  programId: string;
  challengeId: string;
  points: number;
  choiceSetId: string | null;
}

interface CustomEvent {
  externalCustomerId: string;
  sourceReference: string;
  type: string;
  attributes: Attributes;
  occurredAt: number;
  now: Date;
}

/** Whether the attributes are valid for the event definition. */
export function isValidFor({ asks }: PlainEventDefinition, attributes: Attributes): boolean {
  if (!asks) return true;
  const value = attributes[asks.attribute];
  if (value === undefined) return !asks.required;
  if (typeof value !== 'number' || (asks.whole && !Number.isInteger(value))) return false;
  return value >= asks.low && value <= asks.high;
}

/** Counts an event toward a member's challenges in one program, and returns an award for each completion. */
export function advance(model: Model, program: PlainProgram, event: CustomEvent): EventAward[] {
  const { externalCustomerId, now } = event;
  const name = nameOf(program.id, externalCustomerId);
  const awards: EventAward[] = [];
  for (const challenge of program.challenges) {
    if (!countsFor(model, program, challenge, name, event)) continue;
    const key = `${name} ${challenge.id}`;
    const windows = model.progress.get(key) ?? [];
    const progress = windowOf(challenge, windows, event);
    // A challenge that is not repeatable stops counting once it is completed.
    if (!progress || (!challenge.repeatable && progress.completions > 0)) continue;
    const worth = worthOf(challenge, event.attributes);
    const { after, times } = challenge.streak
      ? streakAfter(
          challenge.streak,
          progress,
          { ...event, worth, fullWorth: wholeOf(challenge) },
          program.timeZone,
        )
      : reachedAfter(challenge, progress, worth);
    model.progress.set(key, [
      ...windows.filter((each) => each !== progress),
      { ...after, completions: after.completions + times, asks: asksOf(challenge) },
    ]);
    for (let time = 1; time <= times; time++) {
      const window = after.start === 0 ? '' : `@${new Date(after.start).toISOString()}`;
      const milestone = `challenge:${challenge.id}#${after.completions + time}${window}`;
      awards.push(complete(model, program, challenge, event, milestone));
    }
  }
  const giving = awards.filter((award) => award.points > 0);
  if (giving.length > 0) {
    const profile = model.profiles.get(name);
    if (!profile) throw new Error(`the model has no profile ${name}`);
    const balance = settledBalance(profile, now);
    const lots = giving.map((award) =>
      earn(balance, program, {
        order: null,
        points: award.points,
        occurredAt: event.occurredAt,
        at: now.getTime(),
      }),
    );
    storeBalance(model, name, balance);
    const occurredAt = new Date(event.occurredAt).toISOString();
    for (const [index, { challengeId, points }] of giving.entries()) {
      const { sourceReference } = event;
      const activatesAt = pendingUntil(balance, lots[index] ?? null);
      const told = { occurredAt, sourceReference, points, challengeId, activatesAt };
      tellOfAward(model, name, 'challenge.awarded', told);
    }
  }
  return awards;
}

function countsFor(
  model: Model,
  program: PlainProgram,
  challenge: PlainChallenge,
  name: string,
  { type, attributes, occurredAt, now }: CustomEvent,
): boolean {
  if (challenge.eventType !== type) return false;
  const profile = model.profiles.get(name);
  if (!profile) return false;
  const { tier } = standingNow(program, profile, now);
  const { least, tiers } = challenge;
  if (tiers && !tiers.includes(tier)) return false;
  if (least) {
    const value = attributes[least.attribute];
    if (typeof value !== 'number' || value < least.value) return false;
  }
  const member = historyOf(model, name.slice(program.id.length + 1), profile);
  return (
    isOpenTo(program, challenge.id, { at: occurredAt, tier, member }) && worthOf(challenge, attributes) > 0
  );
}

/** What the event adds to the goal: one for a count; for a sum, the attribute in thousandths. */
function worthOf({ goal }: PlainChallenge, attributes: Attributes): number {
  if ('count' in goal) return 1;
  const value = attributes[goal.sumOf];
  return typeof value === 'number' && value > 0 ? Math.round(Number(value.toFixed(3)) * 1000) : 0;
}

/** Where a member stands in a challenge. */
export interface ModelStanding {
  challengeId: string;
  open: boolean;
  reached: number;
  goal: number;
  completions: number;
}

/** Where a member stands in the challenges of a program. @param profile as it is now */
export function standingsIn(
  model: Model,
  program: PlainProgram,
  externalCustomerId: string,
  profile: Pick<ModelProfile, 'tier' | 'purchases' | 'spentMinor'>,
  now: Date,
): ModelStanding[] {
  const name = nameOf(program.id, externalCustomerId);
  const member = historyOf(model, externalCustomerId, profile);
  const facts = { at: now.getTime(), tier: profile.tier, member };
  return program.challenges.map((challenge) => {
    const windows = model.progress.get(`${name} ${challenge.id}`) ?? [];
    const progress = presentIn(challenge, windows, now.getTime());
    const completions = progress?.completions ?? 0;
    const unit = 'count' in challenge.goal ? 1 : 1000;
    const fullWorth = wholeOf(challenge);
    const goal = challenge.streak ? challenge.streak.windows : fullWorth / unit;
    let reached = 0;
    if (completions > 0 && !challenge.repeatable) reached = goal;
    else if (progress && challenge.streak) {
      reached = inARowNow(challenge.streak, progress, { fullWorth, now }, program.timeZone);
    } else if (progress?.fullWorth === fullWorth) {
      reached = Math.min(fullWorth, progress.reached - completions * fullWorth) / unit;
    }
    return {
      challengeId: challenge.id,
      open: isOpenTo(program, challenge.id, facts),
      reached,
      goal,
      completions,
    };
  });
}

/** The progress of the window that contains an instant. */
function presentIn({ window, streak }: PlainChallenge, windows: readonly ModelProgress[], at: number) {
  if (streak || !window) return windows.find(({ start }) => start === 0);
  if ('period' in window)
    return windows.find(({ start }) => start === Date.parse(firstDay(window.period, at)));
  const openWindows = windows.filter(
    ({ start }) => start > 0 && start <= at && at < start + window.days * DAY_MS,
  );
  return openWindows.sort((a, b) => b.start - a.start)[0];
}

/** The progress in the window that the event counts in; null where the event is too old to count. */
function windowOf(
  challenge: PlainChallenge,
  windows: readonly ModelProgress[],
  { occurredAt, now }: CustomEvent,
): ModelProgress | null {
  const { window, streak } = challenge;
  const fresh = (start: number): ModelProgress => {
    return (
      windows.find((each) => each.start === start) ?? {
        ...{ start, reached: 0, completions: 0, fullWorth: wholeOf(challenge), asks: '', streak: null },
      }
    );
  };
  if (!window && !streak) return fresh(0);
  if (now.getTime() - occurredAt > LATEST_DAYS * DAY_MS) return null;
  if (!window) return fresh(0);
  if ('period' in window) return fresh(Date.parse(firstDay(window.period, occurredAt)));
  const length = window.days * DAY_MS;
  // The windows of two accounts that were merged may overlap: the nearest one counts.
  const nearest = windows.toSorted((a, b) => Math.abs(a.start - occurredAt) - Math.abs(b.start - occurredAt));
  const containing = nearest.find(({ start }) => start <= occurredAt && occurredAt < start + length);
  // An event before a known window counts in that window where a window of its own would overlap it.
  const next = nearest.find(({ start }) => occurredAt < start && start < occurredAt + length);
  return containing ?? next ?? fresh(occurredAt);
}

function asksOf({ goal, window, streak }: PlainChallenge): string {
  return JSON.stringify([goal, window, streak]);
}

/** The goal in the unit that progress is counted in: events, or thousandths of the sum. */
function wholeOf({ goal }: PlainChallenge): number {
  return 'count' in goal ? goal.count : goal.reach * 1000;
}

/** Progress after an event of a challenge that is no streak, before completions are counted; and how many there are. */
function reachedAfter(challenge: PlainChallenge, progress: ModelProgress, worth: number) {
  const after = counted(challenge, progress, worth);
  return { after, times: timesReached(challenge, after) };
}

/**
 * Progress after the event, before completions are counted. Where the goal has changed since, only the completions are
 * carried over, at the new goal.
 */
function counted(challenge: PlainChallenge, progress: ModelProgress, worth: number): ModelProgress {
  const fullWorth = wholeOf(challenge);
  const before = progress.fullWorth === fullWorth ? progress.reached : progress.completions * fullWorth;
  return { ...progress, reached: before + worth, fullWorth };
}

/** How many new completions the progress makes. */
function timesReached(
  { repeatable }: PlainChallenge,
  { reached, fullWorth, completions }: ModelProgress,
): number {
  const fits = Math.floor(reached / fullWorth);
  const due = (repeatable ? fits : Math.min(fits, 1)) - completions;
  return Math.min(Math.max(due, 0), MOST_AT_ONCE);
}

function complete(
  model: Model,
  program: PlainProgram,
  { id, points, choiceSetId }: PlainChallenge,
  { externalCustomerId, now }: CustomEvent,
  milestone: string,
): EventAward {
  const set = program.choiceSets.find((each) => each.id === choiceSetId);
  if (set) {
    const granted = { programId: program.id, milestone, now: now.getTime() };
    grant(model, externalCustomerId, set, granted);
  }
  return { programId: program.id, challengeId: id, points: points ?? 0, choiceSetId };
}
