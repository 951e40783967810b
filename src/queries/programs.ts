import type { Program, ProgramVersion } from '../contract/generated/types.ts';
import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import { diffProgram, type ProgramChange } from '../programs/document/diff-program.ts';
import type { ProgramDocument } from '../programs/document/program-document.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import { isRefusal, programNotFound, type Refusal, refuse } from '../refusal.ts';
import type { CurrentPrograms } from './shared/current-programs.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

/**
 * Lists the published programs of an environment, by their ids.
 * @returns refusal: `invalid_cursor`
 */
export async function listOfPrograms(
  { cursors, environmentId }: Omit<ListAccess, 'connections'>,
  { programs, at }: CurrentPrograms,
  { limit, cursor }: PageRequest,
): Promise<Listed<Program> | Refusal> {
  const identity = { environmentId, list: 'programs', filter: {} };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const following = Array.from(programs.values())
    .filter(({ programId }) => !after || programId > (after[0] ?? ''))
    .sort((one, other) => (one.programId < other.programId ? -1 : 1));
  const shown = following.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = following.length > limit;
  const nextCursor = last && hasMore ? await cursors.write(identity, [last.programId]) : null;
  return { data: shown.map((program) => viewOf(program, at)), page: { nextCursor, hasMore } };
}

function viewOf(program: PublishedProgram, at: Date): Program {
  const newest = program.versions.at(-1);
  const current = versionAt(program, at);
  const shown = current ?? newest;
  if (!shown || !newest) throw new Error(`program ${program.programId} has no version`);
  const { name, currency, loyaltyUnitPrecision, tiers } = shown.document;
  return {
    programId: program.programId,
    name,
    currency,
    loyaltyUnitPrecision,
    tiers: tiers.map((tier) => ({ id: tier.id, name: tier.name })),
    configurationVersion: current?.version ?? null,
    newestVersion: newest.version,
    publishedAt: newest.publishedAt.toISOString(),
  };
}

/** A published version with its document. */
export interface VersionWithDocument {
  programId: string;
  version: ProgramVersion;
  document: Record<string, unknown>;
}

/** @returns refusals: `program_not_found`, `version_not_found` */
export async function readProgramVersion(
  connections: Connections,
  environmentId: string,
  programId: string,
  configurationVersion: number,
): Promise<VersionWithDocument | Refusal> {
  const read = await readVersions(connections, environmentId, programId, [configurationVersion]);
  if (isRefusal(read)) return read;
  const [row] = read as [VersionWithBody];
  return { programId, version: versionOf(row), document: { ...row.document } };
}

/** What two versions of a program differ in. */
export interface VersionDiff {
  programId: string;
  from: number;
  to: number;
  changes: ProgramChange[];
}

/**
 * @param from the version that is compared
 * @param to the version that it is compared with
 * @returns refusals: `program_not_found`, `version_not_found`
 */
export async function readProgramDiff(
  connections: Connections,
  environmentId: string,
  programId: string,
  { from, to }: { from: number; to: number },
): Promise<VersionDiff | Refusal> {
  const read = await readVersions(connections, environmentId, programId, [from, to]);
  if (isRefusal(read)) return read;
  const [before, after] = read as [VersionWithBody, VersionWithBody];
  return { programId, from, to, changes: diffProgram(before.document, after.document) };
}

/** The rows of versions, in their order. */
async function readVersions(
  connections: Connections,
  environmentId: string,
  programId: string,
  versions: readonly number[],
): Promise<VersionWithBody[] | Refusal> {
  const { rows } = await connections.query<VersionRow & { document: ProgramDocument | null; newest: number }>(
    {
      name: 'read_program_versions',
      text: `select v.version, v.effective_from, v.published_at, v.published_by, v.document_hash, v.note, v.document, n.newest
      from (
        select max(version) as newest from program_versions where environment_id = $1::uuid and program_id = $2
      ) n
      cross join unnest($3::integer[]) with ordinality as wanted (version, nth)
      left join program_versions v on v.environment_id = $1::uuid and v.program_id = $2 and v.version = wanted.version
      where n.newest is not null
      order by wanted.nth`,
      values: [environmentId, programId, arrayLiteral(versions)],
    },
  );
  if (rows.length === 0) return programNotFound;
  const missing = rows.findIndex(({ document }) => document === null);
  if (missing === -1) return rows as VersionWithBody[];
  const message = `${programId} has no version ${versions[missing]}; its versions are 1 to ${rows[0]?.newest}.`;
  return refuse('version_not_found', message);
}

type VersionWithBody = VersionRow & { document: ProgramDocument };

interface VersionRow {
  version: number;
  effective_from: Date;
  published_at: Date;
  published_by: string;
  document_hash: Buffer;
  note: string | null;
}

/**
 * Lists the published versions of a program, newest first.
 * @returns refusals: `program_not_found`, `invalid_cursor`
 */
export async function listOfProgramVersions(
  { connections, cursors, environmentId }: ListAccess,
  programId: string,
  { limit, cursor }: PageRequest,
): Promise<Listed<ProgramVersion> | Refusal> {
  const identity = { environmentId, list: 'programVersions', filter: { programId } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<VersionRow>({
    name: 'list_program_versions',
    text: `select version, effective_from, published_at, published_by, document_hash, note from program_versions
      where environment_id = $1::uuid and program_id = $2 and ($3::integer is null or version < $3::integer)
      order by version desc
      limit $4::integer`,
    values: [environmentId, programId, after?.[0] ?? null, limit + 1],
  });
  if (rows.length === 0 && !after) {
    return programNotFound;
  }
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: shown.map(versionOf),
    page: {
      nextCursor: last && hasMore ? await cursors.write(identity, [String(last.version)]) : null,
      hasMore,
    },
  };
}

function versionOf(row: VersionRow): ProgramVersion {
  return {
    configurationVersion: row.version,
    effectiveFrom: row.effective_from.toISOString(),
    publishedAt: row.published_at.toISOString(),
    publishedBy: row.published_by,
    documentHash: row.document_hash.toString('hex'),
    note: row.note,
  };
}
