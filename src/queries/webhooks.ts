import type {
  WebhookAttempt,
  WebhookDeliveryFilter,
  WebhookDeliveryStatus,
} from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { fromTypeId } from '../ids.ts';
import { type DeliveryRecord, webhookDeliveries } from '../ledger/tables/webhook-deliveries.ts';
import { type EndpointRecord, webhookEndpoints } from '../ledger/tables/webhook-endpoints.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { ListAccess, Listed, PageRequest } from './shared/listed.ts';

/** A delivery with its attempts, oldest first. */
export interface DeliveryView {
  delivery: DeliveryRecord;
  attempts: WebhookAttempt[];
}

/** The newest attempts that a delivery is shown with. */
const MOST_ATTEMPTS_SHOWN = 100;

/** What waits for a deleted endpoint is given up, also where that is not recorded yet. */
const SHOWN_DELIVERIES = `(
      select d.environment_id, d.id, d.endpoint_id, d.epoch, d.sequence, d.event_id, d.event_type, d.attempt_count, d.failures,
        d.created_at, d.delivered_at, d.last_response_status, d.last_error,
        case when over then 'dead_letter' else d.status end as status,
        case when not over then d.next_attempt_at end as next_attempt_at
      from webhook_deliveries d
      join webhook_endpoints e on e.environment_id = d.environment_id and e.id = d.endpoint_id
      cross join lateral (
        select e.deleted_at is not null and d.status in ('pending', 'failed') as over
      ) as end_of_endpoint
      where d.environment_id = $1::uuid and e.environment_id = $1::uuid
    )`;

/** @param endpointId the public id, as a client sends it. @returns null where it is unknown or deleted */
export async function readEndpoint(
  connections: Connections,
  environmentId: string,
  endpointId: string,
): Promise<EndpointRecord | null> {
  const id = fromTypeId('we', endpointId);
  if (id === null) return null;
  const { rows } = await connections.query<EndpointRecord>({
    name: 'read_webhook_endpoint',
    text: `select ${webhookEndpoints.select('e')} from webhook_endpoints e
      where e.environment_id = $1::uuid and e.id = $2::uuid and e.deleted_at is null`,
    values: [environmentId, id],
  });
  return rows[0] ?? null;
}

/** Lists the endpoints that are not deleted, newest first. @returns refusal: `invalid_cursor` */
export async function listOfEndpoints(
  { connections, cursors, environmentId }: ListAccess,
  { limit, cursor }: PageRequest,
): Promise<Listed<EndpointRecord> | Refusal> {
  const identity = { environmentId, list: 'webhookEndpoints', filter: {} };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const { rows } = await connections.query<EndpointRecord>({
    name: 'list_webhook_endpoints',
    text: `select ${webhookEndpoints.select('e')} from webhook_endpoints e
      where e.environment_id = $1::uuid and e.deleted_at is null and ($2::uuid is null or e.id < $2::uuid)
      order by e.id desc
      limit $3::integer`,
    values: [environmentId, after?.[0] ?? null, limit + 1],
  });
  return pageOf(rows, limit, ({ id }) => cursors.write(identity, [id]));
}

/** An endpoint, with what waits for it. */
export interface EndpointOverview
  extends Pick<
    EndpointRecord,
    'id' | 'url' | 'status' | 'disabledReason' | 'eventTypes' | 'lastSequence' | 'verifiedAt' | 'failingSince'
  > {
  /** Deliveries that wait for an attempt. */
  waiting: number;
  givenUp: number;
  /** Of the newest delivery that waits after a failure, else of the newest that was given up. */
  lastError: string | null;
}

/** The endpoints that are not deleted, newest first. It counts all that waits, for the command line. */
export async function readEndpointOverviews(
  connections: Pick<Connections, 'query'>,
  environmentId: string,
): Promise<EndpointOverview[]> {
  const { rows } = await connections.query<EndpointOverview>({
    name: 'read_endpoint_overviews',
    text: `select e.id, e.url, e.status, e.disabled_reason as "disabledReason", e.event_types as "eventTypes",
        e.last_sequence as "lastSequence", e.verified_at as "verifiedAt", e.failing_since as "failingSince",
        (
          select count(*)::integer from webhook_deliveries d
          where d.environment_id = $1::uuid and d.endpoint_id = e.id and d.status in ('pending', 'failed')
        ) as waiting,
        (
          select count(*)::integer from webhook_deliveries d
          where d.environment_id = $1::uuid and d.endpoint_id = e.id and d.status = 'dead_letter'
        ) as "givenUp",
        coalesce(
          (
            select d.last_error from webhook_deliveries d
            where d.environment_id = $1::uuid and d.endpoint_id = e.id and d.status = 'failed'
            order by d.id desc limit 1
          ),
          (
            select d.last_error from webhook_deliveries d
            where d.environment_id = $1::uuid and d.endpoint_id = e.id and d.status = 'dead_letter'
            order by d.id desc limit 1
          )
        ) as "lastError"
      from webhook_endpoints e
      where e.environment_id = $1::uuid and e.deleted_at is null
      order by e.id desc`,
    values: [environmentId],
  });
  return rows;
}

/** @param deliveryId the public id, as a client sends it. @returns null where the environment has no such delivery */
export async function readDelivery(
  connections: Connections,
  environmentId: string,
  deliveryId: string,
): Promise<DeliveryView | null> {
  const id = fromTypeId('msg', deliveryId);
  if (id === null) return null;
  const { rows } = await connections.query<DeliveryRecord>({
    name: 'read_webhook_delivery',
    text: `select ${webhookDeliveries.select('d')} from ${SHOWN_DELIVERIES} d
      where d.environment_id = $1::uuid and d.id = $2::uuid`,
    values: [environmentId, id],
  });
  const [delivery] = rows;
  if (!delivery) return null;
  const { rows: attempts } = await connections.query<Omit<WebhookAttempt, 'at'> & { at: Date }>({
    name: 'read_webhook_attempts',
    text: `select at, duration_ms as "durationMs", response_status as "responseStatus", error
      from webhook_attempts
      where environment_id = $1::uuid and delivery_id = $2::uuid
      order by number desc
      limit ${MOST_ATTEMPTS_SHOWN}`,
    values: [environmentId, id],
  });
  return {
    delivery,
    attempts: attempts.reverse().map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
  };
}

/**
 * Lists deliveries, newest first: those of one endpoint by their sequences, those of all by their ids, which follow the
 * times at which they were made. The list of an unknown endpoint is empty. @returns refusal: `invalid_cursor`
 */
export async function listOfDeliveries(
  { connections, cursors, environmentId }: ListAccess,
  filter: WebhookDeliveryFilter,
  { limit, cursor }: PageRequest,
): Promise<Listed<DeliveryRecord> | Refusal> {
  const { endpointId = null, eventType = null, status = null } = filter;
  const identity = { environmentId, list: 'webhookDeliveries', filter: { endpointId, eventType, status } };
  const after = await cursors.read(identity, cursor);
  if (after && isRefusal(after)) return after;
  const endpoint = endpointId === null ? null : fromTypeId('we', endpointId);
  if (endpointId !== null && endpoint === null)
    return { data: [], page: { nextCursor: null, hasMore: false } };
  const { rows } = await connections.query<DeliveryRecord>(
    listDeliveries(environmentId, { endpoint, eventType, status }, after?.[0] ?? null, limit + 1),
  );
  return pageOf(rows, limit, ({ id, sequence }) =>
    cursors.write(identity, [endpoint === null ? id : String(sequence)]),
  );
}

interface DeliveryCriteria {
  /** UUID. */
  endpoint: string | null;
  eventType: string | null;
  status: WebhookDeliveryStatus | null;
}

/** @param after the sequence, or without an endpoint the id, of the last one on the page before */
export function listDeliveries(
  environmentId: string,
  { endpoint, eventType, status }: DeliveryCriteria,
  after: string | null,
  limit: number,
): Statement {
  const byEndpoint = endpoint !== null;
  return {
    name: `list_webhook_deliveries${byEndpoint ? '_of_endpoint' : ''}${status ? `_${status}` : ''}`,
    text: `select ${webhookDeliveries.select('d')} from ${SHOWN_DELIVERIES} d
      where d.environment_id = $1::uuid ${byEndpoint ? 'and d.endpoint_id = $5::uuid' : ''}
        and ($2::text is null or d.event_type = $2::text)
        ${status ? `and d.status = '${status}'` : ''}
        ${byEndpoint ? 'and ($3::bigint is null or d.sequence < $3::bigint)' : 'and ($3::uuid is null or d.id < $3::uuid)'}
      order by ${byEndpoint ? 'd.sequence' : 'd.id'} desc
      limit $4::integer`,
    values: [environmentId, eventType, after, limit, ...(byEndpoint ? [endpoint] : [])],
  };
}

/** @param rows one more than the page where there is a next page */
async function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (row: Row) => Promise<string>,
): Promise<Listed<Row>> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit;
  return { data, page: { nextCursor: last && hasMore ? await cursorAfter(last) : null, hasMore } };
}
