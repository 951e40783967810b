import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { rollUp } from '../../../src/ledger/closed-days/roll-up.ts';
import { runCli } from '../../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Counter } from '../../support/ledger/counter.ts';

let database: TestDatabase;
let counter: Counter;

beforeAll(async () => {
  database = await createTestDatabase({ twins: true });
  counter = await Counter.open();
});

afterAll(() => Promise.all([database.drop(), counter.close()]));

test('verify ledger fails for an unknown environment', async () => {
  const unknown = toTypeId('env', newUuid());
  const { exitCode, stdout, stderr } = await runCli(database.adminUrl, ['verify', 'ledger', '-e', unknown]);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain(`There is no environment ${unknown}`);
});

test('verify ledger notes the closed days that it has found right, for --since; a difference takes the note back', async () => {
  const shop = await counter.environment();
  const environment = toTypeId('env', shop.id);
  await shop.addMembers(counter.writer(), ['ann']);
  await counter.writer().submit(shop.earn('ann'));
  const { adminPool, adminUrl } = counter.database;
  // As if everything had been posted days ago.
  await adminPool.query(
    `update postings set created_at = created_at - interval '3 days';
     update transactions set created_at = created_at - interval '3 days';
     update lots set created_at = created_at - interval '3 days';
     update idempotency_keys set created_at = created_at - interval '3 days'`,
  );
  const verify = (...more: string[]) => runCli(adminUrl, ['verify', 'ledger', '-e', environment, ...more]);
  const { closedThrough } = await rollUp(adminPool, shop.id);
  const early = await verify('--since', closedThrough);
  expect(early).toMatchObject({ exitCode: 1, stdout: '' });
  expect(early.stderr).toContain(`${environment} has no verified day`);
  const whole = await verify('--progress');
  expect(whole.exitCode).toBe(0);
  expect(whole.stdout).toContain(`Verified through ${closedThrough}.`);
  expect(whole.stderr).toMatch(/1 of \d+: In each program, debits equal credits/);
  const since = await verify('--since', closedThrough);
  expect(since).toMatchObject({ exitCode: 0, stderr: '' });
  expect(since.stdout).toContain(`Not looked at: what was posted until ${closedThrough}`);
  expect(since.stdout).toContain('limit-counters-equal-purchases');
  const later = await verify('--since', '2999-01-01');
  expect(later.stderr).toContain(`${environment} was verified through ${closedThrough}`);
  await adminPool.query('update program_profiles set available = available + 1');
  expect((await verify()).exitCode).toBe(1);
  expect((await verify('--since', closedThrough)).stderr).toContain('has no verified day');
});

test('verify ledger --since takes a day', async () => {
  const { exitCode, stderr } = await runCli(database.adminUrl, ['verify', 'ledger', '--since', 'yesterday']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('It must be a day such as 2027-01-31.');
});
