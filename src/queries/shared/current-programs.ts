import type { EnvironmentRow } from '../../ledger/tables/environments.ts';
import { loadEnvironment } from '../../ledger/tables/environments.ts';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { PublishedProgram } from '../../programs/published/published-program.ts';
import type { ReadPool } from './read-pool.ts';

/** The programs of an environment at one instant. */
export interface CurrentPrograms {
  programs: ReadonlyMap<string, PublishedProgram>;
  /** The instant, by the database's clock. */
  at: Date;
}

/** The programs as a reader returns them. */
export interface ReadPrograms extends CurrentPrograms {
  /** With which the environment's codes of pools are hashed, in hexadecimal; null where it has none. */
  couponSecret: string | null;
}

/**
 * Reads the programs of environments. Each read checks the environment's revision, so that it sees every earlier
 * publication. New documents are read only where the revision has changed. Reads that begin in one turn of the event
 * loop share one check.
 */
export class ProgramReader {
  readonly #reads: ReadPool;
  readonly #catalog: ProgramCatalog;
  readonly #gathering = new Map<string, Promise<ReadPrograms>>();

  constructor(reads: ReadPool, catalog: ProgramCatalog) {
    this.#reads = reads;
    this.#catalog = catalog;
  }

  read(environmentId: string): Promise<ReadPrograms> {
    let current = this.#gathering.get(environmentId);
    if (!current) {
      current = new Promise<void>((resolve) => {
        setImmediate(resolve);
      }).then(() => {
        // A read that begins after this may follow a publication that this check misses, so it makes a check of its
        // own.
        this.#gathering.delete(environmentId);
        return this.#look(environmentId);
      });
      this.#gathering.set(environmentId, current);
    }
    return current;
  }

  async #look(environmentId: string): Promise<ReadPrograms> {
    const connections = this.#reads.of(environmentId);
    const { rows } = await connections.query<EnvironmentRow>(loadEnvironment(environmentId));
    const environment = rows[0];
    if (!environment) throw new Error(`no environment ${environmentId}: a credential outlived it`);
    const programs = await this.#catalog.programsOf(connections, environmentId, environment.revision);
    return { programs, at: environment.now, couponSecret: this.#catalog.couponSecretOf(environmentId) };
  }
}
