import type { EventDefinition } from '../../src/programs/document/engagement-document.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import type { PlainChallenge, PlainChoiceSet, PlainEngagement, PlainEventDefinition } from './engagement.ts';
import { atLeast } from './lines.ts';
import { scheduleOf } from './schedule.ts';

type Sections = Pick<ProgramDocument, 'eventDefinitions' | 'challenges' | 'choiceSets'>;

/** The sections of a program document that define these events, challenges and choice sets. */
export function engagementSections({ events, challenges, choiceSets }: PlainEngagement): Sections {
  return {
    eventDefinitions: events.map(definitionOf),
    challenges: challenges.map(challengeOf),
    choiceSets: choiceSets.map(choiceSetOf),
  };
}

function definitionOf({ type, active, asks }: PlainEventDefinition): EventDefinition {
  return {
    type,
    ...(active ? {} : { active }),
    ...(asks
      ? {
          attributesSchema: {
            type: 'object',
            ...(asks.required ? { required: [asks.attribute] } : {}),
            properties: {
              [asks.attribute]: {
                type: asks.whole ? 'integer' : 'number',
                minimum: asks.low,
                maximum: asks.high,
              },
            },
          },
        }
      : {}),
  };
}

function challengeOf(challenge: PlainChallenge): NonNullable<Sections['challenges']>[number] {
  const { id, eventType, schedule, audiences, least, tiers, goal, window, streak, repeatable } = challenge;
  return {
    id,
    eventType,
    ...scheduleOf(schedule),
    ...(audiences.length > 0 ? { audiences } : {}),
    match: 'all',
    conditions: [
      ...(least ? atLeast(`attributes.${least.attribute}`, least.value) : []),
      ...(tiers ? [{ field: 'profile.tier', operator: 'in', value: tiers } as const] : []),
    ],
    goal,
    ...(window ? { window } : {}),
    ...(streak ? { streak } : {}),
    ...(repeatable ? { repeatable } : {}),
    ...(challenge.points === null ? {} : { award: { points: challenge.points } }),
    ...(challenge.choiceSetId === null ? {} : { grants: { choiceSetId: challenge.choiceSetId } }),
  };
}

function choiceSetOf({ id, choices, rewards, tiers, validDays }: PlainChoiceSet) {
  return {
    id,
    name: id,
    choices,
    rewards: rewards.map(({ inventory, repeatable, ...reward }) => ({
      id: reward.id,
      name: `a ${reward.id}`,
      ...(inventory === null ? {} : { inventory }),
      ...(repeatable ? { repeatable } : {}),
    })),
    ...(tiers.length > 0 ? { grantedByTiers: tiers } : {}),
    ...(validDays === null ? {} : { validDays }),
  };
}
