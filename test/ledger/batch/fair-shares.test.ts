import { expect, test } from '@jest/globals';
import { FairShares } from '../../../src/ledger/batch/fair-shares.ts';

const BOUND = 100;

/** Adds one of each name in turn while it is admitted, as often as `rounds` says. @returns how many each has */
function fill(shares: FairShares, names: readonly string[], rounds: number): Record<string, number> {
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      if (!shares.admits(name, shares.total, BOUND)) continue;
      shares.add(name);
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}

test('who is alone has the bound, and no more', () => {
  expect(fill(new FairShares(), ['a'], 500)).toEqual({ a: BOUND });
});

test('who comes later is admitted until it has as much', () => {
  const shares = new FairShares();
  fill(shares, ['a'], 500);
  expect(fill(shares, ['b'], 500)).toEqual({ b: BOUND });
  expect(shares.admits('c', shares.total, BOUND)).toBe(false);
});

test('as some of the first one are done, it does not take their places again', () => {
  const shares = new FairShares();
  fill(shares, ['a'], 500);
  fill(shares, ['b'], 20);
  for (let done = 0; done < 10; done += 1) shares.remove('a');
  expect(fill(shares, ['a', 'b'], 500)).toEqual({ a: 0, b: 70 });
});

test('what is removed leaves nothing behind', () => {
  const shares = new FairShares();
  fill(shares, ['a', 'b'], 10);
  for (let done = 0; done < 10; done += 1) for (const name of ['a', 'b']) shares.remove(name);
  expect({ total: shares.total, fill: fill(shares, ['c'], 500) }).toEqual({ total: 0, fill: { c: BOUND } });
});
