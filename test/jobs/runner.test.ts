import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { createLogger } from '../../src/http/logger.ts';
import { type Jobs, type PeriodicTask, startJobs } from '../../src/jobs/runner.ts';
import { until } from '../support/until.ts';
import { useDatabase } from '../support/use-database.ts';

const log = createLogger('silent');
const running = new Set<Jobs>();

const { database } = useDatabase();

afterEach(async () => {
  await Promise.all([...running].map((jobs) => jobs.close()));
  running.clear();
});

/** Starts jobs as a process does, with the privileges of the server. */
function start(...tasks: PeriodicTask[]): Jobs {
  const jobs = startJobs({ url: database.serverUrl }, tasks, log);
  running.add(jobs);
  return jobs;
}

test('a task comes back, and of three processes one alone does it at a time', async () => {
  let now = 0;
  let most = 0;
  const times: number[] = [];
  const task: PeriodicTask = {
    identifier: 'counted',
    everySeconds: 1,
    async run() {
      now += 1;
      most = Math.max(most, now);
      times.push(Date.now());
      await sleep(50);
      now -= 1;
    },
  };
  for (let index = 0; index < 3; index++) start(task);
  const gaps = () => times.slice(1).map((at, index) => at - (times[index] as number));
  // The start of each process, which may be late, runs it once more.
  const inStep = () => times.length > 4 && Math.min(...gaps().slice(-3)) >= 900;
  await until(inStep, 'three in a row that are a second apart');
  expect(most).toBe(1);
});

test('a task that fails has its next time, and another one is none the worse', async () => {
  let failed = 0;
  let done = 0;
  start(
    {
      identifier: 'failing',
      everySeconds: 1,
      run() {
        failed += 1;
        return Promise.reject(new Error('broken'));
      },
    },
    {
      identifier: 'good',
      everySeconds: 1,
      async run() {
        done += 1;
      },
    },
  );
  await until(() => failed >= 2 && done >= 2, 'two turns of each');
});

test('a job that a killed process took along is put back at the next start', async () => {
  await database.adminPool.query(
    `select graphile_worker.add_job('orphan', job_key => 'orphan', max_attempts => 1);
     update graphile_worker._private_jobs set locked_by = 'killed', locked_at = now(), attempts = 1
     where key = 'orphan'`,
  );
  let done = 0;
  start({
    identifier: 'orphan',
    everySeconds: 60,
    async run() {
      done += 1;
    },
  });
  await until(() => done === 1, 'the turn of the orphan');
});

test('a process whose clock is an hour ahead does not postpone the next time for the others', async () => {
  const ahead = jest
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000);
  try {
    let done = 0;
    const jobs = start({
      identifier: 'ahead',
      everySeconds: 2,
      async run() {
        done += 1;
      },
    });
    await until(() => done >= 2, 'two turns');
    await jobs.close();
    running.delete(jobs);
  } finally {
    ahead.mockRestore();
  }
  const { rows } = await database.adminPool.query<{ seconds: number }>(
    `select extract(epoch from run_at - clock_timestamp())::float8 as seconds
     from graphile_worker.jobs where key = 'ahead'`,
  );
  expect(rows[0]?.seconds).toBeLessThanOrEqual(2);
});

test('a stop tells the task, waits for it, and leaves the job to others', async () => {
  let told = false;
  let ended = false;
  let begun = false;
  const jobs = start({
    identifier: 'slow',
    everySeconds: 1,
    async run(_pool, signal) {
      begun = true;
      await sleep(10_000, undefined, { signal }).catch(() => {});
      told = signal.aborted;
      await sleep(200);
      ended = true;
    },
  });
  await until(() => begun, 'the task begins');
  running.delete(jobs);
  await jobs.close();
  expect({ told, ended }).toEqual({ told: true, ended: true });
  const { rows } = await database.adminPool.query(
    `select key, locked_at, attempts from graphile_worker._private_jobs
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'slow')`,
  );
  // The running job is gone, and the next one waits.
  expect(rows).toEqual([{ key: 'slow', locked_at: null, attempts: 0 }]);
});

test('a close before it has begun ends too', async () => {
  const jobs = start({ identifier: 'never', everySeconds: 60, run: async () => {} });
  running.delete(jobs);
  await jobs.close();
});

test('connections that break are replaced, and the task goes on', async () => {
  let done = 0;
  start({
    identifier: 'lasting',
    everySeconds: 1,
    async run() {
      done += 1;
    },
  });
  await until(() => done > 0, 'a turn');
  await database.adminPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'rewards jobs' and datname = current_database()`,
  );
  const before = done;
  // Usually at once. A job that was lost with its connection runs after a process has added it again.
  await until(() => done >= before + 2, 'two more turns');
});
