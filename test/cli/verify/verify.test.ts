import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid, toTypeId } from '../../../src/ids.ts';
import { runCli } from '../../support/cli/run-cli.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ twins: true });
});

afterAll(() => database.drop());

test('verify ledger fails for an unknown environment', async () => {
  const unknown = toTypeId('env', newUuid());
  const { exitCode, stdout, stderr } = await runCli(database.adminUrl, ['verify', 'ledger', '-e', unknown]);
  expect(exitCode).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain(`There is no environment ${unknown}`);
});
