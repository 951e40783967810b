import type { Program, ProgramVersion } from '../contract/generated/types.ts';
import { type PublishedProgram, versionAt } from '../programs/published/published-program.ts';
import { isRefusal, programNotFound, type Refusal } from '../refusal.ts';
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

interface VersionRow {
  version: number;
  effective_from: Date;
  published_at: Date;
  published_by: string;
  document_hash: Buffer;
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
    text: `select version, effective_from, published_at, published_by, document_hash from program_versions
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
    data: shown.map((row) => ({
      configurationVersion: row.version,
      effectiveFrom: row.effective_from.toISOString(),
      publishedAt: row.published_at.toISOString(),
      publishedBy: row.published_by,
      documentHash: row.document_hash.toString('hex'),
    })),
    page: {
      nextCursor: last && hasMore ? await cursors.write(identity, [String(last.version)]) : null,
      hasMore,
    },
  };
}
