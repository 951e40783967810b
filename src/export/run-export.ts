import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { readTime } from '../db/environment-time.ts';
import { readTextByCursor } from '../db/read-by-cursor.ts';
import { toTypeId } from '../ids.ts';
import type { ExportPaths } from './export-place.ts';
import { FileWriter } from './file-writer.ts';
import { FORMATS } from './formats/all-formats.ts';
import type { Encoder } from './formats/format.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { Column, Kind, Row } from './kinds/kind.ts';
import type { ExportedFile, ExportHead, FeedPosition, Progress } from './manifest.ts';
import { Totals } from './totals.ts';

const DAY_MS = 86_400_000;

export interface ExportRun {
  /** UUID. */
  environmentId: string;
  head: ExportHead;
  paths: ExportPaths;
  /** Where every finished file is recorded. */
  progress: Progress;
  /** The files of an earlier run, in order; rows are read from the end of the last one on. */
  files: readonly ExportedFile[];
  /** Called with the rows of all files so far, and with those of the whole export. */
  onProgress(done: number, total: number): void;
  /** Ends the export early: the file that is being written is discarded. */
  signal: AbortSignal;
}

/**
 * Writes the files of an export, from one snapshot, with a bounded number of rows in memory.
 * @param pool of the operator
 * @returns all files, those of the earlier run included; null where the signal ended it early
 */
export async function runExport(
  pool: Pick<Pool, 'connect'>,
  run: ExportRun,
): Promise<readonly ExportedFile[] | null> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // Postgres waits while a file is written to a slow disk.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    return await writeFiles(client, run);
  } finally {
    await client.query('rollback').catch(() => undefined);
    client.release();
  }
}

async function writeFiles(client: ClientBase, run: ExportRun): Promise<readonly ExportedFile[] | null> {
  const { head, files, signal } = run;
  const kind = KINDS[head.kind];
  const from = files.at(-1)?.to ?? head.period.from;
  const values = [run.environmentId, from, head.period.to];
  const snapshotAt = (await readTime(client, run.environmentId)).toISOString();
  const feed = await feedPosition(client, run.environmentId);
  const before = files.reduce((sum, { rows }) => sum + rows, 0);
  const total = before + (await countRows(client, kind, values));
  const writer = new DayWriter(run, kind, { snapshotAt, feed });
  const convert = idConverter(kind.columns);
  try {
    run.onProgress(before, total);
    for await (const rows of readTextByCursor(client, 'export_rows', kind.statement, values)) {
      if (signal.aborted) return null;
      rows.forEach(convert);
      await writer.add(rows);
      run.onProgress(before + writer.rows, total);
    }
    await writer.finish();
    return [...files, ...writer.files];
  } finally {
    await writer.discard();
  }
}

/** Divides rows into files: one for each day, or one for all. */
class DayWriter {
  readonly files: ExportedFile[] = [];
  rows = 0;
  readonly #run: ExportRun;
  readonly #kind: Kind;
  readonly #time: number;
  readonly #snapshot: Pick<ExportedFile, 'snapshotAt' | 'feed'>;
  #open: { day: string; file: FileWriter; encoder: Encoder; totals: Totals } | null = null;

  constructor(run: ExportRun, kind: Kind, snapshot: Pick<ExportedFile, 'snapshotAt' | 'feed'>) {
    this.#run = run;
    this.#kind = kind;
    this.#time = kind.columns.findIndex(({ name }) => name === kind.time);
    this.#snapshot = snapshot;
  }

  /** @param rows in the order of their time */
  async add(rows: readonly Row[]): Promise<void> {
    for (let start = 0; start < rows.length; ) {
      const day = this.#dayOf(rows[start]);
      let end = start + 1;
      while (end < rows.length && this.#dayOf(rows[end]) === day) end += 1;
      await this.#write(day, start === 0 && end === rows.length ? rows : rows.slice(start, end));
      start = end;
    }
    this.rows += rows.length;
  }

  /** Ends the last file. One file for all is there even without a row. */
  async finish(): Promise<void> {
    if (!this.#run.paths.isFolder && this.#open === null) await this.#write('', []);
    await this.#close();
  }

  /** Leaves nothing behind of a file that is not finished. */
  async discard(): Promise<void> {
    await this.#open?.file.discard();
    this.#open = null;
  }

  /** The UTC day of a row; the same for all where they go into one file. */
  #dayOf(row: Row | undefined): string {
    return this.#run.paths.isFolder ? (row?.[this.#time]?.slice(0, 10) ?? '') : '';
  }

  async #write(day: string, rows: readonly Row[]): Promise<void> {
    if (this.#open?.day !== day) {
      await this.#close();
      const { paths, head } = this.#run;
      const { columns, totals } = this.#kind;
      this.#open = {
        day,
        file: await FileWriter.open(join(paths.folder, paths.fileName(day))),
        encoder: FORMATS[head.format].encoder(columns),
        totals: new Totals(totals, columns),
      };
    }
    const { file, encoder, totals } = this.#open;
    totals.add(rows);
    await file.write(encoder.encode(rows));
  }

  async #close(): Promise<void> {
    if (this.#open === null) return;
    const { day, file, encoder, totals } = this.#open;
    await file.write(encoder.finish());
    const written = await file.finish();
    this.#open = null;
    const finished: ExportedFile = {
      name: this.#run.paths.fileName(day),
      ...spanOf(day, this.#run.head),
      rows: totals.rows,
      ...written,
      ...this.#snapshot,
      totals: totals.list(),
    };
    await this.#run.progress.add(finished);
    this.files.push(finished);
  }
}

/** The part of the period that lies in a day, or all of it. */
function spanOf(day: string, { period }: ExportHead): { from: string; to: string } {
  if (day === '') return { ...period };
  const start = Date.parse(day);
  return {
    from: new Date(Math.max(start, Date.parse(period.from))).toISOString(),
    to: new Date(Math.min(start + DAY_MS, Date.parse(period.to))).toISOString(),
  };
}

/** Replaces the UUIDs of a row by the ids of the API. */
function idConverter(columns: readonly Column[]): (row: (string | null)[]) => void {
  const ids = columns.flatMap(({ prefix }, index) => (prefix ? [{ prefix, index, last: '', id: '' }] : []));
  return (row) => {
    for (const column of ids) {
      const uuid = row[column.index] ?? null;
      if (uuid === null) continue;
      // Successive rows are often of one transaction.
      if (uuid !== column.last) {
        column.last = uuid;
        column.id = toTypeId(column.prefix, uuid);
      }
      row[column.index] = column.id;
    }
  };
}

async function countRows(client: ClientBase, kind: Kind, values: unknown[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(kind.count, values);
  return rows[0]?.count ?? 0;
}

/**
 * Where the feed of events stands in the snapshot. Events get their positions after their commit, so all up to it are
 * in it.
 */
async function feedPosition(client: ClientBase, environmentId: string): Promise<FeedPosition> {
  const { rows } = await client.query<{ epoch: number; begun: Date | null; position: number }>(
    `select coalesce(f.epoch, 1) as epoch, date_trunc('milliseconds', f.at) as begun,
      coalesce((select last_position from event_positions where environment_id = $1::uuid), 0) as position
    from (select) one
    left join lateral (
      select epoch, at from feed_epochs where environment_id = $1::uuid order by epoch desc limit 1
    ) f on true`,
    [environmentId],
  );
  const { epoch = 1, begun = null, position = 0 } = rows[0] ?? {};
  return { epoch, epochAt: begun?.toISOString() ?? null, position };
}
