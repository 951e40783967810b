import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Pool } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';

/** How long the data of every event is kept: it is in the feed, and can be sent again. */
export const KEPT_DAYS = 30;
/**
 * How long it is kept where a delivery was given up, so that it can be retried. A day longer than retries are taken
 * (src/commands/webhooks/retry-webhook-delivery.ts).
 */
export const KEPT_FOR_RETRIES_DAYS = 91;

/** Most events that one statement looks at. */
const CHUNK = 1_000;

/** The two times at which events are looked at; both go on from where the last run has ended. */
type Pass = 'emptied' | 'cleared';

/**
 * Empties the data of events that nobody waits for any more, in every environment: 30 days after the event, or 91 where an
 * endpoint that still exists may ask for it again, since a delivery to it was given up. What waits for an attempt keeps its event and those
 * after it, for as long as it waits. The rows stay, with type, time and position.
 * @param signal aborted when the process stops: the current step is finished, and no other is begun
 * @returns how many events were emptied
 * @throws AggregateError where it failed for some environments, after the others are done
 */
export async function emptyPayloads(pool: Pool, signal?: AbortSignal): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(FIND_ENVIRONMENTS);
  const errors: unknown[] = [];
  let emptied = 0;
  for (const { id } of rows) {
    for (const pass of ['emptied', 'cleared'] as const) {
      try {
        emptied += await emptyEnvironment(pool, id, pass, signal);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Events could not be emptied');
  return emptied;
}

async function emptyEnvironment(
  pool: Pool,
  environmentId: string,
  pass: Pass,
  signal: AbortSignal | undefined,
): Promise<number> {
  let emptied = 0;
  while (!signal?.aborted) {
    const { rows } = await pool.query<{ seen: number; emptied: number }>(emptyChunk(environmentId, pass));
    emptied += rows[0]?.emptied ?? 0;
    if ((rows[0]?.seen ?? 0) < CHUNK) break;
  }
  return emptied;
}

// An environment without events has no row in event_positions.
const FIND_ENVIRONMENTS: Statement = {
  name: 'environments_with_positions',
  text: 'select environment_id as id from event_positions order by 1',
  values: [],
};

/**
 * Looks at the next events after the position at which the last one of the pass has ended, as long as they are old enough
 * and before everything that waits. The sequences of an endpoint follow the positions of its events, so that the first
 * of what waits at an endpoint has the least position.
 * @returns a statement of one row: how many were old enough, and how many of them were emptied
 */
export function emptyChunk(environmentId: string, pass: Pass): Statement {
  const days = pass === 'emptied' ? KEPT_DAYS : KEPT_FOR_RETRIES_DAYS;
  const keptForRetries = `and not exists (
                select from webhook_deliveries d
                join webhook_endpoints w on w.environment_id = d.environment_id and w.id = d.endpoint_id
                where d.environment_id = e.environment_id and d.event_id = e.id and d.status = 'dead_letter'
                  and w.deleted_at is null
              )`;
  return {
    name: pass === 'emptied' ? 'empty_events_emptied' : 'empty_events_cleared',
    text: `with next as materialized (
        select e.id, e.at, e.position
        from event_positions p
        join events e on e.environment_id = p.environment_id and e.position > p.${pass}_position
        where p.environment_id = $1::uuid
        order by e.position
        limit ${CHUNK}
      ), first_waiting as materialized (
        select d.endpoint_id, min(d.sequence) as sequence
        from webhook_deliveries d
        where d.environment_id = $1::uuid and d.status in ('pending', 'failed') and d.event_id is not null
          and exists (select from next where at < ${ENVIRONMENT_TIME} - interval '${days} days')
        group by d.endpoint_id
      ), bound as (
        select least(
          (select min(position) from next where at >= ${ENVIRONMENT_TIME} - interval '${days} days'),
          (
            select min(e.position)
            from first_waiting f
            join webhook_deliveries d
              on d.environment_id = $1::uuid and d.endpoint_id = f.endpoint_id and d.sequence = f.sequence
            join events e on e.environment_id = d.environment_id and e.id = d.event_id
          )
        ) as position
      ), due as materialized (
        select next.id, next.position from next, bound
        where bound.position is null or next.position < bound.position
      ), emptied as (
        update events e
        set data = null
        from (
          select row.ctid as place
          from due
          cross join lateral (
            select e.ctid from events e
            where e.environment_id = $1::uuid and e.id = due.id and e.data is not null
              ${pass === 'emptied' ? keptForRetries : ''}
            limit 1
            for update of e
          ) row
        ) found
        where e.ctid = found.place
        returning e.id
      ), moved as (
        update event_positions
        set ${pass}_position = (select max(position) from due)
        where environment_id = $1::uuid and exists (select from due)
      )
      select (select count(*) from due)::integer as seen, (select count(*) from emptied)::integer as emptied`,
    values: [environmentId],
  };
}
