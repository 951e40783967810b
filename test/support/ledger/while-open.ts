import { setTimeout as sleep } from 'node:timers/promises';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import type { Command, Outcome } from '../../../src/ledger/command.ts';
import type { Counter } from './counter.ts';

/**
 * Submits a command to one writer, and the second one to the other while the first has taken its locks, has decided and
 * has not committed. Both then go on.
 */
export async function whileOpen(
  counter: Counter,
  [one, two]: readonly [Writer, Writer],
  first: Command,
  second: Command,
): Promise<[Outcome, Outcome]> {
  const holder = await counter.database.adminPool.connect();
  try {
    await holder.query('begin');
    // The last but one table that a batch writes: a batch that waits for it has decided and holds all its locks.
    await holder.query('lock table idempotency_keys in share mode');
    const ahead = one.submit(first);
    await untilWaiting(counter, 1);
    const behind = two.submit(second);
    await untilWaiting(counter, 2);
    await holder.query('commit');
    return await Promise.all([ahead, behind]);
  } finally {
    holder.release(true);
  }
}

/** Waits until so many connections of writers wait for a lock. */
export async function untilWaiting(counter: Counter, count: number): Promise<void> {
  for (;;) {
    const waiting = await counter.value<number>(
      `select count(*)::integer from pg_stat_activity
       where datname = current_database() and application_name = 'rewards writer' and wait_event_type = 'Lock'`,
    );
    if (waiting >= count) return;
    await sleep(10);
  }
}
