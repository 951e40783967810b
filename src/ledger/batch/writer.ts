import type { Pool } from 'pg';
import type { ProgramCatalog } from '../../programs/published/program-catalog.ts';
import { refuse } from '../../refusal.ts';
import type { Command, CommandDoor, Outcome } from '../command.ts';
import { Lane } from './lane.ts';

export interface WriterOptions {
  /** Pipelined connections. More than `lanes`, so that an environment that waits for a lock holds up no other. */
  pool: Pool;
  catalog: ProgramCatalog;
  /** Batches of one environment in flight at once. Default 2. */
  lanes?: number;
  /** Most commands in a transaction. Default 128. */
  maxBatch?: number;
  /** Most commands waiting; beyond it they are refused as `overloaded`. Default 4,000. */
  maxWaiting?: number;
  onBatch?: (commands: number, milliseconds: number) => void;
}

/**
 * The one door for every change of value (design, "decide under lock, flush in sets"). Takes commands from all
 * requests and answers each once it is durable.
 */
export class Writer implements CommandDoor {
  readonly #lanes = new Map<string, Lane>();
  readonly #laneCount: number;
  readonly #newLane: (onIdle: () => void) => Lane;
  readonly #maxWaiting: number;
  #waiting = 0;
  #closing = false;
  #drained: (() => void) | null = null;

  constructor({ pool, catalog, lanes = 2, maxBatch = 128, maxWaiting = 4000, onBatch }: WriterOptions) {
    this.#laneCount = lanes;
    this.#newLane = (onIdle) => new Lane(pool, catalog, maxBatch, onBatch ?? (() => {}), onIdle);
    this.#maxWaiting = maxWaiting;
  }

  /** Commands that wait or are in flight. */
  get waiting(): number {
    return this.#waiting;
  }

  submit(command: Command): Promise<Outcome> {
    if (this.#waiting >= this.#maxWaiting || this.#closing) {
      return Promise.resolve(
        refuse('overloaded', 'Too much is waiting. Nothing was done: send it again after Retry-After.'),
      );
    }
    this.#waiting += 1;
    const lane = this.#laneOf(command);
    return new Promise<Outcome>((resolve, reject) => lane.add({ command, resolve, reject })).finally(() =>
      this.#finish(),
    );
  }

  /** Refuses what is new and waits for what was accepted. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#waiting > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
  }

  /** The lane of a command's member. Lanes are there only while something waits in them. */
  #laneOf({ environmentId, laneKey }: Command): Lane {
    const name = `${environmentId}/${hash(laneKey) % this.#laneCount}`;
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane = this.#newLane(() => this.#lanes.delete(name));
    this.#lanes.set(name, lane);
    return lane;
  }

  #finish(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#drained?.();
  }
}

/** FNV-1a: spreads lane keys evenly, the same way in every process. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
