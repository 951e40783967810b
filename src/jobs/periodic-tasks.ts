import type { Logger } from '../http/logger.ts';
import type { CommandDoor } from '../ledger/command.ts';
import { FailurePause } from './failure-pause.ts';
import { rollUpEnvironments } from './roll-up.ts';
import type { PeriodicTask } from './runner.ts';
import { sweep } from './sweep.ts';
import type { SweepResult } from './sweep-result.ts';

export interface PeriodicTasksOptions {
  door: CommandDoor;
  logger: Logger;
  /** 0 for never. */
  sweepSeconds: number;
  onSwept(result: SweepResult): void;
}

/** A day can be closed ten minutes after its end. */
const ROLL_UP_SECONDS = 600;

/** Everything that a serving process does by itself. */
export function periodicTasks({ door, logger, sweepSeconds, onSwept }: PeriodicTasksOptions): PeriodicTask[] {
  const failures = new FailurePause();
  const onFailed = (error: unknown, subject: string): void =>
    logger.error({ err: error, subject }, 'Could not be settled, and is left alone for a quarter of an hour');
  const tasks: PeriodicTask[] = [
    {
      identifier: 'settle_due',
      everySeconds: sweepSeconds,
      run: async (pool, signal) => onSwept(await sweep({ pool, door, signal, failures, onFailed })),
    },
    {
      identifier: 'roll_up',
      everySeconds: sweepSeconds > 0 ? ROLL_UP_SECONDS : 0,
      run: async (pool, signal) => void (await rollUpEnvironments(pool, signal)),
    },
  ];
  return tasks.filter((task) => task.everySeconds > 0);
}
