import type { PoolClient } from 'pg';
import { BY_KEY } from '../src/db/planner-settings.ts';
import { createPool, type Pool } from '../src/db/pool.ts';
import type { Statement } from '../src/db/statement.ts';
import { newHistogram, percentilesMs, recordMs } from './http-load.ts';
import type { Job, Measurement } from './scenarios.ts';

/** A call of a stored function. */
export type Call = Statement & { points: number };

/** Fewer than Postgres admits beside those of the service. */
const MOST_CONNECTIONS = 90;

/**
 * Calls a stored function directly with pg, each time in a transaction of its own, on several connections at once.
 * Connections stay open from measurement to measurement, with their prepared statement and the plans of the function,
 * as those of the service do.
 */
export class DirectCalls {
  readonly #callOf: () => (number: number) => Call;
  readonly #isExpected: (rows: readonly object[]) => boolean;
  readonly #clients: PoolClient[] = [];
  readonly #pool: Pool;

  /**
   * @param callOf returns for a measurement what makes the call of a number
   * @param isExpected whether a call has done its work, by the rows that it returned
   */
  constructor(
    databaseUrl: string,
    callOf: () => (number: number) => Call,
    isExpected: (rows: readonly object[]) => boolean,
  ) {
    this.#callOf = callOf;
    this.#isExpected = isExpected;
    this.#pool = createPool({
      ...{ url: databaseUrl, size: MOST_CONNECTIONS, applicationName: 'bench' },
      // Those of the service's writer: without them, plans of when the tables were empty would read whole tables.
      settings: BY_KEY,
    });
  }

  /** @throws where a call fails, or returns what is not expected */
  async run({ connections, seconds, first }: Job): Promise<Measurement> {
    while (this.#clients.length < connections) this.#clients.push(await this.#pool.connect());
    const micros = newHistogram();
    const call = this.#callOf();
    let next = first;
    let requests = 0;
    let points = 0;
    const begun = performance.now();
    const until = begun + seconds * 1000;
    const work = async (client: PoolClient): Promise<void> => {
      for (let now = performance.now(); now < until; ) {
        const { points: moved, ...statement } = call(next++);
        const { rows } = await client.query<object>(statement);
        if (!this.#isExpected(rows)) throw new Error(`${statement.name} has not done what it was called for`);
        const answeredAt = performance.now();
        recordMs(micros, answeredAt - now);
        now = answeredAt;
        requests += 1;
        points += moved;
      }
    };
    await Promise.all(this.#clients.slice(0, connections).map(work));
    const written = { requests, points };
    return {
      ...written,
      seconds: (performance.now() - begun) / 1000,
      byPlace: [written],
      ...percentilesMs(micros),
    };
  }
}
