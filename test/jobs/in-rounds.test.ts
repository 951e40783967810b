import { expect, test } from '@jest/globals';
import { inRounds } from '../../src/jobs/in-rounds.ts';

/** Takes steps of works that have so many left, and fails at those with none. @returns the order of the steps */
function rounds(works: Record<string, number>, signal?: AbortSignal) {
  const left = new Map(Object.entries(works));
  const taken: string[] = [];
  const run = inRounds(Object.keys(works), signal, async (work) => {
    taken.push(work);
    const steps = left.get(work) ?? 0;
    if (steps === 0) throw new Error(`${work} is broken`);
    left.set(work, steps - 1);
    return { done: 10, more: steps > 1 };
  });
  return { taken, run };
}

test('a step of each in turn, until none has more to do', async () => {
  const { taken, run } = rounds({ a: 3, b: 1, c: 2 });
  expect(await run).toBe(60);
  expect(taken.join('')).toBe('abcaca');
});

test('one that fails is taken once, and told of when the others are done', async () => {
  const { taken, run } = rounds({ a: 2, b: 0, c: 2, d: 0 });
  await expect(run).rejects.toMatchObject({
    errors: [new Error('b is broken'), new Error('d is broken')],
  });
  expect(taken.join('')).toBe('abcdac');
});

test('a stop ends the run before the next step', async () => {
  const { taken, run } = rounds({ a: 2, b: 2 }, AbortSignal.abort());
  expect({ run: await run, taken }).toEqual({ run: 0, taken: [] });
});
