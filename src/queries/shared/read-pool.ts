import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg';
import type { Connections } from '../../db/pool.ts';
import type { Statement } from '../../db/statement.ts';
import { Turns } from '../../db/turns.ts';

/**
 * Shares the connections of a pool among the environments whose reads need them. One connection is kept for statements
 * that belong to no environment, such as the look-up of API keys. One environment never uses more than half of the
 * others, rounded up: a read cannot be interrupted, so connections have to stay free for the other environments.
 */
export class ReadPool extends Turns {
  readonly #pool: Pool;

  /** @param mostWaitMs how long a read waits for a connection. Default: as long as a statement may take */
  constructor(pool: Pool, mostWaitMs?: number) {
    const most = Math.max(1, pool.options.max - 1);
    super({ most, mostOfOne: Math.ceil(most / 2), ...(mostWaitMs === undefined ? {} : { mostWaitMs }) });
    this.#pool = pool;
  }

  /** The connections of an environment. @param environmentId UUID */
  of(environmentId: string): EnvironmentConnections {
    return new EnvironmentConnections(this.#pool, this, environmentId);
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
