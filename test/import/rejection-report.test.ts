import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readCsvRows } from '../../src/import/csv-rows.ts';
import { RejectionReport } from '../../src/import/rejection-report.ts';
import { useFolder } from '../support/fixture.ts';

const COLUMNS = ['line', 'reference', 'code', 'message'] as const;

const folder = useFolder('rewards-report-');

test.each([
  ['a comma', 'a,b'],
  ['a quote', 'a"b'],
  ['a line feed', 'a\nb'],
  ['a carriage return alone', 'a\rb'],
  ['a carriage return and a line feed', 'a\r\nb'],
])('a reference with %s is one cell of the report, as it was', async (_name, reference) => {
  const path = join(folder, 'rejected.csv');
  const report = await RejectionReport.open(path, 'reference');
  report.add({ line: 2, reference, code: 'invalid_row', message: 'first' });
  report.add({ line: 3, reference: 'next', code: 'invalid_row', message: 'second' });
  await report.close();
  expect(await readFile(path, 'utf8')).toBe(
    'line,reference,code,message\n' +
      `2,"${reference.replace('"', '""')}",invalid_row,first\n3,next,invalid_row,second\n`,
  );
  const cells: object[] = [];
  for await (const row of readCsvRows(path, COLUMNS, COLUMNS)) cells.push('cells' in row ? row.cells : row);
  expect(cells).toEqual([
    { line: '2', reference, code: 'invalid_row', message: 'first' },
    { line: '3', reference: 'next', code: 'invalid_row', message: 'second' },
  ]);
});

test('the first 20 rejected rows are kept in memory, and all are counted by their codes', async () => {
  const report = await RejectionReport.open(null, 'reference');
  for (let line = 2; line < 23; line += 1) {
    report.add({ line, reference: 'r', code: line === 22 ? 'cap_reached' : 'invalid_row', message: 'm' });
  }
  await report.close();
  expect(report.first.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
  expect(report.counts).toEqual(
    new Map([
      ['invalid_row', 20],
      ['cap_reached', 1],
    ]),
  );
});
