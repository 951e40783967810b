import type { Pool } from 'pg';
import { atMostOnceIn } from './at-most-once.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Makes a function that tells whether there is any Sandbox environment. Pages that are only for Sandbox, such as
 * GraphiQL, are not served without one. Environments are never removed, so the search ends when one is found.
 */
export function createSandboxServed(pool: Pool): () => Promise<boolean> {
  let hasSandbox = false;
  const look = atMostOnceIn(LOOK_EVERY_MS, async () => {
    const { rows } = await pool.query<{ found: boolean }>({
      name: 'any_sandbox',
      text: 'select exists (select id from environments where kind = $1) as found',
      values: ['sandbox'],
    });
    hasSandbox = rows[0]?.found ?? false;
    return hasSandbox;
  });
  return async () => hasSandbox || look();
}
