import type { Pool } from '../src/db/pool.ts';
import { newUuid } from '../src/ids.ts';

/**
 * Adds endpoints that subscribe to what a purchase makes. Every event makes a delivery for each of them. They are disabled
 * and were active before, so that nothing is sent: what is measured is what subscriptions cost those who write.
 * @param environmentId UUID
 */
export async function addEndpoints(pool: Pool, environmentId: string, count: number): Promise<void> {
  await pool.query(
    `insert into webhook_endpoints
       (environment_id, id, place, url, event_types, status, disabled_reason, activated_at, secret, created_at, updated_at)
     select $1, id, place, 'https://example.com/hook', '["points.earned"]', 'disabled', 'operator', $3, '', $3, $3
     from unnest($2::uuid[]) with ordinality as e(id, place)`,
    [environmentId, Array.from({ length: count }, newUuid), new Date(0)],
  );
}
