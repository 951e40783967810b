import type { FeedEvent } from '../contract/generated/types.ts';
import type { Connections } from '../db/pool.ts';
import type { Statement } from '../db/statement.ts';
import { toTypeId } from '../ids.ts';
import { eventData } from '../ledger/batch/event-record.ts';
import { isRefusal, type Refusal, refuse } from '../refusal.ts';
import {
  type FeedEpoch,
  FIRST_EPOCH,
  inEpoch,
  lastPositionKept,
  positionOfCursor,
  type ReadPosition,
  readEpochs,
  shownAt,
} from './feed-epochs.ts';
import { type ListAccess, type Listed, MOST_PAGE_BYTES } from './shared/listed.ts';

/** So many events are looked at for a page. Those of rare types are found without an index of their own. */
export const MOST_LOOKED_AT = 10_000;

/** An event of a page, or a row of nulls that only says where the feed ends. */
interface Row {
  /** The last position of the environment, in the snapshot of the page. */
  last: number;
  /** The newest epoch, in the same snapshot. */
  newestEpoch: number;
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

/** Where a page of the feed begins: at its beginning, where all are null. */
export interface FeedStart {
  /** Of the feed under the same types. */
  cursor: string | null;
  /** In place of a cursor: the position before the page. */
  position: number | null;
  /** The epoch of `position`; null for the newest one. */
  epoch: number | null;
  /** When that epoch began; null where the reader does not say. */
  epochAt: Date | null;
}

/** A page of the feed, with its newest epoch. */
export interface FeedPage extends Listed<FeedEvent> {
  epoch: number;
  /** When it began; null before the first event. */
  epochAt: string | null;
}

/**
 * Reads the events after a place in the order of their positions, which is that of commits. Positions have no gaps, and
 * an event is visible together with all of those before it: nothing is missed, and nothing comes twice. What was read
 * of another epoch beyond what was kept of it is not gone on from.
 * @param types null for all
 * @returns refusals: `validation_failed` where a type is named twice or the place in two ways, `invalid_cursor`,
 *   `feed_forked`
 */
export async function readFeed(
  { connections, cursors, environmentId }: ListAccess,
  types: readonly string[] | null,
  limit: number,
  start: FeedStart,
): Promise<FeedPage | Refusal> {
  const fault = faultOf(types, start);
  if (fault) return fault;
  const identity = { environmentId, list: 'eventsFeed', filter: { types: types?.toSorted() ?? null } };
  const read = await cursors.read(identity, start.cursor);
  if (read && isRefusal(read)) return read;
  const after = read ? positionOfCursor(read) : placeOf(start);
  const { events, end, last, epoch } = await eventsAfter(
    connections,
    environmentId,
    types,
    after.position,
    limit,
  );
  const epochs = await readEpochs(connections, environmentId, epoch);
  const newest = epochs.at(-1) ?? FIRST_EPOCH;
  const lastKept = lastPositionKept(epochs, after, last);
  if (lastKept !== null) return forked(newest, lastKept, after);
  const nextCursor = await cursors.write(
    identity,
    [end, newest.epoch, newest.lastPositionKept, newest.at.getTime()].map(String),
  );
  return {
    data: events.map((event) => inEpoch(epochs, event)),
    page: { nextCursor, hasMore: end < last },
    epoch: newest.epoch,
    epochAt: shownAt(newest.at),
  };
}

function placeOf({ position, epoch, epochAt }: FeedStart): ReadPosition {
  return { position: position ?? 0, epoch, ...(epochAt && { epochStart: { at: epochAt } }) };
}

function faultOf(
  types: readonly string[] | null,
  { cursor, position, epoch, epochAt }: FeedStart,
): Refusal | null {
  const doubled = types?.findIndex((type, index) => types.indexOf(type) !== index) ?? -1;
  if (doubled >= 0) {
    const details = [{ path: `types[${doubled}]`, message: 'is named twice' }];
    return refuse('validation_failed', 'An event type is named twice.', details);
  }
  if (position !== null && cursor !== null) {
    const details = [{ path: 'afterPosition', message: 'is sent in place of after, not beside it' }];
    return refuse('validation_failed', 'Send either after or afterPosition.', details);
  }
  if (epoch !== null && position === null) {
    const details = [{ path: 'epoch', message: 'belongs to afterPosition, which is missing' }];
    return refuse('validation_failed', 'epoch is sent with afterPosition.', details);
  }
  if (epochAt !== null && epoch === null) {
    const details = [{ path: 'epochAt', message: 'belongs to epoch, which is missing' }];
    return refuse('validation_failed', 'epochAt is sent with epoch.', details);
  }
  return null;
}

function forked({ epoch, at }: FeedEpoch, last: number, after: ReadPosition): Refusal {
  const epochAt = shownAt(at);
  const place = `afterPosition=${last}&epoch=${epoch}${epochAt ? `&epochAt=${epochAt}` : ''}`;
  const isGone = after.epoch !== null && after.epoch > epoch;
  return refuse(
    'feed_forked',
    `The feed is in epoch ${epoch}${isGone ? `: an older state than that of epoch ${after.epoch} was restored` : ''}. It ` +
      `holds on to what was read up to position ${last} alone. Take back what you have of later positions, and read on ` +
      `with ${place}.`,
    [
      { path: 'epoch', message: String(epoch) },
      { path: 'lastPositionKept', message: String(last) },
      ...(epochAt ? [{ path: 'epochAt', message: epochAt }] : []),
    ],
  );
}

/** Events after a position. */
export interface EventsAfter {
  /** Without their epochs. */
  events: Omit<FeedEvent, 'epoch' | 'epochAt'>[];
  /** The next page begins after this position. */
  end: number;
  /** The last position of the environment. */
  last: number;
  /** The newest epoch of the environment. */
  epoch: number;
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
  const eventRows = rows.filter(({ id }) => id !== null);
  const lastRow = eventRows.at(-1);
  const last = rows[0]?.last ?? 0;
  // Where the page leaves out an event that was found, the next one begins with that.
  const isCut = lastRow !== undefined && lastRow.found > eventRows.length;
  const end = isCut ? lastRow.position : Math.max(after, Math.min(after + MOST_LOOKED_AT, last));
  return {
    events: eventRows.map((row) => viewOf(environmentId, row)),
    end,
    last,
    epoch: rows[0]?.newestEpoch ?? 1,
  };
}

/**
 * Reads a page of events, and the last position in the same snapshot. It leaves out the events after the one that
 * brings their data, as it is stored, to `MOST_PAGE_BYTES`; `found` counts them too. Data that is stored as a list is
 * told in 300 bytes more, which is 60 KB for the longest page.
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
    text: `select p.last_position as last,
        coalesce((select max(epoch) from feed_epochs where environment_id = $1::uuid), 1) as "newestEpoch",
        e.id, e.type, e.at, e.position, e.program_id as "programId",
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

function viewOf(environmentId: string, row: Row): EventsAfter['events'][number] {
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
