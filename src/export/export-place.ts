import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FormatName } from './formats/format.ts';
import type { KindName } from './kinds/kind.ts';
import { type ExportedFile, type ExportRequest, Progress, readManifest } from './manifest.ts';

/** Where an export is written: a folder with a file for each day, or one file with its manifest beside it. */
export interface ExportPlace {
  folder: string;
  isFolder: boolean;
  manifest: string;
  progress: string;
  /** The name of the file of a day (`YYYY-MM-DD`). */
  fileName(day: string): string;
}

/** The place cannot be used. The message says why. */
export class PlaceError extends Error {
  override name = 'PlaceError';
}

/** A path that ends with the extension of a format is one file, any other one a folder. */
export function placeOf(path: string, kind: KindName, format: FormatName): ExportPlace {
  const extension = /\.(csv|jsonl|parquet)$/.exec(path)?.[1];
  if (extension !== undefined && extension !== format)
    throw new PlaceError(`--out ends with .${extension}, and the format is ${format}.`);
  const isFolder = extension === undefined;
  return {
    folder: isFolder ? path : dirname(path),
    isFolder,
    manifest: isFolder ? join(path, 'manifest.json') : `${path}.manifest.json`,
    progress: isFolder ? join(path, 'manifest.progress.jsonl') : `${path}.progress.jsonl`,
    fileName: (day) => (isFolder ? `${kind}-${day}.${format}` : basename(path)),
  };
}

/** What is at a place already: nothing, the files of an interrupted export, or the whole export. */
export type FoundExport =
  | { state: 'none' }
  | ({ state: 'interrupted' } & NonNullable<Awaited<ReturnType<typeof Progress.read>>>)
  | { state: 'finished'; manifest: NonNullable<Awaited<ReturnType<typeof readManifest>>> };

/**
 * Looks what is at a place, and makes its folder.
 * @throws PlaceError where there is something else than an export with the same request
 */
export async function lookAt(place: ExportPlace, request: ExportRequest): Promise<FoundExport> {
  await mkdir(place.folder, { recursive: true });
  const progress = await Progress.read(place.progress);
  if (progress) {
    checkSame(place, request, progress.head);
    return { state: 'interrupted', ...progress };
  }
  const manifest = await readManifest(place.manifest);
  if (manifest) {
    checkSame(place, request, manifest);
    return { state: 'finished', manifest };
  }
  const isFree = place.isFolder
    ? (await readdir(place.folder)).every((name) => isLeftOver(place, name))
    : !(await exists(join(place.folder, place.fileName(''))));
  if (!isFree) {
    const what = place.isFolder ? 'is not empty' : 'is there already';
    throw new PlaceError(`--out ${what}, and it is no export. Choose another path.`);
  }
  return { state: 'none' };
}

/** Removes the manifest and the files of an export, the manifest first. */
export async function clear(place: ExportPlace, files: readonly ExportedFile[]): Promise<void> {
  await rm(place.manifest, { force: true });
  for (const { name } of files) await rm(join(place.folder, basename(name)), { force: true });
}

function checkSame(place: ExportPlace, request: ExportRequest, found: ExportRequest): void {
  const sameOf = ({ schema, environmentId, kind, format, requested }: ExportRequest): string =>
    JSON.stringify([schema, environmentId, kind, format, requested?.from, requested?.to]);
  if (sameOf(found) === sameOf(request)) return;
  const { kind, format, requested } = found;
  throw new PlaceError(
    `${place.manifest} is of another export: ${kind} as ${format} from ` +
      `${requested?.from} to ${requested?.to}. Choose another path.`,
  );
}

/** What a killed process leaves behind before it has recorded anything. */
function isLeftOver(place: ExportPlace, name: string): boolean {
  return name === basename(place.progress) || name.endsWith('.part');
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
