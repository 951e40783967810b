import type { PlainProgram } from '../programs/program.ts';
import { datesOf } from './dates.ts';
import { madeId } from './expected-event.ts';
import type { Model } from './model.ts';
import type { PointBalance } from './points.ts';

/**
 * Adds a lot of new points, then expires the lots that are due.
 * @returns the index of the new lot; null for 0 points
 */
export function earn(
  balance: PointBalance,
  program: PlainProgram,
  { order, points, occurredAt, at }: { order: string | null; points: number; occurredAt: number; at: number },
): number | null {
  // Earning counts as activity: it extends lots that expire by inactivity.
  balance.lastActivityAt = balance.now;
  const dates = datesOf(program, occurredAt, at);
  const waits = dates.activatesAt !== null && dates.activatesAt > balance.now;
  const lot = { order, granted: points, reserved: 0, claimed: 0, lent: 0, noticed: false, ...dates };
  const [pending, available] = waits ? [points, 0] : [0, points];
  const lotIndex = points > 0 ? balance.add({ ...lot, pending, available }) : null;
  // The points of a late event may have expired already.
  balance.expireLots();
  return lotIndex;
}

/** When the points of a lot stop being pending, in ISO 8601; null where they are not. @param lotIndex of the lot */
export function pendingUntil({ lots }: PointBalance, lotIndex: number | null): string | null {
  const lot = lotIndex === null ? undefined : lots[lotIndex];
  return lot?.activatesAt && lot.pending > 0 ? new Date(lot.activatesAt).toISOString() : null;
}

interface ToldAward {
  /** ISO 8601. */
  occurredAt: string;
  sourceReference: string;
  points: number;
  /** Of a purchase; what remains of its points are those of campaigns. */
  basePoints?: number;
  challengeId?: string;
  activatesAt: string | null;
}

/** Tells of an award; of nothing where it has no points. @param name of the profile */
export function tellOfAward(
  model: Model,
  name: string,
  eventType: string,
  { points, basePoints, ...more }: ToldAward,
): void {
  if (points === 0) return;
  const parts = { basePoints: basePoints ?? 0, campaignPoints: points - (basePoints ?? points) };
  model.tell('points.earned', name, { transactionId: madeId('txn'), eventType, points, ...parts, ...more });
}
