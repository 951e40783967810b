import type { Column, Row } from '../kinds/kind.ts';

export type FormatName = 'csv' | 'jsonl' | 'parquet';

/** Turns rows into the bytes of one file, in the order in which they are given. */
export interface Encoder {
  /** @returns the next bytes of the file; none where the format collects rows first */
  encode(rows: readonly Row[]): Uint8Array;
  /** Ends the file. @returns its last bytes */
  finish(): Uint8Array;
}

/** A file format: how rows are written, and how they are read again. */
export interface Format {
  /** Of file names, without a dot. */
  extension: FormatName;
  encoder(columns: readonly Column[]): Encoder;
  /**
   * Reads the rows of a file, in batches.
   * @throws UnreadableFileError where it is no file of this format with these columns
   */
  read(path: string, columns: readonly Column[]): AsyncIterable<Row[]>;
}

/** A file is not what it should be. The message says what is wrong with it. */
export class UnreadableFileError extends Error {
  override name = 'UnreadableFileError';
}
