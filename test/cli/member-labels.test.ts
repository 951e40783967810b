import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { labelMembers } from '../../src/commands/members/label-members.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { runCli, runJson } from '../support/cli/run-cli.ts';
import { useFolder } from '../support/fixture.ts';
import type { Shop } from '../support/ledger/counter.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

let shop: Shop;
let other: Shop;
let url: string;
let env: string[];

const folder = useFolder('rewards-lists-');
const counter = useCounter();

beforeAll(async () => {
  url = counter.database.adminUrl;
  shop = await counter.environment();
  other = await counter.environment();
  const writer = counter.writer();
  const customers = Array.from({ length: 1_500 }, (_, index) => `customer-${index}`);
  await shop.addMembers(writer, ['ann', 'bob', ...customers]);
  await other.addMembers(writer, ['ann']);
  env = ['-e', toTypeId('env', shop.id)];
});

function labelsOf(customer: string, of: Shop = shop): Promise<unknown> {
  return counter.value(
    `select json_build_array(tags, lists) from members where environment_id = $1 and external_customer_id = $2`,
    [of.id, customer],
  );
}

function trail(action: string): Promise<unknown[] | null> {
  return counter.value(
    `select json_agg(json_build_array(target_type, target_id, actor_type, actor_id, changes) order by id)
     from audit_events where environment_id = $1 and action = $2`,
    [shop.id, action],
  );
}

async function memberId(customer: string): Promise<string> {
  const id = await counter.value<string>(
    'select id from members where environment_id = $1 and external_customer_id = $2',
    [shop.id, customer],
  );
  return toTypeId('mem', id);
}

test('tags: each is stored once, in order, can be removed, is audited, and changes no other member', async () => {
  const tagged = await runCli(url, ['member', 'tag', 'ann', 'vip', 'press', 'vip', ...env, '--actor', 'eve']);
  expect(tagged).toEqual({ exitCode: 0, stdout: 'ann is tagged: vip, press, vip\n', stderr: '' });
  expect(await labelsOf('ann')).toEqual([['press', 'vip'], []]);
  expect(await labelsOf('bob')).toEqual([[], []]);
  expect(await labelsOf('ann', other)).toEqual([[], []]);
  expect(await runJson(url, ['member', 'tag', 'ann', 'press', ...env])).toEqual({
    externalCustomerId: 'ann',
    tags: ['press'],
    changed: false,
  });
  expect(await runJson(url, ['member', 'untag', 'ann', 'press', 'none', ...env])).toMatchObject({
    changed: true,
  });
  expect(await labelsOf('ann')).toEqual([['vip'], []]);
  expect((await runCli(url, ['member', 'untag', 'ann', 'press', ...env])).stdout).toBe(
    'ann has none of these tags; nothing changed.\n',
  );
  const ann = await memberId('ann');
  expect(await trail('member.tagged')).toEqual([
    ['member', ann, 'operator', 'eve', { tags: 3, members: [ann] }],
  ]);
  expect(await trail('member.untagged')).toMatchObject([['member', ann, 'operator', expect.any(String), {}]]);
});

test('no more than 50 tags, of 1 to 100 characters', async () => {
  const fifty = Array.from({ length: 50 }, (_, index) => `t${index}`);
  expect((await runCli(url, ['member', 'tag', 'bob', ...fifty, ...env])).exitCode).toBe(0);
  const more = await runCli(url, ['member', 'tag', 'bob', 'one more', ...env]);
  expect(more).toMatchObject({ exitCode: 1, stdout: '' });
  expect(more.stderr).toContain('bob would have more than 50 tags; nothing changed.');
  // A tag that the member has already does not count again.
  expect(await runJson(url, ['member', 'tag', 'bob', 't7', ...env])).toMatchObject({ changed: false });
  expect(await labelsOf('bob')).toEqual([fifty.toSorted(), []]);
  for (const tag of ['', ' ', 'x'.repeat(101), 'a\u0000b', 'a\u200bb']) {
    expect([tag, (await runCli(url, ['member', 'tag', 'ann', tag, ...env])).exitCode]).toEqual([tag, 2]);
  }
  expect((await runCli(url, ['member', 'tag', 'ann', '\u{1F331}'.repeat(100), ...env])).exitCode).toBe(0);
});

test('an unknown member or environment is reported', async () => {
  const nobody = await runCli(url, ['member', 'tag', 'nobody', 'vip', ...env]);
  expect(nobody).toMatchObject({ exitCode: 1, stdout: '' });
  expect(nobody.stderr).toContain(
    'There is no member "nobody" in this environment. Those there are: rewards member list -e ENVIRONMENT',
  );
  expect((await runCli(url, ['member', 'show', 'nobody', ...env])).exitCode).toBe(1);
  const nowhere = ['-e', toTypeId('env', newUuid())];
  for (const command of [
    ['member', 'tag', 'ann', 'vip'],
    ['member', 'show', 'ann'],
    ['list', 'add', 'spring', 'ann'],
    ['list', 'show', 'spring'],
    ['tiers', 'requalify'],
  ]) {
    const { exitCode, stderr } = await runCli(url, [...command, ...nowhere]);
    expect([command, exitCode]).toEqual([command, 1]);
    expect(stderr).toContain(`There is no environment ${nowhere[1]}`);
  }
});

test('show: programs, tiers and balances, tags and lists; as a table and as JSON', async () => {
  const shown = await runJson<object>(url, ['member', 'show', 'customer-3', ...env]);
  expect(shown).toEqual({
    memberId: await memberId('customer-3'),
    externalCustomerId: 'customer-3',
    status: 'active',
    consentStatus: 'granted',
    tags: [],
    lists: [],
    programs: [
      {
        programId: 'coffee-club',
        status: 'enrolled',
        tier: 'bronze',
        qualificationPoints: 0,
        requalifyAt: null,
        available: 0,
        pending: 0,
        reserved: 0,
        purchases: 0,
        referralCode: null,
      },
    ],
  });
  const { stdout } = await runCli(url, ['member', 'show', 'customer-3', ...env]);
  expect(stdout).toContain('customer-3 (mem_');
  expect(stdout).toMatch(/coffee-club\s+enrolled\s+bronze\s+0\s+-/);
});

test('lists: from a file, in transactions of a thousand, and again; unknown customers are reported', async () => {
  const file = join(folder, 'spring.txt');
  const customers = Array.from({ length: 1_500 }, (_, index) => `customer-${index}`);
  await writeFile(file, `\ufeff${customers.join('\r\n')}\r\n\r\ncustomer-7\r\nghost\r\n`);
  const added = await runCli(url, ['list', 'add', 'spring', '--file', file, ...env]);
  expect(added).toMatchObject({ exitCode: 1, stdout: 'added: 1500\nunchanged: 0\nnot added: 1\n' });
  expect(added.stderr).toContain('ghost: no member of this environment');
  expect(await labelsOf('customer-1499')).toEqual([[], ['spring']]);
  const news = (await trail('list.members_added')) as [
    string,
    string,
    string,
    string,
    { members: string[] },
  ][];
  expect(news.map(([type, id, , , { members }]) => [type, id, members.length])).toEqual([
    ['environment', toTypeId('env', shop.id), 1_000],
    ['environment', toTypeId('env', shop.id), 500],
  ]);
  expect(new Set(news.flatMap(([, , , , { members }]) => members)).size).toBe(1_500);
  expect(await runJson(url, ['list', 'add', 'spring', 'customer-1', 'ann', ...env])).toEqual({
    list: 'spring',
    changed: 1,
    unchanged: 1,
    unknown: [],
    full: [],
    interrupted: false,
  });
  const out = join(folder, 'out.txt');
  expect(await runJson(url, ['list', 'show', 'spring', '--file', out, ...env])).toMatchObject({
    count: 1_501,
  });
  expect((await readFile(out, 'utf8')).trimEnd().split('\n')).toEqual(['ann', ...customers].toSorted());
  expect(await runJson(url, ['list', 'remove', 'spring', '--file', out, ...env])).toMatchObject({
    changed: 1_501,
  });
  expect(await runJson(url, ['list', 'show', 'spring', ...env])).toEqual({
    list: 'spring',
    count: 0,
    members: [],
  });
  expect(await labelsOf('customer-0')).toEqual([[], []]);
});

test('lists: customers or a file, not both and not neither; a file that cannot be read', async () => {
  expect((await runCli(url, ['list', 'add', 'spring', ...env])).exitCode).toBe(2);
  expect((await runCli(url, ['list', 'add', 'spring', 'ann', '--file', 'x', ...env])).exitCode).toBe(2);
  expect(
    (await runCli(url, ['list', 'add', 'spring', '--file', join(folder, 'none'), ...env])).exitCode,
  ).toBe(1);
  const latin = join(folder, 'latin1.txt');
  await writeFile(latin, Buffer.from([0x61, 0xe9, 0x0a]));
  expect((await runCli(url, ['list', 'add', 'spring', '--file', latin, ...env])).exitCode).toBe(1);
});

test('a large file is imported onto a list, with what the others imports have; and again', async () => {
  const file = join(folder, 'large.csv');
  const customers = Array.from({ length: 1_500 }, (_, index) => `customer-${index}`);
  await writeFile(
    file,
    `external_customer_id\n${[...customers, 'ghost', 'customer-7', ' x'].join('\n')}\nbob,1\n`,
  );
  const report = join(folder, 'rejected.csv');
  const imported = ['list', 'import', 'summer', file, ...env, '--report', report, '--json'];
  const first = await runCli(url, imported);
  expect({ exitCode: first.exitCode, stdout: JSON.parse(first.stdout) }).toEqual({
    exitCode: 1,
    stdout: {
      operationId: expect.stringMatching(/^op_/),
      complete: true,
      kind: 'list',
      rows: 1_504,
      committed: 1_500,
      replayed: 1,
      rejected: 3,
      membersCreated: 0,
      committedPoints: '0',
      replayedPoints: '0',
      rejectedByCode: { member_not_found: 1, invalid_row: 2 },
    },
  });
  const rejected = (await readFile(report, 'utf8')).trimEnd().split('\n');
  expect(rejected.map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'line,external_customer_id,code',
    '1502,ghost,member_not_found',
    '1504, x,invalid_row',
    '1505,,invalid_row',
  ]);
  expect(await labelsOf('customer-1499')).toEqual([[], ['summer']]);
  const again = JSON.parse((await runCli(url, imported)).stdout);
  expect(again).toMatchObject({ committed: 0, replayed: 1_501, rejected: 3 });
  const operations = await counter.value(
    'select json_agg(json_build_array(status, progress_done, input) order ' +
      'by id) from operations where environment_id = $1',
    [shop.id],
  );
  const one = ['succeeded', 1_504, { kind: 'list', file: 'large.csv' }];
  expect(operations).toEqual([one, one]);
});

test('two concurrent changes of one member are both kept', async () => {
  const writer = counter.writer();
  const tags = Array.from({ length: 20 }, (_, index) => `race-${index}`);
  await Promise.all(
    tags.map((tag) =>
      writer.submit(labelMembers(['customer-9'], { kind: 'tags', labels: [tag], adds: true }, shop.caller)),
    ),
  );
  expect(await labelsOf('customer-9')).toEqual([tags.toSorted(), expect.any(Array)]);
});
