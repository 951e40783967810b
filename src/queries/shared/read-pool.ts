import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';

/** What an environment has of the pool: connections that its reads hold, and those that wait for one. */
interface Share {
  held: number;
  waiting: (() => void)[];
}

/**
 * Shares the connections of a pool out among the environments whose reads want them. One environment never holds more
 * than half of them: a read cannot be interrupted, so what others are to find free must not be given away. One
 * connection is left to what belongs to no environment, such as looking keys up. Where reads wait, the environment that
 * holds the fewest is served next.
 */
export class ReadPool {
  readonly #pool: Pool;
  readonly #most: number;
  readonly #mostOfOne: number;
  #held = 0;
  #waiting = 0;
  /** In the order in which they were last served. Those that neither hold nor want anything are not there. */
  readonly #shares = new Map<string, Share>();

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#most = Math.max(1, pool.options.max - 1);
    this.#mostOfOne = Math.ceil(this.#most / 2);
  }

  /** The share of an environment. @param environmentId UUID */
  of(environmentId: string): EnvironmentConnections {
    return new EnvironmentConnections(this.#pool, this, environmentId);
  }

  /** Whether `take` would be answered at once. */
  hasSpare(environmentId: string): boolean {
    const share = this.#shares.get(environmentId);
    return this.#held < this.#most && (share?.held ?? 0) < this.#mostOfOne;
  }

  /** Takes the right to one connection, which `giveBack` ends. @returns a promise where it has to be waited for */
  take(environmentId: string): Promise<void> | null {
    let share = this.#shares.get(environmentId);
    if (!share) {
      share = { held: 0, waiting: [] };
      this.#shares.set(environmentId, share);
    }
    if (this.hasSpare(environmentId)) {
      share.held += 1;
      this.#held += 1;
      return null;
    }
    this.#waiting += 1;
    const { waiting } = share;
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }

  giveBack(environmentId: string): void {
    const share = this.#shares.get(environmentId);
    if (!share) throw new Error(`environment ${environmentId} holds no connection`);
    share.held -= 1;
    this.#held -= 1;
    if (share.held === 0 && share.waiting.length === 0) this.#shares.delete(environmentId);
    if (this.#waiting > 0) this.#serveNext();
  }

  #serveNext(): void {
    let next: [environmentId: string, share: Share] | null = null;
    for (const entry of this.#shares) {
      const [, { held, waiting }] = entry;
      if (waiting.length > 0 && held < this.#mostOfOne && held < (next?.[1].held ?? Infinity)) next = entry;
    }
    if (!next) return;
    const [environmentId, share] = next;
    this.#shares.delete(environmentId);
    this.#shares.set(environmentId, share);
    share.held += 1;
    this.#held += 1;
    this.#waiting -= 1;
    share.waiting.shift()?.();
  }
}

/** What one environment's reads know of the pool. */
export class EnvironmentConnections implements Connections {
  readonly #pool: Pool;
  readonly #shared: ReadPool;
  readonly #environmentId: string;

  constructor(pool: Pool, shared: ReadPool, environmentId: string) {
    this.#pool = pool;
    this.#shared = shared;
    this.#environmentId = environmentId;
  }

  /** Whether a connection can be had without waiting for one. */
  get hasSpare(): boolean {
    return this.#shared.hasSpare(this.#environmentId);
  }

  async query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
    const turn = this.#shared.take(this.#environmentId);
    if (turn) await turn;
    try {
      return await this.#pool.query<Row>(statement);
    } finally {
      this.#shared.giveBack(this.#environmentId);
    }
  }

  async connect(): Promise<PoolClient> {
    const turn = this.#shared.take(this.#environmentId);
    if (turn) await turn;
    try {
      const client = await this.#pool.connect();
      // The pool gives each user of a connection a `release` of its own.
      const release = client.release;
      client.release = (error) => {
        release.call(client, error);
        this.#shared.giveBack(this.#environmentId);
      };
      return client;
    } catch (error) {
      this.#shared.giveBack(this.#environmentId);
      throw error;
    }
  }
}
