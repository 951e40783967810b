import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../db/pool.ts';
import { type OperationOutcome, type RunningOperation, runningOperation } from '../operations/operation.ts';
import {
  announceDeliveries,
  findReplays,
  readActive,
  readNextSequences,
  type SteppedDelivery,
  sendAgain,
  type TakenReplay,
  takeUpReplay,
  type WaitingReplay,
} from './replay-statements.ts';

export interface ReplayerOptions {
  /** With the privileges of rewards_app. */
  pool: Pool;
  /** Called when a step failed, before it is tried again. */
  onError(error: unknown): void;
}

/** Deliveries that one step puts in the queue again. */
const STEP = 500;
/** How often replays are looked for that nobody told of. */
const POLL_MS = 2_000;
/** Until deliveries are looked at again that another transaction had locked, or after a failure. */
const RETRY_MS = 200;
/** A replay whose steps fail so often in a row is ended. */
const MOST_FAILURES = 20;

const DISABLED: OperationOutcome['error'] = {
  code: 'endpoint_disabled',
  message: 'The endpoint was disabled or deleted. What was sent again stays in the queue.',
};
const BROKEN: OperationOutcome['error'] = {
  code: 'internal_error',
  message: 'Deliveries could not be put in the queue again; the log says why.',
};

/**
 * Does the replays that were asked for (`POST /webhook-endpoints/{id}/replay`): it puts the deliveries in the queue again,
 * step by step, as an operation. Any number of processes may do so. Each does one at a time, and two replays of one
 * endpoint follow each other. When a process stops, it puts its replay back in the queue; that of a process that was
 * killed fails with the end of its lease.
 */
export class Replayer {
  readonly #options: ReplayerOptions;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;
  #told = true;
  #wake: (() => void) | null = null;

  constructor(options: ReplayerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** A replay was asked for. */
  wake(): void {
    this.#told = true;
    this.#wake?.();
  }

  /** Puts the replay that runs in the queue again, and waits until that is done. */
  async close(): Promise<void> {
    this.#stopping.abort();
    this.#wake?.();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#told = false;
      const found = await this.#next().catch((error) => {
        this.#options.onError(error);
        return false;
      });
      if (!found && !this.#told && !this.#stopping.signal.aborted) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }

  /** Does the replay that has waited longest. @returns false where none waits */
  async #next(): Promise<boolean> {
    const { pool, onError } = this.#options;
    const replay = await this.#takeUp();
    if (!replay) return false;
    const operation = runningOperation(pool, replay.environmentId, replay.id);
    let failures = 0;
    for (;;) {
      try {
        if (await this.#step(replay, operation)) return true;
        failures = 0;
      } catch (error) {
        onError(error);
        failures += 1;
        if (failures === MOST_FAILURES) {
          await operation.finish({ ...outcomeOf(replay), error: BROKEN });
          return true;
        }
        await sleep(RETRY_MS);
      }
    }
  }

  async #takeUp(): Promise<TakenReplay | null> {
    const { pool } = this.#options;
    const { rows: waiting } = await pool.query<WaitingReplay>(findReplays());
    for (const found of waiting) {
      const [taken] = (await pool.query<TakenReplay>(takeUpReplay(found))).rows;
      if (taken) return taken;
    }
    return null;
  }

  /** @returns whether the replay has ended, or was given back */
  async #step(replay: TakenReplay, operation: RunningOperation): Promise<boolean> {
    const { pool } = this.#options;
    const { environmentId, endpointId, sinceSequence } = replay;
    const { rows } = await pool.query<{ sequence: number }>(readNextSequences(replay, STEP));
    const last = rows.at(-1);
    if (!last) {
      await operation.finish({ ...outcomeOf(replay), error: null });
      return true;
    }
    if (this.#stopping.signal.aborted) {
      await operation.giveBack(outcomeOf(replay).result);
      return true;
    }
    const [endpoint] = (await pool.query<{ active: boolean }>(readActive(environmentId, endpointId))).rows;
    if (!endpoint?.active) {
      await operation.finish({ ...outcomeOf(replay), error: DISABLED });
      return true;
    }
    const sequences = rows.map(({ sequence }) => sequence);
    replay.sentAgain += await this.#sendAgain(replay, sequences);
    replay.done = last.sequence - sinceSequence;
    await operation.update(replay.done);
    return false;
  }

  /** @returns how many of the deliveries were put in the queue again */
  async #sendAgain(replay: TakenReplay, sequences: readonly number[]): Promise<number> {
    const { pool } = this.#options;
    const left = new Set(sequences);
    let sent = 0;
    for (;;) {
      const { rows } = await pool.query<SteppedDelivery>(sendAgain(replay, [...left]));
      for (const { sequence, sentAgain } of rows) {
        left.delete(sequence);
        if (sentAgain) sent += 1;
      }
      if (rows.length > 0) await pool.query(announceDeliveries(replay.environmentId));
      if (left.size === 0) return sent;
      await sleep(RETRY_MS);
    }
  }
}

function outcomeOf({ done, sentAgain }: TakenReplay) {
  return { done, result: { sentAgain } };
}
