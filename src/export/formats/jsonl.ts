import { createReadStream } from 'node:fs';
import type { Cell, Column, Row } from '../kinds/kind.ts';
import { type Format, UnreadableFileError } from './format.ts';

/** One JSON object a line. Integers are written with all digits, also beyond 2^53. */
export const jsonl: Format = {
  extension: 'jsonl',
  encoder: (columns) => ({
    encode(rows) {
      let text = '';
      for (const row of rows) text += `${lineOf(row, columns)}\n`;
      return Buffer.from(text);
    },
    finish: () => new Uint8Array(0),
  }),
  async *read(path, columns) {
    const names = columns.map(({ name }) => name).join();
    for await (const lines of linesOf(path)) {
      yield lines.map((line): Row => {
        const row = parseExactly(line);
        if (Object.keys(row).join() !== names)
          throw new UnreadableFileError(`a line has other columns than ${names}`);
        return columns.map(({ name }) => cellOf(row[name]));
      });
    }
  },
};

function lineOf(row: Row, columns: readonly Column[]): string {
  let line = '{';
  for (let index = 0; index < columns.length; index++) {
    const { name, type } = columns[index] as Column;
    const cell = row[index] ?? null;
    line += `${index > 0 ? ',' : ''}"${name}":`;
    if (cell === null) line += 'null';
    else if (type === 'integer') line += cell;
    // JSON may have been stored with line ends between its parts; inside of its texts they are escaped.
    else line += type === 'json' ? cell.replace(/[\r\n]+/g, ' ') : JSON.stringify(cell);
  }
  return `${line}}`;
}

/** The lines of a file, in batches. Only a line feed ends a line: texts may contain other line separators. */
async function* linesOf(path: string): AsyncGenerator<string[]> {
  let rest = '';
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') throw new UnreadableFileError('its last line is not complete');
}

/** The object of a line, with each number as its digits. */
function parseExactly(line: string): Record<string, unknown> {
  const asDigits = (_key: string, value: unknown, { source }: { source?: string }): unknown =>
    typeof value === 'number' ? source : value;
  try {
    // The declarations of TypeScript lack the third argument of a reviver.
    return JSON.parse(line, asDigits as Parameters<typeof JSON.parse>[1]) as Record<string, unknown>;
  } catch {
    throw new UnreadableFileError('a line is no JSON object');
  }
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
