import type { PlainProgram } from '../programs/program.ts';
import { datesOf } from './dates.ts';
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
  const lot = { order, granted: points, reserved: 0, claimed: 0, lent: 0, ...dates };
  const [pending, available] = waits ? [points, 0] : [0, points];
  const place = points > 0 ? balance.lots.push({ ...lot, pending, available }) - 1 : null;
  // The points of a late event may have expired already.
  balance.expireLots();
  return place;
}
