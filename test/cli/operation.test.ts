import { beforeAll, expect, test } from '@jest/globals';
import { startOperation } from '../../src/operations/operation.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { fixture } from '../support/fixture.ts';
import { createWorld } from '../support/surfaces/world.ts';
import { useDatabase } from '../support/use-database.ts';

/** TypeIDs, oldest first. */
const ids: string[] = [];

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

beforeAll(async () => {
  for (const id of [shop.id, (await world.environment()).id]) {
    const start = (type: 'import' | 'erasure') =>
      startOperation(database.adminPool, { environmentId: id, type, total: 7, input: {} });
    const [imported, erased, running] = [
      await start('import'),
      await start('erasure'),
      await start('import'),
    ];
    await imported.finish({ done: null, result: { rows: 7 }, error: null });
    await erased.finish({ done: 2, result: null, error: { code: 'internal_error', message: 'Broke off.' } });
    await running.update(3);
    await running.finish({ done: 3, result: null, error: { code: 'interrupted', message: 'Stopped.' } });
    if (id === shop.id) ids.push(...[imported, erased, running].map(({ requestId }) => requestId));
  }
});

const run = (...args: string[]) =>
  runCli(database.adminUrl, ['operation', ...args, '-e', shop.environmentId]);
const listed = async (...args: string[]) => {
  const { operations } = (await runJson(database.adminUrl, [
    ...['operation', 'list', '-e', shop.environmentId, ...args],
  ])) as { operations: { id: string }[] };
  return operations.map(({ id }) => id);
};

test('lists the operations of an environment, newest first, by type and status', async () => {
  expect(await listed()).toEqual(ids.toReversed());
  expect(await listed('--type', 'import')).toEqual([ids[2], ids[0]]);
  expect(await listed('--status', 'failed', '--limit', '1')).toEqual([ids[2]]);
  const { stdout } = await run('list');
  expect(stdout).toMatch(new RegExp(`${ids[1]} +erasure +failed \\(internal_error\\) +2 of 7`));
  expect(await run('list', '--status', 'queued')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await run('list', '--type', 'party')).toMatchObject({ exitCode: 2 });
});

test('shows one with its result or its error', async () => {
  const [imported = '', erased = ''] = ids;
  expect((await run('show', imported)).stdout).toContain('result    {"rows":7}');
  const { stdout } = await run('show', erased);
  expect(stdout).toContain('progress  2 of 7');
  expect(stdout).toContain('error     internal_error: Broke off.');
  const unknown = 'op_01h455vb4pex5vsknk084sn02q';
  const none = await run('show', unknown);
  expect(none).toMatchObject({ exitCode: 1, stdout: '' });
  expect(none.stderr).toContain(`no operation ${unknown}`);
  expect(await run('show', 'nonsense')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('shows one without its environment, which the id says; with another one it is not there', async () => {
  const [imported = ''] = ids;
  const alone = await runCli(database.adminUrl, ['operation', 'show', imported]);
  expect(alone).toMatchObject({ exitCode: 0, stdout: (await run('show', imported)).stdout });
  const world = createWorld(database);
  const { environmentId } = await world.environment();
  const elsewhere = await runCli(database.adminUrl, ['operation', 'show', imported, '-e', environmentId]);
  expect(elsewhere).toMatchObject({ exitCode: 1, stdout: '' });
  const none = await runCli(database.adminUrl, ['operation', 'show', 'op_01h455vb4pex5vsknk084sn02q']);
  expect(none.stderr).toContain('There is no operation op_01h455vb4pex5vsknk084sn02q');
});
