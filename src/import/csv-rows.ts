import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { checkUtf8 } from './check-utf8.ts';

/** The cells of a CSV row by column name, or what is wrong with the row. `line` counts from 1, the header included. */
export type CsvRow<Column extends string> =
  | { line: number; cells: Partial<Record<Column, string>> }
  | { line: number; problem: string };

// No import has nearly as many columns, and a header of a million takes minutes to compare.
const MAX_COLUMNS = 200;
// A cell may hold the JSON of a request, of 128 KiB at most. Without a bound, one quote that is never closed reads all
// of a file into memory.
const MAX_ROW_CHARACTERS = 2 ** 20;

/** The file cannot be read, or cannot be read to its end. */
export class CsvFileError extends Error {}

/**
 * Streams the rows of a CSV file in UTF-8, wrong rows included, in the order of the file. The header may name the
 * columns in any order.
 * @throws CsvFileError for a missing file, an unknown, doubled or missing column, more than 200 columns, a row of more
 *   than 1,048,576 characters, a quote that is never closed, and bytes that are not UTF-8; no row after these is read
 */
export async function* readCsvRows<Column extends string>(
  path: string,
  columns: readonly Column[],
  required: readonly string[],
): AsyncGenerator<CsvRow<Column>> {
  const skipped: CsvRow<Column>[] = [];
  let hasHeader = false;
  let fatal: CsvFileError | null = null;
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    // A row with too many or too few cells is reported and skipped; the rows before and after it are read.
    skip_records_with_error: true,
    max_record_size: MAX_ROW_CHARACTERS,
    on_skip: (error) => {
      if (error?.code === 'CSV_MAX_RECORD_SIZE') fatal = new CsvFileError(tooLong(error, hasHeader));
      else if (error?.code === 'CSV_QUOTE_NOT_CLOSED') fatal = new CsvFileError(describe(error));
      else if (error) skipped.push({ line: Number(error.lines ?? 0), problem: describeRow(error) });
      return undefined;
    },
    columns: (header: string[]) => {
      hasHeader = true;
      return checkHeader(header, columns, required);
    },
  });
  const utf8 = checkUtf8(
    (line) =>
      new CsvFileError(`Line ${line} is not UTF-8. Save the file as UTF-8, or convert it with iconv.`),
  );
  pipeline(createReadStream(path), utf8, parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Partial<Record<Column, string>>;
      info: { lines: number };
    }>) {
      // The parser reads ahead: rows that it has skipped may come after this row.
      const ahead = skipped.findIndex((row) => row.line > info.lines);
      yield* skipped.splice(0, ahead === -1 ? skipped.length : ahead);
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new CsvFileError(describe(error));
    if (isSystemError(error)) throw new CsvFileError(UNREADABLE[error.code] ?? error.message);
    throw error;
  }
  if (fatal !== null) throw fatal;
  if (!hasHeader) throw new CsvFileError('The file is empty: its first line must name the columns.');
  yield* skipped;
}

function checkHeader<Column extends string>(
  header: string[],
  columns: readonly Column[],
  required: readonly string[],
): string[] {
  if (header.length > MAX_COLUMNS)
    throw new CsvFileError(
      `The first line names ${header.length} columns: at most ${MAX_COLUMNS}. Known: ${columns.join(', ')}`,
    );
  const names = header.map((name) => name.trim());
  const separator = otherSeparator(names, columns);
  if (separator !== null) {
    throw new CsvFileError(
      `The columns are separated by ${separator}, not by commas. Save the file with commas: in a spreadsheet as ` +
        '"CSV UTF-8 (comma delimited)", or export it again with a comma as separator.',
    );
  }
  const unknown = names.filter((name) => !(columns as readonly string[]).includes(name));
  const missing = required.filter((name) => !names.includes(name));
  const doubled = names.filter((name, index) => names.indexOf(name) !== index);
  const problems = [
    ...unknown.map((name) => `unknown column "${name}"`),
    ...doubled.map((name) => `column "${name}" stands twice`),
    ...missing.map((name) => `column "${name}" is missing`),
  ];
  if (problems.length > 0) {
    throw new CsvFileError(
      `The first line must name the columns: ${problems.join(', ')}. Known: ${columns.join(', ')}`,
    );
  }
  return names;
}

const SEPARATORS = { semicolons: ';', tabs: '\t', 'vertical bars': '|' };

/** The separator of a header that contains known columns only when split by another sign than the comma; else null. */
function otherSeparator(names: readonly string[], columns: readonly string[]): string | null {
  const isColumn = (name: string): boolean => columns.includes(name.trim().replaceAll('"', ''));
  if (names.some(isColumn)) return null;
  const match = Object.entries(SEPARATORS).find(([, sign]) => {
    const cells = names.join(',').split(sign);
    return cells.length > 1 && cells.some(isColumn);
  });
  return match?.[0] ?? null;
}

function tooLong({ lines }: CsvError, hasHeader: boolean): string {
  const row = hasHeader ? `The row that begins before line ${Number(lines ?? 0) + 1}` : 'The first line';
  return `${row} has more than ${MAX_ROW_CHARACTERS} characters. A quote that is not closed reads on to the next one.`;
}

/** What is wrong with a row that the parser skipped. */
function describeRow(error: CsvError): string {
  if (error.code !== 'CSV_RECORD_INCONSISTENT_COLUMNS') return describe(error);
  const [cells, columns] = [error.record, error.columns].map((list) =>
    Array.isArray(list) ? list.length : 0,
  );
  return (
    `the row has ${cells} cells where the first line names ${columns} columns; ` +
    'a cell with a comma in it stands in double quotes'
  );
}

/** Why a file cannot be read, by the code of the file system. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'This is a folder, not a file.',
  EACCES: 'The file may not be read by this user.',
};

function isSystemError(error: unknown): error is { message: string; code: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'code' in error;
}

function describe(error: { message: string }): string {
  return error.message.replaceAll('\n', ' ');
}
