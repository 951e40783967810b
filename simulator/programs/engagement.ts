import type { Random } from '../random.ts';
import { inventAudiences } from './campaigns.ts';
import { inventSchedule, type PlainSchedule } from './schedule.ts';

export interface PlainEventDefinition {
  type: string;
  active: boolean;
  /** The schema of one attribute; null where none is defined. */
  asks: { attribute: string; required: boolean; whole: boolean; low: number; high: number } | null;
}

export type PlainGoal = { count: number } | { sumOf: string; reach: number };

export type PlainWindow = { period: 'day' | 'week' | 'month' | 'year' } | { days: number };

/** So many windows in a row, of the calendar of the program's time zone. */
export interface PlainStreak {
  windows: number;
  period: 'day' | 'week' | 'month';
  forgiven: number;
}

export interface PlainChallenge {
  id: string;
  eventType: string;
  schedule: PlainSchedule | null;
  audiences: string[];
  /** Conditions on the events that count: the minimum of a numeric attribute, and the tiers. Null for no condition. */
  least: { attribute: string; value: number } | null;
  tiers: string[] | null;
  goal: PlainGoal;
  /** Null for the lifetime. */
  window: PlainWindow | null;
  /** Null for a challenge that is no streak. */
  streak: PlainStreak | null;
  repeatable: boolean;
  points: number | null;
  choiceSetId: string | null;
}

export interface PlainChoiceReward {
  id: string;
  inventory: number | null;
  repeatable: boolean;
}

export interface PlainChoiceSet {
  id: string;
  choices: number;
  rewards: PlainChoiceReward[];
  tiers: string[];
  validDays: number | null;
}

/** The engagement sections of a program. */
export interface PlainEngagement {
  events: PlainEventDefinition[];
  challenges: PlainChallenge[];
  choiceSets: PlainChoiceSet[];
}

export interface EngagementFrame {
  /** Units of a point. */
  unit: number;
  now: Date;
  /** The least amount of anything limited that members share. */
  leastLimit: number;
  /** Ids of the version's tiers and audiences. */
  tiers: string[];
  audiences: string[];
}

/** Event types, each with the numeric attribute that challenges may sum. */
export const EVENTS = { review: 'stars', visit: 'minutes', run: 'metres' } as const;
export const CHOICE_SETS = ['gifts', 'treats'];
export const CHOICES = ['cup', 'spoon', 'tin', 'voucher'];

export type EventType = keyof typeof EVENTS;

/**
 * What a challenge counts, its window and the windows of its streak are the same in every version, because progress
 * goes on across versions.
 */
interface Course {
  id: string;
  eventType: EventType;
  adds: boolean;
  window: PlainWindow | null;
  streak?: PlainStreak['period'];
}

const CHALLENGES: readonly Course[] = [
  { id: 'critic', eventType: 'review', adds: false, window: { period: 'month' } },
  { id: 'stargazer', eventType: 'review', adds: true, window: { period: 'year' } },
  { id: 'regular', eventType: 'visit', adds: false, window: null },
  { id: 'daily', eventType: 'visit', adds: false, window: { period: 'day' } },
  { id: 'spree', eventType: 'visit', adds: true, window: { days: 3 } },
  { id: 'runner', eventType: 'run', adds: true, window: null },
  { id: 'walker', eventType: 'run', adds: true, window: { period: 'week' } },
  { id: 'marathon', eventType: 'run', adds: false, window: { days: 366 } },
  { id: 'habit', eventType: 'visit', adds: false, window: null, streak: 'day' },
  { id: 'training', eventType: 'run', adds: true, window: null, streak: 'week' },
  { id: 'column', eventType: 'review', adds: false, window: null, streak: 'month' },
];

/** Ids of the challenges that are streaks. */
export const STREAK_IDS: ReadonlySet<string> = new Set(
  CHALLENGES.filter(({ streak }) => streak !== undefined).map(({ id }) => id),
);

export const CHALLENGE_IDS: readonly string[] = CHALLENGES.map(({ id }) => id);

export function inventEngagement(random: Random, frame: EngagementFrame): PlainEngagement {
  const choiceSets = CHOICE_SETS.filter(() => random.chance(0.8)).map((id) => inventSet(random, id, frame));
  const types = Object.keys(EVENTS) as EventType[];
  const events = types.filter(() => random.chance(0.8)).map((type) => inventDefinition(random, type));
  const defined = new Set(events.map(({ type }) => type));
  const sets = choiceSets.map(({ id }) => id);
  return {
    events,
    challenges: CHALLENGES.filter(({ eventType }) => defined.has(eventType) && random.chance(0.6)).map(
      ({ id, eventType, adds, window, streak }) =>
        withAward(frame.unit, {
          id,
          eventType,
          schedule: random.chance(0.2) ? inventSchedule(random, frame.now) : null,
          audiences: random.chance(0.3) ? inventAudiences(random, frame.audiences) : [],
          least: random.chance(0.2) ? { attribute: EVENTS[eventType], value: random.between(1, 5) } : null,
          tiers: random.chance(0.1)
            ? frame.tiers.filter((_, index) => index === 0 || random.chance(0.5))
            : null,
          goal: adds
            ? { sumOf: EVENTS[eventType], reach: random.pick([1, random.between(2, streak ? 8 : 30)]) }
            : { count: random.between(1, streak ? 2 : 4) },
          window,
          streak: streak
            ? { windows: random.between(2, 3), period: streak, forgiven: random.pick([0, 1, 3, 20]) }
            : null,
          repeatable: random.chance(0.6),
          points: random.chance(0.8) ? random.between(1, 50) * frame.unit : null,
          choiceSetId: sets.length > 0 && random.chance(0.4) ? random.pick(sets) : null,
        }),
    ),
    choiceSets,
  };
}

/**
 * Adds points to a challenge without an award, because the service refuses such a challenge. It draws no random number,
 * so that the seed invents the same values after it.
 */
function withAward(points: number, challenge: PlainChallenge): PlainChallenge {
  return challenge.points === null && challenge.choiceSetId === null ? { ...challenge, points } : challenge;
}

function inventDefinition(random: Random, type: EventType): PlainEventDefinition {
  return {
    type,
    active: random.chance(0.9),
    asks: random.chance(0.4)
      ? {
          attribute: EVENTS[type],
          required: random.chance(0.5),
          whole: random.chance(0.3),
          low: random.between(0, 1),
          high: random.between(5, 60),
        }
      : null,
  };
}

function inventSet(random: Random, id: string, { leastLimit, tiers }: EngagementFrame): PlainChoiceSet {
  const rewards = CHOICES.filter((_, index) => index === 0 || random.chance(0.7)).map((reward) => ({
    id: reward,
    inventory: random.chance(0.4) ? leastLimit + random.below(15) : null,
    repeatable: random.chance(0.4),
  }));
  // Where no reward may be chosen twice, there are at least as many rewards as choices.
  const most = rewards.some(({ repeatable }) => repeatable) ? 4 : rewards.length;
  return {
    id,
    choices: random.between(1, most),
    rewards,
    tiers: tiers.filter(() => random.chance(0.4)),
    validDays: random.chance(0.4) ? random.pick([1, 10, 90]) : null,
  };
}
