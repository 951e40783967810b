import { recordReturn } from '../../src/commands/returns/record-return.ts';
import { isRefusal } from '../../src/refusal.ts';
import { operation, type Surroundings } from '../client/intent.ts';
import { madeId } from '../model/expected-event.ts';
import { settledBalance, storeBalance } from '../model/ledger.ts';
import type { Model, Prediction } from '../model/model.ts';
import type { Moment } from '../model/moment.ts';
import type { ModelLot, PointBalance } from '../model/points.ts';
import { type ModelOrder, ownPointsOwed, pointsOwed, stateOf, worthOf } from '../model/returns.ts';
import type { Random } from '../random.ts';

interface Line {
  lineReference: string;
  quantity: number;
}

interface Input {
  customer: string;
  sourceReference: string;
  returnReference: string;
  returnAmountMinor?: number;
  items?: Line[];
}

export const recordReturnOperation = operation<Input>({
  name: 'recordReturn',
  weight: 16,
  repeatsWhileLocked: true,
  invent(surroundings) {
    const { random, memory, customers, model } = surroundings;
    const entry = memory.pick(
      'order',
      random,
      customers,
      (id) => (lotOf(model, id)?.reserved ?? 0) > 0,
      (id) => (lotOf(model, id)?.lent ?? 0) > 0,
    );
    if (!entry) return null;
    const order = model.orders.get(entry.id);
    return {
      customer: entry.externalCustomerId,
      sourceReference: entry.id,
      returnReference: returnReference(surroundings, entry.externalCustomerId),
      ...(order && order.lines.length > 0 && random.chance(0.6)
        ? { items: inventLines(random, order) }
        : { returnAmountMinor: inventAmount(random, order) }),
    };
  },
  alter: ({ items: _items, ...input }) => ({
    ...input,
    returnAmountMinor: (input.returnAmountMinor ?? 0) + 1,
  }),
  lookup: ({ sourceReference }) => ({ kind: 'order', sourceReference }),
  command({ customer: _customer, ...input }, caller, owner) {
    const command = recordReturn(input, owner, caller);
    if (isRefusal(command)) throw new Error(`refused before it was sent: ${command.code}`);
    return command;
  },
  predict,
});

/**
 * The lot of an order that is not wholly returned. Where points of it are held or lent, a return may fall short, and
 * points that come back pay a claim.
 */
function lotOf(model: Model, sourceReference: string): ModelLot | undefined {
  const order = model.orders.get(sourceReference);
  if (!order || order.lot === null || order.returnedMinor === order.amountMinor) return undefined;
  return model.profiles.get(order.profile)?.lots[order.lot];
}

/** A new return reference; now and then a used one, of the same order or of another one. */
function returnReference({ random, memory }: Surroundings, customer: string): string {
  const used = random.chance(0.08) ? memory.pick('return', random, [customer]) : null;
  return used?.id ?? `${customer}-return-${random.next()}`;
}

function inventAmount(random: Random, order: ModelOrder | null): number {
  const remaining = order ? order.amountMinor - order.returnedMinor : 0;
  if (remaining === 0 || random.chance(0.05)) return remaining + random.between(1, 100);
  return random.pick([
    remaining,
    Math.ceil(remaining / 3),
    Math.ceil(remaining / 10),
    random.between(1, remaining),
    1,
  ]);
}

function inventLines(random: Random, order: ModelOrder): Line[] {
  const lines = Array.from({ length: random.between(1, 2) }, () => {
    const { reference, quantity } = random.pick(order.lines);
    const remaining = quantity - (order.returnedLines[reference] ?? 0);
    return {
      lineReference: reference,
      quantity: random.chance(0.9) ? random.between(1, Math.max(remaining, 1)) : remaining + 1,
    };
  });
  if (random.chance(0.05)) lines.push({ lineReference: 'no-line', quantity: 1 });
  return lines;
}

function predict(model: Model, input: Input, { now, isFound }: Moment): Prediction {
  const { sourceReference, returnReference: reference } = input;
  const order = isFound ? model.orders.get(sourceReference) : null;
  if (!order) return { code: 'order_not_found' };
  const earlier = model.returns.get(reference);
  if (earlier) {
    return earlier.sourceReference === sourceReference
      ? { receipt: earlier.receipt, repeated: true }
      : { code: 'return_reference_conflict' };
  }
  const valued = returnedOf(order, input);
  if ('code' in valued) return valued;
  const { worth, returnedLines } = valued;
  const returnedMinor = order.returnedMinor + worth;
  if (returnedMinor > order.amountMinor) return { code: 'return_exceeds_remaining' };
  const profile = model.profiles.get(order.profile);
  if (!profile) throw new Error(`the model has no profile ${order.profile}`);

  const orderStatus = stateOf(order, returnedMinor, returnedLines);
  const isReturned = orderStatus === 'returned';
  const balance = settledBalance(profile, now);
  const owed = ownOwedNow(order, { returnedMinor, returnedLines, isReturned });
  const ownClawback = clawBack(balance, order.lot, () => owed);
  const { referral } = order;
  // Nothing more can be returned of an order that is gone, so it was not before.
  const ofReferral = (points: number): number => {
    const award = { points, amountMinor: order.amountMinor };
    return pointsOwed(award, returnedMinor, isReturned) - pointsOwed(award, order.returnedMinor, false);
  };
  const referee = clawBack(balance, referral?.refereeLot ?? null, ofReferral);
  const referring = referral && referral.referrerLot !== null ? model.profiles.get(referral.referrer) : null;
  // Where buyer and referrer have been merged, both rewards are in one profile.
  const together = referral?.referrer === order.profile;
  const others = referring && (together ? balance : settledBalance(referring, now));
  const referrer = others
    ? clawBack(others, referral?.referrerLot ?? null, ofReferral)
    : { clawedBack: 0, missing: 0 };
  if (ownClawback.missing + referee.missing + referrer.missing > 0) {
    if (model.versionAt(order.programId, now)?.program.onShortfall === 'refuse') {
      return { code: 'points_not_recoverable' };
    }
  }
  storeBalance(model, order.profile, balance, { spentMinor: profile.spentMinor - worth });
  if (referral && others && !together) storeBalance(model, referral.referrer, others);
  tellOfReturn(model, input, [
    { profile: order.profile, ...ownClawback },
    { profile: order.profile, ...referee },
    { profile: referral?.referrer ?? order.profile, ...referrer },
  ]);
  model.orders.set(sourceReference, { ...order, returnedMinor, returnedLines });
  const receipt = {
    status: 'committed',
    return: {
      sourceReference,
      returnReference: reference,
      returnAmountMinor: worth,
      pointsClawedBack: ownClawback.clawedBack,
      shortfall: ownClawback.missing,
      orderStatus,
      referral: referral && {
        referrerPointsClawedBack: referrer.clawedBack,
        referrerShortfall: referrer.missing,
        refereePointsClawedBack: referee.clawedBack,
        refereeShortfall: referee.missing,
      },
    },
  };
  model.returns.set(reference, { sourceReference, receipt });
  return { receipt };
}

/** The points of the order itself that a return makes owed. */
function ownOwedNow(
  order: ModelOrder,
  after: { returnedMinor: number; returnedLines: Record<string, number>; isReturned: boolean },
): number {
  // Of an order whose whole value is back, lines that are worth nothing can still be returned.
  const wasGone = order.amountMinor > 0 && order.returnedMinor === order.amountMinor;
  return (
    ownPointsOwed(order, after.returnedMinor, after.returnedLines, after.isReturned) -
    ownPointsOwed(order, order.returnedMinor, order.returnedLines, wasGone)
  );
}

/** Tells of each award that something was taken back of, or was due. */
function tellOfReturn(
  model: Model,
  { returnReference, sourceReference }: Input,
  parts: readonly { profile: string; clawedBack: number; missing: number }[],
): void {
  for (const { profile, clawedBack, missing } of parts) {
    if (clawedBack + missing === 0) continue;
    model.tell('points.clawed_back', profile, {
      transactionId: clawedBack > 0 ? madeId('txn') : null,
      returnId: madeId('txn'),
      returnReference,
      orderReference: sourceReference,
      points: clawedBack,
      shortfall: missing,
    });
  }
}

/**
 * Takes back what is owed now of a lot; the rest is claimed. `lot` is null where there was no award.
 * @param owedOf what is owed now of an award of so many points
 */
function clawBack(
  balance: PointBalance,
  lot: number | null,
  owedOf: (granted: number) => number,
): { clawedBack: number; missing: number } {
  if (lot === null) return { clawedBack: 0, missing: 0 };
  const owed = owedOf(balance.lot(lot).granted);
  const clawedBack = balance.clawBack(lot, owed);
  if (owed > clawedBack) balance.touch(lot);
  balance.lot(lot).claimed += owed - clawedBack;
  return { clawedBack, missing: owed - clawedBack };
}

function returnedOf(
  order: ModelOrder,
  { returnAmountMinor, items }: Input,
): { worth: number; returnedLines: Record<string, number> } | Extract<Prediction, { code: string }> {
  const returnedLines = { ...order.returnedLines };
  if (!items) return { worth: returnAmountMinor ?? 0, returnedLines };
  for (const { lineReference, quantity } of items) {
    returnedLines[lineReference] = (returnedLines[lineReference] ?? 0) + quantity;
  }
  const bought = (reference: string): number | undefined =>
    order.lines.find((line) => line.reference === reference)?.quantity;
  const named = Object.entries(returnedLines);
  if (named.some(([reference]) => bought(reference) === undefined)) return { code: 'unknown_line' };
  if (named.some(([reference, quantity]) => quantity > (bought(reference) ?? 0))) {
    return { code: 'return_exceeds_remaining' };
  }
  return { worth: worthOf(order, returnedLines) - worthOf(order, order.returnedLines), returnedLines };
}
