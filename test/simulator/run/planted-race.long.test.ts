import { afterEach, expect, jest, test } from '@jest/globals';
import { simulate } from '../../../simulator/run/simulate.ts';
import { LOOK_UPS } from '../../../src/ledger/tables/all-tables.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

// The memory store locks the rows that the look-ups of the tables lock. Where one of them loses its lock, two
// concurrent batches both decide on the state before either has written. Two reservations of a last piece at once, and
// two last uses of a cap, are too rare in random worlds: test/ledger/batch/interleavings.long.test.ts shows that a
// stock and a shared counter without their locks are found.
test.each([['lock_profiles', 5_000]])('a look-up that has lost its lock is found: %s', (name, commands) => {
  const found = LOOK_UPS.find(({ lookUp }) => lookUp.name === name);
  if (!found) throw new Error(`no look-up ${name}`);
  jest.replaceProperty(found.lookUp as { locks: boolean }, 'locks', false);
  // A world of this length shows it about every third time.
  const failures = Array.from({ length: 20 }, (_, index) => 100 + index)
    .values()
    .map((seed) => ({ seed, failure: simulate({ seed, commands }).failure }));
  const first = failures.find(({ failure }) => failure !== null);
  expect(first?.failure?.error.message).toMatch(
    /a balance equals its postings|a lot holds what was posted to it|a stock is taken by the reservations|a counter has counted what purchases were told|program_profiles_\w+_check/,
  );
  jest.restoreAllMocks();
  expect(simulate({ seed: first?.seed ?? 0, commands }).failure).toBeNull();
});
