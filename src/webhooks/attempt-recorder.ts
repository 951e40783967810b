import type { Pool } from '../db/pool.ts';
import {
  type EndpointState,
  type FinishedAttempt,
  recordAttempts,
  recordHealth,
} from './delivery-statements.ts';

export interface AttemptRecorderOptions {
  pool: Pool;
  /** Called for an endpoint whose attempts have failed for so long that it is to be disabled. */
  onFailing(environmentId: string, endpointId: string): void;
  /** Called when attempts could not be recorded: their deliveries are sent again. */
  onError(error: unknown): void;
}

/** Attempts that finish within this time are recorded together. */
const GATHER_MS = 10;

interface Gathered {
  attempts: FinishedAttempt[];
  done: Promise<void>;
}

/** Records finished attempts, those of an environment together. */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  readonly #gathered = new Map<string, Gathered>();

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  /** @returns when the attempt is recorded, or could not be */
  record(environmentId: string, attempt: FinishedAttempt): Promise<void> {
    const known = this.#gathered.get(environmentId);
    if (known) {
      known.attempts.push(attempt);
      return known.done;
    }
    const attempts = [attempt];
    const done = new Promise<void>((resolve) => {
      setTimeout(() => {
        this.#gathered.delete(environmentId);
        this.#write(environmentId, attempts)
          .catch((error) => this.#options.onError(error))
          .finally(resolve);
      }, GATHER_MS);
    });
    this.#gathered.set(environmentId, { attempts, done });
    return done;
  }

  async #write(environmentId: string, attempts: readonly FinishedAttempt[]): Promise<void> {
    const { pool, onFailing } = this.#options;
    await pool.query(recordAttempts(environmentId, attempts));
    const { rows } = await pool.query<EndpointState>(recordHealth(environmentId, attempts));
    for (const { id, failing } of rows) if (failing) onFailing(environmentId, id);
  }
}
