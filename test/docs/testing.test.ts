import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';
import { createWorld } from '../support/surfaces/world.ts';

const PAGE = fileURLToPath(new URL('../../docs/guide/testing.md', import.meta.url));

let database: TestDatabase;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

test('the script of the page does what the page says', async () => {
  const shop = await createWorld(database).environment();
  const [, script = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { REWARDS_URL: server.url, REWARDS_KEY: shop.key, REWARDS_ENVIRONMENT: shop.environmentId },
  });
  expect(stdout).toBe('A year went by as it should.\n');
});
