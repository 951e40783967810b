import { type GraphQLSchema, isEnumType } from 'graphql';
import { anyText, formatKeywords } from './constraints.ts';
import { type JsonSchema, nullable } from './json-schema.ts';

const int32 = 2 ** 31;

/** The JSON Schema of a scalar, in requests and responses. */
export function scalarSchema(name: string, schema: GraphQLSchema): JsonSchema {
  switch (name) {
    case 'String':
    case 'ID':
      return { type: 'string' };
    case 'Boolean':
      return { type: 'boolean' };
    case 'Int':
      return { type: 'integer', minimum: -int32, maximum: int32 - 1 };
    case 'Long':
      return { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    case 'Float':
      return { type: 'number' };
    case 'DateTime':
      return { type: 'string', format: 'date-time' };
    case 'JSONObject':
      return { type: 'object' };
    case 'EventAttributes':
      return eventAttributes(schema);
    default:
      throw new Error(`No JSON Schema is known for scalar ${name}`);
  }
}

function eventAttributes(schema: GraphQLSchema): JsonSchema {
  const evaluation: JsonSchema = {
    type: 'object',
    description: 'Which configuration and tier the purchase is evaluated under.',
    additionalProperties: false,
    properties: {
      mode: nullable({ type: 'string', enum: enumNames(schema, 'EvaluationMode') }),
      configurationVersion: nullable({ type: 'integer', minimum: 1, maximum: int32 - 1 }),
      memberTier: nullable({ type: 'string', ...formatKeywords('merchantId') }),
    },
    if: pinnedMode,
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    then: {
      required: ['configurationVersion', 'memberTier'],
      properties: { configurationVersion: { type: 'integer' }, memberTier: { type: 'string' } },
    },
  };
  return {
    type: 'object',
    maxProperties: 100,
    properties: {
      svcEvaluation: nullable(evaluation),
      // Customers type the code, so the rules for merchants' ids do not apply.
      referralCode: nullable({ type: 'string', maxLength: 200, ...anyText }),
    },
  };
}

const pinnedMode: JsonSchema = {
  required: ['mode'],
  properties: { mode: { const: 'event_time_pinned_configuration' } },
};

/** Rules between the fields of an input type. */
export const crossFieldRules: Readonly<Record<string, Pick<JsonSchema, 'if' | 'then'>>> = {
  PurchaseEarnInput: {
    if: {
      required: ['context'],
      properties: {
        context: {
          type: 'object',
          required: ['attributes'],
          properties: {
            attributes: {
              type: 'object',
              required: ['svcEvaluation'],
              properties: { svcEvaluation: { type: 'object', ...pinnedMode } },
            },
          },
        },
      },
    },
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    then: { required: ['occurredAt'], properties: { occurredAt: { type: 'string' } } },
  },
};

/** The names of an enum's values, in the order of schema.graphql. */
function enumNames(schema: GraphQLSchema, name: string): string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`schema.graphql declares no enum ${name}`);
  return type.getValues().map((value) => value.name);
}
