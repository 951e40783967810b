import type { Pool } from 'pg';
import { pendingMigrations } from '../db/migrate.ts';

const TIMEOUT_MS = 2_000;

/** Whether this process can take requests. */
export class Health {
  /** The process is about to go: load balancers should send it nothing new. */
  draining = false;
  readonly #pool: Pool;
  #migrated = false;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** What stands in the way of serving: null where nothing does. */
  async problem(): Promise<string | null> {
    if (this.draining) return 'The server is shutting down.';
    const timeout = new Promise<string>((resolve) => {
      setTimeout(resolve, TIMEOUT_MS, 'The database does not answer.').unref();
    });
    return Promise.race([this.#look(), timeout]);
  }

  async #look(): Promise<string | null> {
    try {
      if (this.#migrated) {
        await this.#pool.query('select');
        return null;
      }
      const pending = await pendingMigrations(this.#pool);
      this.#migrated = pending.length === 0;
      return this.#migrated ? null : 'The database lacks migrations: run rewards migrate.';
    } catch {
      return 'The database cannot be reached.';
    }
  }
}
