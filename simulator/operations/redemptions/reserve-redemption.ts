import { reserveRedemption } from '../../../src/commands/redemptions/reserve-redemption.ts';
import { operation } from '../../client/intent.ts';
import { referenceTo } from '../../client/lookups.ts';
import { receiptOf, settledBalance, stockName, storeBalance, takenOf, tellOf } from '../../model/ledger.ts';
import type { Model, ModelQuote, ModelReservation, Prediction } from '../../model/model.ts';
import type { Moment } from '../../model/moment.ts';
import type { PointBalance } from '../../model/points.ts';

interface Input {
  quoteId: string;
}

export const reserveRedemptionOperation = operation<Input & { customer: string }>({
  name: 'reserveRedemption',
  weight: 30,
  invent({ random, memory, customers, model, now }) {
    const quote = memory.pick('quote', random, customers, (id) => {
      const quote = model.quotes.get(model.names.get(id) ?? '');
      return quote?.state === 'quoted' && quote.expiresAt >= now.getTime();
    });
    return quote && { quoteId: quote.id, customer: quote.externalCustomerId };
  },
  alter: (input) => ({ ...input, quoteId: `${input.quoteId}x` }),
  lookup: ({ quoteId }) => referenceTo('quote', quoteId),
  command({ customer: _customer, ...input }, caller, owner) {
    const reference = referenceTo('quote', input.quoteId);
    return reserveRedemption(input, reference && owner && { ...owner, id: reference.id }, caller);
  },
  predict,
});

function predict(model: Model, { quoteId }: Input, { now, name: commandName }: Moment): Prediction {
  const quoteName = model.names.get(quoteId) ?? '';
  const quote = model.quotes.get(quoteName);
  if (!quote) return { code: 'quote_not_found' };
  if (!model.isActive(quote.externalCustomerId)) return { code: 'member_not_found' };
  const profile = model.profiles.get(quote.profile);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  if (quote.state !== 'quoted' || quote.expiresAt <= now.getTime())
    return { code: 'invalid_redemption_state' };
  const quotes = profile.quotes.filter((each) => each !== quoteName);
  const reservation = held(model, quote, settledBalance(profile, now), { now, name: commandName, quotes });
  if ('code' in reservation) return reservation;
  model.quotes.set(quoteName, { ...quote, state: 'reserved' });
  return { receipt: { reservation: { ...receiptOf(reservation), quoteId, reservedAt: now.toISOString() } } };
}

/** Holds the points of a quote in the model. @param name of the reservation @param quotes those that stay open */
export function held(
  model: Model,
  quote: ModelQuote,
  balance: PointBalance,
  { now, name, quotes }: Pick<Moment, 'now' | 'name'> & { quotes: readonly string[] },
): ModelReservation | Extract<Prediction, { code: unknown }> {
  const { programId, rewardId, points, holdSeconds } = quote;
  const inventory = presentInventory(model, quote, now);
  const stockTaken = takenOf(model, programId, rewardId, balance);
  if (inventory !== null && stockTaken >= inventory) return { code: 'inventory_exhausted' };
  if (balance.available < points) return { code: 'insufficient_points' };
  const expiresAt = now.getTime() + holdSeconds * 1000;
  balance.hold(name, expiresAt, points);
  balance.lastActivityAt = now.getTime();
  const reservation: ModelReservation = {
    quote,
    state: 'reserved',
    expiresAt,
    stocked: inventory !== null,
    spent: [],
    reversedMinor: 0,
    fulfillment: null,
    disputes: 0,
  };
  storeBalance(model, quote.profile, balance, { quotes });
  if (inventory !== null) model.stocks.set(stockName(programId, rewardId), stockTaken + 1);
  model.reservations.set(name, reservation);
  tellOf(model, 'redemption.reserved', reservation, { expiresAt: new Date(expiresAt).toISOString() });
  return reservation;
}

/** The inventory of the reward in the present version; as it was quoted where that version lacks the reward. */
function presentInventory(model: Model, { programId, rewardId, inventory }: ModelQuote, now: Date) {
  const rewards = model.versionAt(programId, now)?.program.rewards ?? [];
  const reward = rewards.find((each) => each.id === rewardId);
  return reward ? reward.inventory : inventory;
}
