import { arrayLiteral } from '../db/array-literal.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import type { AttemptResult } from './attempt.ts';

/** How long an endpoint stays with a process that does not renew its lease, such as one that was killed. */
const LEASE_SECONDS = 20;
/** All attempts of an endpoint have to fail for so long until it is disabled. */
const FAILING_DAYS = 5;

// The time is read once, as a sub-select: an index is not searched by a volatile function, and an endpoint may have a
// million deliveries that wait for a later time.
const WAITING = `d.status in ('pending', 'failed') and d.next_attempt_at <= (select clock_timestamp())`;

/** An endpoint that a process has leased. */
export interface LeasedEndpoint {
  environmentId: string;
  endpointId: string;
}

/**
 * Leases every endpoint that has something to send now and that no process has.
 * @param owner UUID of the process
 * @param environmentId null for all environments
 */
export function leaseEndpoints(owner: string, environmentId: string | null): Statement {
  return {
    name: 'lease_webhook_endpoints',
    // Two look-ups by their indexes: a disabled endpoint may have millions of deliveries that wait, and sends only
    // tests. A lease has ended where the new one would begin after it: Citus takes no clock in what it does on a
    // conflict.
    text: `insert into webhook_leases (environment_id, endpoint_id, owner, owned_until)
      select e.environment_id, e.id, $1::uuid, clock_timestamp() + interval '${LEASE_SECONDS} seconds'
      from webhook_endpoints e
      where ($2::uuid is null or e.environment_id = $2::uuid) and e.deleted_at is null
        and (
          e.status = 'active' and exists (
            select from webhook_deliveries d
            where d.environment_id = e.environment_id and d.endpoint_id = e.id and ${WAITING}
          )
          or exists (
            select from webhook_deliveries d
            where d.environment_id = e.environment_id and d.endpoint_id = e.id and d.event_id is null and ${WAITING}
          )
        )
      on conflict (environment_id, endpoint_id) do update
        set owner = excluded.owner, owned_until = excluded.owned_until
        where excluded.owned_until - webhook_leases.owned_until >= interval '${LEASE_SECONDS} seconds'
      returning environment_id as "environmentId", endpoint_id as "endpointId"`,
    values: [owner, environmentId],
  };
}

/** Renews the leases that a process still has. It returns those, for another process may have taken one meanwhile. */
export function renewLeases(owner: string, endpoints: readonly LeasedEndpoint[]): Statement {
  return {
    name: 'renew_webhook_leases',
    text: `update webhook_leases l
      set owned_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
      from unnest($2::uuid[], $3::uuid[]) as r(environment_id, endpoint_id)
      where l.environment_id = r.environment_id and l.endpoint_id = r.endpoint_id and l.owner = $1::uuid
        and l.owned_until > statement_timestamp()
      returning l.environment_id as "environmentId", l.endpoint_id as "endpointId"`,
    values: [
      owner,
      arrayLiteral(endpoints.map((each) => each.environmentId)),
      arrayLiteral(endpoints.map((each) => each.endpointId)),
    ],
  };
}

/** Gives a lease back, so that any process can take it at once. */
export function releaseLease(owner: string, { environmentId, endpointId }: LeasedEndpoint): Statement {
  return {
    name: 'release_webhook_lease',
    text: `update webhook_leases set owned_until = statement_timestamp()
      where environment_id = $1::uuid and endpoint_id = $2::uuid and owner = $3::uuid
        and owned_until > statement_timestamp()`,
    values: [environmentId, endpointId, owner],
  };
}

export interface SendingEndpoint {
  url: string;
  active: boolean;
  sandbox: boolean;
  secret: Buffer;
  /** Signs as well; null where there is none, or its time is over. */
  previousSecret: Buffer | null;
  /** The time of the database. */
  now: Date;
}

/** What an endpoint's deliveries are sent with. */
export function readEndpoint({ environmentId, endpointId }: LeasedEndpoint): Statement {
  return {
    name: 'read_sending_endpoint',
    text: `select w.url, w.status = 'active' as active, e.kind = 'sandbox' as sandbox, w.secret,
        case when w.previous_secret_until > clock_timestamp() then w.previous_secret end as "previousSecret",
        clock_timestamp() as now
      from webhook_endpoints w
      join environments e on e.id = w.environment_id
      where w.environment_id = $1::uuid and w.id = $2::uuid and w.deleted_at is null`,
    values: [environmentId, endpointId],
  };
}

export interface WaitingRow {
  deliveryId: string;
  epoch: number;
  sequence: number;
  eventType: string;
  failures: number;
  isTest: boolean;
  /** UUID; null for a test. */
  eventId: string | null;
  programId: string | null;
  /** The event's data as it is stored, a JSON text; null for a test, and where it is no longer kept. */
  data: string | null;
  /** When it happened; of a test, when it was asked for. */
  at: Date;
  memberId: string | null;
  externalCustomerId: string | null;
}

/**
 * Reads deliveries that are to be sent now, in the order of their times and sequences. Lateral sub-selects find events
 * and members by their whole keys: while there are no statistics, a plain join may read all members of the environment.
 * @param deliveryIds deliveries that this process has read already
 * @param testsOnly where the endpoint is disabled
 */
export function readWaiting(
  { environmentId, endpointId }: LeasedEndpoint,
  deliveryIds: Iterable<string>,
  testsOnly: boolean,
  limit: number,
): Statement {
  return {
    name: testsOnly ? 'read_waiting_tests' : 'read_waiting_deliveries',
    text: `select d.id as "deliveryId", d.epoch, d.sequence, d.event_type as "eventType", d.failures, d.event_id is null as "isTest",
        d.event_id as "eventId", e.program_id as "programId", e.data::text as data, coalesce(e.at, d.created_at) as at,
        e.member_id as "memberId", m.external_customer_id as "externalCustomerId"
      from webhook_deliveries d
      left join lateral (
        select program_id, data, at, member_id from events where environment_id = $1::uuid and id = d.event_id limit 1
      ) e on true
      left join lateral (
        select external_customer_id from members where environment_id = $1::uuid and id = e.member_id limit 1
      ) m on true
      where d.environment_id = $1::uuid and d.endpoint_id = $2::uuid and ${WAITING}
        ${testsOnly ? 'and d.event_id is null' : ''} and d.id <> all ($3::uuid[])
      order by d.next_attempt_at, d.sequence
      limit $4::integer`,
    values: [environmentId, endpointId, arrayLiteral([...deliveryIds]), limit],
  };
}

/** An attempt that is to be recorded. */
export interface FinishedAttempt extends AttemptResult {
  endpointId: string;
  deliveryId: string;
  isTest: boolean;
  /** Milliseconds until the next one; null where there is none, because it was delivered or is given up. */
  retryInMs: number | null;
}

/**
 * Records attempts and what they mean for their deliveries. A result that comes late does not undo a success. Each
 * delivery is found by its whole key, which the list of ids gives: a plain join may read all deliveries of the
 * environment, while there are no statistics.
 */
export function recordAttempts(environmentId: string, attempts: readonly FinishedAttempt[]): Statement {
  const statusOf = ({ delivered, retryInMs }: FinishedAttempt): string =>
    delivered ? 'delivered' : retryInMs === null ? 'dead_letter' : 'failed';
  return {
    name: 'record_webhook_attempts',
    text: `with r as (
        select *, statement_timestamp() as now, statement_timestamp() + retry_ms * interval '1 millisecond' as retry_at
        from unnest($2::uuid[], $3::text[], $4::bigint[], $5::integer[], $6::integer[], $7::text[], $8::text[])
          as r(id, status, retry_ms, duration_ms, response_status, response_excerpt, error)
      ), changed as (
        update webhook_deliveries d
        set status = r.status, attempt_count = d.attempt_count + 1,
          failures = d.failures + case when r.status = 'delivered' then 0 else 1 end,
          next_attempt_at = r.retry_at, delivered_at = case when r.status = 'delivered' then r.now end,
          last_response_status = r.response_status, last_error = r.error
        from r
        where d.environment_id = $1::uuid and d.id = any ($2::uuid[]) and d.id = r.id
          and case when r.status = 'delivered' then d.status <> 'delivered' else d.status in ('pending', 'failed') end
        returning d.id, d.attempt_count, r.duration_ms, r.response_status, r.response_excerpt, r.error
      )
      insert into webhook_attempts
        (environment_id, delivery_id, number, at, duration_ms, response_status, response_excerpt, error)
      select $1::uuid, id, attempt_count, clock_timestamp() - duration_ms * interval '1 millisecond', duration_ms,
        response_status, response_excerpt, error
      from changed`,
    values: [
      environmentId,
      arrayLiteral(attempts.map(({ deliveryId }) => deliveryId)),
      arrayLiteral(attempts.map(statusOf)),
      arrayLiteral(attempts.map(({ retryInMs }) => retryInMs)),
      arrayLiteral(attempts.map(({ durationMs }) => durationMs)),
      arrayLiteral(attempts.map(({ responseStatus }) => responseStatus)),
      arrayLiteral(attempts.map(({ responseExcerpt }) => responseExcerpt)),
      arrayLiteral(attempts.map(({ error }) => error)),
    ],
  };
}

export interface EndpointState {
  id: string;
  /** Whether all of its attempts have failed for so long that it is to be disabled. */
  failing: boolean;
}

/**
 * Records at the endpoints whether attempts succeed, and when a test last did. It writes only where that changes.
 * @returns the endpoints whose attempts fail, with each answer of this statement
 */
export function recordHealth(environmentId: string, attempts: readonly FinishedAttempt[]): Statement {
  const byEndpoint = [...Map.groupBy(attempts, ({ endpointId }) => endpointId)];
  return {
    name: 'record_webhook_health',
    text: `with r as (
        select *, statement_timestamp() as now
        from unnest($2::uuid[], $3::boolean[], $4::boolean[]) as r(id, succeeded, verified)
      ), changed as (
        update webhook_endpoints e
        set failing_since = case when r.succeeded then null else coalesce(e.failing_since, r.now) end,
          verified_at = case when r.verified then r.now else e.verified_at end
        from r
        where e.environment_id = $1::uuid and e.id = r.id
          and (r.verified or (e.failing_since is not null) = r.succeeded)
      )
      select e.id, e.failing_since < clock_timestamp() - interval '${FAILING_DAYS} days' as failing
      from webhook_endpoints e
      join r on r.id = e.id
      where e.environment_id = $1::uuid and e.status = 'active' and e.failing_since is not null and not r.succeeded`,
    values: [
      environmentId,
      arrayLiteral(byEndpoint.map(([id]) => id)),
      arrayLiteral(byEndpoint.map(([, all]) => all.some(({ delivered }) => delivered))),
      arrayLiteral(byEndpoint.map(([, all]) => all.some(({ delivered, isTest }) => delivered && isTest))),
    ],
  };
}

/** How long what waits for a disabled endpoint is kept. */
const KEPT_DAYS = 30;
/** The most deliveries that one statement gives up. */
const GIVEN_UP_AT_ONCE = 5_000;

/** The environments that have disabled or deleted endpoints. */
export function environmentsWithDisabledEndpoints(): Statement {
  return {
    name: 'environments_with_disabled_endpoints',
    text: `select distinct environment_id as "environmentId" from webhook_endpoints where status = 'disabled'`,
    values: [],
  };
}

/**
 * Gives up what waits for deleted endpoints of an environment, and what has waited for a disabled one too long. Returns
 * as many rows as it has given up: there may be more where it returns the most possible.
 */
export function giveUpDeliveries(environmentId: string): Statement {
  return {
    name: 'give_up_webhook_deliveries',
    // By the index of what waits: a disabled endpoint may have millions of deliveries that are not old enough.
    text: `with old as (
        select w.place
        from webhook_endpoints e
        cross join lateral (
          select d.ctid as place from webhook_deliveries d
          where d.environment_id = $1::uuid and d.endpoint_id = e.id and d.status in ('pending', 'failed')
            and d.next_attempt_at < case
              when e.deleted_at is null then statement_timestamp() - interval '${KEPT_DAYS} days' else 'infinity'
            end
          limit ${GIVEN_UP_AT_ONCE}
          for update skip locked
        ) w
        where e.environment_id = $1::uuid and e.status = 'disabled'
        limit ${GIVEN_UP_AT_ONCE}
      )
      update webhook_deliveries d
      set status = 'dead_letter', next_attempt_at = null,
        last_error = coalesce(d.last_error, 'The endpoint was deleted, or disabled for too long.')
      from old
      where d.environment_id = $1::uuid and d.ctid = old.place`,
    values: [environmentId],
  };
}

/** What waits for an attempt, of one status. */
export interface WaitingDeliveries {
  status: 'pending' | 'failed';
  deliveries: number;
  /** How long the one that has waited longest has been due; 0 where none is due. */
  seconds: number;
}

/** Counts what waits, in all environments. @returns one element for each status */
export async function readWaitingDeliveries(connections: Connections): Promise<WaitingDeliveries[]> {
  const { rows } = await connections.query<WaitingDeliveries>({
    name: 'count_waiting_deliveries',
    text: `select status, count(d.status)::integer as deliveries,
        coalesce(greatest(extract(epoch from clock_timestamp() - min(d.next_attempt_at)), 0), 0)::float8 as seconds
      from unnest(array['pending', 'failed']) as status
      left join webhook_deliveries d using (status)
      where d.status is null or d.status in ('pending', 'failed')
      group by status`,
    values: [],
  });
  return rows;
}
