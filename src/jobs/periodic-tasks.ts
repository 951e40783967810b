import type { Logger } from '../http/logger.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { failInterrupted } from '../operations/operation.ts';
import { FailurePause } from './failure-pause.ts';
import { noticeExpiries } from './notice-expiries.ts';
import { requalify } from './requalify.ts';
import { applyRetention, type Removable, type Retention } from './retention.ts';
import { rollUpEnvironments } from './roll-up.ts';
import type { PeriodicTask } from './runner.ts';
import { sealAudit } from './seal-audit.ts';
import { sweep } from './sweep.ts';
import type { SweepResult } from './sweep-result.ts';

export interface PeriodicTasksOptions {
  door: CommandDoor;
  logger: Logger;
  /** Seconds between two sweeps; 0 turns all of the tasks off. */
  sweepSeconds: number;
  retention: Retention;
  onSwept(result: SweepResult): void;
  /** Called with how many rows of a kind the retention has removed. */
  onRemoved(kind: Removable, rows: number): void;
  /** Called for each task that failed, and for each profile or adjustment that a task could not handle. */
  onFailed(task: string): void;
}

/** Qualification windows end at midnight. Reads and purchases before the next run see the right tier all the same. */
const REQUALIFY_SECONDS = 60;
/** Days are closed at the earliest ten minutes after they end. */
const ROLL_UP_SECONDS = 600;
/** An audit event is sealed within a minute, also where one run takes long. */
const SEAL_SECONDS = 15;
/** Notices are given in days: an hour later is soon enough. */
const NOTICE_SECONDS = 3_600;
/** An operation whose process was killed is shown as failed within the lease and this. */
const INTERRUPTED_SECONDS = 15;
/** Rows are removed when they are days old, so that an hour more is nothing. */
const RETENTION_SECONDS = 3_600;

/** The tasks that a serving process runs by itself. */
export function periodicTasks(options: PeriodicTasksOptions): PeriodicTask[] {
  const { door, logger, sweepSeconds, onSwept } = options;
  const failures = new FailurePause();
  const tierFailures = new FailurePause();
  const noticeFailures = new FailurePause();
  const leftAlone = (task: string) => (error: unknown, subject: string) => {
    options.onFailed(task);
    logger.error(
      { err: error, subject },
      'Could not be settled, re-qualified or told of, and is left alone for a quarter of an hour',
    );
  };
  const tasks: PeriodicTask[] = [
    {
      identifier: 'settle_due',
      everySeconds: sweepSeconds,
      run: async (pool, signal) =>
        onSwept(await sweep({ pool, door, signal, failures, onFailed: leftAlone('settle_due') })),
    },
    {
      identifier: 'requalify',
      everySeconds: sweepSeconds > 0 ? REQUALIFY_SECONDS : 0,
      run: async (pool, signal) =>
        void (await requalify({
          pool,
          door,
          signal,
          failures: tierFailures,
          onFailed: leftAlone('requalify'),
        })),
    },
    {
      identifier: 'roll_up',
      everySeconds: sweepSeconds > 0 ? ROLL_UP_SECONDS : 0,
      run: async (pool, signal) => void (await rollUpEnvironments(pool, signal)),
    },
    {
      identifier: 'seal_audit',
      everySeconds: sweepSeconds > 0 ? SEAL_SECONDS : 0,
      run: async (pool, signal) => void (await sealAudit(pool, signal)),
    },
    {
      identifier: 'notice_expiries',
      everySeconds: sweepSeconds > 0 ? NOTICE_SECONDS : 0,
      run: async (pool, signal) =>
        void (await noticeExpiries({
          pool,
          door,
          signal,
          failures: noticeFailures,
          onFailed: leftAlone('notice_expiries'),
        })),
    },
    {
      identifier: 'fail_interrupted',
      everySeconds: sweepSeconds > 0 ? INTERRUPTED_SECONDS : 0,
      run: (pool) => failInterrupted(pool),
    },
    {
      // The name is older than the removal of quotes, and must not change.
      identifier: 'empty_payloads',
      everySeconds: sweepSeconds > 0 ? RETENTION_SECONDS : 0,
      run: (pool, signal) => applyRetention(pool, options.retention, signal, options.onRemoved),
    },
  ];
  return tasks.filter((task) => task.everySeconds > 0).map((task) => countingFailures(task, options));
}

function countingFailures(task: PeriodicTask, { onFailed }: PeriodicTasksOptions): PeriodicTask {
  return {
    ...task,
    run: (pool, signal) =>
      task.run(pool, signal).catch((error: unknown) => {
        onFailed(task.identifier);
        throw error;
      }),
  };
}
