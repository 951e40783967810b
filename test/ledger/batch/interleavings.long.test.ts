import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Arena } from '../../support/ledger/interleavings/arena.ts';
import { RACES } from '../../support/ledger/interleavings/races.ts';
import { RACES_BESIDE_COMMANDS } from '../../support/ledger/interleavings/races-beside-commands.ts';

const SEED = Number(process.env.INTERLEAVINGS_SEED ?? randomInt(2 ** 32 - 1));
/** How many interleavings with two interruptions each race runs. */
const TWICE = process.env.FULL === '1' ? 'all' : 8;

let arena: Arena;

beforeAll(async () => {
  arena = await Arena.open();
});

afterAll(() => arena.close());

describe(`statements of two sides in any order give what one side after the other gives (INTERLEAVINGS_SEED=${SEED})`, () => {
  test.each(RACES)('$name', async (race) => {
    const { isContest, runs, faults } = await arena.explore(race, SEED, TWICE);
    expect(isContest).toBe(true);
    expect(runs).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  test.each(RACES_BESIDE_COMMANDS)('$name', async (race) => {
    const { runs, faults } = await arena.explore(race, SEED, TWICE);
    expect(runs).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });
});

test('the books are right after all that', async () => {
  expect(await arena.counter.failedControls()).toEqual([]);
});
