import { setTimeout as sleep } from 'node:timers/promises';
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
const GATHER_MS = 25;
/** How long an endpoint that has succeeded is taken to be healthy, unless one of its attempts fails. */
const HEALTHY_MS = 1_000;

interface Gathered {
  attempts: FinishedAttempt[];
  done: Promise<void>;
}

/**
 * Records finished attempts, those of an environment together and one after another: what finishes while a statement
 * runs is recorded by the next one, and an endpoint's health is that of its last attempts.
 */
export class AttemptRecorder {
  readonly #options: AttemptRecorderOptions;
  /** What is recorded next, by environment. */
  readonly #gathered = new Map<string, Gathered>();
  /** When what is being recorded is done, by environment. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Until when endpoints are taken to be healthy, by this process's monotonic clock. */
  readonly #healthyUntil = new Map<string, number>();

  constructor(options: AttemptRecorderOptions) {
    this.#options = options;
  }

  /** @returns when the attempt is recorded, or could not be */
  record(environmentId: string, attempt: FinishedAttempt): Promise<void> {
    const batch = this.#gathered.get(environmentId);
    if (batch) {
      batch.attempts.push(attempt);
      return batch.done;
    }
    const attempts = [attempt];
    const done = this.#recordNext(environmentId, attempts);
    this.#gathered.set(environmentId, { attempts, done });
    return done;
  }

  /** @param attempts grows until they are written */
  async #recordNext(environmentId: string, attempts: readonly FinishedAttempt[]): Promise<void> {
    await Promise.all([sleep(GATHER_MS), this.#writing.get(environmentId)]);
    this.#gathered.delete(environmentId);
    const writing = this.#write(environmentId, attempts).catch((error) => this.#options.onError(error));
    this.#writing.set(environmentId, writing);
    await writing;
    if (this.#writing.get(environmentId) === writing) this.#writing.delete(environmentId);
  }

  async #write(environmentId: string, attempts: readonly FinishedAttempt[]): Promise<void> {
    const { pool, onFailing } = this.#options;
    const telling = this.#tellingOfHealth(attempts);
    await pool.query(recordAttempts(environmentId, attempts));
    if (telling.length === 0) return;
    const { rows } = await pool.query<EndpointState>(recordHealth(environmentId, telling));
    for (const { id, failing } of rows) if (failing) onFailing(environmentId, id);
  }

  /** The attempts of endpoints whose health may have changed. Where nothing fails it is looked at once a second. */
  #tellingOfHealth(attempts: readonly FinishedAttempt[]): FinishedAttempt[] {
    const now = performance.now();
    return [...Map.groupBy(attempts, ({ endpointId }) => endpointId)].flatMap(([endpointId, ownAttempts]) => {
      const succeeded = ownAttempts.every(({ delivered, isTest }) => delivered && !isTest);
      if (succeeded && now < (this.#healthyUntil.get(endpointId) ?? 0)) return [];
      if (succeeded) this.#healthyUntil.set(endpointId, now + HEALTHY_MS);
      else this.#healthyUntil.delete(endpointId);
      return ownAttempts;
    });
  }
}
