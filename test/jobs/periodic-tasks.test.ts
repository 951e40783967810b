import { expect, test } from '@jest/globals';
import { periodicTasks } from '../../src/jobs/periodic-tasks.ts';

test('where nothing sweeps there is no task: neither re-qualification nor closing of days nor sealing', () => {
  const options = {
    door: {} as never,
    logger: {} as never,
    retention: { payloadsDays: 30, quotesDays: 90 },
    onSwept() {},
    onRemoved() {},
    onFailed() {},
  };
  expect(periodicTasks({ ...options, sweepSeconds: 0 })).toEqual([]);
  const every = periodicTasks({ ...options, sweepSeconds: 5 }).map((task) => [
    task.identifier,
    task.everySeconds,
  ]);
  expect(every).toEqual([
    ['settle_due', 5],
    ['requalify', 60],
    ['roll_up', 600],
    ['seal_audit', 15],
    ['notice_expiries', 3600],
    ['fail_interrupted', 15],
    ['empty_payloads', 3600],
  ]);
});

test('a task that fails is told of by its name, and fails on', async () => {
  const failed: string[] = [];
  const tasks = periodicTasks({
    door: {} as never,
    logger: { error() {} } as never,
    sweepSeconds: 1,
    retention: { payloadsDays: 30, quotesDays: 90 },
    onSwept() {},
    onRemoved() {},
    onFailed: (task) => failed.push(task),
  });
  const broken = {
    query: () => Promise.reject(new Error('away')),
    connect: () => Promise.reject(new Error('away')),
  };
  const signal = new AbortController().signal;
  for (const task of tasks) await expect(task.run(broken as never, signal)).rejects.toThrow('away');
  expect(failed).toEqual(tasks.map(({ identifier }) => identifier));
});
