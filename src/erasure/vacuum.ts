import type { Pool } from 'pg';
import { TOUCHED_TABLES } from './erasure-steps.ts';

/**
 * Frees the old versions of the rows that an erasure has replaced. What a transaction can still see that is open on the
 * database or on a standby is left to autovacuum.
 * @param pool of the owner
 */
export async function vacuumErased(pool: Pool): Promise<void> {
  await pool.query(`vacuum ${TOUCHED_TABLES.join(', ')}`);
}
