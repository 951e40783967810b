import type { PoolOptions } from '../db/pool.ts';
import type { Logger } from '../http/logger.ts';
import { createLanePool } from '../ledger/batch/lane-pool.ts';
import { Sequencer } from '../webhooks/sequencer.ts';

/** What a serving process does with events after their commit. */
export interface Webhooks {
  /** An environment has new events. @param environmentId UUID */
  wake(environmentId: string): void;
  close(): Promise<void>;
}

/** Starts to number events. @param connection with the server's privileges */
export function openWebhooks(connection: Omit<PoolOptions, 'size'>, logger: Logger): Webhooks {
  const pool = createLanePool({ ...connection, size: 2, applicationName: 'rewards sequencer' });
  const sequencer = new Sequencer({
    pool,
    onError: (error) => logger.warn({ err: error }, 'Events could not be put in order; it is tried again'),
  });
  sequencer.start();
  return {
    wake: (environmentId) => sequencer.wake(environmentId),
    async close() {
      await sequencer.close();
      await pool.end();
    },
  };
}
