import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { WorkLimit, WorkLimitPassed } from '../../src/http/work-limit.ts';
import { isUnavailability } from '../../src/ledger/batch/sqlstate.ts';

const never = new Promise<never>(() => undefined);

test('work that ends in time gives its result, or its error', async () => {
  const limit = new WorkLimit();
  expect(await limit.wait(Promise.resolve(7))).toBe(7);
  await expect(limit.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('work that does not is left, as unavailable', async () => {
  const begun = performance.now();
  const left = await new WorkLimit(50).wait(never).catch((error: unknown) => error);
  expect(left).toBeInstanceOf(WorkLimitPassed);
  expect(isUnavailability(left)).toBe(true);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(49);
});

test('several waits share the time; what passes between them does not count', async () => {
  const limit = new WorkLimit(1_000);
  await limit.wait(sleep(600));
  await sleep(600);
  expect(await limit.wait(Promise.resolve('in time'))).toBe('in time');
  const begun = performance.now();
  await expect(limit.wait(never)).rejects.toThrow(WorkLimitPassed);
  expect(performance.now() - begun).toBeLessThan(700);
});

test('work that fails after nobody waits for it any more disturbs nothing', async () => {
  const late = sleep(60).then(() => Promise.reject(new Error('late')));
  await expect(new WorkLimit(10).wait(late)).rejects.toThrow(WorkLimitPassed);
  await sleep(100);
});
