import type { GraphQLSchema } from 'graphql';
import { EVERY_TYPE } from '../src/contract/every-type.ts';
import { eventContract } from './event-types.ts';
import type { JsonSchema } from './json-schema.ts';

/** The named formats of `@constraint(format:)`, each with its complete rules. */
const formats: Readonly<Record<string, JsonSchema>> = {
  merchantId: {
    minLength: 1,
    maxLength: 200,
    pattern: '^(?!\\s)[^\\p{Cc}]*(?<!\\s)$',
    'x-message': 'must be 1 to 200 characters, without control characters and without a space at either end',
  },
  newMerchantId: {
    minLength: 1,
    maxLength: 200,
    pattern: '^(?!\\s)[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]*(?<!\\s)$',
    'x-message':
      'must be 1 to 200 characters, without control or invisible characters and without a space at either end',
  },
  idempotencyKey: {
    minLength: 1,
    maxLength: 255,
    pattern: '^[\\x21-\\x7e]*$',
    'x-message': 'must be 1 to 255 visible ASCII characters',
  },
  evidence: {
    minProperties: 1,
    not: { type: 'object', additionalProperties: { enum: [null, '', {}, []] } },
    'x-message': 'must have a value other than null, "", {} and []',
  },
  currency: { pattern: '^[A-Z]{3}$', 'x-message': 'must be an ISO 4217 code, three capital letters' },
  email: { format: 'email' },
};

/** The rule for strings without a pattern of their own: Postgres cannot store NUL. */
export const anyText: JsonSchema = { pattern: '^[^\\u0000]*$', 'x-message': 'must not contain NUL' };

const keywordOf: Readonly<Record<string, keyof JsonSchema>> = {
  min: 'minimum',
  max: 'maximum',
  minLength: 'minLength',
  maxLength: 'maxLength',
  minItems: 'minItems',
  maxItems: 'maxItems',
  minProperties: 'minProperties',
  maxProperties: 'maxProperties',
};

/** The keywords that bound a list, not its items. */
export const listKeywords: ReadonlySet<string> = new Set(['minItems', 'maxItems']);

/**
 * The JSON Schema keywords of a `@constraint`.
 * @param where the constrained element, for the error
 * @param schema the contract, whose events two of the formats list
 * @throws Error where the contract asks for a rule or a format that does not exist
 */
export function constraintKeywords(
  constraint: Readonly<Record<string, unknown>>,
  where: string,
  schema: GraphQLSchema,
): JsonSchema {
  let keywords: JsonSchema = {};
  for (const [rule, bound] of Object.entries(constraint)) {
    const keyword = keywordOf[rule];
    if (keyword) keywords = { ...keywords, [keyword]: Number(bound) };
    else if (rule === 'values' && Array.isArray(bound)) keywords = { ...keywords, enum: bound };
    else if (rule === 'pattern') keywords = { ...keywords, pattern: `^(?:${String(bound)})$` };
    else if (rule === 'format') keywords = { ...keywords, ...formatOf(String(bound), where, schema) };
    else throw new Error(`${where}: there is no constraint ${rule}: ${String(bound)}`);
  }
  return keywords;
}

function formatOf(name: string, where: string, schema: GraphQLSchema): JsonSchema {
  const keywords = formats[name];
  if (keywords) return keywords;
  const { events, testType } = eventContract(schema);
  const others = new Map([
    ['eventType', []],
    ['subscribedEventType', [EVERY_TYPE]],
    ['deliveredEventType', [testType]],
  ]).get(name);
  if (!others) throw new Error(`${where}: there is no constraint format: ${name}`);
  return { enum: [...events.map(({ type }) => type), ...others] };
}

/** The keywords of one named format. */
export function formatKeywords(name: 'merchantId'): JsonSchema {
  return { ...formats[name] };
}
