import type { Pool } from '../../src/db/pool.ts';
import { verifyLedger } from '../../src/ledger/controls/verify.ts';

/** Runs all controls of the ledger. @throws where one fails */
export async function checkLedger(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    const failed = (await verifyLedger(client)).filter(({ passed }) => !passed);
    if (failed.length > 0) throw new Error(`The ledger is wrong: ${failed.map(({ id }) => id).join(', ')}`);
  } finally {
    client.release();
  }
}
