import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, type Runner, run, type TaskList } from 'graphile-worker';
import { JOB_SCHEMA } from '../db/job-schema.ts';
import { createPool, type Pool, type PoolOptions } from '../db/pool.ts';
import type { Logger as Log } from '../http/logger.ts';

/** Work that is repeated. Only one process does it at a time. */
export interface PeriodicTask {
  /** The name of its job in the queue; it must not change between releases. */
  identifier: string;
  everySeconds: number;
  /**
   * @param pool for its statements, one at a time
   * @param signal aborted when the process stops: the task should then finish its current step and return
   */
  run(pool: Pool, signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Stops taking jobs and waits for the running ones. */
  close(): Promise<void>;
}

const POLL_MS = 2_000;
const RESTART_MS = 5_000;
/** How often a process adds jobs that were lost with a killed process or a broken connection. */
const WATCH_MS = 20_000;
/**
 * A session that has a task's lock and is silent for so long is ended: its process is paused, or its machine is gone.
 */
const SILENT_SECONDS = 30;
const HEARTBEAT_MS = 5_000;

/**
 * Runs periodic tasks with graphile-worker. Each task has one job with a key. The process that ran it adds the job
 * again for the next time, so that the task runs once per period, however many processes there are. The runner starts
 * in the background, and again after the database was not reachable.
 * @param connection with the server's privileges
 */
export function startJobs(
  connection: Omit<PoolOptions, 'size'>,
  tasks: readonly PeriodicTask[],
  log: Log,
): Jobs {
  if (tasks.length === 0) return { close: async () => {} };
  // One connection listens and one fetches jobs. Each task needs one for its lock and one for its statements.
  const pool = createPool({ ...connection, size: 2 + 2 * tasks.length, applicationName: 'rewards jobs' });
  const stopping = new AbortController();
  let runner: Runner | null = null;
  const supervise = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        runner = await start(pool, tasks, log, stopping.signal);
        if (!stopping.signal.aborted) await watch(pool, runner, tasks, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'Jobs have stopped, and are started again');
      }
      // A runner that has stopped already rejects the call.
      await runner?.stop().catch(() => {});
      runner = null;
      await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const supervised = supervise();
  return {
    async close() {
      stopping.abort();
      await runner?.stop().catch(() => {});
      await supervised;
      await pool.end();
    },
  };
}

function start(pool: Pool, tasks: readonly PeriodicTask[], log: Log, signal: AbortSignal): Promise<Runner> {
  const taskList: TaskList = Object.fromEntries(
    tasks.map((task) => [
      task.identifier,
      async () => {
        try {
          await runExclusively(pool, task, signal);
        } catch (error) {
          log.error({ err: error, task: task.identifier }, 'A job has failed; its next time comes');
        }
        // Also when this process stops, so that another one goes on.
        const again = () => putBack(pool, task, task.everySeconds, 'preserve_run_at');
        // The second try uses a new connection, where the first one was broken.
        await again().catch(again);
      },
    ]),
  );
  const pollInterval = Math.min(POLL_MS, ...tasks.map((task) => task.everySeconds * 1000));
  return run(
    {
      pgPool: pool,
      schema: JOB_SCHEMA,
      taskList,
      concurrency: tasks.length,
      pollInterval,
      noHandleSignals: true,
      // At a stop graphile-worker waits for batches of completions, but not for single ones.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      logger: new Logger(() => (level, message) => {
        if (level === 'error' || level === 'warning')
          log.warn({ job: message }, 'A job’s runner has a problem');
      }),
    },
    undefined,
    [],
  );
}

/**
 * Runs a task, unless another process runs it. The lock belongs to the session, which ends with the process; that of a
 * process that is paused is ended by Postgres, so that another process goes on.
 */
async function runExclusively(pool: Pool, task: PeriodicTask, signal: AbortSignal): Promise<void> {
  const session = await pool.connect();
  const name = [`job ${task.identifier}`];
  try {
    await session.query(`set idle_session_timeout = '${SILENT_SECONDS}s'`);
    const { rows } = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1::text, 0)) as mine',
      name,
    );
    if (rows[0]?.mine) {
      const heartbeat = setInterval(() => void session.query('select').catch(() => {}), HEARTBEAT_MS);
      try {
        await task.run(pool, signal);
      } finally {
        clearInterval(heartbeat);
        await session.query('select pg_advisory_unlock(hashtextextended($1::text, 0))', name);
      }
    }
    await session.query('reset idle_session_timeout');
  } finally {
    session.release();
  }
}

/**
 * Adds the job of each task to the queue, and again whenever it was lost, until the runner ends.
 * @throws when it ends
 */
async function watch(
  pool: Pool,
  runner: Runner,
  tasks: readonly PeriodicTask[],
  signal: AbortSignal,
): Promise<void> {
  for (const task of tasks) await putBack(pool, task, 0, 'replace');
  const timer = setInterval(() => {
    for (const task of tasks) {
      putBack(pool, task, task.everySeconds, 'preserve_run_at').catch(() => {});
    }
  }, WATCH_MS);
  try {
    await runner.promise;
  } finally {
    clearInterval(timer);
  }
  if (!signal.aborted) throw new Error('the runner has ended');
}

/**
 * Adds the job of a task to the queue, where `preserve_run_at` keeps the run time of a job that waits already. The
 * database's clock sets the run time, and graphile-worker compares it with the same clock, so that a process whose
 * clock is ahead does not keep the job from the others. A job that waits for longer than its period is from before the
 * database's clock was set back: its run time is not kept.
 */
async function putBack(
  pool: Pool,
  { identifier }: PeriodicTask,
  inSeconds: number,
  jobKeyMode: 'replace' | 'preserve_run_at',
): Promise<void> {
  await pool.query(
    `select ${JOB_SCHEMA}.add_job($1::text, run_at => now() + make_interval(secs => $2::float8),
      job_key => $1::text, max_attempts => 1, job_key_mode => case when exists (
        select from ${JOB_SCHEMA}._private_jobs
        where key = $1::text and run_at > now() + make_interval(secs => $2::float8)
      ) then 'replace' else $3::text end)`,
    [identifier, inSeconds, jobKeyMode],
  );
}
