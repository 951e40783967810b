import { describe, expect, test } from '@jest/globals';
import { checkAttributesSchema } from '../../../src/programs/checks/check-attributes-schema.ts';
import { checkCondition } from '../../../src/programs/checks/check-condition.ts';
import { checkEngagement } from '../../../src/programs/checks/check-engagement.ts';
import { checkFinance } from '../../../src/programs/checks/check-finance.ts';
import { checkReferences } from '../../../src/programs/checks/check-names.ts';
import { namesOf } from '../../../src/programs/document/document-names.ts';
import type { Condition } from '../../../src/programs/document/document-values.ts';
import type { ChoiceSet } from '../../../src/programs/document/engagement-document.ts';
import { program } from '../../support/rules/fixtures.ts';

// At each bound: the last value that is allowed, and the first that is not.

describe('a condition', () => {
  const problems = (field: string, operator: Condition['operator'], value: Condition['value']) =>
    checkCondition({ field, operator, value }, 'purchase', new Set(['bronze'])).length;

  test.each<[string, Condition['operator'], Condition['value'], number]>([
    ['time.hour', 'equals', 0, 0],
    ['time.hour', 'equals', -1, 1],
    ['time.hour', 'equals', 23, 0],
    ['time.hour', 'equals', 24, 1],
    ['time.dayOfMonth', 'in', [1, 31], 0],
    ['time.dayOfMonth', 'in', [0, 32], 2],
    ['purchase.amountMinor', 'lte', 10 ** 12, 0],
    ['purchase.amountMinor', 'lte', 10 ** 12 + 1, 1],
    ['time.hour', 'between', [9, 9], 0],
    ['time.hour', 'between', [9, 8], 1],
    // The number 1 and the string '1' are different values.
    ['attributes.x', 'in', ['1', 1, 'true', true], 0],
    ['attributes.x', 'not_in', [1, '1', 1], 1],
    ['time.date', 'equals', '1900-01-01', 0],
    ['time.date', 'equals', '1899-12-31', 1],
    ['time.date', 'between', ['2028-02-29', '2028-02-29'], 0],
    ['time.date', 'between', ['2027-02-29', '2027-03-01'], 1],
  ])('%s %s %j has %d problems', (field, operator, value, expected) => {
    expect(problems(field, operator, value)).toBe(expected);
  });
});

describe('a choice set', () => {
  const set = (choices: number, repeatable: boolean): ChoiceSet => ({
    id: 'gifts',
    name: 'Gifts',
    choices,
    rewards: [
      { id: 'mug', name: 'Mug', repeatable },
      { id: 'tin', name: 'Tin' },
    ],
  });
  const problems = (choices: number, repeatable: boolean) => {
    const document = program({ choiceSets: [set(choices, repeatable)] });
    return checkEngagement(document, namesOf(document)).map(({ path }) => path.join('.'));
  };

  test('of rewards that can be chosen once has no more choices than rewards', () => {
    expect({ 2: problems(2, false), 3: problems(3, false) }).toEqual({ 2: [], 3: ['choiceSets.0.choices'] });
  });

  test('with a reward that can be chosen again has as many as it likes', () => {
    expect(problems(9, true)).toEqual([]);
  });
});

test.each([
  [1, 1, 0],
  [0, 1, 0],
  [2, 1, 1],
])('a breakage rate of %d/%d has %d problems', (numerator, denominator, expected) => {
  const breakage = { rate: { numerator, denominator } };
  expect(checkFinance(program({ finance: { breakage } }))).toHaveLength(expected);
});

describe('a schema of attributes', () => {
  const pattern = { type: 'string', pattern: '^(a+)+$' };
  const paths = (schema: Record<string, unknown>) =>
    checkAttributesSchema(schema).map(({ path }) => path.join('.'));

  test.each<[string, Record<string, unknown>, string]>([
    ['properties', { properties: { a: pattern } }, 'properties.a.pattern'],
    ['$defs', { $defs: { a: pattern } }, '$defs.a.pattern'],
    ['dependentSchemas', { dependentSchemas: { a: pattern } }, 'dependentSchemas.a.pattern'],
    ['prefixItems', { prefixItems: [{}, pattern] }, 'prefixItems.1.pattern'],
    ['allOf', { allOf: [pattern] }, 'allOf.0.pattern'],
    ['anyOf', { anyOf: [pattern] }, 'anyOf.0.pattern'],
    ['oneOf', { oneOf: [pattern] }, 'oneOf.0.pattern'],
    ...[
      ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
      ...['unevaluatedItems', 'unevaluatedProperties'],
    ].map((keyword): [string, Record<string, unknown>, string] => [
      keyword,
      { [keyword]: pattern },
      `${keyword}.pattern`,
    ]),
  ])('is looked through: %s', (_keyword, schema, path) => {
    expect(paths(schema)).toEqual([path]);
  });

  test('may have so many parts as it says, itself among them, and no more', () => {
    const flat = (parts: number) =>
      checkAttributesSchema({ anyOf: Array.from({ length: parts - 1 }, () => ({})) });
    const most = Number(/more than (\d+) parts/.exec(flat(5_000)[0]?.message ?? '')?.[1]);
    expect(most).toBeGreaterThanOrEqual(200);
    expect({ most: flat(most).length, more: flat(most + 1).length }).toEqual({ most: 0, more: 1 });
    // A part counts each time it is referred to: here ten parts, besides the one that refers.
    const referring = (times: number) =>
      checkAttributesSchema({
        allOf: Array.from({ length: times }, () => ({ $ref: '#/$defs/x' })),
        $defs: { x: { anyOf: Array.from({ length: 9 }, () => ({})) } },
      });
    const times = Math.floor((most - 11) / 11);
    const problems = { most: referring(times).length, more: referring(times + 1).length };
    expect(problems).toEqual({ most: 0, more: 1 });
  });

  test.each<[string, (count: number) => Record<string, unknown>]>([
    [
      'plain values of an enum, ten as one',
      (count) => ({ enum: Array.from({ length: count * 10 }, (_, index) => index) }),
    ],
    ['the values of an enum that has others', (count) => ({ enum: [[], ...Array(count - 1).keys()] })],
    ['values within the values of an enum', (count) => ({ enum: [Array(count - 1).fill(0)] })],
    ['the values within a const', (count) => ({ const: { list: Array(count - 1).fill(0) } })],
    ['required names', (count) => ({ required: Array.from({ length: count }, (_, index) => `n${index}`) })],
    ['names that others require', (count) => ({ dependentRequired: { a: Array(count - 1).fill('b') } })],
    [
      'schemas that are true or false',
      (count) => ({ items: true, prefixItems: Array(count - 1).fill(false) }),
    ],
    [
      'names that are there or not',
      (count) => ({
        properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, true])),
      }),
    ],
    [
      'constants to choose of',
      (count) => ({ oneOf: Array.from({ length: count }, (_, i) => ({ const: i })) }),
    ],
  ])('has as parts %s', (_what, schemaOf) => {
    const wrong = (count: number) =>
      checkAttributesSchema(schemaOf(count)).filter(({ message }) => message.includes('200 parts')).length;
    expect({ 199: wrong(199), 200: wrong(200) }).toEqual({ 199: 0, 200: 1 });
  });

  test('may have 16,384 bytes, and no more', () => {
    const sized = (bytes: number) => {
      const empty = Buffer.byteLength(JSON.stringify({ $comment: '' }));
      return paths({ $comment: 'é'.repeat(100) + 'x'.repeat(bytes - empty - 200) }).length;
    };
    expect({ 16384: sized(16_384), 16385: sized(16_385) }).toEqual({ 16384: 0, 16385: 1 });
  });
});

test('ten names are listed, and of more the first ten', () => {
  const message = (count: number) =>
    checkReferences(['z'], new Set(Array.from({ length: count }, (_, i) => `n${i}`)), 'a name', [])[0]
      ?.message;
  expect(message(10)).toMatch(/: n0, .*, n9$/);
  expect(message(11)).toMatch(/: n0, .*, n9, …$/);
});
