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

/** A position in the feed, as a reader has it. */
export interface ReadPosition {
  position: number;
  /** The epoch in which it was read; null for the newest one. */
  epoch: number | null;
  /**
   * How that epoch began, as far as the reader tells: after a restore an epoch may begin again under the same number.
   */
  epochStart?: { at: Date; lastPositionKept?: number };
}

/** That of an environment whose first event has no position yet. */
export const FIRST_EPOCH: FeedEpoch = { epoch: 1, lastPositionKept: 0, at: new Date(0) };

/** The position that a cursor names. One that was made before there were epochs is of the first. */
export function positionOfCursor([position, epoch, lastKept, at]: Position): ReadPosition {
  if (epoch === undefined) return { position: Number(position), epoch: 1 };
  const epochStart = { lastPositionKept: Number(lastKept), at: new Date(Number(at)) };
  return { position: Number(position), epoch: Number(epoch), epochStart };
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

/** Tells an event the epoch in which it got its position. @param epochs oldest first */
export function inEpoch<Event extends { position: number }>(
  epochs: readonly FeedEpoch[],
  event: Event,
): Event & { epoch: number; epochAt: string | null } {
  const { epoch, at } =
    epochs.findLast(({ lastPositionKept }) => lastPositionKept < event.position) ?? FIRST_EPOCH;
  return { ...event, epoch, epochAt: shownAt(at) };
}

/** When an epoch began; null for the first one before it is noted. */
export function shownAt(at: Date): string | null {
  return isUnknown(at) ? null : at.toISOString();
}

function isUnknown(at: Date): boolean {
  return at.getTime() === FIRST_EPOCH.at.getTime();
}

/**
 * Up to where what a reader has read surely still holds, where that is less than what it has read, or where its epoch
 * is newer than the newest one: then the database goes on from a state of before that epoch.
 * @param epochs all of them, oldest first
 * @param last the last position of the environment
 * @returns null where the reader can go on from its place
 */
export function lastPositionKept(
  epochs: readonly FeedEpoch[],
  { position, epoch, epochStart }: ReadPosition,
  last: number,
): number | null {
  if (epoch === null) return null;
  const newest = epochs.at(-1)?.epoch ?? 1;
  const other = firstOther(epochs, newest, epoch, epochStart);
  const lastKept = epochs.filter((each) => each.epoch >= other).map((each) => each.lastPositionKept);
  // What the reader's own epochs kept, from there on, is known at most of the one that it names: nothing can be vouched
  // for where another one lies between, which may have been a reset.
  if (other <= epoch) lastKept.push((other === epoch && epochStart?.lastPositionKept) || 0);
  if (epoch > newest) return Math.min(position, last, ...lastKept);
  const least = Math.min(...lastKept);
  return position > least ? least : null;
}

/**
 * The number of the first epoch that is not one of those which the reader has read, whether there is one here or not.
 * A reader whose epoch is not the one here, or not here, may have left what is here earlier still: an epoch that began
 * here after the reader's own is none of those before it.
 */
function firstOther(
  epochs: readonly FeedEpoch[],
  newest: number,
  epoch: number,
  begun: ReadPosition['epochStart'],
): number {
  if (begun === undefined) return epoch > newest ? 1 : epoch + 1;
  // The first epoch of all is noted late where the release before gave its positions.
  if (epoch === 1 && isUnknown(begun.at)) return 2;
  const same = epochs.find((each) => each.epoch === epoch);
  const isSame =
    same?.at.getTime() === begun.at.getTime() &&
    same.lastPositionKept === (begun.lastPositionKept ?? same.lastPositionKept);
  if (isSame) return epoch + 1;
  const later = epochs.find((each) => each.epoch <= epoch && each.at >= begun.at);
  return later?.epoch ?? Math.min(epoch, newest + 1);
}
