import { setTimeout as sleep } from 'node:timers/promises';
import { readTime } from '../../../db/environment-time.ts';
import type { Connections } from '../../../db/pool.ts';

/** A batch is committed long before this time has passed since its decision. */
const SURELY_WRITTEN_MS = 600_000;
const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;

/** What is known about an instant before the books up to it are read. */
export interface Instant {
  /** The environment's time, in whole milliseconds. */
  now: Date;
  /**
   * True where the instant has passed and everything decided before it is committed: the books up to it cannot change.
   */
  isOver: boolean;
}

/**
 * Checks whether an instant has passed for the books of an environment, and waits up to three seconds for the batches
 * that are running now, because they may still commit what they decided before the instant. Batches that begin later
 * decide later. Call it before the snapshot is taken.
 * @param environmentId UUID
 * @param at the instant; null for now
 */
export async function waitForBatches(
  connections: Connections,
  environmentId: string,
  at: Date | null,
): Promise<Instant> {
  const now = await readTime(connections, environmentId);
  const end = at ?? now;
  if (end > now) return { now, isOver: false };
  if (now.getTime() - end.getTime() > SURELY_WRITTEN_MS) return { now, isOver: true };
  // These batches are read after the time, so every batch that is not among them decides after that time.
  const before = new Set(await batchesOf(connections, environmentId));
  const deadline = performance.now() + PATIENCE_MS;
  let waitedFor = [...before];
  while (waitedFor.length > 0 && performance.now() < deadline) {
    await sleep(PAUSE_MS);
    waitedFor = (await batchesOf(connections, environmentId)).filter((batch) => before.has(batch));
  }
  return { now, isOver: waitedFor.length === 0 };
}

async function batchesOf(connections: Connections, environmentId: string): Promise<string[]> {
  const { rows } = await connections.query<{ batch: string }>({
    name: 'close_batches',
    text: BATCHES,
    values: [environmentId],
  });
  return rows.map(({ batch }) => batch);
}

// Lists the holders of the lock that every batch takes first (`enterEnvironment`). pg_locks shows its 64-bit key as two
// halves.
const BATCHES = `
  select l.virtualtransaction as batch
  from pg_locks l
  cross join (select hashtextextended($1, 0) as key) as entered
  where l.locktype = 'advisory' and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((entered.key >> 32) & 4294967295)::oid and l.objid = (entered.key & 4294967295)::oid`;
