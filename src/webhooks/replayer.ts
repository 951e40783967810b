import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../db/pool.ts';
import { type OperationOutcome, type RunningOperation, runningOperation } from '../operations/operation.ts';
import { recentlyUsed } from '../recently-used.ts';
import {
  announceDeliveries,
  findReplays,
  type RunningReplay,
  readActive,
  readNextSequences,
  type SteppedDelivery,
  sendAgain,
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
/** A receiver gets no more deliveries again a second. What a small replay took is soon made up for. */
const MOST_PER_SECOND = 500;
const MOST_ENDPOINTS = 10_000;
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
 * Does the replays that were asked for (`POST /webhook-endpoints/{id}/replay`): it puts the deliveries in the queue
 * again, step by step, as an operation. Any number of processes may do so. Each does one at a time: where another
 * environment has a replay that waits, it gets the next turn after a step, so that no environment waits for the many
 * replays of another one. Two replays of one endpoint follow each other. When a process stops, it puts its replay back
 * in the queue; that of a process that was killed fails with the end of its lease.
 */
export class Replayer {
  readonly #options: ReplayerOptions;
  readonly #stopping = new AbortController();
  /** The environments in the order of their last turns: a later one stands behind. */
  readonly #turns = new Set<string>();
  /** From when on an endpoint may have its next step, in milliseconds of `performance.now()`. */
  readonly #nextStep = recentlyUsed<{ from: number }>(MOST_ENDPOINTS);
  #loop: Promise<void> | null = null;
  #isNotified = true;
  #wake: (() => void) | null = null;

  constructor(options: ReplayerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** A replay was asked for. */
  wake(): void {
    this.#isNotified = true;
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
      this.#isNotified = false;
      const foundWork = await this.#next().catch((error) => {
        this.#options.onError(error);
        return false;
      });
      if (!foundWork && !this.#isNotified && !this.#stopping.signal.aborted) await this.#pause();
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

  /** Does a replay to its end, or until another environment has a turn. @returns false where none waits */
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
        if (await this.#othersWait(replay)) {
          await operation.giveBack(outcomeOf(replay).result);
          return true;
        }
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

  async #takeUp(): Promise<RunningReplay | null> {
    const { pool } = this.#options;
    const { rows: waiting } = await pool.query<WaitingReplay>(findReplays());
    const order = [...this.#turns];
    // Who never had a turn comes first, and then who has waited longest for the next one.
    const turnOf = ({ environmentId }: WaitingReplay): number => order.indexOf(environmentId);
    for (const waitingReplay of waiting.toSorted((one, other) => turnOf(one) - turnOf(other))) {
      const [replay] = (await pool.query<RunningReplay>(takeUpReplay(waitingReplay))).rows;
      if (!replay) continue;
      this.#takeTurn(replay.environmentId, waiting);
      return replay;
    }
    return null;
  }

  /** Turns are remembered of environments in which something waits. */
  #takeTurn(environmentId: string, waiting: readonly WaitingReplay[]): void {
    const stillWaits = new Set(waiting.map((replay) => replay.environmentId));
    for (const known of this.#turns) if (!stillWaits.has(known)) this.#turns.delete(known);
    this.#turns.delete(environmentId);
    this.#turns.add(environmentId);
  }

  async #othersWait({ environmentId }: RunningReplay): Promise<boolean> {
    const { rows } = await this.#options.pool.query<WaitingReplay>(findReplays());
    return rows.some((waiting) => waiting.environmentId !== environmentId);
  }

  /** Waits until the endpoint may have its next step, which is of so many deliveries. */
  async #pace(endpointId: string, deliveries: number): Promise<void> {
    const waitMs = (this.#nextStep.get(endpointId)?.from ?? 0) - performance.now();
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    this.#nextStep.set(endpointId, { from: performance.now() + (deliveries / MOST_PER_SECOND) * 1_000 });
  }

  /** @returns whether the replay has ended, or was given back */
  async #step(replay: RunningReplay, operation: RunningOperation): Promise<boolean> {
    const { pool } = this.#options;
    const { environmentId, endpointId, sinceSequence } = replay;
    const { rows } = await pool.query<{ sequence: number }>(readNextSequences(replay, STEP));
    if (rows.length > 0) await this.#pace(endpointId, rows.length);
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
  async #sendAgain(replay: RunningReplay, sequences: readonly number[]): Promise<number> {
    const { pool } = this.#options;
    const remaining = new Set(sequences);
    let sent = 0;
    for (;;) {
      const { rows } = await pool.query<SteppedDelivery>(sendAgain(replay, [...remaining]));
      for (const { sequence, sentAgain } of rows) {
        remaining.delete(sequence);
        if (sentAgain) sent += 1;
      }
      if (rows.length > 0) await pool.query(announceDeliveries(replay.environmentId));
      if (remaining.size === 0) return sent;
      await sleep(RETRY_MS);
    }
  }
}

function outcomeOf({ done, sentAgain }: RunningReplay) {
  return { done, result: { sentAgain } };
}
