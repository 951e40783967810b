import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { SPREADSHEET_FORMULA } from '../../spreadsheet-formula.ts';
import type { Cell, Column, Row } from '../kinds/kind.ts';
import { type Format, UnreadableFileError } from './format.ts';

const SPECIAL = /[",\r\n]/;
const BATCH = 1_000;

/** CSV by RFC 4180 with line feeds. A column without a value is empty, an empty text is `""`. */
export const csv: Format = {
  extension: 'csv',
  encoder(columns) {
    let header = `${columns.map(({ name }) => name).join(',')}\n`;
    const takeHeader = (): string => {
      const text = header;
      header = '';
      return text;
    };
    return {
      encode(rows) {
        let text = takeHeader();
        for (const row of rows) text += `${lineOf(row, columns)}\n`;
        return Buffer.from(text);
      },
      finish: () => Buffer.from(takeHeader()),
    };
  },
  async *read(path, columns) {
    const parser = parse({ cast: (value, { quoting }) => (value === '' && !quoting ? null : value) });
    pipeline(createReadStream(path), parser, () => undefined);
    let hasHeader = false;
    let batch: Row[] = [];
    try {
      for await (const record of parser as AsyncIterable<(string | null)[]>) {
        if (hasHeader) {
          batch.push(record.map((cell, index) => withoutGuard(cell, columns[index])));
        } else {
          hasHeader = true;
          checkHeader(record, columns);
        }
        if (batch.length === BATCH) {
          yield batch;
          batch = [];
        }
      }
    } catch (error) {
      if (error instanceof CsvError) throw new UnreadableFileError(error.message);
      throw error;
    }
    if (!hasHeader) throw new UnreadableFileError('it has no header');
    if (batch.length > 0) yield batch;
  },
};

function lineOf(row: Row, columns: readonly Column[]): string {
  let line = '';
  for (let index = 0; index < columns.length; index++) {
    if (index > 0) line += ',';
    const cell = row[index] ?? null;
    if (cell === null) continue;
    const type = columns[index]?.type;
    if (type === 'text') line += quoted(guarded(cell));
    else line += type === 'json' ? quoted(cell) : cell;
  }
  return line;
}

/**
 * An apostrophe goes in front of an apostrophe too, so that a reader can take the one that was put in front away
 * again.
 */
function guarded(text: string): string {
  return SPREADSHEET_FORMULA.test(text) || text.startsWith("'") ? `'${text}` : text;
}

function quoted(text: string): string {
  return text === '' || SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function withoutGuard(cell: Cell, column: Column | undefined): Cell {
  return column?.type === 'text' && cell?.startsWith("'") ? cell.slice(1) : cell;
}

function checkHeader(header: readonly Cell[], columns: readonly Column[]): void {
  const expected = columns.map(({ name }) => name).join(',');
  if (header.join(',') !== expected) throw new UnreadableFileError(`its first line is not ${expected}`);
}
