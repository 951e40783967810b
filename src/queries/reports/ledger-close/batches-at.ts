import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';

/** Nothing that was decided before is still being written after so long. */
const SURELY_WRITTEN_MS = 600_000;
const PATIENCE_MS = 3_000;
const PAUSE_MS = 20;

/** What is known of an instant before books are read up to it. */
export interface Instant {
  /** The database's time, in whole milliseconds. */
  now: Date;
  /** True where it has passed, and all that was decided before it is written: the books up to it do not change. */
  over: boolean;
}

/**
 * Looks whether an instant has passed for the books of an environment, and waits up to three seconds for the batches that
 * are under way then: they may still write what they decided before it. Batches that begin later decide later. Call it
 * before the snapshot is taken.
 * @param environmentId UUID
 * @param at now where null
 */
export async function waitForBatches(
  pool: Pick<Pool, 'query'>,
  environmentId: string,
  at: Date | null,
): Promise<Instant> {
  const now = await readTime(pool);
  const end = at ?? now;
  if (end > now) return { now, over: false };
  if (now.getTime() - end.getTime() > SURELY_WRITTEN_MS) return { now, over: true };
  // Looked at after the time was read: whoever is not among them decides after it.
  const before = new Set(await batchesOf(pool, environmentId));
  const deadline = performance.now() + PATIENCE_MS;
  let waitedFor = [...before];
  while (waitedFor.length > 0 && performance.now() < deadline) {
    await sleep(PAUSE_MS);
    waitedFor = (await batchesOf(pool, environmentId)).filter((batch) => before.has(batch));
  }
  return { now, over: waitedFor.length === 0 };
}

async function readTime(pool: Pick<Pool, 'query'>): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>({
    name: 'close_time',
    text: `select date_trunc('milliseconds', clock_timestamp()) as now`,
  });
  if (!rows[0]) throw new Error('the database does not tell the time');
  return rows[0].now;
}

async function batchesOf(pool: Pick<Pool, 'query'>, environmentId: string): Promise<string[]> {
  const { rows } = await pool.query<{ batch: string }>({
    name: 'close_batches',
    text: BATCHES,
    values: [environmentId],
  });
  return rows.map(({ batch }) => batch);
}

// The lock that every batch takes first: see enterEnvironment. A key of 64 bits is told in two halves.
const BATCHES = `
  select l.virtualtransaction as batch
  from pg_locks l
  cross join (select hashtextextended($1, 0) as key) as entered
  where l.locktype = 'advisory' and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid = ((entered.key >> 32) & 4294967295)::oid and l.objid = (entered.key & 4294967295)::oid`;
