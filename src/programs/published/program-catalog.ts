import type { Queryable } from '../../db/pool.ts';
import type { ProgramDocument } from '../document/program-document.ts';
import type { PublishedProgram } from './published-program.ts';

/** A version that is new to the catalog, with columns of the environment; only with these where there is none. */
type RefreshedRow = {
  revision: number;
  reference_secret: string | null;
  coupon_secret: string | null;
} & (
  | { program_id: null }
  | {
      program_id: string;
      version: number;
      document: ProgramDocument;
      effective_from: Date;
      published_at: Date;
    }
);

/** The programs of an environment, as they were at a revision. */
interface CatalogEntry {
  revision: number;
  referenceSecret: string | null;
  couponSecret: string | null;
  programs: ReadonlyMap<string, PublishedProgram>;
}

const nothing: CatalogEntry = {
  revision: -1,
  referenceSecret: null,
  couponSecret: null,
  programs: new Map(),
};

/**
 * The published programs of the environments that this process serves. Versions are immutable, and every publication
 * increments the environment's revision, so programs that were read at a revision are valid until the revision changes.
 * A refresh reads only the versions that the catalog does not have yet.
 */
export class ProgramCatalog {
  readonly #environments = new Map<string, CatalogEntry>();
  readonly #refreshing = new Map<string, Promise<ReadonlyMap<string, PublishedProgram>>>();

  /** Whether the programs of an environment were read before, at whatever revision. */
  knows(environmentId: string): boolean {
    return this.#environments.has(environmentId);
  }

  /**
   * The programs of an environment at `revision`, or at a later one where the catalog has that already.
   * @returns null where the catalog has to be refreshed first
   */
  programsAt(environmentId: string, revision: number): ReadonlyMap<string, PublishedProgram> | null {
    const cached = this.#environments.get(environmentId);
    return cached && cached.revision >= revision ? cached.programs : null;
  }

  /**
   * The secret with which the references are hashed that erasures have renamed (`referenceHash`), in hexadecimal. Null
   * where there are none: the first one increments the revision.
   */
  referenceSecretOf(environmentId: string): string | null {
    return this.#environments.get(environmentId)?.referenceSecret ?? null;
  }

  /**
   * The secret with which the codes of pools are hashed (`couponCodeHash`), in hexadecimal. Null where there are none:
   * making the first ones increments the revision.
   */
  couponSecretOf(environmentId: string): string | null {
    return this.#environments.get(environmentId)?.couponSecret ?? null;
  }

  /** `programsAt`, after as many refreshes as are needed: one, or two where one was running already. */
  async programsOf(
    connections: Queryable,
    environmentId: string,
    revision: number,
  ): Promise<ReadonlyMap<string, PublishedProgram>> {
    for (;;) {
      const programs = this.programsAt(environmentId, revision);
      if (programs) return programs;
      await this.refresh(connections, environmentId);
    }
  }

  /**
   * Reads what has been published since the last refresh, and returns all programs of the environment. Callers that
   * come while it runs share it, so one of them may miss a publication that it has seen: `programsAt` tells.
   * @param connections outside any transaction that holds locks, because documents can be large
   */
  refresh(connections: Queryable, environmentId: string): Promise<ReadonlyMap<string, PublishedProgram>> {
    let refreshed = this.#refreshing.get(environmentId);
    if (!refreshed) {
      refreshed = this.#readNew(connections, environmentId).finally(() =>
        this.#refreshing.delete(environmentId),
      );
      this.#refreshing.set(environmentId, refreshed);
    }
    return refreshed;
  }

  async #readNew(
    connections: Queryable,
    environmentId: string,
  ): Promise<ReadonlyMap<string, PublishedProgram>> {
    const cached = this.#environments.get(environmentId) ?? nothing;
    const newest = [...cached.programs.values()].map(({ programId, versions }) => ({
      program_id: programId,
      version: versions.at(-1)?.version ?? 0,
    }));
    const { rows } = await connections.query<RefreshedRow>({
      name: 'load_new_versions',
      // One statement, so that the revision and the versions are of one snapshot.
      text: `select e.revision, encode(e.reference_secret, 'hex') as reference_secret,
          encode(e.coupon_secret, 'hex') as coupon_secret, v.*
        from environments e
        left join lateral (
          select program_id, version, document, effective_from, published_at
          from program_versions
          where environment_id = $1::uuid and version > coalesce((
            select known.version
            from jsonb_to_recordset($2::jsonb) as known(program_id text, version integer)
            where known.program_id = program_versions.program_id), 0)
        ) v on true
        where e.id = $1::uuid
        order by v.program_id, v.version`,
      values: [environmentId, JSON.stringify(newest)],
    });
    if (!rows[0]) throw new Error(`no environment ${environmentId}: a credential outlived it`);
    const programs = new Map(cached.programs);
    for (const row of rows) {
      if (row.program_id === null) continue;
      const { program_id: programId, version, document } = row;
      const versions = programs.get(programId)?.versions ?? [];
      const added = { version, effectiveFrom: row.effective_from, publishedAt: row.published_at, document };
      programs.set(programId, { programId, versions: [...versions, added] });
    }
    const { revision, reference_secret: referenceSecret, coupon_secret: couponSecret } = rows[0];
    this.#environments.set(environmentId, { revision, referenceSecret, couponSecret, programs });
    return programs;
  }
}
