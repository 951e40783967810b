import { EVENT_TYPES } from '../../contract/generated/webhook-events.ts';
import type { DocumentNames } from '../document/document-names.ts';
import { type DocumentProblem, under } from '../document/document-problem.ts';
import type { Challenge, ChoiceSet } from '../document/engagement-document.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import { checkAttributesSchema } from './check-attributes-schema.ts';
import { checkMatch } from './check-match.ts';
import { checkReference, checkReferences, checkUnique } from './check-names.ts';
import { checkSchedule } from './check-schedule.ts';

/**
 * The types of what the service itself posts or reports: an event of such a type would never be an engagement event.
 */
const BUILT_IN: ReadonlySet<string> = new Set([
  ...EVENT_TYPES,
  'purchase.completed',
  'order.returned',
  'challenge.awarded',
  'referral.awarded',
  'points.activated',
  'webhook.test',
]);

function builtIn(type: string): string {
  return `is a type of the service's own: take another name, such as ${type.split('.')[0]}.reviewed`;
}

/** Checks what the JSON Schema cannot say of events, challenges and choice sets. Paths begin at the document. */
export function checkEngagement(document: ProgramDocument, names: DocumentNames): DocumentProblem[] {
  const { eventDefinitions = [], challenges = [], choiceSets = [] } = document;
  return [
    ...checkUnique(eventDefinitions, 'type', ['eventDefinitions']),
    ...eventDefinitions.flatMap(({ type }, index) =>
      BUILT_IN.has(type) ? [{ path: ['eventDefinitions', index, 'type'], message: builtIn(type) }] : [],
    ),
    ...eventDefinitions.flatMap(({ attributesSchema }, index) =>
      attributesSchema
        ? under(['eventDefinitions', index, 'attributesSchema'], checkAttributesSchema(attributesSchema))
        : [],
    ),
    ...checkUnique(challenges, 'id', ['challenges']),
    ...challenges.flatMap((challenge, index) =>
      under(['challenges', index], checkChallenge(challenge, names)),
    ),
    ...checkUnique(choiceSets, 'id', ['choiceSets']),
    ...choiceSets.flatMap((set, index) => under(['choiceSets', index], checkChoiceSet(set, names))),
  ];
}

function checkChallenge(challenge: Challenge, names: DocumentNames): DocumentProblem[] {
  const { eventType, award, grants, window, streak } = challenge;
  const idle = award === undefined && grants === undefined;
  return [
    ...(idle ? [{ path: [], message: 'needs award, grants or both' }] : []),
    ...(window && streak
      ? [{ path: ['streak'], message: 'does not go with window: it has windows of its own' }]
      : []),
    ...checkReference(eventType, names.eventTypes, 'the type of an event definition', ['eventType']),
    ...checkMatch(challenge, 'challenge', 'no event counts', names.tiers),
    ...under(['schedule'], checkSchedule(challenge.schedule)),
    ...checkReferences(challenge.audiences, names.audiences, 'an audience', ['audiences']),
    ...checkReference(grants?.choiceSetId, names.choiceSets, 'a choice set', ['grants', 'choiceSetId']),
  ];
}

function checkChoiceSet(
  { choices, rewards, grantedByTiers }: ChoiceSet,
  names: DocumentNames,
): DocumentProblem[] {
  const problems = [
    ...checkUnique(rewards, 'id', ['rewards']),
    ...checkReferences(grantedByTiers, names.tiers, 'a tier', ['grantedByTiers']),
  ];
  if (choices > rewards.length && !rewards.some(({ repeatable }) => repeatable)) {
    const message = `must be at most ${rewards.length}: so many rewards can be chosen, each once`;
    problems.push({ path: ['choices'], message });
  }
  return problems;
}
