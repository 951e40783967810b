import { describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { NoTurnError } from '../../../src/db/turns.ts';
import { boundQueries } from '../../../src/queries/bounded-queries.ts';
import type { Queries } from '../../../src/queries/queries.ts';
import { ReadPool } from '../../../src/queries/shared/read-pool.ts';

/** Longer than any test: what waits at its end is left behind. */
const NEVER_MS = 2 ** 30;

/** A statement that has reached the pool, until it is answered. */
interface Running {
  name: string;
  answer(): Promise<void>;
  fail(): Promise<void>;
}

/** A pool whose statements end when the test says so. */
function heldPool(max: number): { pool: Pool; running: Running[]; released: unknown[] } {
  const running: Running[] = [];
  const released: unknown[] = [];
  const pool = {
    options: { max },
    query: ({ name }: { name: string }) =>
      new Promise((resolve, reject) => {
        const one: Running = {
          name,
          answer: () => settled(() => resolve({ rows: [name] })),
          fail: () => settled(() => reject(new Error(name))),
        };
        const settled = (act: () => void) => {
          running.splice(running.indexOf(one), 1);
          act();
          return turn();
        };
        running.push(one);
      }),
    connect: async () => ({ release: (error: unknown) => released.push(error) }),
  };
  return { pool: pool as unknown as Pool, running, released };
}

const names = (running: readonly Running[]): string => running.map(({ name }) => name).join(' ');
const turn = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
const statement = (name: string) => ({ name, text: '', values: [] });

describe('the shares of a pool', () => {
  test('one environment has half of what there is for reads, another one the rest, and one is left', async () => {
    const { pool, running } = heldPool(8);
    const reads = new ReadPool(pool, NEVER_MS);
    for (let index = 0; index < 20; index++) void reads.of('a').query(statement('a'));
    await turn();
    expect(names(running)).toBe('a a a a');
    for (let index = 0; index < 20; index++) void reads.of('b').query(statement('b'));
    await turn();
    expect(names(running)).toBe('a a a a b b b');
  });

  test('a read that waits too long is given up, and its place goes to the next one', async () => {
    const { pool, running } = heldPool(2);
    const reads = new ReadPool(pool, 20);
    void reads.of('a').query(statement('first'));
    await expect(reads.of('a').query(statement('second'))).rejects.toThrow(NoTurnError);
    await expect(reads.of('b').query(statement('other'))).rejects.toThrow(NoTurnError);
    const third = reads.of('a').query(statement('third'));
    await running[0]?.answer();
    expect(names(running)).toBe('third');
    await running[0]?.answer();
    await third;
    expect(reads.hasSpare('b')).toBe(true);
  });

  test('of those that wait, the environment with the fewest is next; of equal ones, who was not served last', async () => {
    const { pool, running } = heldPool(4);
    const reads = new ReadPool(pool, NEVER_MS);
    for (const name of ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c']) {
      void reads.of(name).query(statement(name));
    }
    await turn();
    expect(names(running)).toBe('a a b');
    await running[0]?.answer();
    expect(names(running)).toBe('a b c');
    const served: string[] = [];
    while (running[0]) {
      served.push(running[0].name);
      await running[0].answer();
    }
    expect(served.join(' ')).toBe('a b c a b c b c');
  });

  test('with one connection for all, nobody is left out', async () => {
    const { pool, running } = heldPool(2);
    const reads = new ReadPool(pool, NEVER_MS);
    for (const name of ['a', 'a', 'a', 'b', 'c']) void reads.of(name).query(statement(name));
    await turn();
    const served: string[] = [];
    while (running[0]) {
      served.push(running[0].name);
      await running[0].answer();
    }
    expect(served).toHaveLength(5);
    expect(served.indexOf('b')).toBeLessThan(3);
    expect(served.indexOf('c')).toBeLessThan(4);
  });

  test('what fails gives its connection back, and so does one that is released, with its error', async () => {
    const { pool, running, released } = heldPool(3);
    const reads = new ReadPool(pool, NEVER_MS);
    const failing = reads.of('a').query(statement('first'));
    const next = reads.of('a').query(statement('second'));
    await turn();
    expect({ names: names(running), hasSpare: reads.hasSpare('a') }).toEqual({
      names: 'first',
      hasSpare: false,
    });
    const rejected = expect(failing).rejects.toThrow('first');
    await running[0]?.fail();
    await rejected;
    expect(names(running)).toBe('second');
    const connecting = reads.of('a').connect();
    await running[0]?.answer();
    expect((await next).rows).toEqual(['second']);
    const client = await connecting;
    expect(reads.hasSpare('a')).toBe(false);
    client.release(true);
    expect({ released, hasSpare: reads.hasSpare('a') }).toEqual({ released: [true], hasSpare: true });
  });

  test('a connection that cannot be had is not held', async () => {
    const broken = { options: { max: 2 }, connect: () => Promise.reject(new Error('away')) };
    const reads = new ReadPool(broken as unknown as Pool);
    for (let index = 0; index < 3; index++) await expect(reads.of('a').connect()).rejects.toThrow('away');
    expect(reads.hasSpare('a')).toBe(true);
  });
});

describe('how many reads may wait', () => {
  test('one environment beyond it is refused before anything is done; another one is not', async () => {
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const member: Queries['member'] = (environmentId) => {
      asked.push(environmentId);
      return new Promise((resolve, reject) => {
        ends.push(environmentId === 'a' ? () => reject(new Error('broken')) : () => resolve(null));
      });
    };
    const queries = boundQueries({ member } as Queries, 2);
    const first = [queries.member('a', 'x'), queries.member('a', 'x')];
    expect(await queries.member('a', 'x')).toMatchObject({ refused: true, code: 'overloaded' });
    first.push(queries.member('b', 'x'));
    expect(asked).toEqual(['a', 'a', 'b']);
    for (const end of ends) end();
    const statuses = (await Promise.allSettled(first)).map(({ status }) => status);
    expect(statuses).toEqual(['rejected', 'rejected', 'fulfilled']);
    void queries.member('a', 'x');
    void queries.member('a', 'x');
    expect(asked).toHaveLength(5);
    expect(await queries.member('a', 'x')).toMatchObject({ code: 'overloaded' });
  });
});
