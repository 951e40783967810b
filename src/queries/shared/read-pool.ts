import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';

/** The share of an environment: how many connections its reads use, and the reads that wait for one, in their order. */
interface Share {
  held: number;
  waiting: Set<() => void>;
}

/** As long as a statement may take: a connection of a database that answers is given back by then. */
const MOST_WAIT_MS = 10_000;
/** The SQLSTATE of a server that has no connection to give. */
const TOO_MANY_CONNECTIONS = '53300';

/** A read waited too long for a connection, because those that had one before it got no answer. */
export class NoTurnError extends Error {
  override name = 'NoTurnError';
  readonly code = TOO_MANY_CONNECTIONS;
}

/**
 * Shares the connections of a pool among the environments whose reads need them. One connection is kept for statements
 * that belong to no environment, such as the look-up of API keys. One environment never uses more than half of the
 * others, rounded up: a read cannot be interrupted, so connections have to stay free for the other environments. Where
 * reads wait, the environment that uses the fewest connections is served next.
 */
export class ReadPool {
  readonly #pool: Pool;
  readonly #mostWaitMs: number;
  readonly #most: number;
  readonly #mostOfOne: number;
  #held = 0;
  #waiting = 0;
  /**
   * By environment, in the order in which they were last served. Environments that use and wait for nothing are absent.
   */
  readonly #shares = new Map<string, Share>();

  /** @param mostWaitMs how long a read waits for a connection */
  constructor(pool: Pool, mostWaitMs = MOST_WAIT_MS) {
    this.#pool = pool;
    this.#mostWaitMs = mostWaitMs;
    this.#most = Math.max(1, pool.options.max - 1);
    this.#mostOfOne = Math.ceil(this.#most / 2);
  }

  /** The connections of an environment. @param environmentId UUID */
  of(environmentId: string): EnvironmentConnections {
    return new EnvironmentConnections(this.#pool, this, environmentId);
  }

  /** Whether `take` would give a connection at once. */
  hasSpare(environmentId: string): boolean {
    const share = this.#shares.get(environmentId);
    return this.#held < this.#most && (share?.held ?? 0) < this.#mostOfOne;
  }

  /**
   * Takes the right to use one connection, until `giveBack`.
   * @returns null where it is granted at once, else a promise to wait for, which rejects with NoTurnError
   */
  take(environmentId: string): Promise<void> | null {
    let share = this.#shares.get(environmentId);
    if (!share) {
      share = { held: 0, waiting: new Set() };
      this.#shares.set(environmentId, share);
    }
    if (this.hasSpare(environmentId)) {
      share.held += 1;
      this.#held += 1;
      return null;
    }
    this.#waiting += 1;
    const { waiting } = share;
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(turn);
        this.#waiting -= 1;
        this.#forgetIdle(environmentId);
        reject(new NoTurnError('No connection for the read became free in time.'));
      }, this.#mostWaitMs).unref();
      waiting.add(turn);
    });
  }

  #forgetIdle(environmentId: string): void {
    const share = this.#shares.get(environmentId);
    if (share?.held === 0 && share.waiting.size === 0) this.#shares.delete(environmentId);
  }

  giveBack(environmentId: string): void {
    const share = this.#shares.get(environmentId);
    if (!share) throw new Error(`environment ${environmentId} holds no connection`);
    share.held -= 1;
    this.#held -= 1;
    this.#forgetIdle(environmentId);
    if (this.#waiting > 0) this.#serveNext();
  }

  #serveNext(): void {
    let next: [environmentId: string, share: Share] | null = null;
    for (const entry of this.#shares) {
      const [, { held, waiting }] = entry;
      if (waiting.size > 0 && held < this.#mostOfOne && held < (next?.[1].held ?? Infinity)) next = entry;
    }
    if (!next) return;
    const [environmentId, share] = next;
    const [turn] = share.waiting;
    if (!turn) return;
    this.#shares.delete(environmentId);
    this.#shares.set(environmentId, share);
    share.held += 1;
    this.#held += 1;
    this.#waiting -= 1;
    share.waiting.delete(turn);
    turn();
  }
}

/** The connections of a pool as the reads of one environment get them. */
export class EnvironmentConnections implements Connections {
  readonly #pool: Pool;
  readonly #shared: ReadPool;
  readonly #environmentId: string;

  constructor(pool: Pool, shared: ReadPool, environmentId: string) {
    this.#pool = pool;
    this.#shared = shared;
    this.#environmentId = environmentId;
  }

  /** Whether a connection is available without waiting. */
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
      // The pool sets a new `release` each time it hands out a connection, so this one does not outlast the use.
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
