import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { overwriteFile } from '../output-file.ts';
import { SPREADSHEET_FORMULA } from '../spreadsheet-formula.ts';
import type { RejectedRow } from './rejections-in-order.ts';

// Most rejected rows in memory: a file in which every row is wrong must not fill it.
const MAX_KEPT = 20;

/** Collects the rows that an import rejected: all of them in a CSV file if one is wanted, the first few in memory. */
export class RejectionReport {
  readonly first: RejectedRow[] = [];
  /** Rejected rows by code. */
  readonly counts = new Map<string, number>();
  readonly #file: WriteStream | null;
  #failure: Error | null = null;

  private constructor(file: WriteStream | null, referenceColumn: string) {
    this.#file = file;
    this.#file?.on('error', (error) => {
      this.#failure = error;
    });
    this.#file?.write(`line,${referenceColumn},code,message\n`);
  }

  /**
   * @param path of a CSV file, which is overwritten; null for no file. A symbolic link is not followed
   * @param referenceColumn the column of the imported file that names a row
   * @throws where the file cannot be opened
   */
  static async open(path: string | null, referenceColumn: string): Promise<RejectionReport> {
    const file = path === null ? null : (await overwriteFile(path)).createWriteStream();
    return new RejectionReport(file, referenceColumn);
  }

  add(row: RejectedRow): void {
    if (this.first.length < MAX_KEPT) this.first.push(row);
    this.counts.set(row.code, (this.counts.get(row.code) ?? 0) + 1);
    this.#file?.write(`${[String(row.line), row.reference, row.code, row.message].map(cell).join(',')}\n`);
  }

  /** Waits until the file is written. @throws where writing failed */
  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    if (this.#failure === null) await finished(this.#file);
    else throw this.#failure;
  }
}

/** A cell in the format of RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(text: string): string {
  const harmless = SPREADSHEET_FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
