import type { FeedEvent } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { toTypeId } from '../ids.ts';
import { eventData } from '../ledger/batch/event-record.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import { type ListAccess, type Listed, MOST_PAGE_BYTES, type PageRequest } from './shared/listed.ts';

/** So many events are looked at for a page. Those of rare types are found without an index of their own. */
export const MOST_LOOKED_AT = 10_000;

/** An event of a page, or a row of nulls that only says where the feed ends. */
interface Row {
  /** The last position of the environment, in the snapshot of the page. */
  last: number;
  id: string | null;
  type: string;
  at: Date;
  position: number;
  memberId: string | null;
  programId: string | null;
  /** As it is stored. */
  data: object | null;
  externalCustomerId: string | null;
  /** How many were found among those that were looked at, one more than `limit` at most. */
  found: number;
}

/**
 * Reads the events after a cursor in the order of their positions, which is that of commits. Positions have no gaps, and an
 * event is visible together with all of those before it: nothing is missed, and nothing comes twice.
 * @param types null for all
 * @returns refusals: `validation_failed` where a type is named twice, `invalid_cursor`
 */
export async function readFeed(
  { connections, cursors, environmentId }: ListAccess,
  types: readonly string[] | null,
  { limit, cursor }: PageRequest,
): Promise<Listed<FeedEvent> | Refusal> {
  const doubled = types?.findIndex((type, index) => types.indexOf(type) !== index) ?? -1;
  if (doubled >= 0) {
    const details = [{ path: `types[${doubled}]`, message: 'is named twice' }];
    return refuse('validation_failed', 'An event type is named twice.', details);
  }
  const identity = { environmentId, list: 'eventsFeed', filter: { types: types?.toSorted() ?? null } };
  const position = (await cursors.read(identity, cursor)) ?? ['0'];
  if (isRefusal(position)) return position;
  const { events, end, last } = await eventsAfter(
    connections,
    environmentId,
    types,
    Number(position[0]),
    limit,
  );
  const nextCursor = await cursors.write(identity, [String(end)]);
  return { data: events, page: { nextCursor, hasMore: end < last } };
}

/** Events after a position. */
export interface EventsAfter {
  events: FeedEvent[];
  /** The next page begins after this position. */
  end: number;
  /** The last position of the environment. */
  last: number;
}

/**
 * Reads the events after a position, oldest first.
 * @param types null for all
 * @param limit most events of the page, which may be shorter although more follows
 */
export async function eventsAfter(
  connections: Pick<Connections, 'query'>,
  environmentId: string,
  types: readonly string[] | null,
  after: number,
  limit: number,
): Promise<EventsAfter> {
  const { rows } = await connections.query<Row>(readEvents(environmentId, types, after, limit));
  const found = rows.filter(({ id }) => id !== null);
  const lastFound = found.at(-1);
  const last = rows[0]?.last ?? 0;
  // Where the page leaves out an event that was found, the next one begins with that.
  const isCut = lastFound !== undefined && lastFound.found > found.length;
  const end = isCut ? lastFound.position : Math.max(after, Math.min(after + MOST_LOOKED_AT, last));
  return { events: found.map((row) => viewOf(environmentId, row)), end, last };
}

/**
 * Reads a page of events, and the last position in the same snapshot. It leaves out the events after the one that brings
 * their data, as it is stored, to `MOST_PAGE_BYTES`; `found` counts them too. Data that is stored as a list is told in 300
 * bytes more, which is 60 KB for the longest page.
 * @param after the position before the page
 */
export function readEvents(
  environmentId: string,
  types: readonly string[] | null,
  after: number,
  limit: number,
): Statement {
  return {
    name: types ? 'read_events_of_types' : 'read_events',
    text: `select p.last_position as last, e.id, e.type, e.at, e.position, e.program_id as "programId",
        e.member_id as "memberId", e.data,
        (
          select m.external_customer_id from members m where m.environment_id = $1::uuid and m.id = e.member_id
        ) as "externalCustomerId",
        e.found::integer as found
      from event_positions p
      left join (
        select f.*, count(*) over () as found,
          sum(coalesce(octet_length(data::text), 0)) over (order by position rows unbounded preceding)
            - coalesce(octet_length(data::text), 0) as bytes_before
        from (
          select * from events
          where environment_id = $1::uuid and position > $2::bigint and position <= $2::bigint + ${MOST_LOOKED_AT}
            ${types ? 'and type = any ($4::text[])' : ''}
          order by position
          limit $3::integer
        ) f
        order by position
        limit $3::integer - 1
      ) e on e.bytes_before < ${MOST_PAGE_BYTES}
      where p.environment_id = $1::uuid
      order by e.position`,
    values: [environmentId, after, limit + 1, ...(types ? [types] : [])],
  };
}

function viewOf(environmentId: string, row: Row): FeedEvent {
  const { at, programId, memberId, data } = row;
  const id = row.id ?? '';
  return {
    id: toTypeId('whe', id),
    type: row.type,
    timestamp: at.toISOString(),
    environmentId: toTypeId('env', environmentId),
    position: row.position,
    data: data && eventData({ id, programId, at, memberId, data }, row.externalCustomerId),
  };
}
