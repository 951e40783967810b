import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AdminNotices } from '../../src/auth/admin-notices.ts';
import { createClient } from '../../src/db/pool.ts';
import { newUuid } from '../../src/ids.ts';
import { until } from '../support/until.ts';
import { useDatabase } from '../support/use-database.ts';

const NAME = 'notices under test';

let notices: AdminNotices;
/** What the listener was told, in its order: `listening`, `heard`, or the environment that has changed. */
let told: string[];
/** When the heartbeats were sent that were answered, in milliseconds of `performance.now()`. */
let heardAt: number[];
let warnings: string[];

const { database } = useDatabase();

beforeEach(() => {
  told = [];
  warnings = [];
  heardAt = [];
  notices = new AdminNotices({
    open: (config) => createClient({ url: database.serverUrl }, { ...config, application_name: NAME }),
    onChange: (environmentId) => told.push(environmentId),
    onListening: () => told.push('listening'),
    onHeard: (at) => {
      told.push('heard');
      heardAt.push(at);
    },
    channels: { rewards_other: (message) => told.push(`other ${message}`) },
    warn: (error) => warnings.push(error.message),
  });
});

afterEach(() => notices.close());

const announce = (environmentId: string) =>
  database.adminPool.query(`select pg_notify('rewards_admin', $1)`, [environmentId]);

const isTold = (what: string): Promise<void> => until(() => told.includes(what), what);

test('messages of further channels are told, and not as changes', async () => {
  await notices.start();
  await database.adminPool.query(`select pg_notify('rewards_other', 'a')`);
  await isTold('other a');
});

test('a change is told at once, and before the answer to any heartbeat that was sent after it', async () => {
  await notices.start();
  for (let index = 0; index < 20; index += 1) {
    const changed = newUuid();
    await announce(changed);
    const announcedAt = performance.now();
    await until(() => (heardAt.at(-1) ?? 0) > announcedAt || told.includes(changed), 'either');
    expect(told).toContain(changed);
    await sleep(index * 13);
  }
  expect(warnings).toEqual([]);
});

test('heartbeats are answered several times a second', async () => {
  await notices.start();
  expect(told[0]).toBe('listening');
  await until(() => heardAt.length >= 8, 'eight heartbeats');
  // A busy machine makes some of the pauses long, and not all of them.
  const pauses = heardAt.slice(1).map((at, index) => at - (heardAt[index] as number));
  expect(Math.min(...pauses)).toBeLessThan(500);
});

test('a connection that is ended comes back by itself, says so, and hears again', async () => {
  await notices.start();
  await isTold('heard');
  await database.adminPool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [NAME],
  );
  await until(() => warnings.length > 0, 'a warning');
  told = [];
  // Nobody listens at this moment: what is missed here is why listening anew is told.
  await announce(newUuid());
  await isTold('heard');
  expect(told.slice(0, 2)).toEqual(['listening', 'heard']);
  const changed = newUuid();
  await announce(changed);
  await isTold(changed);
  expect(warnings).toHaveLength(1);
});

test('a database that is away at the start is waited for', async () => {
  await database.adminPool.query(`alter database ${database.name} connection limit 0`);
  await notices.start();
  expect(told).toEqual([]);
  expect(warnings).toHaveLength(1);
  await database.adminPool.query(`alter database ${database.name} connection limit -1`);
  await isTold('heard');
  expect(told[0]).toBe('listening');
});
