import { createPool } from '../../../src/db/pool.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import type { TestDatabase } from '../database.ts';
import { environmentsWithoutTwins } from '../twin-environments.ts';

/**
 * The ids of the ledger's controls that fail.
 * @param environmentIds each is examined alone; without them everything is examined at once, or, where environments
 *   have twins, each of the others
 */
export async function failedControls(
  { adminPool, twins }: Pick<TestDatabase, 'adminPool' | 'twins'>,
  environmentIds?: readonly string[],
): Promise<string[]> {
  const scopes = environmentIds ?? (twins ? await environmentsWithoutTwins(adminPool) : [undefined]);
  // Without a time limit on the client's side, as verifyLedger asks.
  const pool = createPool({
    url: adminPool.options.connectionString ?? '',
    size: 1,
    statementTimeoutMs: 0,
  });
  const client = await pool.connect();
  try {
    const failed: string[] = [];
    for (const environmentId of scopes) {
      const controls = await verifyLedger(client, environmentId);
      failed.push(...controls.filter((control) => !control.passed).map((control) => control.id));
    }
    return failed;
  } finally {
    client.release();
    await pool.end();
  }
}
