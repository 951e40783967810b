import type { Pool, PoolClient } from 'pg';
import { tamperedPool } from '../tampered-pool.ts';

/** A statement that waits until the scheduler sends it. */
export interface HeldStatement {
  text: string;
  /** The backend of its connection. */
  processId: number;
  /** Sends it. Resolves once the server has answered, with a result or with an error. */
  send(): Promise<void>;
}

/** A pool whose statements are held while the gate is shut, in the order in which they were asked for. */
export class Gate {
  readonly pool: Pool;
  readonly #held: HeldStatement[] = [];
  #isShut = false;
  #onChange: (() => void) | null = null;

  constructor(pool: Pool) {
    this.pool = tamperedPool(pool, (text, send, client) => {
      if (!this.#isShut) return send();
      return new Promise((resolve, reject) => {
        const processId = processIdOf(client);
        this.#held.push({ text, processId, send: () => send().then(resolve, reject) });
        this.#onChange?.();
      });
    });
  }

  shut(): void {
    this.#isShut = true;
  }

  open(): void {
    this.#isShut = false;
  }

  /** The next statement, once there is one; null once `ended` has resolved. */
  async next(ended: Promise<unknown>): Promise<HeldStatement | null> {
    if (this.#held.length === 0) {
      const arrived = new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
      await Promise.race([arrived, ended]);
    }
    return this.#held.shift() ?? null;
  }
}

/** The process id of a connection's backend, which the types of pg do not declare. */
function processIdOf(client: PoolClient): number {
  return (client as PoolClient & { processID: number }).processID;
}
