import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { constraintKeywords } from './constraints.ts';
import { directiveArguments } from './contract.ts';
import { type EventContract, eventContract } from './event-types.ts';
import { type JsonSchema, nullable, withoutBounds } from './json-schema.ts';
import { scalarSchema } from './scalar-schemas.ts';

type DataType = GraphQLObjectType | GraphQLInterfaceType;

/**
 * The field that says what a field of an event means: itself, or where it has no description, that of the first
 * interface which has it.
 */
export function describingField(type: DataType, name: string): GraphQLField<unknown, unknown> | undefined {
  const own = type.getFields()[name];
  if (!own || own.description) return own;
  return (
    type
      .getInterfaces()
      .map((each) => each.getFields()[name])
      .find((field) => field?.description) ?? own
  );
}

/** The JSON Schema of what an object type of the contract describes. Fields that may be null may also be absent. */
export function dataSchema(type: DataType, schema: GraphQLSchema): JsonSchema {
  const fields = Object.values(type.getFields());
  return {
    ...(type.description && { description: type.description }),
    type: 'object',
    required: fields.filter((field) => isNonNullType(field.type)).map(({ name }) => name),
    properties: Object.fromEntries(fields.map(({ name }) => [name, fieldSchema(type, name, schema)])),
  };
}

function fieldSchema(type: DataType, name: string, schema: GraphQLSchema): JsonSchema {
  const field = describingField(type, name);
  if (!field) throw new Error(`${type.name} has no field ${name}`);
  const constraint = directiveArguments(field, 'constraint') ?? {};
  const keywords = constraintKeywords(constraint, `${type.name}.${name}`, schema);
  const { description, ...value } = valueSchema(field.type, schema);
  const said = field.description ?? description;
  return { ...(said && { description: said }), ...value, ...keywords };
}

function valueSchema(type: GraphQLOutputType, schema: GraphQLSchema): JsonSchema {
  if (!isNonNullType(type)) return nullable(nonNull(type, schema));
  return nonNull(type.ofType, schema);
}

function nonNull(type: GraphQLOutputType, schema: GraphQLSchema): JsonSchema {
  if (isListType(type)) return { type: 'array', items: valueSchema(type.ofType, schema) };
  if (isObjectType(type)) return dataSchema(type, schema);
  if (isEnumType(type)) {
    const about = type.description ? { description: type.description } : {};
    return { ...about, type: 'string', enum: type.getValues().map(({ name }) => name) };
  }
  return withoutBounds(scalarSchema(String(type), schema));
}

/** The JSON Schema of the whole message of each type, that of tests last. */
export function messageSchemas(schema: GraphQLSchema): Map<string, JsonSchema> {
  const { events, envelope, testType } = eventContract(schema);
  const whole = dataSchema(envelope, schema);
  const message = (type: string, { description, ...data }: JsonSchema): [string, JsonSchema] => [
    type,
    {
      ...(description && { description }),
      type: 'object',
      required: whole.required ?? [],
      properties: { ...whole.properties, type: { const: type }, data },
    },
  ];
  return new Map([
    ...events.map(({ type, data }) => message(type, dataSchema(data, schema))),
    message(testType, emptyData),
  ]);
}

/** GraphQL has no object type without fields. */
const emptyData: JsonSchema = {
  description: 'A test that was asked for.',
  type: 'object',
  maxProperties: 0,
};

/** The text of src/contract/generated/webhook-events.schema.json: one JSON Schema for the messages of all types. */
export function printEventSchema(schema: GraphQLSchema): string {
  const messages = messageSchemas(schema);
  const { envelope }: EventContract = eventContract(schema);
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: '/schemas/webhook-events.v1.json',
    title: 'Webhook messages',
    description: envelope.description,
    oneOf: Array.from(messages.keys(), (type) => ({ $ref: `#/$defs/${type}` })),
    $defs: Object.fromEntries(messages),
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
