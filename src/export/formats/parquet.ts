import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Cell, Column, Row } from '../kinds/kind.ts';
import { type Encoder, type Format, UnreadableFileError } from './format.ts';

/** Rows in memory, and in a row group. */
const GROUP_ROWS = 20_000;

/** Parquet with Snappy: integers as INT64, instants as milliseconds in UTC, texts and JSON as UTF-8. */
export const parquet: Format = {
  extension: 'parquet',
  encoder: (columns) => new ParquetEncoder(columns),
  async *read(path, columns) {
    try {
      const file = await asyncBufferFromFile(path);
      const metadata = await parquetMetadataAsync(file);
      const names = metadata.schema.slice(1).map(({ name }) => name);
      const expected = columns.map(({ name }) => name);
      if (names.join() !== expected.join())
        throw new UnreadableFileError(`it has other columns than ${expected.join()}`);
      const total = Number(metadata.num_rows);
      for (let rowStart = 0; rowStart < total; rowStart += GROUP_ROWS) {
        const rowEnd = Math.min(rowStart + GROUP_ROWS, total);
        const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd });
        yield rows.map((row): Row => columns.map(({ name }) => cellOf(row[name])));
      }
    } catch (error) {
      if (error instanceof UnreadableFileError) throw error;
      throw new UnreadableFileError(`it is no Parquet that can be read: ${(error as Error).message}`);
    }
  },
};

class ParquetEncoder implements Encoder {
  readonly #columns: readonly Column[];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #waiting: Row[] = [];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: schemaOf(columns),
      createdBy: `${packageJson.name} ${packageJson.version}`,
    });
  }

  encode(rows: readonly Row[]): Uint8Array {
    for (const row of rows) {
      this.#waiting.push(row);
      if (this.#waiting.length === GROUP_ROWS) this.#writeGroup();
    }
    return this.#take();
  }

  finish(): Uint8Array {
    if (this.#waiting.length > 0) this.#writeGroup();
    void this.#writer.finish();
    return this.#take();
  }

  #writeGroup(): void {
    const rows = this.#waiting;
    this.#waiting = [];
    const columnData = this.#columns.map(({ name, type }, index) => ({
      name,
      data: rows.map((row) => parquetValue(row[index] ?? null, type)),
    }));
    void this.#writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }

  /** Takes what has been written out of the buffer, which is used again. */
  #take(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(
      ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...TYPES[type] }),
    ),
  ];
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const TYPES: Readonly<Record<Column['type'], Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  id: text,
  text,
  integer: { type: 'INT64' },
  instant: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  // The library would parse and write it again, and so round its integers.
  json: text,
};

function parquetValue(cell: Cell, type: Column['type']): unknown {
  if (cell === null) return null;
  if (type === 'integer') return BigInt(cell);
  return type === 'instant' ? new Date(cell) : cell;
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.toISOString() : String(value);
}
