import { ENVIRONMENT_TIME } from '../db/environment-time.ts';
import type { Pool } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { inRounds } from './in-rounds.ts';

/**
 * How long the data of an event is kept at least where a delivery was given up, so that it can be retried. A day longer
 * than retries are taken (src/commands/webhooks/retry-webhook-delivery.ts).
 */
const KEPT_FOR_RETRIES_DAYS = 91;

/** Most events that one statement looks at. */
const CHUNK = 1_000;

/** The two times at which events are looked at; both go on from where the last run has ended. */
type Pass = 'emptied' | 'cleared';

/**
 * Empties the data of events that nobody waits for any more, in every environment: `keptDays` after the event, or 91
 * days where that is longer and an endpoint that still exists may ask for it again, since a delivery to it was given
 * up. What waits for an attempt keeps its event and those after it, for as long as it waits. The rows stay, with type,
 * time and position.
 * @param keptDays how long the data of every event is kept: it is in the feed, and can be sent again
 * @param signal aborted when the process stops: the current step is finished, and no other is begun
 * @returns how many events were emptied
 * @throws AggregateError where it failed for some environments, after the others are done
 */
export async function emptyPayloads(pool: Pool, keptDays: number, signal?: AbortSignal): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(FIND_ENVIRONMENTS);
  const passes = rows.flatMap(({ id }) => (['emptied', 'cleared'] as const).map((pass) => ({ id, pass })));
  return inRounds(passes, signal, async ({ id, pass }) => {
    const { rows: counts } = await pool.query<{ seen: number; emptied: number }>(
      emptyChunk(id, pass, keptDays),
    );
    const { seen, emptied } = counts[0] ?? { seen: 0, emptied: 0 };
    return { done: emptied, more: seen === CHUNK };
  });
}

// An environment without events has no row in event_positions.
const FIND_ENVIRONMENTS: Statement = {
  name: 'environments_with_positions',
  text: 'select environment_id as id from event_positions order by 1',
  values: [],
};

/**
 * Looks at the next events after the position at which the last one of the pass has ended, as long as they are old
 * enough and before everything that waits. The sequences of an endpoint follow the positions of its events, so that the
 * first of what waits at an endpoint has the least position. An event that an erasure has changed since the statement
 * began is locked, but not emptied. Then the pass does not move on, and its next step looks at the same events again.
 * @returns a statement of one row: how many were old enough, and how many of them were emptied
 */
export function emptyChunk(environmentId: string, pass: Pass, keptDays: number): Statement {
  const days = pass === 'emptied' ? keptDays : Math.max(keptDays, KEPT_FOR_RETRIES_DAYS);
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
          and exists (select from next where at < ${ENVIRONMENT_TIME} - $2::integer * interval '1 day')
        group by d.endpoint_id
      ), bound as (
        select least(
          (select min(position) from next where at >= ${ENVIRONMENT_TIME} - $2::integer * interval '1 day'),
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
      ), found as materialized (
        select row.ctid as place
        from due
        cross join lateral (
          select e.ctid from events e
          where e.environment_id = $1::uuid and e.id = due.id and e.data is not null
            ${pass === 'emptied' ? keptForRetries : ''}
          limit 1
          for update of e
        ) row
      ), emptied as (
        update events e
        set data = null
        from found
        where e.environment_id = $1::uuid and e.ctid = found.place
        returning e.id
      ), moved as (
        update event_positions
        set ${pass}_position = (select max(position) from due)
        where environment_id = $1::uuid and exists (select from due)
          and (select count(*) from emptied) = (select count(*) from found)
      )
      select (select count(*) from due)::integer as seen, (select count(*) from emptied)::integer as emptied`,
    values: [environmentId, days],
  };
}
