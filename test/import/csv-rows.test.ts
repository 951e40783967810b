import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CsvFileError, readCsvRows } from '../../src/import/csv-rows.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-csv-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function read(text: string) {
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

test('a file with nothing but its header has no rows', async () => {
  expect(await read('id,amount\n')).toEqual([]);
});

describe('is no file of rows', () => {
  test.each([
    ['an unknown column', 'id,amount,colour\na,1,red\n', 'unknown column "colour"'],
    ['a missing column', 'id\na\n', 'column "amount" is missing'],
    ['a doubled column', 'id,amount,id\na,1,b\n', 'column "id" stands twice'],
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
