import { expect, test } from '@jest/globals';
import { DatabaseClock } from '../../../src/auth/widget/database-clock.ts';

/** A clock beside a database whose time is `databaseMs`, or that cannot be reached. */
function clockBeside(world: {
  nowMs: number;
  databaseMs: number;
  reads: number;
  broken: boolean;
}): DatabaseClock {
  const query = async (): Promise<unknown> => {
    world.reads += 1;
    if (world.broken) throw new Error('connection refused');
    return { rows: [{ now: new Date(world.databaseMs) }] };
  };
  return new DatabaseClock({ query } as never, () => world.nowMs);
}

test('tells the time of the database, which it reads once a minute', async () => {
  const world = { nowMs: 5, databaseMs: 1_000_000, reads: 0, broken: false };
  const clock = clockBeside(world);
  expect(await Promise.all([clock.time(), clock.time()])).toEqual([1_000_000, 1_000_000]);
  world.nowMs += 59_999;
  expect(await clock.time()).toBe(1_059_999);
  expect(world.reads).toBe(1);
  world.nowMs += 1;
  world.databaseMs = 7_000_000;
  expect(await clock.time()).toBe(7_000_000);
  expect(world.reads).toBe(2);
});

test('tells no time while the database cannot be reached, and tries again', async () => {
  const world = { nowMs: 0, databaseMs: 1_000, reads: 0, broken: true };
  const clock = clockBeside(world);
  await expect(clock.time()).rejects.toThrow('refused');
  world.broken = false;
  expect(await clock.time()).toBe(1_000);
});
