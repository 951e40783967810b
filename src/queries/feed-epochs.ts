import type { Connections } from '../db/pool.ts';
import type { Position } from './shared/cursors.ts';

/** An epoch of a feed. Its positions come after `lastPositionKept`. */
export interface FeedEpoch {
  epoch: number;
  /** The last position of the epochs before that holds on. */
  lastPositionKept: number;
  /** When it began. */
  at: Date;
}

/** A place in the feed, as a reader has it. */
export interface ReadPlace {
  position: number;
  /** The epoch in which it was read; null for the newest one. */
  epoch: number | null;
  /** How that epoch began, as the reader saw it: after a restore an epoch may begin again under the same number. */
  begun?: Pick<FeedEpoch, 'lastPositionKept' | 'at'>;
}

/** That of an environment whose first event has no position yet. */
export const FIRST_EPOCH: FeedEpoch = { epoch: 1, lastPositionKept: 0, at: new Date(0) };

/** The place that a cursor names. One that was made before there were epochs is of the first. */
export function placeOfCursor([position, epoch, kept, at]: Position): ReadPlace {
  if (epoch === undefined) return { position: Number(position), epoch: 1 };
  const begun = { lastPositionKept: Number(kept), at: new Date(Number(at)) };
  return { position: Number(position), epoch: Number(epoch), begun };
}

/** Reads the epochs of an environment up to one, oldest first. */
export async function readEpochs(
  connections: Pick<Connections, 'query'>,
  environmentId: string,
  newest: number,
): Promise<FeedEpoch[]> {
  const { rows } = await connections.query<FeedEpoch>({
    name: 'read_feed_epochs',
    text: `select epoch, last_position_kept as "lastPositionKept", date_trunc('milliseconds', at) as at
      from feed_epochs
      where environment_id = $1::uuid and epoch <= $2::integer
      order by epoch`,
    values: [environmentId, newest],
  });
  return rows;
}

/** The epoch in which the event at a position got it. @param epochs oldest first */
export function epochOf(epochs: readonly FeedEpoch[], position: number): number {
  return epochs.findLast(({ lastPositionKept }) => lastPositionKept < position)?.epoch ?? 1;
}

/**
 * Up to where what a reader has read still holds, where that is less than what it has read.
 * @param epochs all of them, oldest first
 * @returns null where all of it holds
 */
export function lastPositionKept(
  epochs: readonly FeedEpoch[],
  { position, epoch, begun }: ReadPlace,
): number | null {
  const newest = epochs.at(-1)?.epoch ?? 1;
  if (epoch === null) return null;
  const later = epochs.filter((each) => each.epoch > epoch).map((each) => each.lastPositionKept);
  const same = epochs.find((each) => each.epoch === epoch);
  // The first epoch of all is noted late where the release before gave its positions.
  const isAnother =
    begun !== undefined &&
    epoch > 1 &&
    same !== undefined &&
    (same.lastPositionKept !== begun.lastPositionKept || same.at.getTime() !== begun.at.getTime());
  if (isAnother) later.push(same.lastPositionKept, begun.lastPositionKept);
  if (begun && epoch > newest) later.push(begun.lastPositionKept);
  const kept = Math.min(...later);
  return position > kept ? kept : null;
}
