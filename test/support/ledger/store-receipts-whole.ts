import type { Pool } from '../../../src/db/pool.ts';
import { receiptSql, templateSql, wholeReceipt } from '../../../src/ledger/receipts/stored-receipt.ts';

/**
 * Stores every receipt of an environment whole, as before there were templates: so a test can change any part of it.
 */
export async function storeReceiptsWhole(pool: Pool, environmentId: string): Promise<void> {
  const { rows } = await pool.query<{ id: string; receipt: object }>(
    `select t.id, ${receiptSql('t')} as receipt from transactions t ` +
      `${templateSql('t')} where t.environment_id = $1::uuid`,
    [environmentId],
  );
  for (const { id, receipt } of rows) {
    await pool.query('update transactions set receipt = $3 where environment_id = $1 and id = $2', [
      environmentId,
      id,
      JSON.stringify(wholeReceipt(receipt)),
    ]);
  }
}
