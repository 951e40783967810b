import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { printable, printableLine } from '../../../src/cli/shell/printable.ts';

const hostile = fc.string({
  unit: fc.constantFrom('a', ' ', '\n', '\t', '\u001b', '\u007f', '\u009b', '\r', '"'),
});

test('control characters are escaped, except tabs and line ends; on one line those too', () => {
  expect(printable('a\u001b[2J\u009b\r\n\tb')).toBe('a\\u001b[2J\\u009b\\u000d\n\tb');
  expect(printableLine('a\n\u202eb')).toBe('a\\u000a\\u202eb');
  fc.assert(
    fc.property(hostile, (text) => {
      expect(printable(text)).not.toMatch(/(?![\t\n])\p{Cc}/u);
      expect(printableLine(text)).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('JSON and quoted YAML keep their meaning', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(JSON.parse(printable(JSON.stringify({ text }, null, 2)))).toEqual({ text });
      expect(parse(printable(stringify({ text }, { blockQuote: false })))).toEqual({ text });
    }),
  );
});
