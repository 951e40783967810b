import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { directiveArguments } from './contract.ts';

/** An event that can be subscribed to. */
export interface EventType {
  /** Such as `points.earned`. */
  type: string;
  /** What its messages have in `data`. */
  data: GraphQLObjectType;
}

/** What the contract says about messages to webhook endpoints. */
export interface EventContract {
  /** In the order of schema.graphql. */
  events: EventType[];
  /** The message that every event is sent in. */
  envelope: GraphQLObjectType;
  /** The type of tests, whose `data` is empty. */
  testType: string;
}

/** The types with `@event`, and the one with `@eventEnvelope`. @throws Error where that is not one */
export function eventContract(schema: GraphQLSchema): EventContract {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const events = types.flatMap((data) => {
    const event = directiveArguments(data, 'event');
    return event ? [{ type: String(event.type), data }] : [];
  });
  const envelopes = types.flatMap((envelope) => {
    const said = directiveArguments(envelope, 'eventEnvelope');
    return said ? [{ envelope, testType: String(said.testType) }] : [];
  });
  const [found, ...others] = envelopes;
  if (!found || others.length > 0) throw new Error('schema.graphql has not exactly one @eventEnvelope');
  return { events, ...found };
}
