import type { Pool } from 'pg';

/** How long a reading is relied on: the clocks of two machines drift apart by far less than a second meanwhile. */
const READ_EVERY_MS = 60_000;

/**
 * The time of the database, for decisions that take no statement. It is read now and then, and counted on in between.
 */
export class DatabaseClock {
  readonly #pool: Pick<Pool, 'query'>;
  readonly #now: () => number;
  #reading: { at: number; ahead: Promise<number> } | null = null;

  /** @param now a monotonic clock, in milliseconds */
  constructor(pool: Pick<Pool, 'query'>, now = () => performance.now()) {
    this.#pool = pool;
    this.#now = now;
  }

  /** @returns milliseconds since 1970 */
  async time(): Promise<number> {
    const at = this.#now();
    if (!this.#reading || at >= this.#reading.at + READ_EVERY_MS) {
      const ahead = this.#read();
      const reading = { at, ahead };
      this.#reading = reading;
      ahead.catch(() => {
        if (this.#reading === reading) this.#reading = null;
      });
    }
    return (await this.#reading.ahead) + this.#now();
  }

  /** How far the database's clock is ahead of this process's. */
  async #read(): Promise<number> {
    const { rows } = await this.#pool.query<{ now: Date }>({
      name: 'database_time',
      text: 'select clock_timestamp() as now',
    });
    const [row] = rows;
    if (!row) throw new Error('the database has no time');
    return row.now.getTime() - this.#now();
  }
}
