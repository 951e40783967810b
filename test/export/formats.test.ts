import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FORMATS } from '../../src/export/formats/all-formats.ts';
import { type FormatName, UnreadableFileError } from '../../src/export/formats/format.ts';
import type { Cell, Column, Row } from '../../src/export/kinds/kind.ts';
import { useFolder } from '../support/fixture.ts';

const columns: readonly Column[] = [
  { name: 'id', type: 'id', prefix: 'txn', sql: '', description: '' },
  { name: 'note', type: 'text', sql: '', description: '' },
  { name: 'points', type: 'integer', sql: '', description: '' },
  { name: 'at', type: 'instant', sql: '', description: '' },
  { name: 'changes', type: 'json', sql: '', description: '' },
];

const folder = useFolder('rewards-formats-');

async function write(format: FormatName, ...batches: Row[][]): Promise<string> {
  const encoder = FORMATS[format].encoder(columns);
  const bytes = [...batches.map((rows) => encoder.encode(rows)), encoder.finish()];
  const path = join(folder, `file.${format}`);
  await writeFile(path, Buffer.concat(bytes));
  return path;
}

async function read(format: FormatName, path: string): Promise<Row[]> {
  const found: Row[] = [];
  for await (const rows of FORMATS[format].read(path, columns)) found.push(...rows);
  return found;
}

const orNull = (cell: fc.Arbitrary<string>): fc.Arbitrary<Cell> => fc.option(cell, { nil: null });
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    '=1+1',
    "'",
    "'=x",
    '+49',
    '-5',
    '@a',
    '\tx',
    'a,b',
    '"',
    'a\r\nb',
    ' x ',
    '\u2028',
    'null',
  ),
);
const row = fc.tuple(
  fc.constant('txn_01h455vb4pex5vsknk084sn02q'),
  orNull(text),
  orNull(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  orNull(
    fc
      .date({ min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((at) => at.toISOString()),
  ),
  orNull(
    fc
      .tuple(text, fc.constantFrom(0, 2))
      .map(([name, indent]) => JSON.stringify({ name, list: [1, null] }, null, indent)),
  ),
);

describe.each(['csv', 'jsonl', 'parquet'] as const)('%s', (format) => {
  test('gives back every cell as it was, integers up to 2^63 included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.array(row), async (first, second) => {
        const path = await write(format, first, second);
        expect((await read(format, path)).map(canonical)).toEqual([...first, ...second].map(canonical));
      }),
      { numRuns: 60 },
    );
  });

  test('of no rows is a file without rows', async () => {
    expect(await read(format, await write(format))).toEqual([]);
  });

  test('that is something else cannot be read', async () => {
    const path = join(folder, `other.${format}`);
    await writeFile(path, 'id,other\n"1"2,3\n');
    await expect(read(format, path)).rejects.toThrow(UnreadableFileError);
  });

  test('that was cut off is not read as if it were whole', async () => {
    const rows: Row[] = [['txn_1', 'one', '1', null, '{}']];
    const path = await write(format, rows);
    const whole = await read(format, path);
    const bytes = FORMATS[format].encoder(columns);
    const all = Buffer.concat([bytes.encode(rows), bytes.finish()]);
    await writeFile(path, all.subarray(0, all.length - 5));
    expect(await read(format, path).catch(() => null)).not.toEqual(whole);
  });
});

/** JSON by its value: JSON Lines contains it as an object, not as text. */
function canonical(found: Row): unknown[] {
  return found.map((cell, index) =>
    columns[index]?.type === 'json' && cell !== null
      ? (JSON.parse(cell.replace(/"1"/, '1')) as unknown)
      : cell,
  );
}

test('CSV is quoted as RFC 4180 says, and no text of it is a formula of a spreadsheet', async () => {
  const encoder = FORMATS.csv.encoder(columns);
  const bytes = encoder.encode([
    ['txn_1', '=HYPERLINK("http://x","y")', '-5', '2026-10-01T00:00:00.000Z', '{"a":1,"b":"="}'],
    ['txn_2', '', null, null, null],
    ['txn_3', null, '9223372036854775807', null, null],
    ['txn_4', "'quoted", null, null, null],
    ['txn_5', '＝1+1', null, null, null],
    ['txn_6', '＋1', null, null, null],
    ['txn_7', '－1', null, null, null],
    ['txn_8', '＠SUM', null, null, null],
  ]);
  expect(Buffer.from(bytes).toString()).toBe(
    [
      'id,note,points,at,changes',
      `txn_1,"'=HYPERLINK(""http://x"",""y"")",-5,2026-10-01T00:00:00.000Z,"{""a"":1,""b"":""=""}"`,
      'txn_2,"",,,',
      'txn_3,,9223372036854775807,,',
      "txn_4,''quoted,,,",
      "txn_5,'＝1+1,,,",
      "txn_6,'＋1,,,",
      "txn_7,'－1,,,",
      "txn_8,'＠SUM,,,",
      '',
    ].join('\n'),
  );
});
