import type { Model, ModelProfile, ModelReservation } from './model.ts';
import { Purse } from './points.ts';

/** Lays a profile's points on the table, everything done to them that time has done. */
export function lay(profile: ModelProfile, now: Date): Purse {
  const purse = new Purse(profile, now);
  purse.pass();
  return purse;
}

/** Puts points back where they belong, and what has lapsed on the way. */
export function putBack(
  model: Model,
  name: string,
  purse: Purse,
  changes: Partial<Omit<ModelProfile, 'lots' | 'holds' | 'lastActivityAt'>> = {},
): void {
  const profile = model.profiles.get(name);
  if (!profile) throw new Error(`the model has no profile ${name}`);
  model.profiles.set(name, { ...profile, ...purse.points, ...changes });
  for (const lapsed of purse.lapsed) {
    const reservation = mustHave(model, lapsed);
    model.reservations.set(lapsed, { ...reservation, state: 'expired' });
    restock(model, reservation);
  }
}

/** Puts the reward of a redemption back that did not come about. */
export function restock(model: Model, { stocked, quote }: ModelReservation): void {
  if (!stocked) return;
  const name = stockName(quote.programId, quote.rewardId);
  model.stocks.set(name, (model.stocks.get(name) ?? 0) - 1);
}

/** How many of a reward are taken once what has lapsed on the table is put back. */
export function takenOf(model: Model, programId: string, rewardId: string, purse: Purse): number {
  const name = stockName(programId, rewardId);
  let taken = model.stocks.get(name) ?? 0;
  for (const lapsed of purse.lapsed) {
    const { stocked, quote } = mustHave(model, lapsed);
    if (stocked && stockName(quote.programId, quote.rewardId) === name) taken -= 1;
  }
  return taken;
}

/** The name of a reward's stock. */
export function stockName(programId: string, rewardId: string): string {
  return `${programId} ${rewardId}`;
}

/** A reservation by the id that an answer has told, in the state that it is in now. */
export function reservationOf(
  model: Model,
  outerId: string,
  now: Date,
): { name: string; reservation: ModelReservation; profile: ModelProfile } | null {
  const name = model.names.get(outerId) ?? '';
  const found = model.reservations.get(name);
  const profile = found && model.profiles.get(found.quote.profile);
  if (!profile) return null;
  const lapsed = found.state === 'reserved' && found.expiresAt <= now.getTime();
  return { name, reservation: lapsed ? { ...found, state: 'expired' } : found, profile };
}

/** What an answer shows of a reservation. */
export function receiptOf({ quote, state, expiresAt, fulfillment }: ModelReservation): object {
  const { programId, externalCustomerId, rewardId, sourceReference, points } = quote;
  return {
    state,
    programId,
    externalCustomerId,
    rewardId,
    sourceReference,
    points,
    expiresAt: new Date(expiresAt).toISOString(),
    fulfillmentStatus: fulfillment,
  };
}

function mustHave(model: Model, name: string): ModelReservation {
  const reservation = model.reservations.get(name);
  if (!reservation) throw new Error(`the model has no reservation ${name}`);
  return reservation;
}
