import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { expectEachOnce, type RetryingLoad, startRetryingLoad } from '../support/drills/retrying-load.ts';
import { until } from '../support/drills/until.ts';
import { repetitions } from '../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const PAUSE_SECONDS = repetitions({ few: 12, many: 25, most: 60 });
const SENDERS = 12;
/** Few, so that what the paused node has locked is soon wanted by the other one. */
const MEMBERS = ['ada', 'ben', 'cyd'];

let database: TestDatabase;
let world: World;
let shop: TestEnvironment;
let servers: ServerProcess[];

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  const settings = { ...databaseSettings(database), SWEEP_SECONDS: '1', LOG_LEVEL: 'fatal' };
  servers = await Promise.all([spawnServer(settings), spawnServer(settings)]);
  const client = new Client((servers[0] as ServerProcess).url);
  await addMembers(client, shop, MEMBERS);
  client.close();
}, 180_000);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
  await database.drop();
});

/** Of a key of a load: its second part. */
const senderOf = (key: string): string => key.split('-')[1] ?? '';

async function isThere(session: number): Promise<boolean> {
  return (await world.count('select count(*) from pg_stat_activity where pid = $1', [session])) > 0;
}

/** A session of the service that stands in a transaction, and has long waited for its client. */
const IN_TRANSACTION = `select pid from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'
    and state_change < clock_timestamp() - interval '300 ms'`;

/** The session that has the lock of the job that seals the audit trail. */
const HOLDER = `select a.pid from pg_stat_activity a join pg_locks l using (pid)
  where l.locktype = 'advisory' and a.datname = current_database()
    and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('job seal_audit', 0)`;

const UNSEALED = `select count(*) from audit_events a
  where not exists (select from audit_seals s
    where s.environment_id = a.environment_id and s.event_at = a.at and s.event_id = a.id)`;

test(`a node that is paused for ${PAUSE_SECONDS} s in the middle of batches: the other one serves on, and both when it is woken`, async () => {
  const [paused, other] = servers as [ServerProcess, ServerProcess];
  const start = (name: string, { url }: ServerProcess) =>
    startRetryingLoad(url, shop, { name, senders: SENDERS, members: MEMBERS });
  const [onPaused, onOther] = [start('paused', paused), start('other', other)];
  const loads: RetryingLoad[] = [onPaused, onOther];
  let stuck = 0;
  let seconds = 0;
  try {
    await until('the loads', () => loads.every((load) => load.acknowledged.size > SENDERS * 2));
    // A pause that holds no lock shows nothing.
    await until('a pause with an open transaction', async () => {
      process.kill(paused.pid, 'SIGSTOP');
      await sleep(500);
      stuck = await world.count(IN_TRANSACTION);
      if (stuck === 0) process.kill(paused.pid, 'SIGCONT');
      return stuck > 0;
    });
    const begun = performance.now();
    const before = onOther.acknowledged.size;
    const served = () => new Set([...onOther.acknowledged.keys()].slice(before).map(senderOf));
    await until('the other node serves every sender', () => served().size === SENDERS);
    seconds = (performance.now() - begun) / 1000;
    await until('the end of its transaction', async () => !(await isThere(stuck)));
    await sleep(Math.max(0, PAUSE_SECONDS * 1000 - (performance.now() - begun)));
    process.kill(paused.pid, 'SIGCONT');
    const woken = onPaused.acknowledged.size;
    await until('the woken node serves', () => onPaused.acknowledged.size > woken + SENDERS * 4);
  } finally {
    process.kill(paused.pid, 'SIGCONT');
    await Promise.all(loads.map((load) => load.stop()));
  }
  process.stdout.write(
    `The other node had served all of its senders ${seconds.toFixed(1)} s after the pause began; answers in doubt there: ` +
      `${JSON.stringify([...onOther.doubts])}, of the paused node: ${JSON.stringify([...onPaused.doubts])}\n`,
  );
  for (const [name, load] of Object.entries({ paused: onPaused, other: onOther })) {
    for (const status of load.doubts.keys()) expect(status).toBe(503);
    await expectEachOnce(database.adminPool, name, load.acknowledged);
  }
  expect(await world.failedControls()).toEqual([]);
}, 400_000);

test('a node that is paused while it runs a job: Postgres takes the job from it, and another node does it', async () => {
  const [paused, other] = servers as [ServerProcess, ServerProcess];
  await other.end('SIGTERM');
  const blocker = await database.adminPool.connect();
  let stuck: number;
  try {
    // The job waits for this table, with its lock in a session that does nothing else.
    await blocker.query('set idle_in_transaction_session_timeout = 0');
    await blocker.query('begin');
    await blocker.query('lock table audit_events in access exclusive mode');
    await until('the job under way', async () => (await world.count(HOLDER)) > 0);
    process.kill(paused.pid, 'SIGSTOP');
    stuck = await world.count(HOLDER);
    await blocker.query('rollback');
  } finally {
    blocker.release();
  }
  servers[1] = await spawnServer({ ...databaseSettings(database), SWEEP_SECONDS: '1' });
  await until('the end of the lock', async () => !(await isThere(stuck)));
  await until('the seals', async () => (await world.count(UNSEALED)) === 0);
  process.kill(paused.pid, 'SIGCONT');
}, 400_000);
