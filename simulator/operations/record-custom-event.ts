import { recordCustomEvent } from '../../src/commands/engagement/record-custom-event.ts';
import { operation, type Surroundings } from '../client/intent.ts';
import { type Attributes, advance, isValidFor } from '../model/challenges.ts';
import { type Model, nameOf, type Prediction } from '../model/model.ts';
import type { Moment } from '../model/moment.ts';
import { EVENTS, type EventType } from '../programs/engagement.ts';
import type { Random } from '../random.ts';

const DAY_MS = 86_400_000;
const TYPES = Object.keys(EVENTS) as EventType[];

interface Input {
  externalCustomerId: string;
  type: string;
  sourceReference: string;
  occurredAt?: string;
  attributes?: Attributes;
}

export const recordCustomEventOperation = operation<Input>({
  name: 'recordCustomEvent',
  weight: 36,
  repeatsWhileLocked: true,
  invent(surroundings) {
    const { random, now, customers, memory } = surroundings;
    const again = random.chance(0.08) ? memory.pick('event', random, customers) : null;
    const type = random.chance(0.02) ? 'sneeze' : random.pick(TYPES);
    const input: Input = {
      externalCustomerId: again?.externalCustomerId ?? someMember(surroundings),
      type: again?.of && random.chance(0.7) ? again.of : type,
      sourceReference: again?.id ?? surroundings.newReference('event'),
    };
    if (random.chance(0.8)) input.attributes = inventAttributes(random, type);
    if (random.chance(0.4)) input.occurredAt = new Date(now.getTime() + offsetMs(random)).toISOString();
    return input;
  },
  alter: (input, random) => ({ ...input, attributes: { ...input.attributes, altered: random.next() } }),
  command: recordCustomEvent,
  predict,
});

/** A customer, mostly one who is an active member. */
function someMember({ random, customers, model }: Surroundings): string {
  const asked = Array.from({ length: random.chance(0.1) ? 1 : 4 }, () => random.pick(customers));
  return asked.find((customer) => model.isActive(customer)) ?? (asked[0] as string);
}

/** Mostly late, at times very late; now and then ahead of time, as from a clock that is fast. */
function offsetMs(random: Surroundings['random']): number {
  const days = random.pick([2, 10, 40, 450]);
  return random.chance(0.06) ? random.below(DAY_MS / 2) : -random.below(days * DAY_MS);
}

function inventAttributes(random: Random, type: string): Attributes {
  const name = EVENTS[type as EventType] ?? 'size';
  const value = random.pick<unknown>([
    random.between(1, 5),
    random.between(1, 12),
    random.below(40_000) / 1000,
    // Never exactly half of a thousandth: the tests of the rules cover which way that is rounded.
    (random.below(4_000) * 10 + random.pick([1, 4, 6, 9])) / 10_000,
    random.chance(0.3) ? random.pick<unknown>([0, -3, '4', true, 900]) : random.between(1, 5),
  ]);
  return { [name]: value };
}

function predict(model: Model, input: Input, { now }: Moment): Prediction {
  const { externalCustomerId, type, sourceReference, attributes = {} } = input;
  const earlier = model.events.get(sourceReference);
  if (earlier?.type === type && model.nameFor(earlier.externalCustomerId) === externalCustomerId) {
    return { receipt: earlier.receipt, repeated: true };
  }
  const programs = [...model.programs.keys()]
    .sort()
    .flatMap((programId) => model.versionAt(programId, now)?.program ?? []);
  const definitions = programs
    .flatMap(({ events }) => events)
    .filter((definition) => definition.type === type && definition.active);
  if (definitions.length === 0) return { code: 'event_definition_not_found' };
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  if (earlier) return { code: 'source_reference_conflict' };
  const occurredAt = input.occurredAt ? Date.parse(input.occurredAt) : now.getTime();
  if (occurredAt - now.getTime() > 300_000) return { code: 'validation_failed' };
  if (!definitions.every((definition) => isValidFor(definition, attributes)))
    return { code: 'attributes_invalid' };

  const awards = programs
    .filter(({ id }) => model.profiles.get(nameOf(id, externalCustomerId))?.enrolled)
    .flatMap((program) =>
      advance(model, program, { externalCustomerId, sourceReference, type, attributes, occurredAt, now }),
    );
  const receipt = { status: 'accepted', awards };
  model.events.set(sourceReference, { type, externalCustomerId, receipt });
  return { receipt };
}
