import type { SecretBox } from '../src/auth/secret-box.ts';
import type { Pool } from '../src/db/pool.ts';
import { newUuid } from '../src/ids.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * Adds endpoints that subscribe to what a purchase makes. Every event makes a delivery for each of them. They are
 * disabled and were active before, so that nothing is sent: what is measured is what subscriptions cost those who
 * write.
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

/**
 * Adds disabled endpoints that can be sent to.
 * @param secrets of the server
 * @returns their UUIDs, in the order of the URLs
 */
export async function addReceivers(
  pool: Pool,
  environmentId: string,
  secrets: SecretBox,
  urls: readonly string[],
): Promise<string[]> {
  const ids = urls.map(newUuid);
  for (const [index, id] of ids.entries()) {
    await pool.query(
      `insert into webhook_endpoints
         (environment_id, id, place, url, event_types, status, disabled_reason, activated_at, secret, created_at, updated_at)
       values ($1, $2, $3, $4, '["points.earned"]', 'disabled', 'operator', $5, $6, $5, $5)`,
      [environmentId, id, index + 1, urls[index], new Date(0), secrets.seal(SECRET, id)],
    );
  }
  return ids;
}

/** Activates endpoints, or disables them and takes their subscription away. */
export async function setActive(pool: Pool, ids: readonly string[], active: boolean): Promise<void> {
  await pool.query(
    `update webhook_endpoints
     set status = $2, disabled_reason = $3, event_types = $4
     where id = any ($1)`,
    [
      ids,
      active ? 'active' : 'disabled',
      active ? null : 'operator',
      active ? '["points.earned"]' : '["member.erased"]',
    ],
  );
}

/**
 * Adds deliveries that wait, as the sequencer makes them: each event for every endpoint.
 * @param endpoints UUIDs
 */
export async function addWaiting(
  pool: Pool,
  environmentId: string,
  endpoints: readonly string[],
  events: number,
): Promise<void> {
  await pool.query(
    `with position as (
       insert into event_positions (environment_id, last_position) values ($1, $3)
       on conflict (environment_id) do update set last_position = event_positions.last_position + $3
       returning last_position - $3 as before
     ), made as (
       insert into events (environment_id, id, type, program_id, member_id, data, at, position)
       select $1, uuidv7(), 'points.earned', 'coffee-club', m.id, $4, now(), before + n
       from position, generate_series(1, $3::integer) n
       join lateral (
         select id from members where environment_id = $1 and external_customer_id = 'customer-' || (n % 100)
       ) m on true
       returning id, position
     )
     insert into webhook_deliveries
       (environment_id, id, endpoint_id, sequence, event_id, event_type, status, created_at, next_attempt_at)
     select $1, uuidv7(), e.id, e.last_sequence + row_number() over (partition by e.id order by made.position),
       made.id, 'points.earned', 'pending', now(), now()
     from made, webhook_endpoints e
     where e.environment_id = $1 and e.id = any ($2)`,
    [environmentId, endpoints, events, JSON.stringify(DATA)],
  );
  await pool.query(
    'update webhook_endpoints set last_sequence = last_sequence + $3 where environment_id = $1 and id = any ($2)',
    [environmentId, endpoints, events],
  );
}

/** The data of an event, of the size that a purchase writes. */
const DATA = {
  transactionId: 'txn_01m81x01yhet3vkmewhq4a7117',
  programId: 'coffee-club',
  eventType: 'purchase.completed',
  sourceReference: 'order-00000001',
  ...{ points: 12, basePoints: 12, campaignPoints: 0 },
  occurredAt: '2026-11-22T15:11:34.864Z',
  balances: { available: 1_234, pending: 0, reserved: 0 },
  profileVersion: 7,
};
