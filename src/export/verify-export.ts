import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import canonicalize from 'canonicalize';
import { FORMATS } from './formats/all-formats.ts';
import { UnreadableFileError } from './formats/format.ts';
import { KINDS } from './kinds/all-kinds.ts';
import type { Kind, Row } from './kinds/kind.ts';
import { type ExportedFile, MANIFEST_SCHEMA, type Manifest, readManifest } from './manifest.ts';
import { type Total, Totals } from './totals.ts';

/** What the files of an export say by themselves. */
export interface VerifiedExport {
  manifest: Manifest;
  /** What is wrong, each as a sentence; empty where everything is as the manifest says. */
  problems: string[];
}

/** There is no manifest of an export at the path. The message says what is there. */
export class NoExportError extends Error {
  override name = 'NoExportError';
}

/**
 * Reads every file of an export again: size, SHA-256, columns, rows, the times of the rows and their sums have to be
 * those of the manifest. Needs no database.
 * @param path of the folder, of the manifest, or of the one file
 * @param onProgress called with the rows read so far
 * @throws NoExportError
 */
export async function verifyExport(
  path: string,
  onProgress: (done: number, total: number) => void,
): Promise<VerifiedExport> {
  const manifestPath = await manifestOf(path);
  const manifest = await readManifestOf(manifestPath);
  const kind = KINDS[manifest.kind];
  const folder = dirname(manifestPath);
  const problems: string[] = [];
  const all = new Totals(kind.totals, kind.columns);
  let end = manifest.period.from;
  for (const file of manifest.files) {
    if (file.from < end || file.to > manifest.period.to || file.from >= file.to)
      problems.push(`${file.name}: its period does not follow that of the file before it.`);
    end = file.to;
    const result = await verifyFile(join(folder, basename(file.name)), file, manifest, (rows) =>
      onProgress(all.rows + rows, manifest.rows),
    );
    problems.push(...result.problems.map((problem) => `${file.name}: ${problem}.`));
    all.addTotals(result.totals.list(), result.totals.rows);
  }
  if (all.rows !== manifest.rows) problems.push(`There are ${all.rows} rows, not ${manifest.rows}.`);
  if (!same(all.list(), manifest.totals)) problems.push('The totals are not those of the files.');
  if (basename(manifestPath) === 'manifest.json') problems.push(...(await strangersIn(folder, manifest)));
  return { manifest, problems };
}

async function verifyFile(
  path: string,
  file: ExportedFile,
  { kind: name, format }: Manifest,
  onProgress: (rows: number) => void,
): Promise<{ problems: string[]; totals: Totals }> {
  const kind = KINDS[name];
  const totals = new Totals(kind.totals, kind.columns);
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return { problems: ['it is missing'], totals };
  const problems: string[] = [];
  if (size !== file.bytes) problems.push(`it has ${size} bytes, not ${file.bytes}`);
  const sha256 = await hashOf(path);
  if (sha256 !== file.sha256) problems.push(`its SHA-256 is ${sha256}, not ${file.sha256}`);
  try {
    const watch = new RowOrder(kind, file);
    for await (const rows of FORMATS[format].read(path, kind.columns)) {
      totals.add(rows);
      watch.check(rows);
      onProgress(totals.rows);
    }
    problems.push(...watch.problems);
  } catch (error) {
    // What makes no number is not of this column.
    if (!(error instanceof UnreadableFileError) && !(error instanceof SyntaxError)) throw error;
    problems.push(`it cannot be read: ${error.message}`);
    return { problems, totals };
  }
  if (totals.rows !== file.rows) problems.push(`it has ${totals.rows} rows, not ${file.rows}`);
  if (!same(totals.list(), file.totals)) problems.push('its sums are not those of the manifest');
  return { problems, totals };
}

/** Checks that rows lie in the period of their file, in the order of their times. */
class RowOrder {
  outside = 0;
  disordered = 0;
  readonly #time: number;
  readonly #from: string;
  readonly #to: string;
  #last = '';

  constructor({ columns, time }: Kind, { from, to }: ExportedFile) {
    this.#time = columns.findIndex(({ name }) => name === time);
    this.#from = from;
    this.#to = to;
  }

  check(rows: readonly Row[]): void {
    for (const row of rows) {
      const at = row[this.#time] ?? '';
      if (at < this.#from || at >= this.#to) this.outside += 1;
      if (at < this.#last) this.disordered += 1;
      this.#last = at;
    }
  }

  get problems(): string[] {
    return [
      ...(this.outside > 0 ? [`${this.outside} of its rows lie outside of its period`] : []),
      ...(this.disordered > 0 ? [`${this.disordered} of its rows are older than the row before`] : []),
    ];
  }
}

async function manifestOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isDirectory()) return join(path, 'manifest.json');
  return basename(path).endsWith('manifest.json') ? path : `${path}.manifest.json`;
}

async function readManifestOf(path: string): Promise<Manifest> {
  let manifest: Manifest | null;
  try {
    manifest = await readManifest(path);
  } catch (error) {
    throw new NoExportError(`${path} is no JSON: ${(error as Error).message}`);
  }
  if (manifest === null) {
    throw new NoExportError(
      `There is no ${path}. Check the path; an export that was interrupted has no manifest: run it again to finish it.`,
    );
  }
  const { schema, kind, format, period, files, totals } = manifest;
  const isExport =
    schema === MANIFEST_SCHEMA &&
    Object.hasOwn(KINDS, kind) &&
    Object.hasOwn(FORMATS, format) &&
    typeof period?.to === 'string' &&
    Array.isArray(files) &&
    Array.isArray(totals);
  if (!isExport) throw new NoExportError(`${path} is no manifest of ${MANIFEST_SCHEMA}.`);
  return manifest;
}

/** Files that look like parts of the export, which a program that reads the whole folder would take for such. */
async function strangersIn(folder: string, { kind, format, files }: Manifest): Promise<string[]> {
  const manifestNames = new Set(files.map(({ name }) => name));
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(`${kind}-`) && name.endsWith(`.${format}`) && !manifestNames.has(name))
    .map((name) => `${name} is not in the manifest.`);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function same(actual: readonly Total[], expected: readonly Total[]): boolean {
  return canonicalize(actual) === canonicalize(expected);
}
