import type { Schedule } from './campaign-document.ts';
import type { Condition } from './document-values.ts';

/** The sections of a program document on engagement events and what comes of them: definitions, challenges, choices. */

/** A type of engagement event that the environment accepts. */
export interface EventDefinition {
  /** The `type` that an event names. */
  type: string;
  name?: string;
  /** False switches it off; true where absent. */
  active?: boolean;
  /** A JSON Schema (draft 2020-12, without references to other documents) that `attributes` have to satisfy. */
  attributesSchema?: Record<string, unknown>;
}

/** A goal that a member reaches by engagement events. */
export interface Challenge {
  id: string;
  name?: string;
  /** `type` of the events that count. */
  eventType: string;
  match: 'all' | 'any';
  /** On `attributes.…`, `profile.…`, `time.…`. */
  conditions: Condition[];
  /** A number of events, or a sum of one of their attributes; of a streak, in each of its windows. */
  goal: { count: number } | { sumOf: string; reach: number };
  /** The time within which events are counted; without limit where absent. */
  window?: { period: 'day' | 'week' | 'month' | 'year' } | { days: number };
  /** Completed only by reaching the goal in several windows in a row. Has windows of its own, so excludes `window`. */
  streak?: Streak;
  schedule?: Schedule;
  audiences?: string[];
  /** Whether it can be completed again; progress beyond the goal counts on within the window. False where absent. */
  repeatable?: boolean;
  /** Points, in the smallest loyalty unit. */
  award?: { points: number };
  /** A choice set that completing it grants. */
  grants?: { choiceSetId: string };
}

/** So many windows in a row, of the calendar of the program's time zone; a week begins on Monday. */
export interface Streak {
  /** How many windows have to be filled. */
  windows: number;
  period: 'day' | 'week' | 'month';
  /** How many windows between the first and the last of them may be missed; 0 where absent. */
  forgiven?: number;
}

/** Benefits of which a member may choose some, without spending points. */
export interface ChoiceSet {
  id: string;
  name: string;
  /** How many a member may choose. */
  choices: number;
  rewards: ChoiceReward[];
  /** Tiers that grant it when a member reaches them; challenges may grant it too. */
  grantedByTiers?: string[];
  /** Days for which a grant can be used; as long as the member is enrolled where absent. */
  validDays?: number;
}

export interface ChoiceReward {
  id: string;
  name: string;
  /** How many there are in all; no limit where absent. */
  inventory?: number;
  /** Whether it may be chosen more than once from one grant; false where absent. */
  repeatable?: boolean;
}
