import type { EnvironmentRow } from '../../ledger/tables/environments.ts';
import { loadEnvironment } from '../../ledger/tables/environments.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import type { ReadPool } from './read-pool.ts';

/** The programs of an environment at one moment. */
export interface CurrentPrograms {
  programs: ReadonlyMap<string, PublishedProgram>;
  /** The moment, by the database's clock. */
  at: Date;
}

/**
 * Reads the programs of environments. Each read looks at the environment's revision, so that what was published before
 * it is seen; documents are read where the revision is news alone. Reads that begin in one turn of the event loop share
 * a look.
 */
export class ProgramReader {
  readonly #reads: ReadPool;
  readonly #catalog: ProgramCatalog;
  readonly #gathering = new Map<string, Promise<CurrentPrograms>>();

  constructor(reads: ReadPool, catalog: ProgramCatalog) {
    this.#reads = reads;
    this.#catalog = catalog;
  }

  read(environmentId: string): Promise<CurrentPrograms> {
    let current = this.#gathering.get(environmentId);
    if (!current) {
      current = new Promise<void>((resolve) => {
        setImmediate(resolve);
      }).then(() => {
        // Who comes from here on may have seen a later publication answered: it takes a look of its own.
        this.#gathering.delete(environmentId);
        return this.#look(environmentId);
      });
      this.#gathering.set(environmentId, current);
    }
    return current;
  }

  async #look(environmentId: string): Promise<CurrentPrograms> {
    const connections = this.#reads.of(environmentId);
    const { rows } = await connections.query<EnvironmentRow>(loadEnvironment(environmentId));
    const environment = rows[0];
    if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
    const programs = await this.#catalog.programsOf(connections, environmentId, environment.revision);
    return { programs, at: environment.now };
  }
}
