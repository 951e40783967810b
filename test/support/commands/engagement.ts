import { claimChoiceBenefit } from '../../../src/commands/engagement/claim-choice-benefit.ts';
import { recordCustomEvent } from '../../../src/commands/engagement/record-custom-event.ts';
import type {
  ClaimChoiceBenefitInput,
  RecordCustomEventInput,
} from '../../../src/contract/generated/types.ts';
import type { Outcome } from '../../../src/ledger/command.ts';
import type { Challenge, ChoiceSet } from '../../../src/programs/document/engagement-document.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { counter, type Desk, receiptOf } from './desk.ts';

export const reviews: Challenge = {
  id: 'three-reviews',
  eventType: 'review',
  match: 'all',
  conditions: [],
  goal: { count: 3 },
  repeatable: true,
  award: { points: 50 },
};

export const distance: Challenge = {
  id: 'ten-km',
  eventType: 'run',
  match: 'all',
  conditions: [],
  goal: { sumOf: 'km', reach: 10 },
  repeatable: true,
  grants: { choiceSetId: 'perks' },
};

export const perks: ChoiceSet = {
  id: 'perks',
  name: 'Perks',
  choices: 2,
  validDays: 30,
  grantedByTiers: ['silver', 'gold'],
  rewards: [
    { id: 'tasting', name: 'A tasting', inventory: 2 },
    { id: 'mug', name: 'A mug', repeatable: true },
    { id: 'tour', name: 'A tour' },
  ],
};

/** Sections under which three reviews award 50 points, and every 10 km grant two choices out of three perks. */
export const engagement = {
  eventDefinitions: [
    {
      type: 'review',
      attributesSchema: {
        type: 'object',
        properties: { stars: { type: 'integer', minimum: 1, maximum: 5 } },
      },
    },
    { type: 'run' },
    { type: 'quiz', active: false },
  ],
  challenges: [reviews, distance],
  choiceSets: [perks],
} satisfies Partial<ProgramDocument>;

/** A desk where ann is enrolled in a program with these sections. */
export function club(overrides: Partial<ProgramDocument> = {}): Desk {
  return counter({ ...engagement, ...overrides });
}

let counted = 0;

function next(): string {
  counted += 1;
  return `e-${counted}`;
}

/** A review by ann. */
export function happen(desk: Desk, overrides: Partial<RecordCustomEventInput> = {}): Outcome {
  const idempotencyKey = next();
  const input = {
    idempotencyKey,
    type: 'review',
    externalCustomerId: 'ann',
    sourceReference: `event-${idempotencyKey}`,
    ...overrides,
  };
  return desk.run(recordCustomEvent(input, desk.caller));
}

/** A run of ann, in kilometres. */
export function runKm(desk: Desk, km: number): Outcome {
  return happen(desk, { type: 'run', attributes: { km } });
}

/** Claims a mug for ann. */
export function choose(desk: Desk, overrides: Partial<ClaimChoiceBenefitInput> = {}): Outcome {
  const idempotencyKey = next();
  const input = {
    idempotencyKey,
    externalCustomerId: 'ann',
    choiceSetId: 'perks',
    rewardId: 'mug',
    sourceReference: `choice-${idempotencyKey}`,
    ...overrides,
  };
  return desk.run(claimChoiceBenefit(input, desk.caller));
}

export function awardsOf(outcome: Outcome): Record<string, unknown>[] {
  return receiptOf(outcome).awards as Record<string, unknown>[];
}
