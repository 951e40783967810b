import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/db/embedded-postgres.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool, type Pool } from '../src/db/pool.ts';
import { newUuid } from '../src/ids.ts';
import { createLanePool } from '../src/ledger/batch/lane-pool.ts';
import { Sequencer } from '../src/webhooks/sequencer.ts';
import { addEndpoints } from './endpoints.ts';

// Two ways to number events, compared with two processes that write batches of events into one environment: each batch
// takes its sequences itself, which locks the endpoints' rows until its commit, or a sequencer numbers what is
// committed. What a batch writes besides is left out, so that the figures show the cost of the numbering alone. See
// docs/internals/architecture.md.

const SECONDS = 5;
const ROUNDS = 3;
const WRITERS = 2;
/** Batches at once in each process, as lanes of the service. */
const LANES = 4;
const BATCH = 16;
const ENDPOINTS = 5;

type Way = 'flush' | 'sequencer';

const INSERT_EVENTS = `insert into events (environment_id, id, type, data, at)
  select $1::uuid, gen_random_uuid(), 'points.earned', '{"points":12,"basePoints":12,"campaignPoints":0}', clock_timestamp()
  from generate_series(1, ${BATCH}) returning id`;

const TAKE_SEQUENCES = `with taken as (
    update webhook_endpoints set last_sequence = last_sequence + ${BATCH}
    where environment_id = $1::uuid and id in (
      select id from webhook_endpoints where environment_id = $1::uuid order by id for update
    )
    returning id, last_sequence
  )
  insert into webhook_deliveries
    (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at, next_attempt_at)
  select $1::uuid, gen_random_uuid(), t.id, t.last_sequence - ${BATCH} + e.place, e.id, 'points.earned', 'pending',
    clock_timestamp(), clock_timestamp()
  from taken t, unnest($2::uuid[]) with ordinality as e(id, place)`;

/** A process that writes batches in its lanes until the time is over. @returns how many events it has committed */
async function write(url: string, environmentId: string, way: Way): Promise<number> {
  const pool = createPool({ url, size: LANES, statementTimeoutMs: 0 });
  const end = performance.now() + SECONDS * 1000;
  let events = 0;
  const lane = async (): Promise<void> => {
    const client = await pool.connect();
    while (performance.now() < end) {
      await client.query('begin');
      const { rows } = await client.query<{ id: string }>({
        name: 'insert_events',
        text: INSERT_EVENTS,
        values: [environmentId],
      });
      const ids = rows.map(({ id }) => id);
      if (way === 'flush')
        await client.query({ name: 'take_sequences', text: TAKE_SEQUENCES, values: [environmentId, ids] });
      await client.query('commit');
      events += BATCH;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await pool.end();
  return events;
}

/** @returns events a second that were committed, and those that had no deliveries when the last was committed */
async function measure(pool: Pool, url: string, way: Way): Promise<{ rate: number; late: number }> {
  const environmentId = newUuid();
  await pool.query(
    `with tenant as (insert into tenants (id, name) values (gen_random_uuid(), $2) returning id)
     insert into environments (id, tenant_id, kind, name) select $1::uuid, id, 'sandbox', 'numbering' from tenant`,
    [environmentId, environmentId],
  );
  await addEndpoints(pool, environmentId, ENDPOINTS);
  const lanePool = createLanePool({ url, size: 2, applicationName: 'numbering' });
  const sequencer = new Sequencer({ pool: lanePool, onError: (error) => process.stderr.write(`${error}\n`) });
  if (way === 'sequencer') sequencer.start();
  const waking = setInterval(() => sequencer.wake(environmentId), 10);
  if (way === 'flush') clearInterval(waking);
  const begun = performance.now();
  const counts = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const writer: ChildProcess = fork(fileURLToPath(import.meta.url), [url, environmentId, way]);
      const [events] = (await once(writer, 'message')) as [number];
      return events;
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  const events = counts.reduce((sum, count) => sum + count, 0);
  const made = async (): Promise<number> => {
    const { rows } = await pool.query<{ count: number }>(
      'select count(*)::integer as count from webhook_deliveries where environment_id = $1',
      [environmentId],
    );
    return rows[0]?.count ?? 0;
  };
  const late = events - (await made()) / ENDPOINTS;
  while ((await made()) < events * ENDPOINTS) await sleep(50);
  clearInterval(waking);
  await sequencer.close();
  await lanePool.end();
  return { rate: events / seconds, late };
}

async function compare(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rewards-bench-'));
  await chmod(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, use: 'tool' });
  await migrate(postgres.adminUrl);
  const pool = createPool({ url: postgres.adminUrl, size: 4, statementTimeoutMs: 0 });
  for (let round = 1; round <= ROUNDS; round += 1) {
    const flush = await measure(pool, postgres.adminUrl, 'flush');
    const sequencer = await measure(pool, postgres.adminUrl, 'sequencer');
    process.stdout.write(
      `round ${round}: at the flush ${flush.rate.toFixed(0)} events a second, by the sequencer ${sequencer.rate.toFixed(0)}, ` +
        `ratio ${(sequencer.rate / flush.rate).toFixed(2)}; not numbered at the end: ${sequencer.late.toFixed(0)}\n`,
    );
  }
  await pool.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}

const [url, environmentId, way] = process.argv.slice(2);
if (url && environmentId && (way === 'flush' || way === 'sequencer')) {
  process.send?.(await write(url, environmentId, way), () => process.disconnect());
} else await compare();
