import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { checkAttributesSchema } from '../../../src/programs/checks/check-attributes-schema.ts';
import { countValues } from '../../../src/programs/document/attribute-values.ts';
import { compileAttributesSchema } from '../../../src/programs/document/attributes-schema.ts';

const listOf = (list: object) => compileAttributesSchema({ type: 'object', properties: { list } });

function millisecondsOf(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

describe('uniqueItems', () => {
  test.each<[string, unknown[], boolean]>([
    ['nothing', [], true],
    ['what JSON tells apart', [1, '1', true, null, [1], { a: 1 }], true],
    ['a number twice', [1, 2, 1.0], false],
    [
      'an object twice, its names in another order',
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    ['a name that objects have anyway, twice', ['__proto__', '__proto__'], false],
  ])('%s', (_what, list, unique) => {
    const message = 'must NOT have duplicate items';
    expect(listOf({ type: 'array', uniqueItems: true })({ list })).toEqual(
      unique ? [] : [{ path: 'attributes.list', message }],
    );
    expect(listOf({ type: 'array', uniqueItems: false })({ list })).toEqual([]);
  });

  test('means what the library means by it', () => {
    const library = new Ajv2020({ strict: false }).compile({ uniqueItems: true });
    const check = listOf({ type: 'array', uniqueItems: true });
    // The library throws for an object with one of these names whose value is not a function.
    const plain = fc
      .jsonValue({ maxDepth: 1 })
      .filter((value) => !/valueOf|toString|constructor/.test(JSON.stringify(value)));
    const few = fc.oneof(fc.integer({ min: 0, max: 3 }), plain);
    fc.assert(
      fc.property(fc.array(few, { maxLength: 6 }), (generated) => {
        const list: unknown = JSON.parse(JSON.stringify(generated));
        expect(check({ list }).length === 0).toBe(library(list));
      }),
      { numRuns: 500 },
    );
  });

  test('a long list takes a time in proportion to it', () => {
    const list = Array.from({ length: 200_000 }, (_, index) => index);
    const check = listOf({ type: 'array', uniqueItems: true });
    // Takes 0.2 s; comparing every pair takes a minute.
    expect(millisecondsOf(() => expect(check({ list })).toEqual([]))).toBeLessThan(15_000);
  });
});

describe('the format url', () => {
  const check = compileAttributesSchema({ properties: { at: { type: 'string', format: 'url' } } });

  test.each<[string, boolean]>([
    ['https://shop.example/a?b=c#d', true],
    ['HTTP://shop.example:8080', true],
    ['ftp://me:secret@files.example/', true],
    ['https://', false],
    ['https://shop.example/a b', false],
    ['javascript:alert(1)', false],
    ['shop.example', false],
    ['', false],
  ])('%s', (at, valid) => {
    expect(check({ at })).toEqual(
      valid ? [] : [{ path: 'attributes.at', message: 'must match format "url"' }],
    );
  });
});

test('a hostile text takes a time in proportion to it, whatever the format', () => {
  const formats = [
    ...[
      'date',
      'date-time',
      'time',
      'duration',
      'uri',
      'uri-reference',
      'uri-template',
      'url',
      'email',
      'hostname',
    ],
    ...['ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'relative-json-pointer', 'byte', 'iso-date-time'],
  ];
  const parts = ['a', 'a.', 'a-', ':', '%20', '/', '1', '::', '{a,', '@', '=', 'P1', '\n', '[', '\u00e1-'];
  for (const format of formats) {
    const check = compileAttributesSchema({ properties: { at: { type: 'string', format } } });
    for (const part of parts) {
      for (const begin of ['', 'http://', 'a@', '//', '{']) {
        const at = `${begin}${part.repeat(100_000)}\u0001`;
        // Takes a few milliseconds; a quadratic check takes at least seven seconds.
        expect({ format, part, begin, slow: millisecondsOf(() => check({ at })) > 3_000 }).toMatchObject({
          slow: false,
        });
      }
    }
  }
});

describe('the worst that is accepted', () => {
  const many = <Value>(count: number, value: (index: number) => Value) =>
    Array.from({ length: count }, (_, index) => value(index));
  const constants = many(195, (index) => ({ const: index }));
  const numbers = many(998, () => 194);
  const nested = (depth: number): object => ({
    ...{ type: 'array', uniqueItems: true },
    ...(depth > 0 ? { items: nested(depth - 1) } : {}),
  });
  const nest = (depth: number): unknown => (depth > 0 ? [nest(depth - 1)] : 'x'.repeat(118_000));

  test.each<[string, object, unknown]>([
    ['one of many constants', { items: { oneOf: constants } }, numbers],
    ['any of many constants', { items: { anyOf: constants } }, numbers],
    ['one of many constants, the last value none', { items: { oneOf: constants } }, [...numbers, 'x']],
    ['none of many types', { items: { oneOf: many(195, () => ({ type: 'string' })) } }, numbers],
    [
      'the length of a long text',
      { items: { allOf: many(195, () => ({ maxLength: 2e5 })) } },
      ['x'.repeat(118_000)],
    ],
    [
      'long texts that are unique',
      { allOf: many(195, () => ({ uniqueItems: true })) },
      many(998, (i) => `${i}`.padEnd(110)),
    ],
    ['unique items within each other', { allOf: many(6, () => nested(28)) }, nest(28)],
    ...['url', 'uri', 'uri-reference', 'date-time'].map((format): [string, object, unknown] => [
      `the format ${format}`,
      { items: { anyOf: many(195, () => ({ format })) } },
      many(998, () => `http://${'\u00e1-'.repeat(34)}`),
    ]),
    [
      'a date with line ends',
      { items: { anyOf: many(195, () => ({ format: 'date-time' })) } },
      ['\n'.repeat(59_000)],
    ],
  ])('costs little: %s', (_what, ofList, list) => {
    const schema = { type: 'object', properties: { list: { type: 'array', ...ofList } } };
    expect(checkAttributesSchema(schema)).toEqual([]);
    const check = compileAttributesSchema(schema);
    const { user, system } = process.cpuUsage();
    check({ list });
    const used = process.cpuUsage({ user, system });
    // At most 70 ms on a machine with eight times the load that it can handle.
    expect((used.user + used.system) / 1_000).toBeLessThan(600);
  });

  test('a format is looked at once for each text, however often it is asked for', () => {
    const check = listOf({ items: { allOf: many(1_000, () => ({ format: 'url' })) } });
    const list = many(998, () => `http://${'\u00e1-'.repeat(34)}`);
    // Takes 30 ms; five seconds where every value is checked.
    expect(millisecondsOf(() => expect(check({ list })).toEqual([]))).toBeLessThan(2_500);
    expect(check({ list: ['no'] })).not.toEqual([]);
    expect(check({ list: ['http://yes.example'] })).toEqual([]);
  });
});

describe('what is wrong', () => {
  const alternatives = Array.from({ length: 50 }, (_, index) => ({ const: `kind-${index}` }));
  const check = listOf({ type: 'array', items: { oneOf: alternatives } });
  const places = (details: { path: string }[]) => [...new Set(details.map(({ path }) => path))];

  test('is all named, up to twenty places, where the event is small', () => {
    expect(places(check({ list: [1, 'kind-7', 2] }))).toEqual(['attributes.list[0]', 'attributes.list[2]']);
    expect(check({ list: Array.from({ length: 100 }, () => 1) })).toHaveLength(20);
  });

  test('is not all looked for where there are more than 200 values', () => {
    expect(check({ list: Array.from({ length: 199 }, () => 1) })).toHaveLength(20);
    expect(places(check({ list: Array.from({ length: 200 }, () => 1) }))).toEqual(['attributes.list[0]']);
  });

  test('is not all looked for where it is large', () => {
    expect(places(check({ list: Array.from({ length: 60_000 }, () => 1) }))).toEqual(['attributes.list[0]']);
  });
});

test('an object that names a method of objects is refused, and breaks nothing', () => {
  const check = compileAttributesSchema({ properties: { at: { enum: [{ a: 1 }] } } });
  expect(check({ at: { a: 1 } })).toEqual([]);
  expect(check({ at: { valueOf: 'x' } })).toEqual([
    { path: 'attributes', message: 'cannot be compared with what the schema allows' },
  ]);
});

test.each<[unknown, number]>([
  [{}, 0],
  ['a text', 0],
  [null, 0],
  [{ a: 1, b: null }, 2],
  [{ a: [1, [2, 3]], b: { c: {} } }, 7],
  [Array(11).fill({ a: 1 }), 11],
])('%j holds so many values, up to one beyond ten: %i', (value, count) => {
  expect(countValues(value, 10)).toBe(count);
});
