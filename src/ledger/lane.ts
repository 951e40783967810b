import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { ProgramCatalog } from '../programs/program-catalog.ts';
import { runBatch } from './batch-runner.ts';
import type { Command, Outcome } from './command.ts';
import { isConnectionFailure, isTransient } from './sqlstate.ts';

/** A command that waits for its outcome. */
export interface Waiting {
  command: Command;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Tries of a batch before its failure is answered. */
const MAX_ATTEMPTS = 5;
/** The first wait between two tries is twice this long, and each further one twice as long as the one before. */
const RETRY_MS = 20;

/**
 * One sequence of batches on one connection. While a batch is in flight the commands that arrive gather; the next
 * batch takes those of one environment, environments in turn.
 */
export class Lane {
  readonly #pool: Pool;
  readonly #catalog: ProgramCatalog;
  readonly #maxBatch: number;
  readonly #onBatch: (commands: number, milliseconds: number) => void;
  readonly #queues = new Map<string, Waiting[]>();
  #client: PoolClient | null = null;
  #running = false;

  constructor(
    pool: Pool,
    catalog: ProgramCatalog,
    maxBatch: number,
    onBatch: (commands: number, milliseconds: number) => void,
  ) {
    this.#pool = pool;
    this.#catalog = catalog;
    this.#maxBatch = maxBatch;
    this.#onBatch = onBatch;
  }

  add(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.command.environmentId);
    if (queue) queue.push(waiting);
    else this.#queues.set(waiting.command.environmentId, [waiting]);
    if (this.#running) return;
    this.#running = true;
    // After the reads of this turn of the event loop, so that what arrived together goes together.
    setImmediate(() => void this.#run());
  }

  /** Gives the connection back. Call it when nothing waits any more. */
  close(): void {
    this.#client?.release();
    this.#client = null;
  }

  async #run(): Promise<void> {
    for (let batch = this.#take(); batch; batch = this.#take()) {
      const begun = performance.now();
      await this.#settle(batch);
      this.#onBatch(batch.length, performance.now() - begun);
    }
    this.#running = false;
  }

  /** The next batch: commands of the environment that has waited longest. */
  #take(): Waiting[] | null {
    const next = this.#queues.entries().next();
    if (next.done) return null;
    const [environmentId, queue] = next.value;
    this.#queues.delete(environmentId);
    if (queue.length <= this.#maxBatch) return queue;
    this.#queues.set(environmentId, queue.slice(this.#maxBatch));
    return queue.slice(0, this.#maxBatch);
  }

  /** Answers every command of a batch: with its outcome, or with the failure that no other try has mended. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const outcomes = await this.#attempt(batch.map((waiting) => waiting.command));
        batch.forEach((waiting, index) => {
          waiting.resolve(outcomes[index] as Outcome);
        });
        return;
      } catch (error) {
        // Where the connection is to blame, all are tried again together: one by one they would wait for each other's
        // tries. Else one of them is, and must not take its neighbours along: each is run again alone.
        if (batch.length > 1 && !isConnectionFailure(error)) break;
        if (attempt === MAX_ATTEMPTS || !isTransient(error)) {
          for (const waiting of batch) waiting.reject(error);
          return;
        }
        await sleep(2 ** attempt * RETRY_MS);
      }
    }
    for (const waiting of batch) await this.#settle([waiting]);
  }

  async #attempt(commands: Command[]): Promise<Outcome[]> {
    this.#client ??= await this.#pool.connect();
    try {
      return await runBatch(this.#client, commands, this.#catalog);
    } catch (error) {
      // A connection that failed once is not trusted with value again.
      this.#client?.release(true);
      this.#client = null;
      throw error;
    }
  }
}
