import { beforeAll, describe, expect, test } from '@jest/globals';
import { requestAdjustment } from '../../../src/commands/adjustments/request-adjustment.ts';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import type { Writer } from '../../../src/ledger/batch/writer.ts';
import { runCli, runJson } from '../../support/cli/run-cli.ts';
import { receiptOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';

let writer: Writer;
let shop: Shop;
let url: string;
let env: string[];
let ann: string;

const idOf = async (externalCustomerId: string): Promise<string> => {
  const sql = 'select id from members where environment_id = $1 and external_customer_id = $2';
  return toTypeId('mem', await counter.value<string>(sql, [shop.id, externalCustomerId]));
};

const counter = useCounter();

beforeAll(async () => {
  url = counter.database.adminUrl;
  writer = counter.writer();
  shop = await counter.environment();
  await shop.addMembers(writer, ['ann', 'bob']);
  env = ['-e', toTypeId('env', shop.id)];
  ann = await idOf('ann');
});

describe('a member is named by its externalCustomerId or its mem_…', () => {
  test.each([
    [['member', 'show'], [], { externalCustomerId: 'ann' }],
    [['member', 'tag'], ['vip', '--actor', 'eve'], { externalCustomerId: 'ann', changed: true }],
    [['member', 'untag'], ['vip', '--actor', 'eve'], { externalCustomerId: 'ann', changed: true }],
    [['member', 'suspend'], ['--actor', 'eve'], { externalCustomerId: 'ann', changed: true }],
    [['member', 'resume'], ['--actor', 'eve'], { externalCustomerId: 'ann', changed: true }],
  ])('%j', async (command, more, expected) => {
    const shown = await runJson<Record<string, object>>(url, [...command, ann, ...more, ...env]);
    expect(shown.member ?? shown).toMatchObject(expected);
  });

  test('an id that nobody has is unknown as it was typed', async () => {
    const nobody = 'mem_01h455vb4pex5vsknk084sn02q';
    const run = await runCli(url, ['member', 'suspend', nobody, ...env, '--actor', 'eve']);
    expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(nobody) });
  });

  test('whose externalCustomerId it is comes before whose mem_… it is', async () => {
    const bob = await idOf('bob');
    receiptOf(await writer.submit(shop.createMember(bob)));
    const shown = await runJson<Record<string, object>>(url, ['member', 'tag', bob, 'odd', ...env]);
    expect(shown).toMatchObject({ externalCustomerId: bob });
  });

  test('one that is erased by its mem_… is gone', async () => {
    await shop.addMembers(writer, ['cyd']);
    const erase = ['member', 'erase', await idOf('cyd'), '--forfeit', '--reason', 'asked', ...env];
    expect(await runCli(url, [...erase, '--actor', 'eve'])).toMatchObject({ exitCode: 0 });
    expect(await runCli(url, ['member', 'show', 'cyd', ...env])).toMatchObject({ exitCode: 1 });
  });
});

test('--customer has the names of the API too, and help names the one', async () => {
  const about = { programId: 'coffee-club', externalCustomerId: 'ann', points: 5 };
  const said = { ...about, direction: 'credit' as const, reason: 'sorry', evidence: { n: 1 } };
  receiptOf(await writer.submit(requestAdjustment({ idempotencyKey: newUuid(), ...said }, shop.caller)));
  const list = ['adjustment', 'list', ...env];
  for (const named of [
    ['--customer', 'ann'],
    ['--customer', ann],
    ['--external-customer-id', 'ann'],
    ['--member-id', ann],
  ]) {
    const { adjustments } = await runJson<{ adjustments: object[] }>(url, [...list, ...named]);
    expect(adjustments).toMatchObject([{ externalCustomerId: 'ann', points: 5 }]);
  }
  const other = await runJson<{ adjustments: object[] }>(url, [...list, '--external-customer-id', 'bob']);
  expect(other.adjustments).toEqual([]);
  const { stdout } = await runCli(url, ['adjustment', 'list', '--help']);
  expect(stdout).toContain('--customer <id>');
  expect(stdout).not.toContain('--member-id');
});
