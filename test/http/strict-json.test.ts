import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '../../src/http/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe('what is no strict JSON object', () => {
  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['a list', '[]'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['null', 'null'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1/**/}'],
    ['single quotes', "{'a':1}"],
    ['a leading zero', '{"a":01}'],
    ['a bare NaN', '{"a":NaN}'],
    ['an open string', '{"a":"b'],
    ['an open escape', '{"a":"b\\'],
    ['a raw control character', '{"a":"\u0000"}'],
    ['a duplicate key', '{"a":1,"a":2}'],
    ['a duplicate key with one value', '{"a":1,"a":1}'],
    ['a duplicate key after unescaping', '{"a":1,"\\u0061":2}'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a duplicate key in a list', '{"a":[{"b":1},{"b":1,"b":2}]}'],
    ['a byte order mark', '\ufeff{}'],
    ['33 levels', nested(33)],
    ['33 levels of lists', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`],
    ['5,000 levels', nested(5000)],
    ['5,000 levels left open', '{"a":'.repeat(5000)],
  ])('%s', (_name, text) => {
    expect(parse(text).ok).toBe(false);
  });

  test.each([
    ['a stray continuation byte', [0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['an overlong slash', [0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
    ['a surrogate in UTF-8', [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    ['UTF-16', [...Buffer.from('{"a":1}', 'utf16le')]],
  ])('%s', (_name, bytes) => {
    expect(parseStrictJson(Uint8Array.from(bytes)).ok).toBe(false);
  });

  test.each([
    ['', 'The body is empty: send one JSON object.'],
    [' \n', 'The body is empty: send one JSON object.'],
    ['{\n  "a": 1,\n}', 'The body is not JSON: "}" does not fit, at line 3, column 1.'],
    ['{"a": "b', 'The body is not JSON: it ends too early, at line 1, column 9.'],
    ['{"a":1,\n "a":2}', 'The body has a key twice in one object, at line 2, column 2.'],
    ['[]', 'The body is not a JSON object.'],
  ])('%j is told with its place', (text, message) => {
    const [, line, column] = /at line (\d+), column (\d+)\.$/.exec(message) ?? [];
    const position = line === undefined ? {} : { position: { line: Number(line), column: Number(column) } };
    expect(parse(text)).toEqual({ ok: false, message, ...position });
  });

  test('what is not UTF-8 is told with its byte', () => {
    const bytes = Uint8Array.from([0x7b, 0x22, 0xc3, 0xa9, 0x80, 0x22, 0x7d]);
    expect(parseStrictJson(bytes)).toEqual({ ok: false, message: 'The body is not UTF-8 from byte 5 on.' });
  });

  test('32 levels pass, and braces in strings do not count', () => {
    expect(parse(nested(32))).toMatchObject({ ok: true, violations: [] });
    expect(parse(`{"a":"${'{['.repeat(40)}\\"${'{['.repeat(40)}"}`)).toMatchObject({
      ok: true,
      violations: [],
    });
  });

  test('one name in two objects is no duplicate', () => {
    expect(parse('{"a":{"b":1},"b":[{"b":1},{"b":2}]}')).toMatchObject({ ok: true, violations: [] });
  });
});

describe('what the contract does not allow', () => {
  test.each([
    ['__proto__', '{"a":{"__proto__":{"b":1}}}', 'a.__proto__'],
    ['__proto__ escaped', '{"\\u005f_proto__":1}', '__proto__'],
    ['a lone surrogate', '{"a":["x","\\ud800"]}', 'a[1]'],
    ['a lone low surrogate', '{"a":"\\udc00\\ud800"}', 'a'],
    ['a lone surrogate in a key', '{"\\ud800":1}', '["\ufffd"]'],
    ['NUL', '{"items":[{},{"sku":"a\\u0000b"}]}', 'items[1].sku'],
    ['NUL in a key', '{"a\\u0000":1}', '["a\\u0000"]'],
    ['2^53', '{"a":9007199254740992}', 'a'],
    ['2^53+1', '{"a":9007199254740993}', 'a'],
    ['-2^53', '{"a":-9007199254740992}', 'a'],
    ['2^53 with a point', '{"a":9007199254740992.0}', 'a'],
    ['1e16', '{"a":1e16}', 'a'],
    ['1e400', '{"a":1e400}', 'a'],
    ['an exponent that overflows', `{"a":1e${'9'.repeat(400)}}`, 'a'],
    ['an almost integer', '{"a":100.00000000000000001}', 'a'],
    ['an almost zero', '{"a":1e-400}', 'a'],
    ['a name with a space', '{"two words":1e400}', '["two words"]'],
  ])('%s', (_name, text, path) => {
    const result = parse(text);
    expect(result).toMatchObject({ ok: true, violations: [{ path }] });
    expect(result.ok && result.violations).toHaveLength(1);
  });

  test.each([
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1200e-2', 12],
    ['0.0', 0],
    ['0e999999', 0],
    ['12.5', 12.5],
    ['-0.1', -0.1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['9007199254740991.000', Number.MAX_SAFE_INTEGER],
    ['900719925474099.1e1', Number.MAX_SAFE_INTEGER],
  ])('%s is %d', (lexeme, value) => {
    expect(parse(`{"a":[${lexeme},true,false,null]}`)).toEqual({
      ok: true,
      value: { a: [value, true, false, null] },
      violations: [],
    });
  });

  test('every violation is named, up to twenty', () => {
    const result = parse(`{"a":[${Array(5000).fill('1e400').join(',')}]}`);
    expect(result.ok && result.violations.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `a[${index}]`),
    );
  });

  test('prototypes stay clean', () => {
    const result = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(result.ok).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('a long name is not sent back whole', () => {
    const result = parse(`{"${'n'.repeat(5000)}":1e400}`);
    expect(result.ok && result.violations[0]?.path).toBe(`["${'n'.repeat(99)}…"]`);
  });
});

describe('laws', () => {
  const spaces = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

  test('agrees with JSON.parse on every object without violations', () => {
    const objects = fc.dictionary(
      fc
        .string({ unit: 'binary' })
        .filter((key) => key !== '__proto__' && key.isWellFormed() && !key.includes('\0')),
      fc.jsonValue({ maxDepth: 5 }),
    );
    fc.assert(
      fc.property(objects, fc.constantFrom(undefined, 1, '\t'), spaces, (object, indent, space) => {
        const text = space + JSON.stringify(object, null, indent) + space;
        const result = parse(text);
        expect(result.ok).toBe(true);
        if (result.ok) expect(JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  test('refuses whatever JSON.parse refuses, and never throws', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '{',
            '}',
            '[',
            ']',
            '"',
            ':',
            ',',
            '\\',
            'u0061',
            'a',
            '1',
            '-',
            '.',
            'e',
            'true',
            ' ',
          ),
        ),
        (pieces) => {
          const text = `{${pieces.join('')}`;
          let accepted = true;
          try {
            JSON.parse(text);
          } catch {
            accepted = false;
          }
          const result = parse(text);
          if (!accepted) expect(result.ok).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('a key given twice is refused wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.array(fc.constantFrom('a', 0), { maxLength: 8 }),
        (value, wraps) => {
          const twice = `{"k":${JSON.stringify(value)},"k":1}`;
          const text = wraps.reduce<string>(
            (inner, wrap) => (wrap === 'a' ? `{"a":${inner}}` : `[0,${inner}]`),
            twice,
          );
          const column = `{"root":${text}`.lastIndexOf('"k"') + 1;
          expect(parse(`{"root":${text}}`)).toEqual({
            ok: false,
            message: `The body has a key twice in one object, at line 1, column ${column}.`,
            position: { line: 1, column },
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  test('an integer passes exactly within the safe range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }), fc.nat({ max: 6 }), (integer, zeros) => {
        const safe = integer >= -(2n ** 53n) + 1n && integer <= 2n ** 53n - 1n;
        const shifted = `${integer * 10n ** BigInt(zeros)}e-${zeros}`;
        for (const lexeme of [`${integer}`, `${integer}.0`, shifted]) {
          const result = parse(`{"a":${lexeme}}`);
          expect(result.ok && result.violations.length === 0).toBe(safe);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('a hostile body of 128 KiB is read in linear time', () => {
  const bodies = [
    `{"a":[${'1e5,'.repeat(30_000)}1]}`,
    `{"a":"${'\\u0041'.repeat(21_000)}"}`,
    `{"a":1e${'1'.repeat(128_000)}}`,
    `{"a":${'1'.repeat(128_000)}}`,
    `{"a":"${'\\"'.repeat(64_000)}`,
    `{${Array.from({ length: 10_000 }, (_, index) => `"\\u0041${index}":1`).join(',')}}`,
  ];
  for (const body of bodies) {
    const bytes = Buffer.from(body);
    const before = process.cpuUsage();
    parseStrictJson(bytes);
    // Some milliseconds of this process's own CPU. Eight billion steps, for each character those before it, take more.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  }
});
