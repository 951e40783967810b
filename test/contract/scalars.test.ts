import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, execute, type GraphQLScalarType, parse, validate } from 'graphql';
import { normalizeDateTime } from '../../src/contract/date-time.ts';
import { DateTime, EventAttributes, JSONObject, Long } from '../../src/graphql/schema/scalars.ts';

/** Sends a value through a field that returns its argument, once as a literal and once as a variable. */
function throughLiteral(scalar: GraphQLScalarType, literal: string): unknown {
  return run(scalar, `{ echo(value: ${literal}) }`);
}

function throughVariable(scalar: GraphQLScalarType, value: unknown): unknown {
  return run(scalar, `query ($value: ${scalar.name}) { echo(value: $value) }`, { value });
}

function run(scalar: GraphQLScalarType, text: string, variableValues: Record<string, unknown> = {}): unknown {
  const schema = buildSchema(
    `scalar ${scalar.name} type Query { echo(value: ${scalar.name}): ${scalar.name} }`,
  );
  const declared = schema.getType(scalar.name) as GraphQLScalarType;
  Object.assign(declared, {
    coerceInputValue: scalar.coerceInputValue,
    coerceInputLiteral: scalar.coerceInputLiteral,
    coerceOutputValue: scalar.coerceOutputValue,
  });
  const document = parse(text);
  if (validate(schema, document).length > 0) return 'refused';
  const rootValue = { echo: ({ value }: { value: unknown }) => value };
  const result = execute({ schema, document, rootValue, variableValues });
  if (result instanceof Promise) throw new Error('unexpectedly asynchronous');
  return result.errors ? 'refused' : result.data?.echo;
}

describe('Long', () => {
  test.each([
    ['0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['1.0', 1],
    ['1e2', 100],
    ['9007199254740992', 'refused'],
    ['9007199254740993', 'refused'],
    ['100.00000000000000001', 'refused'],
    ['1.5', 'refused'],
    ['1e400', 'refused'],
    ['"1"', 'refused'],
    ['true', 'refused'],
  ])('literal %s gives %s', (literal, expected) => {
    expect(throughLiteral(Long, literal)).toBe(expected);
  });

  test.each([
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2 ** 53, 'refused'],
    [1.5, 'refused'],
    ['1', 'refused'],
    [Number.NaN, 'refused'],
  ])('variable %s gives %s', (value, expected) => {
    expect(throughVariable(Long, value)).toBe(expected);
  });

  test('bigints are given back as numbers while they are safe', () => {
    expect(Long.coerceOutputValue(12n)).toBe(12);
    expect(() => Long.coerceOutputValue(2n ** 53n)).toThrow('Long');
  });
});

describe('DateTime', () => {
  test.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.1239+02:00', '2026-01-31T10:00:00.123Z'],
    ['2024-02-29T00:00:00-00:30', '2024-02-29T00:30:00.000Z'],
    ['2026-02-29T00:00:00Z', null],
    ['2026-04-31T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-01-01T24:00:00Z', null],
    ['2026-01-01T23:59:60Z', null],
    ['2026-01-01T00:00:00', null],
    ['2026-01-01 00:00:00Z', null],
    ['2026-01-01T00:00:00+24:00', null],
    ['2026-01-01', null],
    ['0000-01-01T00:00:00Z', null],
    ['0001-01-01T00:00:00+01:00', null],
    ['9999-12-31T23:59:59-01:00', null],
    ['', null],
  ])('%s is %s', (text, expected) => {
    expect(normalizeDateTime(text)).toBe(expected);
  });

  test('what is normal stays as it is', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(fc.property(dates, (date) => normalizeDateTime(date.toISOString()) === date.toISOString()));
  });

  test('is normalised through both ways in', () => {
    expect(throughLiteral(DateTime, '"2026-01-31T12:00:00+01:00"')).toBe('2026-01-31T11:00:00.000Z');
    expect(throughVariable(DateTime, '2026-01-31T12:00:00+01:00')).toBe('2026-01-31T11:00:00.000Z');
    expect(throughVariable(DateTime, 1700000000000)).toBe('refused');
    expect(throughLiteral(DateTime, '5')).toBe('refused');
  });

  test('a Date is given back as text', () => {
    expect(DateTime.coerceOutputValue(new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  });
});

describe.each([JSONObject, EventAttributes])('%s', (scalar) => {
  test('literals become plain objects', () => {
    expect(throughLiteral(scalar, '{a: 1, b: [true, null, "x", {c: 1.5}]}')).toEqual({
      a: 1,
      b: [true, null, 'x', { c: 1.5 }],
    });
  });

  test.each([
    '{__proto__: {polluted: true}}',
    '{a: {__proto__: 1}}',
    '{a: 9007199254740993}',
    '{a: 100.00000000000000001}',
    '{a: "\\u0000"}',
    '{a: NAME}',
    '[1]',
    '"{}"',
    `${'{a: '.repeat(32)}{}${'}'.repeat(32)}`,
  ])('refuses %s', (literal) => {
    expect(throughLiteral(scalar, literal)).toBe('refused');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('takes 32 levels', () => {
    expect(throughLiteral(scalar, `${'{a: '.repeat(31)}{}${'}'.repeat(31)}`)).not.toBe('refused');
  });

  test.each([[[]], ['x'], [1]])('refuses the variable %j', (value) => {
    expect(throughVariable(scalar, value)).toBe('refused');
  });
});
