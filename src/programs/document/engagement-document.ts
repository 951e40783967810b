import type { Schedule } from './campaign-document.ts';
import type { Condition } from './document-values.ts';

/** The sections of a program document on engagement events and what comes of them: definitions, challenges, choices. */

/** A kind of engagement event that the environment takes. */
export interface EventDefinition {
  /** The `type` that an event names. */
  type: string;
  name?: string;
  /** False switches it off; true where absent. */
  active?: boolean;
  /** A JSON Schema (draft 2020-12, no references out of it) that `attributes` have to satisfy. */
  attributesSchema?: Record<string, unknown>;
}

/** A goal over engagement events. */
export interface Challenge {
  id: string;
  name?: string;
  /** `type` of the events that count. */
  eventType: string;
  match: 'all' | 'any';
  /** On `attributes.…`, `profile.…`, `time.…`. */
  conditions: Condition[];
  /** So many events; or so much of an attribute, added up. */
  goal: { count: number } | { sumOf: string; reach: number };
  /** Over which events are counted; the lifetime where absent. */
  window?: { period: 'day' | 'week' | 'month' | 'year' } | { days: number };
  schedule?: Schedule;
  audiences?: string[];
  /** Whether it can be completed again (within the window what is left over counts on); false where absent. */
  repeatable?: boolean;
  /** Points, in the smallest loyalty unit. */
  award?: { points: number };
  /** A choice set that completing it grants. */
  grants?: { choiceSetId: string };
}

/** Benefits of which a member may choose some, without spending points. */
export interface ChoiceSet {
  id: string;
  name: string;
  /** How many a member may choose. */
  choices: number;
  rewards: ChoiceReward[];
  /** Reaching a tier grants it; challenges may as well. */
  grantedByTiers?: string[];
  /** Days that a grant may be used; for as long as the member is enrolled where absent. */
  validDays?: number;
}

export interface ChoiceReward {
  id: string;
  name: string;
  /** How many there are in all; no limit where absent. */
  inventory?: number;
  /** Whether it may be chosen more than once of one grant; false where absent. */
  repeatable?: boolean;
}
