import { expect, test } from '@jest/globals';
import { runCli } from '../support/cli/run-cli.ts';
import { fixture } from '../support/fixture.ts';
import { useDatabase } from '../support/use-database.ts';

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

const run = (...args: string[]) => runCli(database.adminUrl, args);
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

test('the clock of a Sandbox is set, shown, advanced and given the real time', async () => {
  const of = ['-e', shop.environmentId];
  // Minutes alone: a day that ends meanwhile is closed ten minutes later, and the clock would not go back behind it.
  const instant = new Date(Date.now() + 3 * 60_000);
  const set = await json('env', 'clock', 'set', instant.toISOString(), ...of);
  expect(set).toMatchObject({
    environmentId: shop.environmentId,
    clock: { now: instant.toISOString(), state: 'stands' },
    swept: { failed: 0 },
  });
  expect(await json('env', 'clock', 'show', ...of)).toMatchObject({
    now: instant.toISOString(),
    state: 'stands',
  });
  expect((await run('env', 'list')).stdout).toContain(`stands ${instant.toISOString().slice(0, 19)}Z`);
  const advanced = await run('env', 'clock', 'advance', '1m', ...of);
  expect(advanced).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('It stands') });
  const past = await run('env', 'clock', 'set', '2020-01-01', ...of);
  expect(past).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('never behind the real time') });
  expect((await run('env', 'clock', 'reset', ...of)).exitCode).toBe(0);
  expect(await json('env', 'clock', 'show', ...of)).toMatchObject({ state: 'real' });
}, 180_000);

test('a reset says what it would do, and does it with --yes; a clone goes into an empty Sandbox once', async () => {
  const of = ['-e', shop.environmentId];
  expect(await run('env', 'reset', ...of)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await json('env', 'reset', ...of, '--yes')).toMatchObject({ complete: true });
  const made = ['--tenant', (await json('env', 'list')).environments[0].tenantId, '--kind', 'sandbox'];
  const { environmentId: to } = await json('env', 'create', ...made);
  const clone = ['env', 'clone', '--from', shop.environmentId, '--to', to];
  expect(await json(...clone)).toMatchObject({ programs: 1, versions: 1, endpoints: 0 });
  expect(await run(...clone)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not empty') });
}, 180_000);
