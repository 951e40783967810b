import { beforeAll, expect, test } from '@jest/globals';
import { toTypeId } from '../../src/ids.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { codeOf } from '../support/commands/desk.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';
import { program } from '../support/rules/fixtures.ts';
import { install } from '../support/time-machine.ts';

let shop: Shop;
let env: string[];
let url: string;

const counter = useCounter({ twins: true });

beforeAll(async () => {
  url = counter.database.adminUrl;
  const time = await install(url);
  await time.travelTo(new Date('2027-06-01T09:00:00Z'));
  shop = await counter.environment(program({ qualification: { window: 'calendar_year' } }));
  env = ['-e', toTypeId('env', shop.id)];
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann', 'bob']);
  expect(codeOf(await writer.submit(shop.earn('ann', { amountMinor: 120_000 })))).toBe('done');
  await time.travelTo(new Date('2029-01-01T00:00:00Z'));
});

test('tiers requalify lowers members whose year has ended, reports it, and finds nothing the second time', async () => {
  const shown = await runJson(url, ['member', 'show', 'ann', ...env]);
  expect(shown).toMatchObject({ programs: [{ tier: 'bronze', qualificationPoints: 0, requalifyAt: null }] });
  expect(await runCli(url, ['tiers', 'requalify', ...env])).toEqual({
    exitCode: 0,
    stdout: 'profiles re-qualified: 1\ntiers changed: 1\n',
    stderr: '',
  });
  const stored = 'select tier from program_profiles where environment_id = $1 and qualification_since = $2';
  expect(await counter.value(stored, [shop.id, '2029-01-01T00:00:00Z'])).toBe('bronze');
  expect((await runCli(url, ['tiers', 'requalify', ...env])).stdout).toBe('No window has ended.\n');
  expect(await runJson(url, ['tiers', 'requalify', ...env])).toEqual({
    profiles: 0,
    changed: 0,
    failed: 0,
    interrupted: false,
  });
  // Only --all reads members without a tier to lose.
  expect((await runCli(url, ['tiers', 'requalify', '--all', ...env])).stdout).toContain(
    'profiles re-qualified: 1',
  );
  expect((await runCli(url, ['tiers', 'requalify', '--all', ...env])).stdout).toBe(
    'No tier changed. Tiers rise at once; a fall may wait, as window and downgrade of the qualification say.\n',
  );
});
