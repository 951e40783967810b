import type { Pool } from '../../../src/db/pool.ts';
import { newUuid } from '../../../src/ids.ts';

/** Adds an endpoint that was active once. @returns its UUID */
export async function addEndpoint(
  pool: Pool,
  environmentId: string,
  eventTypes: readonly string[],
  { url = 'https://example.com/hook', status = 'active', activatedAt = new Date(0) as Date | null } = {},
): Promise<string> {
  const id = newUuid();
  await pool.query(
    `insert into webhook_endpoints
       (environment_id, id, place, url, event_types, status, activated_at, secret, created_at, updated_at)
     select $1::uuid, $2::uuid, count(*) + 1, $3, $4::json, $5, $6::timestamptz, '', now(), now()
     from webhook_endpoints where environment_id = $1::uuid`,
    [environmentId, id, url, JSON.stringify(eventTypes), status, activatedAt],
  );
  return id;
}

export interface StoredDelivery {
  id: string;
  sequence: number;
  eventType: string;
  status: string;
  position: number;
  at: Date;
  data: Record<string, unknown>;
}

/** The deliveries of an endpoint with their events, in the order of their sequences. */
export async function deliveriesOf(pool: Pool, endpointId: string): Promise<StoredDelivery[]> {
  const { rows } = await pool.query<StoredDelivery>(
    `select d.id, d.sequence, d.event_type as "eventType", d.status, e.position, e.at, e.data
     from webhook_deliveries d
     join events e on e.environment_id = d.environment_id and e.id = d.event_id
     where d.endpoint_id = $1 order by d.sequence`,
    [endpointId],
  );
  return rows;
}
