import { expect, test } from '@jest/globals';
import type { ClientBase } from 'pg';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import type { Statement } from '../../../src/db/statement.ts';
import { loadBatch } from '../../../src/ledger/batch/load-batch.ts';
import type { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
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
  const catalog = {} as ProgramCatalog;
  await expect(loadBatch(client, 'e', [command], catalog, () => 'id')).rejects.toThrow('deadlock detected');
});
