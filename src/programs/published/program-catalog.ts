import type { Queryable } from '../../db/pool.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import type { ProgramVersion, PublishedProgram } from './published-program.ts';

interface VersionRow {
  program_id: string;
  version: number;
  document: ProgramDocument;
  effective_from: Date;
  published_at: Date;
}

/**
 * The published programs of the environments that this process serves. Versions are immutable, and every publication
 * increments the environment's revision, so programs that were read at a revision are valid until the revision changes.
 */
export class ProgramCatalog {
  readonly #environments = new Map<
    string,
    { revision: number; programs: ReadonlyMap<string, PublishedProgram> }
  >();

  /**
   * The programs of an environment at `revision`; read through `client` where the cache has another revision or none.
   */
  async programsOf(
    client: Queryable,
    environmentId: string,
    revision: number,
  ): Promise<ReadonlyMap<string, PublishedProgram>> {
    const known = this.#environments.get(environmentId);
    if (known && known.revision === revision) return known.programs;
    const { rows } = await client.query<VersionRow>({
      name: 'load_programs',
      text: `select program_id, version, document, effective_from, published_at
        from program_versions
        where environment_id = $1::uuid
        order by program_id, version`,
      values: [environmentId],
    });
    const programs = new Map<string, { programId: string; versions: ProgramVersion[] }>();
    for (const row of rows) {
      const program = programs.get(row.program_id) ?? { programId: row.program_id, versions: [] };
      program.versions.push({
        version: row.version,
        effectiveFrom: row.effective_from,
        publishedAt: row.published_at,
        document: row.document,
      });
      programs.set(row.program_id, program);
    }
    this.#environments.set(environmentId, { revision, programs });
    return programs;
  }
}
