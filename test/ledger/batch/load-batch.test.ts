import { expect, test } from '@jest/globals';
import type { ClientBase } from 'pg';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { loadBatch } from '../../../src/ledger/batch/load-batch.ts';
import { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
import { Desk } from '../../support/commands/desk.ts';

test('what failed first is thrown, not that the transaction is aborted since', async () => {
  const desk = new Desk();
  const command = purchaseEarn(desk.purchaseInput(), desk.caller);
  let failed = false;
  const query = async ({ name }: Statement): Promise<{ rows: object[] }> => {
    if (failed) throw new Error('current transaction is aborted');
    if (name === 'lock_profiles') {
      failed = true;
      throw new Error('deadlock detected');
    }
    return { rows: [] };
  };
  const client = { query } as unknown as ClientBase;
  await expect(loadBatch(client, 'e', [command], new ProgramCatalog(), () => 'id')).rejects.toThrow(
    'deadlock detected',
  );
});

test('a batch that looked for no erased references is loaded again where another one has learnt of them meanwhile', async () => {
  const desk = new Desk();
  const command = purchaseEarn(desk.purchaseInput(), desk.caller);
  const secrets = [null, 'ab'.repeat(32)];
  const catalog = {
    referenceSecretOf: () => secrets.shift() ?? null,
    couponSecretOf: () => null,
    programsAt: () => new Map(),
  } as unknown as ProgramCatalog;
  const query = async () => ({
    rows: [{ id: 'e', kind: 'sandbox', locked: false, revision: 2, now: new Date() }],
  });
  expect(await loadBatch({ query } as unknown as ClientBase, 'e', [command], catalog, () => 'id')).toBeNull();
});

test('erased references are looked for after the rows that had these names, and before the revision is read', async () => {
  const desk = new Desk();
  const command = purchaseEarn(desk.purchaseInput(), desk.caller);
  const catalog = {
    referenceSecretOf: () => 'ab'.repeat(32),
    couponSecretOf: () => null,
    programsAt: () => new Map(),
  } as unknown as ProgramCatalog;
  const sent: Statement[] = [];
  const query = async (statement: Statement) => {
    sent.push(statement);
    const environment = { id: 'e', kind: 'sandbox', locked: false, revision: 2, now: new Date() };
    return { rows: statement.name === 'load_environment' ? [environment] : [] };
  };
  await loadBatch({ query } as unknown as ClientBase, 'e', [command], catalog, () => 'id');
  const names = sent.map(({ name }) => name);
  expect(names.slice(0, names.indexOf('load_environment') + 1).slice(-3)).toEqual([
    'load_idempotency',
    'find_erased_references',
    'load_environment',
  ]);
  // The order and the idempotency key.
  expect(sent.find(({ name }) => name === 'find_erased_references')?.values[1]).toHaveLength(2);
});
