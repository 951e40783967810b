import type { PoolClient } from 'pg';
import type { Pool } from './pool.ts';

/** Does work in one transaction: all of it is stored, or nothing. @throws what the work throws */
export async function inTransaction<T>(
  pool: Pick<Pool, 'connect'>,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
