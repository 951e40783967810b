import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { useServer } from '../support/surfaces/use-shop.ts';
import { createWorld } from '../support/surfaces/world.ts';

const PAGE = fileURLToPath(new URL('../../docs/guide/testing.md', import.meta.url));

const { database, server } = useServer();

test('the script of the page does what the page says', async () => {
  const shop = await createWorld(database).environment();
  const [, script = ''] = /```js\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? [];
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { REWARDS_URL: server.url, REWARDS_KEY: shop.key, REWARDS_ENVIRONMENT: shop.environmentId },
  });
  expect(stdout).toBe('A year went by as it should.\n');
});
