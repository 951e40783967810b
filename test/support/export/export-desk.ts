import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMATS } from '../../../src/export/formats/all-formats.ts';
import type { FormatName } from '../../../src/export/formats/format.ts';
import { KINDS } from '../../../src/export/kinds/all-kinds.ts';
import type { KindName, Row } from '../../../src/export/kinds/kind.ts';
import type { Manifest } from '../../../src/export/manifest.ts';
import { toTypeId } from '../../../src/ids.ts';
import { type CliRun, runCli } from '../cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { fixture } from '../fixture.ts';
import type { TestBooks } from '../reports/books.ts';
import { randomHistory } from '../reports/random-history.ts';

/** What is exported where nothing else is said: it begins and ends in the midst of the history. */
export const PERIOD = { from: '2026-08-20', to: '2026-11-05T12:00:00Z' };

/**
 * A database with a random history of an environment from August to November 2026, with members and audit events. Its
 * twin has the same ids and doubled points: a row of it in a file would change every figure.
 */
export class ExportDesk {
  readonly database: TestDatabase;
  readonly books: TestBooks;
  readonly environment: string;
  readonly folder: string;

  private constructor(database: TestDatabase, books: TestBooks, folder: string) {
    this.database = database;
    this.books = books;
    this.environment = toTypeId('env', books.environmentId);
    this.folder = folder;
  }

  static async open(seed: number, steps = 400): Promise<ExportDesk> {
    const database = await createTestDatabase({ twins: true });
    const span = { steps, from: '2026-08-01T00:00:00Z', to: '2026-11-20T00:00:00Z' };
    const books = await randomHistory(database.adminPool, seed, span);
    await database.adminPool.query(
      `insert into audit_events (environment_id, id, action, target_type, target_id, actor_type, actor_id, request_id,
         changes, at)
       select $1, gen_random_uuid(), 'member.created', 'member', 'mem_' || n, 'api_key', 'shop, "the" one', 'req_1',
         json_build_object('n', n), timestamptz '2026-08-01T00:00:00Z' + n * interval '7 hours'
       from generate_series(1, 300) as n`,
      [books.environmentId],
    );
    await database.adminPool.query(
      `update members set created_at = at, display_name = '=1+' || place
       from (
         select id as member, row_number() over by_id as place,
           timestamptz '2026-09-01' + row_number() over by_id * interval '5 days' as at
         from members where environment_id = $1 window by_id as (order by id)
       ) as p
       where environment_id = $1 and id = member`,
      [books.environmentId],
    );
    return new ExportDesk(database, books, await mkdtemp(join(tmpdir(), 'rewards-export-')));
  }

  async close(): Promise<void> {
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  rewards(...args: string[]): Promise<CliRun> {
    return runCli(this.database.adminUrl, args);
  }

  /** The words of `rewards export`. @param out inside the desk's folder */
  command(kind: KindName, format: FormatName, out: string, { from, to } = PERIOD): string[] {
    return [
      ...['export', kind, '-e', this.environment, '--from', from, '--to', to],
      ...['--format', format, '--out', this.path(out)],
    ];
  }

  export(kind: KindName, format: FormatName, out: string, period = PERIOD): Promise<CliRun> {
    return this.rewards(...this.command(kind, format, out, period));
  }

  verify(out: string, ...more: string[]): Promise<CliRun> {
    return this.rewards('verify', 'export', this.path(out), ...more);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** @param name of the manifest inside the desk's folder */
  async manifest(name: string): Promise<Manifest> {
    return JSON.parse(await readFile(this.path(name), 'utf8')) as Manifest;
  }

  async rows(out: string, { kind, format, files }: Manifest): Promise<Row[]> {
    const rows: Row[] = [];
    for (const { name } of files) {
      for await (const batch of FORMATS[format].read(this.path(out, name), KINDS[kind].columns))
        rows.push(...batch);
    }
    return rows;
  }
}

/** A desk for all tests of a file. @param seed of its history. @param steps of its history */
export function useExportDesk(seed: number, steps?: number): ExportDesk {
  return fixture(
    'the desk',
    () => ExportDesk.open(seed, steps),
    (desk) => desk.close(),
  );
}
