import type { Pool } from 'pg';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import type { Command, CommandDoor, Outcome } from '../command.ts';
import { isRetry, type Retry, withoutRetry } from '../retry.ts';
import { FairShares } from './fair-shares.ts';
import { Lane, type OnBatch } from './lane.ts';
import type { RetryCause } from './sqlstate.ts';

export interface WriterOptions {
  /** Pipelined connections; more than `lanes`, so that an environment that waits for a lock does not delay others. */
  pool: Pool;
  catalog: ProgramCatalog;
  /** The number of lanes of an environment: how many of its batches run at once. Default 2. */
  lanes?: number;
  /** Most commands in a transaction. Default 128. */
  maxBatch?: number;
  /**
   * Most commands waiting or in flight; further ones are refused as `overloaded`. Up to twice as many are admitted of
   * environments that have fewer than the others. Default 4,000.
   */
  maxWaiting?: number;
  /**
   * The longest that a command of an environment is expected to wait, by the last batches; further ones are refused as
   * `overloaded`. Twice as long where the caller has fewer waiting than others. Default: no bound.
   */
  maxWaitMs?: number;
  /**
   * How long a command is tried again whose member's points are settled in steps, because very many are due; then it is
   * refused as `overloaded`. Default 2,000.
   */
  maxSettlingMs?: number;
  /** A command that has waited for longer for those before it is rejected, as unavailable. Default: 15,000. */
  maxQueuedMs?: number;
  /** Called after each batch of an environment, whether it was committed or not. */
  onBatch?: OnBatch;
  /** Called when a batch has failed and is tried again, as a whole or each of its commands alone. */
  onRetry?: (cause: RetryCause) => void;
}

/**
 * How much more than the average one lane may have waiting. Less than the number of lanes, so that one with very many
 * commands of one member does not keep others out.
 */
const UNEVEN = 1.5;

const overloaded = refuse(
  'overloaded',
  'Too much is waiting. Nothing was done: send it again after Retry-After.',
);

/**
 * Runs every command that changes value (design, "decide under lock, flush in sets"). It gathers the commands of all
 * requests into batches and resolves each with its outcome once that is durable.
 */
export class Writer implements CommandDoor {
  readonly #lanes = new Map<string, Lane>();
  readonly #laneCount: number;
  readonly #newLane: (onIdle: () => void) => Lane;
  readonly #maxWaiting: number;
  readonly #maxSettlingMs: number;
  /** Commands that wait or are in flight, by environment. */
  readonly #shares = new FairShares();
  #closing = false;
  #drained: (() => void) | null = null;

  constructor({
    pool,
    catalog,
    lanes = 2,
    maxBatch = 128,
    maxWaiting = 4000,
    maxWaitMs = Number.POSITIVE_INFINITY,
    maxSettlingMs = 2_000,
    maxQueuedMs = 15_000,
    onBatch = () => {},
    onRetry = () => {},
  }: WriterOptions) {
    this.#laneCount = lanes;
    this.#newLane = (onIdle) =>
      new Lane({ pool, catalog, maxBatch, maxWaitMs, maxQueuedMs, onBatch, onRetry, onIdle });
    this.#maxWaiting = maxWaiting;
    this.#maxSettlingMs = maxSettlingMs;
  }

  /** Commands that wait or are in flight. */
  get waiting(): number {
    return this.#shares.total;
  }

  /**
   * Whether commands of an environment are refused at the moment, whichever member they are about: by what its lanes
   * have waiting on average. It costs next to nothing, so that it can be asked before a request is read.
   * @param callerId of the command's actor
   */
  refusal(environmentId: string, callerId: string): Refusal | null {
    if (this.#closing || !this.#hasRoom(environmentId)) return overloaded;
    const lanes: Lane[] = [];
    let queued = 0;
    let waitMs = 0;
    for (let index = 0; index < this.#laneCount; index += 1) {
      const lane = this.#lanes.get(`${environmentId}/${index}`);
      if (!lane) continue;
      lanes.push(lane);
      queued += lane.queued / this.#laneCount;
      waitMs += lane.expectedWaitMs / this.#laneCount;
    }
    const admitted = lanes.length === 0 || lanes.some((lane) => lane.admits(callerId, queued, waitMs));
    return admitted ? null : overloaded;
  }

  async submit(command: Command): Promise<Outcome> {
    const { environmentId, actor } = command;
    const refused = this.refusal(environmentId, actor.id);
    if (refused) return refused;
    const lane = this.#laneOf(command);
    const [queued, waitMs] = [lane.queued / UNEVEN, lane.expectedWaitMs / UNEVEN];
    if (!lane.admits(actor.id, queued, waitMs)) return overloaded;
    this.#shares.add(environmentId);
    try {
      return await this.#decided(command, lane);
    } finally {
      this.#finish(environmentId);
    }
  }

  /** Tries a command until it is decided, for a time. Nowhere else are commands tried again that were not decided. */
  async #decided(command: Command, lane: Lane): Promise<Outcome> {
    const since = performance.now();
    let [tried, inLane] = [command, lane];
    let triesUntil: number | null = null;
    for (;;) {
      const outcome = await tryIn(inLane, tried, since);
      if (!isRetry(outcome)) return outcome;
      if (outcome.why === 'owner_changed') {
        if (!tried.again) return withoutRetry<Outcome>(outcome);
        tried = await tried.again();
      } else {
        triesUntil ??= performance.now() + this.#maxSettlingMs;
        if (performance.now() >= triesUntil) return withoutRetry<Outcome>(outcome);
      }
      inLane = this.#laneOf(tried);
    }
  }

  #hasRoom(environmentId: string): boolean {
    return this.#shares.admits(environmentId, this.#shares.total, this.#maxWaiting);
  }

  /** Refuses new commands and waits until the accepted ones have their outcomes. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#shares.total > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
  }

  /** The lane of a command's member. A lane is removed once nothing waits in it. */
  #laneOf({ environmentId, laneKey }: Command): Lane {
    const name = `${environmentId}/${hash(laneKey) % this.#laneCount}`;
    const existing = this.#lanes.get(name);
    if (existing) return existing;
    const lane = this.#newLane(() => this.#lanes.delete(name));
    this.#lanes.set(name, lane);
    return lane;
  }

  #finish(environmentId: string): void {
    this.#shares.remove(environmentId);
    if (this.#shares.total === 0) this.#drained?.();
  }
}

function tryIn(lane: Lane, command: Command, since: number): Promise<Outcome | Retry> {
  return new Promise((resolve, reject) => lane.add({ command, since, resolve, reject }));
}

/** FNV-1a: spreads lane keys evenly, in the same way in every process. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
