import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault, positionAt } from '../../src/http/json-fault.ts';

/** The fault and the character where it is; nothing beyond the end. */
function faultOf(text: string): [string, number, string?] | null {
  const fault = findJsonFault(text);
  if (fault === null) return null;
  const character = text[fault.at];
  return character === undefined ? [fault.kind, fault.at] : [fault.kind, fault.at, character];
}

test.each<[string, string, [string, number, string?]]>([
  ['nothing', '', ['empty', 0]],
  ['space alone', ' \n', ['empty', 0, ' ']],
  ['a text', 'hello', ['syntax', 0, 'h']],
  ['a second value', '{} {}', ['syntax', 3, '{']],
  ['a trailing comma', '{"a":1,}', ['syntax', 7, '}']],
  ['a trailing comma in a list', '{"a":[1,]}', ['syntax', 8, ']']],
  ['a missing comma', '{"a":1 "b":2}', ['syntax', 7, '"']],
  ['a missing colon', '{"a" 1}', ['syntax', 5, '1']],
  ['a comment', '{"a":1/**/}', ['syntax', 6, '/']],
  ['single quotes', "{'a':1}", ['syntax', 1, "'"]],
  ['a leading zero', '{"a":01}', ['syntax', 6, '1']],
  ['NaN', '{"a":NaN}', ['syntax', 5, 'N']],
  ['a raw line break in a string', '{"a":"b\nc"}', ['syntax', 7, '\n']],
  ['an unknown escape', '{"a":"\\x"}', ['syntax', 7, 'x']],
  ['a short escape', '{"a":"\\u00g0"}', ['syntax', 10, 'g']],
  ['a number that ends in its point', '{"a":1.}', ['syntax', 7, '}']],
  ['an exponent without digits', '{"a":1e+}', ['syntax', 8, '}']],
  ['a minus alone', '{"a":-}', ['syntax', 6, '}']],
  ['a word with another letter', '{"a":trxe}', ['syntax', 7, 'x']],
  ['an open number', '{"a":1.', ['end', 7]],
  ['an open word', '{"a":tru', ['end', 8]],
  ['an open escape of four digits', '{"a":"\\u12', ['end', 10]],
  ['another bracket', '{"a":[1}', ['syntax', 7, '}']],
  ['an open object', '{"a":1', ['end', 6]],
  ['an open string', '{"a":"b', ['end', 7]],
  ['an open escape', '{"a":"b\\', ['end', 8]],
  ['a key without its value', '{"a":', ['end', 5]],
  ['a key twice', '{"a":1, "a":2}', ['doubled key', 8, '"']],
  ['a key twice after unescaping', '{"a":1,"\\u0061":2}', ['doubled key', 7, '"']],
  ['a key twice in a list', '{"a":[{"b":1},{"b":1,"b":2}]}', ['doubled key', 21, '"']],
  ['__proto__ twice', '{"__proto__":1,"__proto__":2}', ['doubled key', 15, '"']],
])('%s', (_name, text, expected) => {
  expect(faultOf(text)).toEqual(expected);
});

test('one key in two objects is no fault', () => {
  expect(findJsonFault(' {"a":{"b":1},"b":[{"b":-1.5e+3},{"b":[]},{}, true, false, null]} ')).toBeNull();
});

test('there is a fault where JSON.parse refuses, and nowhere else', () => {
  const places = fc.tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(...'{}[]",:\\ 0e-.\u0001truén', ''),
  );
  fc.assert(
    fc.property(places, fc.boolean(), ([json, at, character], replaces) => {
      const index = at % (json.length + 1);
      const text = json.slice(0, index) + character + json.slice(index + (replaces ? 1 : 0));
      let refused = false;
      try {
        JSON.parse(text);
      } catch {
        refused = true;
      }
      const fault = findJsonFault(text);
      if (fault?.kind !== 'doubled key') expect([text, fault !== null]).toEqual([text, refused]);
      // What comes before a character that does not fit is the beginning of some value, and with it of none.
      if (fault?.kind !== 'syntax') return;
      expect(findJsonFault(text.slice(0, fault.at))?.kind).not.toBe('syntax');
      expect(findJsonFault(text.slice(0, fault.at + 1))).toEqual(fault);
    }),
    { numRuns: 2_000 },
  );
});

test('a place counts lines and characters from 1', () => {
  expect(positionAt('abc', 0)).toEqual({ line: 1, column: 1 });
  expect(positionAt('{\n  "a": x', 9)).toEqual({ line: 2, column: 8 });
  expect(positionAt('{\r\n"é😀": x', 10)).toEqual({ line: 2, column: 7 });
});

test('128 KiB without any meaning are read in a moment', () => {
  const worst = [
    `{"a":"${'\\u0061'.repeat(21_000)}`,
    `[${'[],'.repeat(43_000)}`,
    `{${Array.from({ length: 9_000 }, (_, index) => `"key-${index}":1`).join()}`,
  ];
  for (const text of worst) {
    const before = process.cpuUsage();
    expect(findJsonFault(text)?.kind).toBe('end');
    // Some milliseconds of this process's own CPU. Eight billion steps, for each character those before it, take more.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
  }
});
