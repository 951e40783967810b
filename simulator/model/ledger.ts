import { madeId } from './expected-event.ts';
import type { Model, ModelReservation } from './model.ts';
import { PointBalance } from './points.ts';
import type { ModelProfile } from './profile.ts';

/** A working copy of a profile's points, settled up to `now`. */
export function settledBalance(profile: ModelProfile, now: Date): PointBalance {
  const balance = new PointBalance(profile, now);
  balance.settle();
  return balance;
}

/** Stores the balance in the profile, and expires the reservations whose holds have run out. */
export function storeBalance(
  model: Model,
  name: string,
  balance: PointBalance,
  changes: Partial<Omit<ModelProfile, 'lots' | 'holds' | 'lastActivityAt'>> = {},
): void {
  const profile = model.profiles.get(name);
  if (!profile) throw new Error(`the model has no profile ${name}`);
  model.profiles.set(name, { ...profile, ...balance.points, ...changes });
  for (const lapsed of balance.lapsed) {
    const reservation = mustHave(model, lapsed);
    model.reservations.set(lapsed, { ...reservation, state: 'expired' });
    restock(model, reservation);
    tellOf(model, 'redemption.expired', reservation);
  }
  const occurredAt = new Date(balance.now).toISOString();
  for (const points of balance.expired) {
    model.tell('points.expired', name, { transactionId: madeId('txn'), points, occurredAt });
  }
}

/** Tells of a reservation. @param more what the event says besides the reservation */
export function tellOf(model: Model, type: string, { quote }: ModelReservation, more: object = {}): void {
  const { rewardId, sourceReference, points } = quote;
  const ids = { reservationId: madeId('rsv'), transactionId: madeId('txn') };
  model.tell(type, quote.profile, { ...ids, rewardId, sourceReference, points, ...more });
}

/** Puts the reward of a reservation that was not redeemed back into stock. */
export function restock(model: Model, { stocked, quote }: ModelReservation): void {
  if (!stocked) return;
  const name = stockName(quote.programId, quote.rewardId);
  model.stocks.set(name, (model.stocks.get(name) ?? 0) - 1);
}

/** How many of a reward are held or redeemed, without the reservations that have expired in `balance`. */
export function takenOf(model: Model, programId: string, rewardId: string, balance: PointBalance): number {
  const name = stockName(programId, rewardId);
  let count = model.stocks.get(name) ?? 0;
  for (const lapsed of balance.lapsed) {
    const { stocked, quote } = mustHave(model, lapsed);
    if (stocked && stockName(quote.programId, quote.rewardId) === name) count -= 1;
  }
  return count;
}

/** The key of a reward's stock. */
export function stockName(programId: string, rewardId: string): string {
  return `${programId} ${rewardId}`;
}

/** A reservation by the id that its receipt has shown, in the state that it has at `now`. */
export function reservationOf(
  model: Model,
  outerId: string,
  now: Date,
): { name: string; reservation: ModelReservation; profile: ModelProfile } | null {
  const name = model.names.get(outerId) ?? '';
  const reservation = model.reservations.get(name);
  const profile = reservation && model.profiles.get(reservation.quote.profile);
  if (!profile) return null;
  const lapsed = reservation.state === 'reserved' && reservation.expiresAt <= now.getTime();
  return { name, reservation: lapsed ? { ...reservation, state: 'expired' } : reservation, profile };
}

/** A reservation as receipts show it. */
export function receiptOf({
  quote,
  state,
  expiresAt,
  fulfillment,
  spent,
  reversedMinor,
}: ModelReservation): object {
  const { programId, externalCustomerId, rewardId, sourceReference, points, discount } = quote;
  const remaining = spent.reduce((sum, part) => sum + part.points, 0);
  const isSpent = state === 'committed' || state === 'reversed';
  return {
    state,
    programId,
    externalCustomerId,
    rewardId,
    sourceReference,
    points,
    expiresAt: new Date(expiresAt).toISOString(),
    fulfillmentStatus: fulfillment,
    ...(discount && {
      discount: {
        ...discount,
        currency: 'USD',
        reversedMinor,
        reversedPoints: isSpent ? points - remaining : 0,
      },
    }),
  };
}

function mustHave(model: Model, name: string): ModelReservation {
  const reservation = model.reservations.get(name);
  if (!reservation) throw new Error(`the model has no reservation ${name}`);
  return reservation;
}
