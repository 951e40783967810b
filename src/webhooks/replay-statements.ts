import { arrayLiteral } from '../db/array-literal.ts';
import type { Statement } from '../db/statement.ts';
import { DELIVERIES_CHANNEL } from '../ledger/tables/webhook-deliveries.ts';
import { LEASE_SECONDS } from '../operations/operation.ts';

/** A replay that this process has taken up. */
export interface RunningReplay {
  environmentId: string;
  /** UUID of the operation. */
  id: string;
  /** When the replay was asked for. */
  createdAt: Date;
  /** How many sequences were done before it was given back; 0 for a new one. */
  done: number;
  /** How many of those were sent again. */
  sentAgain: number;
  /** UUID. */
  endpointId: string;
  sinceSequence: number;
  untilSequence: number;
}

/** A replay that waits to be taken up. */
export interface WaitingReplay {
  environmentId: string;
  /** UUID of the operation. */
  id: string;
}

/** SQL: whether no older replay of the endpoint of `q` has yet to end. @param environment of `q`, in SQL */
const isNext = (environment: string): string => `not exists (
            select from operations b
            where b.environment_id = ${environment} and b.type = 'webhook_replay'
              and b.status in ('queued', 'running') and b.status <> 'succeeded'
              and b.input ->> 'endpointId' = q.input ->> 'endpointId'
              and (b.created_at, b.id) < (q.created_at, q.id)
          )`;

/**
 * Of each environment the replay that has waited longest, in the order of time. Of one endpoint only the oldest that
 * has not ended counts.
 */
export function findReplays(): Statement {
  return {
    name: 'find_replays',
    text: `select q.environment_id as "environmentId", q.id
      from (
        select distinct environment_id from operations where status = 'queued' and type = 'webhook_replay'
      ) waiting
      cross join lateral (
        select q.environment_id, q.id, q.created_at
        from operations q
        where q.environment_id = waiting.environment_id and q.status = 'queued' and q.type = 'webhook_replay'
          and ${isNext('q.environment_id')}
        order by q.created_at, q.id
        limit 1
      ) q
      order by q.created_at, q.id`,
    values: [],
  };
}

/** Takes up a replay that was found, unless another process has it. */
export function takeUpReplay({ environmentId, id }: WaitingReplay): Statement {
  return {
    name: 'take_up_replay',
    text: `update operations o
      set status = 'running', started_at = statement_timestamp(), result = null,
        lease_until = statement_timestamp() + interval '${LEASE_SECONDS} seconds'
      from (
        select q.id, q.result
        from operations q
        where q.environment_id = $1::uuid and q.id = $2::uuid and q.status = 'queued' and q.type = 'webhook_replay'
          and ${isNext('$1::uuid')}
        for update skip locked
      ) next
      where o.environment_id = $1::uuid and o.id = next.id
      returning o.environment_id as "environmentId", o.id, o.created_at as "createdAt", o.progress_done as done,
        coalesce((next.result ->> 'sentAgain')::bigint, 0) as "sentAgain", o.input ->> 'endpointId' as "endpointId",
        (o.input ->> 'sinceSequence')::bigint as "sinceSequence",
        (o.input ->> 'untilSequence')::bigint as "untilSequence"`,
    values: [environmentId, id],
  };
}

/** Whether an endpoint is active, so that its deliveries may be sent again. */
export function readActive(environmentId: string, endpointId: string): Statement {
  return {
    name: 'read_endpoint_active',
    text: `select status = 'active' as active from webhook_endpoints
      where environment_id = $1::uuid and id = $2::uuid`,
    values: [environmentId, endpointId],
  };
}

/** The next deliveries of a replay, by their sequences. @param limit most of them */
export function readNextSequences(replay: RunningReplay, limit: number): Statement {
  const { environmentId, endpointId, sinceSequence, untilSequence, done } = replay;
  return {
    name: 'read_next_of_replay',
    text: `select sequence from webhook_deliveries
      where environment_id = $1::uuid and endpoint_id = $2::uuid and sequence > $3::bigint and sequence <= $4::bigint
      order by sequence
      limit $5::integer`,
    values: [environmentId, endpointId, sinceSequence + done, untilSequence, limit],
  };
}

/** What became of a delivery in a step. */
export interface SteppedDelivery {
  sequence: number;
  /** False where it is not sent again, because its body was removed. */
  sentAgain: boolean;
}

/**
 * Puts deliveries in the queue again, as if they were new: before all that became due after the replay was asked for,
 * and among themselves in the order of their sequences. It leaves out those that another transaction has locked, such
 * as one that records an attempt. Two transactions that wait for each other's deliveries would be a deadlock. The rows
 * are updated by their places, which the locks keep: a plain join may read all deliveries of the environment, while
 * there are no statistics. A delivery that another transaction has changed since the statement began is not updated,
 * and is left out too.
 * @returns those that are done
 */
export function sendAgain(
  { environmentId, endpointId, createdAt }: RunningReplay,
  sequences: readonly number[],
): Statement {
  return {
    name: 'send_deliveries_again',
    text: `with chosen as (
        select d.ctid as place, d.sequence,
          d.event_id is null or exists (
            select from events e
            where e.environment_id = $1::uuid and e.id = d.event_id and e.data is not null
          ) as complete
        from webhook_deliveries d
        where d.environment_id = $1::uuid and d.endpoint_id = $2::uuid and d.sequence = any ($3::bigint[])
        for update of d skip locked
      ), again as (
        update webhook_deliveries d
        set status = 'pending', failures = 0, next_attempt_at = $4::timestamptz, delivered_at = null
        from chosen
        where d.environment_id = $1::uuid and d.ctid = chosen.place and chosen.complete
        returning d.sequence
      )
      select sequence, complete as "sentAgain" from chosen
      where not complete or sequence in (select sequence from again)`,
    values: [environmentId, endpointId, arrayLiteral(sequences), createdAt],
  };
}

/** Tells the processes that deliver that an environment has something to deliver. */
export function announceDeliveries(environmentId: string): Statement {
  return {
    name: 'notify_deliveries',
    text: `select pg_notify('${DELIVERIES_CHANNEL}', $1)`,
    values: [environmentId],
  };
}
