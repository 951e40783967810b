import { type FileHandle, readFile, rm } from 'node:fs/promises';
import { createFile } from '../output-file.ts';
import { FileWriter } from './file-writer.ts';
import type { FormatName } from './formats/format.ts';
import type { KindName } from './kinds/kind.ts';
import type { Total } from './totals.ts';

export const MANIFEST_SCHEMA = 'rewards.export.v1';

/** Half-open: from inclusive, to exclusive. ISO 8601 in UTC. */
export interface Span {
  from: string;
  to: string;
}

/** What an export is of. Two runs with the same request are one export. */
export interface ExportRequest {
  schema: typeof MANIFEST_SCHEMA;
  environmentId: string;
  kind: KindName;
  format: FormatName;
  /** As it was asked for. */
  requested: Span;
}

/** A request with the period that its rows are of. */
export interface ExportHead extends ExportRequest {
  /** It ends no later than the time at which the export began. */
  period: Span;
  /** True where the period had ended, and nothing more was written into it. */
  periodOver: boolean;
}

/** A place in the feed of events: everything up to it is in what was read. */
export interface FeedPosition {
  epoch: number;
  /**
   * When that epoch began, which tells it from one that begins again under the same number after a restore. Null before
   * the first event; absent in what an earlier release has begun.
   */
  epochAt?: string | null;
  position: number;
}

/** One file of an export, with its rows of a part of the period. */
export interface ExportedFile extends Span {
  name: string;
  rows: number;
  bytes: number;
  sha256: string;
  /** When the snapshot was taken that its rows come from. */
  snapshotAt: string;
  /**
   * Where the feed stood in that snapshot: every event up to it is in the rows. Absent in what an earlier release has
   * begun.
   */
  feed?: FeedPosition;
  totals: Total[];
}

/** The description of a finished export, which is written beside its files. */
export interface Manifest extends ExportHead {
  /** The operation that finished it. */
  operationId: string;
  /** From where the feed of events goes on after what is exported; null where there is no file. */
  feed: FeedPosition | null;
  columns: { name: string; type: string }[];
  rows: number;
  totals: Total[];
  files: ExportedFile[];
}

/** The manifest of a path; null where there is none. @throws SyntaxError where it is no JSON */
export async function readManifest(path: string): Promise<Manifest | null> {
  const text = await textOf(path);
  return text === null ? null : (JSON.parse(text) as Manifest);
}

/** Writes a manifest so that it is there as a whole or not at all. */
export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  const writer = await FileWriter.open(path);
  try {
    await writer.write(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
    await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/**
 * The record of an export that runs: its head and, one a line, its finished files. An export that was killed goes on
 * after the last of them.
 */
export class Progress {
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @returns null where no export has been interrupted at this path */
  static async read(path: string): Promise<{ head: ExportHead; files: ExportedFile[] } | null> {
    // A last line without an end was being written by a process that was killed.
    const lines = (await textOf(path))?.split('\n').slice(0, -1) ?? [];
    const [head, ...files] = lines.map((line) => JSON.parse(line) as unknown);
    return head === undefined ? null : { head: head as ExportHead, files: files as ExportedFile[] };
  }

  /** Writes the record anew. @param files that are finished already */
  static async start(path: string, head: ExportHead, files: readonly ExportedFile[]): Promise<Progress> {
    const progress = new Progress(path, await createFile(path));
    await progress.#append([head, ...files]);
    return progress;
  }

  async add(file: ExportedFile): Promise<void> {
    await this.#append([file]);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.#path);
  }

  async #append(lines: readonly object[]): Promise<void> {
    // It need not be on disk: a finished file that a power failure takes out of the record is written once more.
    await this.#file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
