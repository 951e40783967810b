import type { WriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { RejectedRow } from './rejections-in-order.ts';

// Enough to see what is wrong; a file that is wrong throughout must not fill the memory.
const MAX_KEPT = 20;

/** Collects the rows that an import rejected: all of them in a CSV file if one is wanted, the first few in memory. */
export class RejectionReport {
  readonly first: RejectedRow[] = [];
  /** Rejected rows by code. */
  readonly counts = new Map<string, number>();
  readonly #file: WriteStream | null;
  #failure: Error | null = null;

  private constructor(file: WriteStream | null) {
    this.#file = file;
    this.#file?.on('error', (error) => {
      this.#failure = error;
    });
    this.#file?.write('line,source_reference,code,message\n');
  }

  /** @param path of a CSV file, made anew; null for none @throws at once where it cannot be written */
  static async open(path: string | null): Promise<RejectionReport> {
    return new RejectionReport(path === null ? null : (await open(path, 'w')).createWriteStream());
  }

  add(row: RejectedRow): void {
    if (this.first.length < MAX_KEPT) this.first.push(row);
    this.counts.set(row.code, (this.counts.get(row.code) ?? 0) + 1);
    this.#file?.write(
      `${[String(row.line), row.sourceReference, row.code, row.message].map(cell).join(',')}\n`,
    );
  }

  /** Waits until the file is written. @throws where it could not be */
  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    if (this.#failure === null) await finished(this.#file);
    else throw this.#failure;
  }
}

/** A cell as RFC 4180 writes it, and so that a spreadsheet does not run what a customer's reference begins with. */
function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
