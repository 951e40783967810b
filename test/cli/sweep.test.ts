import { beforeAll, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { codeOf } from '../support/commands/desk.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

let shop: Shop;
let environmentId: string;
let url: string;

const counter = useCounter({ twins: true });

beforeAll(async () => {
  url = counter.database.adminUrl;
  const time = await install(url);
  shop = await counter.environment(
    program({
      pending: { days: 1 },
      expiration: { policy: 'rolling_days', days: 5 },
      expiryNoticeDays: 7,
    }),
  );
  environmentId = toTypeId('env', shop.id);
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'bob']);
  for (const customer of ['ann', 'bob'])
    expect(codeOf(await writer.submit(shop.earn(customer)))).toBe('done');
  await time.travel(86_400_000);
});

test('sweep posts what is due, reports it, and finds nothing the second time', async () => {
  expect(await runCli(url, ['sweep', '-e', environmentId])).toEqual({
    exitCode: 0,
    stdout: 'profiles settled: 2\ntransactions posted: 2\nexpiries told of: 2\n',
    stderr: '',
  });
  expect(
    await counter.value('select sum(available)::bigint from program_profiles where environment_id = $1', [
      shop.id,
    ]),
  ).toBe(200);
  expect((await runCli(url, ['sweep', '-e', environmentId])).stdout).toBe('Nothing was due.\n');
  expect(await runJson(url, ['sweep'])).toEqual({
    profiles: 0,
    transactions: 0,
    reservations: 0,
    quotes: 0,
    choices: 0,
    adjustments: 0,
    failed: 0,
    notices: 0,
    interrupted: false,
  });
  expect(await counter.failedControls()).toEqual([]);
});

test('an unknown environment is reported', async () => {
  const unknown = toTypeId('env', newUuid());
  const { exitCode, stdout, stderr } = await runCli(url, ['sweep', '-e', unknown]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(`There is no environment ${unknown}`);
});
