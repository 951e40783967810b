import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FormatName } from './formats/format.ts';
import type { KindName } from './kinds/kind.ts';
import { type ExportedFile, type ExportRequest, Progress, readManifest } from './manifest.ts';

/** Where an export is written: a folder with a file for each day, or one file with its manifest beside it. */
export interface ExportPaths {
  folder: string;
  isFolder: boolean;
  manifest: string;
  progress: string;
  /** The name of the file of a day (`YYYY-MM-DD`). */
  fileName(day: string): string;
}

/** The path cannot be used. The message says why. */
export class ExportPathError extends Error {
  override name = 'ExportPathError';
}

/** A path that ends with the extension of a format is one file, any other one a folder. */
export function exportPathsOf(path: string, kind: KindName, format: FormatName): ExportPaths {
  const extension = /\.(csv|jsonl|parquet)$/.exec(path)?.[1];
  if (extension !== undefined && extension !== format)
    throw new ExportPathError(`--out ends with .${extension}, and the format is ${format}.`);
  const isFolder = extension === undefined;
  return {
    folder: isFolder ? path : dirname(path),
    isFolder,
    manifest: isFolder ? join(path, 'manifest.json') : `${path}.manifest.json`,
    progress: isFolder ? join(path, 'manifest.progress.jsonl') : `${path}.progress.jsonl`,
    fileName: (day) => (isFolder ? `${kind}-${day}.${format}` : basename(path)),
  };
}

/** What is at the paths already: nothing, the files of an interrupted export, or the whole export. */
export type ExistingExport =
  | { state: 'none' }
  | ({ state: 'interrupted' } & NonNullable<Awaited<ReturnType<typeof Progress.read>>>)
  | { state: 'finished'; manifest: NonNullable<Awaited<ReturnType<typeof readManifest>>> };

/**
 * Looks what is at the paths, and makes their folder.
 * @throws PlaceError where there is something else than an export with the same request
 */
export async function lookAt(paths: ExportPaths, request: ExportRequest): Promise<ExistingExport> {
  await mkdir(paths.folder, { recursive: true });
  const progress = await Progress.read(paths.progress);
  if (progress) {
    checkSame(paths, request, progress.head);
    return { state: 'interrupted', ...progress };
  }
  const manifest = await readManifest(paths.manifest);
  if (manifest) {
    checkSame(paths, request, manifest);
    return { state: 'finished', manifest };
  }
  const isFree = paths.isFolder
    ? (await readdir(paths.folder)).every((name) => isLeftOver(paths, name))
    : !(await exists(join(paths.folder, paths.fileName(''))));
  if (!isFree) {
    const what = paths.isFolder ? 'is not empty' : 'is there already';
    throw new ExportPathError(`--out ${what}, and it is no export. Choose another path.`);
  }
  return { state: 'none' };
}

/** Removes the manifest and the files of an export, the manifest first. */
export async function clear(paths: ExportPaths, files: readonly ExportedFile[]): Promise<void> {
  await rm(paths.manifest, { force: true });
  for (const { name } of files) await rm(join(paths.folder, basename(name)), { force: true });
}

function checkSame(paths: ExportPaths, request: ExportRequest, existing: ExportRequest): void {
  const sameOf = ({ schema, environmentId, kind, format, requested }: ExportRequest): string =>
    JSON.stringify([schema, environmentId, kind, format, requested?.from, requested?.to]);
  if (sameOf(existing) === sameOf(request)) return;
  const { kind, format, requested } = existing;
  throw new ExportPathError(
    `${paths.manifest} is of another export: ${kind} as ${format} from ` +
      `${requested?.from} to ${requested?.to}. Choose another path.`,
  );
}

/** What a killed process leaves behind before it has recorded anything. */
function isLeftOver(paths: ExportPaths, name: string): boolean {
  return name === basename(paths.progress) || name.endsWith('.part');
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
