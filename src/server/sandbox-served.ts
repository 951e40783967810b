import type { Pool } from 'pg';
import { atMostOnceIn } from './at-most-once.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Whether there is any Sandbox environment to try things in: what is for Sandbox alone, such as GraphiQL, is not
 * served beside Production alone. Environments are never removed, so one that was found is not looked for again.
 */
export function createSandboxServed(pool: Pool): () => Promise<boolean> {
  let found = false;
  const look = atMostOnceIn(LOOK_EVERY_MS, async () => {
    const { rows } = await pool.query<{ found: boolean }>({
      name: 'any_sandbox',
      text: 'select exists (select from environments where kind = $1) as found',
      values: ['sandbox'],
    });
    found = rows[0]?.found ?? false;
    return found;
  });
  return async () => found || look();
}
