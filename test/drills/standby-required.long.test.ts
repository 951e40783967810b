import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commitsAlone } from '../../src/db/standby.ts';
import { addDatabase, PostgresNode } from '../support/drills/postgres-node.ts';
import { missingOf } from '../support/drills/programs.ts';
import { until } from '../support/drills/until.ts';
import { makeDataDir } from '../support/temporary-cluster.ts';
import { describeWhere } from '../support/where.ts';

const MISSING = missingOf('postgres');

describeWhere(MISSING === null, MISSING ?? '')('whether commits wait for a standby', () => {
  let folder: string;
  let node: PostgresNode;

  beforeAll(async () => {
    folder = await makeDataDir();
    node = await PostgresNode.create(folder, 'primary');
    await node.start();
    await addDatabase(node);
  }, 120_000);

  afterAll(async () => {
    await node?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  });

  test.each([
    ['', 'on', true],
    ['any 1 (one, two)', 'on', false],
    ['*', 'remote_apply', false],
    ['*', 'local', true],
    ['*', 'off', true],
  ])('with the names %p and synchronous_commit %s: alone is %p', async (names, commit, alone) => {
    await node.pool.query(`alter system set synchronous_standby_names = '${names}'`);
    await node.pool.query(`alter system set synchronous_commit = '${commit}'`);
    await node.pool.query('select pg_reload_conf()');
    await until('the settings', async () => {
      const { rows } = await node.pool.query(
        `select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as commit`,
      );
      return rows[0]?.names === names && rows[0]?.commit === commit;
    });
    expect(await commitsAlone(node.pool)).toBe(alone);
  });
});
