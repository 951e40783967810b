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

afterAll(async () => {
  expect(await arena.counter.failedControls()).toEqual([]);
  await arena.close();
});

describe(`statements of two sides in any order give what one side after the other gives (INTERLEAVINGS_SEED=${SEED})`, () => {
  test.each([...RACES, ...RACES_BESIDE_COMMANDS])(
    '$name',
    async (race) => {
      const { runs, faults } = await arena.explore(race, SEED, TWICE);
      expect(runs).toBeGreaterThanOrEqual(10);
      expect(faults).toEqual([]);
    },
    120_000,
  );
});
