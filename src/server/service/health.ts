import type { Pool } from 'pg';
import { pendingMigrations } from '../../db/migrate.ts';
import { commitsAlone } from '../../db/standby.ts';
import { atMostOnceIn } from './at-most-once.ts';

const NO_STANDBY =
  'The database keeps no copy of a commit: set synchronous_standby_names and synchronous_commit ' +
  '(docs/operate/production.md).';

const TIMEOUT_MS = 2_000;
/** How old the result of a check may be: anyone can request it without a key. */
const LOOK_EVERY_MS = 1_000;

/** Whether this process can take requests. */
export class Health {
  /** Whether the process is about to stop, so that load balancers should send it no more requests. */
  draining = false;
  readonly #pool: Pool;
  readonly #database = atMostOnceIn(LOOK_EVERY_MS, () => this.#askDatabase());
  readonly #warning: () => Promise<string | null>;
  #migrated = false;

  /** @param requireStandby whether the database has to keep a copy of each commit */
  constructor(pool: Pool, { requireStandby = false }: { requireStandby?: boolean } = {}) {
    this.#pool = pool;
    const look = async (): Promise<string | null> =>
      (await commitsAlone(this.#pool).catch(() => false)) ? NO_STANDBY : null;
    this.#warning = requireStandby
      ? atMostOnceIn(LOOK_EVERY_MS, () => inTime(look(), null))
      : async () => null;
  }

  /** What does not keep this process from serving, but an operator should know; null for nothing. */
  warning(): Promise<string | null> {
    return this.#warning();
  }

  /** Why this process cannot serve requests; null if it can. The check of the database is shared for a second. */
  async problem(): Promise<string | null> {
    return this.draining ? 'The server is shutting down.' : this.#database();
  }

  #askDatabase(): Promise<string | null> {
    return inTime(this.#look(), 'The database does not answer.');
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

/** The result of a look, or another one where the database takes too long. */
function inTime(look: Promise<string | null>, tooLate: string | null): Promise<string | null> {
  const timeout = new Promise<string | null>((resolve) => {
    setTimeout(resolve, TIMEOUT_MS, tooLate).unref();
  });
  return Promise.race([look, timeout]);
}
