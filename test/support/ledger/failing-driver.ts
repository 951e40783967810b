import type { Pool, PoolClient } from 'pg';
import { tamperedPool } from './tampered-pool.ts';

/** How a statement fails. */
export const FAILURES = [
  'the connection breaks before it is sent',
  'the connection breaks after it has run',
  'a serialization failure',
  'an error of the statement',
] as const;
export type Failure = (typeof FAILURES)[number];

/** SQL that fails on the server, so that the transaction is aborted as by a real failure. */
const FAILING: Readonly<Partial<Record<Failure, string>>> = {
  'a serialization failure': `do $$ begin raise 'told to fail' using errcode = '40001'; end $$`,
  'an error of the statement': `do $$ begin raise 'told to fail' using errcode = 'P0001'; end $$`,
};

/** A pool in which one statement fails. It also looks whether each transaction begins on a clean connection. */
export class FailingDriver {
  readonly pool: Pool;
  /** How many statements were sent since the last `failAt`. */
  sent = 0;
  /** How many transactions began on a connection that was inside another one. */
  dirty = 0;
  #failure: { at: number; how: Failure } | null = null;

  constructor(pool: Pool) {
    this.pool = tamperedPool(pool, async (text, send, client) => {
      const index = this.sent;
      this.sent += 1;
      const clean = text.startsWith('begin') ? this.#lookAt(client) : null;
      const failure = this.#failure?.at === index ? this.#failure.how : null;
      const result = failure ? fail(failure, send, client) : send();
      await clean;
      return result;
    });
  }

  /** Makes the statement of this index fail, counted from now on; null for none. */
  failAt(at: number | null, how: Failure): void {
    this.sent = 0;
    this.#failure = at === null ? null : { at, how };
  }

  /** Outside a transaction a statement is a transaction of its own, which begins with it. */
  async #lookAt(client: PoolClient): Promise<void> {
    const isClean = await client
      .query<{ clean: boolean }>('select now() = statement_timestamp() as clean')
      .then(
        ({ rows }) => rows[0]?.clean === true,
        // An aborted transaction takes no statement. A broken connection fails its own statement too.
        (error: { code?: string }) => error.code !== '25P02',
      );
    if (!isClean) this.dirty += 1;
  }
}

/** Not async: statements of one round have to be answered in the order in which they were sent. */
function fail(how: Failure, send: () => Promise<unknown>, client: PoolClient): Promise<unknown> {
  const failing = FAILING[how];
  if (failing) return client.query(failing);
  if (how === 'the connection breaks before it is sent') {
    socketOf(client).destroy();
    return send();
  }
  return send().then(() => {
    socketOf(client).destroy();
    throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
  });
}

/** The socket of a connection, which the types of pg do not declare. */
function socketOf(client: PoolClient): { destroy(): void } {
  return (client as PoolClient & { connection: { stream: { destroy(): void } } }).connection.stream;
}
