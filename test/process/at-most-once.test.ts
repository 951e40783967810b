import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { atMostOnceIn } from '../../src/server/service/at-most-once.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('who asks within the time shares one answer, counted from when it was asked for', async () => {
  let found = 0;
  const find = atMostOnceIn(1_000, async () => ++found);
  expect(await Promise.all([find(), find(), find()])).toEqual([1, 1, 1]);
  jest.advanceTimersByTime(999);
  expect(await find()).toBe(1);
  jest.advanceTimersByTime(1);
  expect(await find()).toBe(2);
});

test('what takes longer than that is still asked for once at a time', async () => {
  let asked = 0;
  const find = atMostOnceIn(1_000, () => {
    asked += 1;
    return new Promise((resolve) => setTimeout(resolve, 5_000));
  });
  const first = find();
  jest.advanceTimersByTime(4_000);
  expect(find()).toBe(first);
  expect(asked).toBe(1);
  await Promise.all([first, jest.advanceTimersByTimeAsync(1_000)]);
  void find();
  expect(asked).toBe(2);
});

test('an error is shared, and forgotten, like an answer', async () => {
  let asked = 0;
  const find = atMostOnceIn(1_000, async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    return 'here';
  });
  await expect(Promise.all([find(), find()])).rejects.toThrow('away');
  await expect(find()).rejects.toThrow('away');
  jest.advanceTimersByTime(1_000);
  expect(await find()).toBe('here');
});
