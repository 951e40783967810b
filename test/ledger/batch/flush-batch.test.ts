import { expect, test } from '@jest/globals';
import { commitWith } from '../../../src/ledger/batch/flush-batch.ts';
import { createTestDatabase } from '../../support/database.ts';

test('a COMMIT that the server answers with a rollback has not committed', async () => {
  const database = await createTestDatabase();
  const client = await database.adminPool.connect();
  try {
    await client.query('begin');
    await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
    await expect(commitWith(client, [])).rejects.toThrow('rolled the batch back');
    await client.query('begin');
    await expect(commitWith(client, [])).resolves.toBeUndefined();
  } finally {
    client.release();
    await database.drop();
  }
});
