import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkUtf8 } from '../../src/import/check-utf8.ts';
import { CsvFileError, readCsvRows } from '../../src/import/csv-rows.ts';
import { useFolder } from '../support/fixture.ts';

const folder = useFolder('rewards-csv-');

async function read(text: string | Uint8Array) {
  const file = join(folder, 'rows.csv');
  await writeFile(file, text);
  const rows = [];
  for await (const row of readCsvRows(file, ['id', 'amount', 'note'], ['id', 'amount'])) rows.push(row);
  return rows;
}

test('cells come by column name, whatever the order, with the line that they end on', async () => {
  expect(await read('amount,id\n1,a\n2,b\n')).toEqual([
    { line: 2, cells: { amount: '1', id: 'a' } },
    { line: 3, cells: { amount: '2', id: 'b' } },
  ]);
});

test('quotes, commas and line ends in cells, a byte order mark, CRLF, empty lines', async () => {
  expect(await read('\uFEFFid,amount,note\r\n"a,1",1,"say ""hi""\ntwice"\r\n\r\nb,2,\r\n')).toEqual([
    { line: 3, cells: { id: 'a,1', amount: '1', note: 'say "hi"\ntwice' } },
    { line: 5, cells: { id: 'b', amount: '2', note: '' } },
  ]);
});

test('a row with too few or too many cells is a problem of its own', async () => {
  const rows = await read('id,amount\na,1\nb\nc,3,4\nd,4\n');
  expect(rows.filter((row) => 'cells' in row)).toEqual([
    { line: 2, cells: { id: 'a', amount: '1' } },
    { line: 5, cells: { id: 'd', amount: '4' } },
  ]);
  expect(rows.filter((row) => 'problem' in row)).toMatchObject([
    { line: 3, problem: expect.stringContaining('columns') },
    { line: 4, problem: expect.stringContaining('columns') },
  ]);
});

test('rows and problems come in the order of the file', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => (index % 7 === 3 ? 'alone' : `r-${index},1`));
  const rows = await read(`id,amount\n${lines.join('\n')}\n`);
  expect(rows.map(({ line }) => line)).toEqual(lines.map((_, index) => index + 2));
});

test('a file with nothing but its header has no rows', async () => {
  expect(await read('id,amount\n')).toEqual([]);
});

describe('is no file of rows', () => {
  test.each([
    ['an unknown column', 'id,amount,colour\na,1,red\n', 'unknown column "colour"'],
    ['a missing column', 'id\na\n', 'column "amount" is missing'],
    ['a doubled column', 'id,amount,id\na,1,b\n', 'column "id" stands twice'],
    ['semicolons', 'id;amount\na;1\n', 'separated by semicolons, not by commas'],
    ['semicolons, and quotes', '"id";"amount"\n"a";"1,50"\n', 'separated by semicolons'],
    ['tabs', 'amount\tid\n1\ta\n', 'separated by tabs'],
    ['semicolons, and a comma in a name', 'id;a,b;amount\n', 'separated by semicolons'],
    ['one column that has a semicolon in its name', 'a;b\n1\n', 'unknown column "a;b"'],
    ['a quote that is never closed', 'id,amount\na,"1\n', 'Quote'],
  ])('%s', async (_what, text, message) => {
    const reading = read(text);
    await expect(reading).rejects.toThrow(CsvFileError);
    await expect(reading).rejects.toThrow(message);
  });

  test('one that is empty', async () => {
    await expect(read('')).rejects.toThrow(CsvFileError);
  });

  test('one that is not there', async () => {
    const rows = readCsvRows(join(folder, 'nowhere.csv'), ['id'], ['id']);
    await expect(rows.next()).rejects.toThrow('no such file');
  });
});

describe('bytes that are not UTF-8', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');

  test.each([
    ['another encoding, with the line', latin1('id,amount\na,1\nJos\u00e9,2\n'), 'Line 3'],
    ['in the header', latin1('\u00efd,amount\n'), 'Line 1'],
    [
      'a character cut off by the end of the file',
      Buffer.from('id,amount\na,1\nb,€').subarray(0, -1),
      'Line 3',
    ],
    ['UTF-16', Buffer.from('\uFEFFid,amount\na,1\n', 'utf16le'), 'Line 1'],
    ['half of a surrogate pair', Buffer.from([...Buffer.from('id,amount\n'), 0xed, 0xa0, 0x80]), 'Line 2'],
  ])('%s', async (_what, bytes, message) => {
    const reading = read(bytes);
    await expect(reading).rejects.toThrow(CsvFileError);
    await expect(reading).rejects.toThrow(message);
  });

  test('are found wherever the file is cut into chunks, and only they', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => Buffer.from(`${text}\n`));
    const lines = fc.array(fc.oneof(line, fc.uint8Array({ maxLength: 4 }).map(Buffer.from)), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 1, max: 5 }), async (parts, size) => {
        const bytes = Buffer.concat(parts);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const found: number[] = [];
        const passed: Buffer[] = [];
        const checked = Readable.from(chunks).pipe(
          checkUtf8((at) => {
            found.push(at);
            return new Error('refused');
          }),
        );
        try {
          for await (const chunk of checked) passed.push(chunk);
        } catch {
          // What was found is compared below.
        }
        const faulty = bytes
          .toString('latin1')
          .split('\n')
          .findIndex(
            (text) => Buffer.from(Buffer.from(text, 'latin1').toString(), 'utf8').toString('latin1') !== text,
          );
        expect(found).toEqual(faulty === -1 ? [] : [faulty + 1]);
        if (faulty === -1) expect(Buffer.concat(passed)).toEqual(bytes);
      }),
      { numRuns: 100 },
    );
  });
});

test('a header of more than 200 columns is refused at once', async () => {
  const known = Array.from({ length: 201 }, () => 'id').join(',');
  await expect(read(`${known}\n`)).rejects.toThrow('names 201 columns: at most 200. Known: id, amount, note');
  await expect(read(`${'x,'.repeat(100_000)}\n`)).rejects.toThrow('names 100001 columns');
});

test.each([
  ['a header', `${'x'.repeat(2_000_000)}\n`, /^The first line has more than 1048576 characters/],
  [
    'a row',
    `id,amount\na,1\n"${'x'.repeat(2_000_000)}\n`,
    /^The row that begins before line \d+ has more than/,
  ],
])('%s of more than a million characters ends the file', async (_what, text, message) => {
  await expect(read(text)).rejects.toThrow(CsvFileError);
  await expect(read(text)).rejects.toThrow(message);
});
