import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import type { Command, Outcome } from '../command.ts';
import type { Retry } from '../retry.ts';
import { runBatch } from './batch-runner.ts';
import { FairShares } from './fair-shares.ts';
import { isConnectionFailure, isLostRace, isTransient, type RetryCause, retryCauseOf } from './sqlstate.ts';

/** A command that waits for the outcome of one try. */
export interface Waiting {
  command: Command;
  /** When its first try was added, in milliseconds of `performance.now()`. */
  since: number;
  resolve(outcome: Outcome | Retry): void;
  reject(error: unknown): void;
}

/** A command has waited too long for the batches before it, and was not begun. */
class QueuedTooLong extends Error {
  override name = 'QueuedTooLong';
  /** As of a connection: it is the database that has not answered. */
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The command has waited too long for those before it.');
  }
}

export type OnBatch = (commands: number, milliseconds: number, environmentId: string) => void;

/** How often a batch is tried before its commands are rejected. */
const MAX_ATTEMPTS = 5;
/** No further try begins after this time, because clients do not wait much longer. */
const MAX_TRYING_MS = 8_000;
/** The first wait between two tries is twice this long, and each further wait is twice as long as the one before it. */
const RETRY_MS = 20;
/** What a full batch is expected to take before one has run. */
const USUAL_BATCH_MS = 50;
/** How much the last batch counts in what the next ones are expected to take. */
const NEWEST_WEIGHT = 0.3;

export interface LaneOptions {
  pool: Pool;
  catalog: ProgramCatalog;
  /** Most commands in a batch. */
  maxBatch: number;
  /** The expected wait beyond which commands are not admitted; twice as long for callers with few commands. */
  maxWaitMs: number;
  /** A command that has waited for longer is not begun. */
  maxQueuedMs: number;
  /** Called after each batch, whether it was committed or not. */
  onBatch: OnBatch;
  /** Called when a batch has failed and is tried again, as a whole or each of its commands alone. */
  onRetry(cause: RetryCause): void;
  /** Called when nothing waits any more. */
  onIdle(): void;
}

/**
 * One sequence of batches of one environment. While a batch is in flight, the commands that arrive gather for the next
 * batch. A connection is taken for each batch and given back after it, so that many environments share a few
 * connections, and an environment that waits for a lock does not delay the others.
 */
export class Lane {
  readonly #options: LaneOptions;
  /** Of the queue, by caller. */
  readonly #shares = new FairShares();
  #queue: Waiting[] = [];
  #running = false;
  /** When the batch in flight began, or is about to, in milliseconds of `performance.now()`. */
  #startedAt = 0;
  /** What a full batch takes, by the last ones. */
  #batchMs = USUAL_BATCH_MS;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** How many commands wait for a later batch than the one in flight. */
  get queued(): number {
    return this.#queue.length;
  }

  /** How long a command that is added now is expected to wait for its outcome, in milliseconds, by the last batches. */
  get expectedWaitMs(): number {
    const inFlight = Math.max(this.#batchMs, performance.now() - this.#startedAt);
    return inFlight + Math.ceil((this.#queue.length + 1) / this.#options.maxBatch) * this.#batchMs;
  }

  /**
   * Whether a command of a caller is admitted where so many wait, for so long: always where the next batch has room;
   * where the one after that has, if the caller has fewer waiting here than others.
   * @param callerId of the command's actor
   */
  admits(callerId: string, queued: number, waitMs: number): boolean {
    const { maxBatch, maxWaitMs } = this.#options;
    return (
      this.#shares.admits(callerId, queued, maxBatch) || this.#shares.admits(callerId, waitMs, maxWaitMs)
    );
  }

  /** A batch that is not full tells only that a full one takes no less. */
  #observe(commands: number, milliseconds: number): void {
    if (commands < this.#options.maxBatch && milliseconds < this.#batchMs) return;
    this.#batchMs += (milliseconds - this.#batchMs) * NEWEST_WEIGHT;
  }

  add(waiting: Waiting): void {
    this.#queue.push(waiting);
    this.#shares.add(waiting.command.actor.id);
    if (this.#running) return;
    this.#running = true;
    this.#startedAt = performance.now();
    // Runs after the input of this turn of the event loop, so that commands that arrived together share a batch.
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const candidates = this.#queue.splice(0, this.#sizeOfNext());
      for (const { command } of candidates) this.#shares.remove(command.actor.id);
      this.#startedAt = performance.now();
      const batch = candidates.filter((waiting) => !this.#hasWaitedTooLong(waiting));
      if (batch.length === 0) continue;
      await this.#settle(batch);
      const [first] = batch as [Waiting];
      const milliseconds = performance.now() - this.#startedAt;
      this.#observe(batch.length, milliseconds);
      this.#options.onBatch(batch.length, milliseconds, first.command.environmentId);
    }
    this.#running = false;
    this.#options.onIdle();
  }

  /**
   * Rejects a command for which nobody waits any more: it must not happen after its client was told to send it again.
   */
  #hasWaitedTooLong({ since, reject }: Waiting): boolean {
    if (this.#startedAt - since < this.#options.maxQueuedMs) return false;
    reject(new QueuedTooLong());
    return true;
  }

  /** A command that runs alone is a batch of its own. */
  #sizeOfNext(): number {
    const { maxBatch } = this.#options;
    const alone = this.#queue.findIndex(({ command }) => command.runsAlone);
    return alone < 0 ? maxBatch : Math.min(maxBatch, Math.max(alone, 1));
  }

  /** Resolves every command of a batch with its outcome, or rejects it with the error of the last try. */
  async #settle(batch: readonly Waiting[]): Promise<void> {
    const startedAt = performance.now();
    for (let attempt = 1; ; attempt++) {
      try {
        const outcomes = await this.#attempt(batch.map((waiting) => waiting.command));
        batch.forEach((waiting, index) => {
          waiting.resolve(outcomes[index] as Outcome | Retry);
        });
        return;
      } catch (error) {
        const next = nextTry(error, batch.length, attempt, performance.now() - startedAt);
        if (next === 'none') {
          for (const waiting of batch) waiting.reject(error);
          return;
        }
        this.#options.onRetry(retryCauseOf(error));
        if (next === 'apart') break;
        if (next === 'later') await sleep(2 ** attempt * RETRY_MS);
      }
    }
    for (const waiting of batch) await this.#settle([waiting]);
  }

  async #attempt(commands: Command[]): Promise<(Outcome | Retry)[]> {
    const client = await this.#options.pool.connect();
    try {
      const outcomes = await runBatch(client, commands, this.#options.catalog);
      client.release();
      return outcomes;
    } catch (error) {
      // A connection that failed once is closed and not used again.
      client.release(true);
      throw error;
    }
  }
}

/**
 * How a batch that has failed is tried again.
 * @returns `apart` for each command in a batch of its own
 */
function nextTry(
  error: unknown,
  commands: number,
  attempt: number,
  milliseconds: number,
): 'at once' | 'later' | 'apart' | 'none' {
  if (commands > 1) {
    // Another batch has written the same key first, such as the first use of a cap, or has changed a row that was to be
    // updated in its place. The second try loads that row.
    if (attempt === 1 && isLostRace(error)) return 'at once';
    // After a connection failure all commands are tried again together: one by one, each would wait for the tries of
    // those before it. Any other failure may come from one command alone, and must not fail the others.
    if (!isConnectionFailure(error)) return 'apart';
  }
  const isLast = attempt === MAX_ATTEMPTS || milliseconds > MAX_TRYING_MS;
  return isLast || !isTransient(error) ? 'none' : 'later';
}
