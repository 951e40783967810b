import { beforeAll, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../src/ids.ts';
import type { Writer } from '../../src/ledger/batch/writer.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { codeOf } from '../support/commands/desk.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

let writer: Writer;
let shop: Shop;
let url: string;
let env: string[];

const counter = useCounter();

beforeAll(async () => {
  url = counter.database.adminUrl;
  writer = counter.writer();
  shop = await counter.environment();
  await shop.addMembers(writer, ['ann']);
  env = ['-e', toTypeId('env', shop.id)];
});

test('a suspended member earns nothing until it is resumed, also while the environment is locked; show says it', async () => {
  const suspended = await runCli(url, ['member', 'suspend', 'ann', ...env, '--actor', 'eve']);
  expect(suspended).toEqual({ exitCode: 0, stdout: 'ann is suspended.\n', stderr: '' });
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('member_not_found');
  const shown = await runCli(url, ['member', 'show', 'ann', ...env]);
  expect(shown.stdout).toMatch(/^ann \(mem_\w+\), suspended, consent granted\n/);
  const again = await runCli(url, ['member', 'suspend', 'ann', ...env, '--actor', 'eve']);
  expect(again.stdout).toBe('ann is suspended already; nothing changed.\n');

  await shop.setLocked(true);
  const resumed = await runJson(url, ['member', 'resume', 'ann', ...env, '--actor', 'eve']);
  expect(resumed).toEqual({
    externalCustomerId: 'ann',
    memberId: expect.stringMatching(/^mem_/),
    status: 'active',
    changed: true,
  });
  const idle = await runCli(url, ['member', 'resume', 'ann', ...env, '--actor', 'eve']);
  expect(idle.stdout).toBe('ann is not suspended; nothing changed.\n');
  await shop.setLocked(false);
  expect(codeOf(await writer.submit(shop.earn('ann')))).toBe('done');

  const trail = await counter.value(
    `select json_agg(json_build_array(action, actor_type, actor_id, changes) order by at, id) from audit_events
     where environment_id = $1 and action in ('member.suspended', 'member.resumed')`,
    [shop.id],
  );
  expect(trail).toEqual([
    ['member.suspended', 'operator', 'eve', { from: 'active', to: 'suspended' }],
    ['member.resumed', 'operator', 'eve', { from: 'suspended', to: 'active' }],
  ]);
});

test('an unknown member, and an unknown environment', async () => {
  const nobody = await runCli(url, ['member', 'suspend', 'nobody', ...env]);
  expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
  expect(nobody.stderr).toContain('There is no member "nobody"');
  const elsewhere = await runCli(url, ['member', 'suspend', 'ann', '-e', toTypeId('env', newUuid())]);
  expect(elsewhere.exitCode).toBe(1);
});
