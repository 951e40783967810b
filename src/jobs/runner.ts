import { setTimeout as sleep } from 'node:timers/promises';
import { type AddJobFunction, Logger, type Runner, run, type TaskList } from 'graphile-worker';
import { JOB_SCHEMA } from '../db/job-schema.ts';
import { createPool, type Pool, type PoolOptions } from '../db/pool.ts';
import type { Logger as Log } from '../http/logger.ts';

/** Work that comes back. Of many processes one does it at a time. */
export interface PeriodicTask {
  /** Names it in the queue, in every release. */
  identifier: string;
  everySeconds: number;
  /**
   * @param pool for its statements, of which one runs at a time
   * @param signal aborted where the process stops: what is begun is brought to a good end soon
   */
  run(pool: Pool, signal: AbortSignal): Promise<void>;
}

export interface Jobs {
  /** Takes no more jobs and waits for those that run. */
  close(): Promise<void>;
}

const POLL_MS = 2_000;
const RESTART_MS = 5_000;
/** How often a process puts back what was lost: with a process that was killed, or with a connection that broke. */
const WATCH_MS = 20_000;

/**
 * Runs periodic tasks by graphile-worker. Each task has one job with a key, which whoever ran it puts back for the next
 * time: so it runs once in a while, however many processes there are. Starts in the background, and again whenever the
 * database was away.
 * @param connection with the server's privileges
 */
export function startJobs(
  connection: Omit<PoolOptions, 'size'>,
  tasks: readonly PeriodicTask[],
  log: Log,
): Jobs {
  if (tasks.length === 0) return { close: async () => {} };
  // One listens, one fetches; each task holds a lock and sends statements.
  const pool = createPool({ ...connection, size: 2 + 2 * tasks.length, applicationName: 'rewards jobs' });
  const stopping = new AbortController();
  let runner: Runner | null = null;
  const supervise = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        runner = await start(pool, tasks, log, stopping.signal);
        if (!stopping.signal.aborted) await watch(runner, tasks, stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'Jobs have stopped, and are started again');
      }
      // One that has stopped already says so by an error.
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
      async (_payload, { addJob }) => {
        try {
          await runExclusively(pool, task, signal);
        } catch (error) {
          log.error({ err: error, task: task.identifier }, 'A job has failed; its next time comes');
        }
        // Also where this process stops: another one goes on.
        const again = () => putBack(addJob, task, task.everySeconds, 'preserve_run_at');
        // A connection that has just broken is replaced by a new one.
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
      // Due times are those of the processes: they alone set them.
      useNodeTime: true,
      // Batches of completions are waited for at a stop; single ones would not be.
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

/** Runs a task, unless another process is at it. The lock is a session's: it ends with its process, however that ends. */
async function runExclusively(pool: Pool, task: PeriodicTask, signal: AbortSignal): Promise<void> {
  const session = await pool.connect();
  const name = [`job ${task.identifier}`];
  try {
    const { rows } = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1::text, 0)) as mine',
      name,
    );
    if (!rows[0]?.mine) return;
    try {
      await task.run(pool, signal);
    } finally {
      await session.query('select pg_advisory_unlock(hashtextextended($1::text, 0))', name);
    }
  } finally {
    session.release();
  }
}

/** Puts each task into the queue, now and whenever it has been lost, until the runner ends. */
async function watch(runner: Runner, tasks: readonly PeriodicTask[], signal: AbortSignal): Promise<void> {
  for (const task of tasks) await putBack(runner.addJob, task, 0, 'replace');
  const timer = setInterval(() => {
    for (const task of tasks) {
      putBack(runner.addJob, task, task.everySeconds, 'preserve_run_at').catch(() => {});
    }
  }, WATCH_MS);
  try {
    await runner.promise;
  } finally {
    clearInterval(timer);
  }
  if (!signal.aborted) throw new Error('the runner has ended');
}

async function putBack(
  addJob: AddJobFunction,
  { identifier }: PeriodicTask,
  inSeconds: number,
  jobKeyMode: 'replace' | 'preserve_run_at',
): Promise<void> {
  const runAt = new Date(Date.now() + inSeconds * 1000);
  await addJob(identifier, {}, { jobKey: identifier, jobKeyMode, runAt, maxAttempts: 1 });
}
