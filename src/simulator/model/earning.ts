import type { PlainProgram } from '../programs/program.ts';
import { datesOf } from './dates.ts';
import type { Purse } from './points.ts';

/**
 * Puts new points down, and drops those that are over.
 * @returns the place of their lot; null where there are none
 */
export function earn(
  purse: Purse,
  program: PlainProgram,
  { order, points, occurredAt, at }: { order: string | null; points: number; occurredAt: number; at: number },
): number | null {
  // Whoever earns is active: points that are not over yet live on from here.
  purse.lastActivityAt = purse.now;
  const dates = datesOf(program, occurredAt, at);
  const waits = dates.activatesAt !== null && dates.activatesAt > purse.now;
  const lot = { order, granted: points, reserved: 0, claimed: 0, ...dates };
  const [pending, available] = waits ? [points, 0] : [0, points];
  const place = points > 0 ? purse.lots.push({ ...lot, pending, available }) - 1 : null;
  // Points of an event that comes very late may be over already.
  purse.dropOver();
  return place;
}
