import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { program, tier } from '../rules/fixtures.ts';
import { decide, posted } from './adjustments.ts';
import { receiptOf, rows } from './desk.ts';
import { reverse, settle } from './exchange.ts';
import { RewardCounter, reward } from './reward-counter.ts';

/** Something that can be done to the points of ann, and undone later. */
export interface Deed {
  act: 'credit' | 'order' | 'exchange in' | 'redeem' | 'hold' | 'debit' | 'exchange out';
  points: number;
}

/** Takes a deed back. Returns whether it could. */
export type Undo = () => boolean;

/** The points of the rewards, and so of redemptions and holds. */
export const REWARD_POINTS = [10, 30, 50, 100, 150] as const;

/** A counter where ann is enrolled and has no points. An order earns a point for a dollar, whatever the tier. */
export function undoCounter(overrides: Partial<ProgramDocument> = {}): RewardCounter {
  const desk = new RewardCounter();
  const rewards = REWARD_POINTS.map((points) => reward({ id: `of-${points}`, points, holdSeconds: 86_400 }));
  desk.publish(program({ rewards, tiers: [tier('bronze', 0, 1)], ...overrides }));
  desk.createMember();
  desk.enroll();
  return desk;
}

/**
 * Does it to ann.
 * @returns how it is undone: a credit, a debit or an exchange is reversed, an order returned, a redemption reversed, a
 *   hold released. Null where ann has too few points for it
 */
export function carryOut(desk: RewardCounter, { act, points }: Deed): Undo | null {
  if (act === 'order') {
    const { sourceReference, ...input } = desk.purchaseInput({ amountMinor: points * 100 });
    receiptOf(desk.earn({ ...input, sourceReference }));
    return () => giveBack(desk, sourceReference, points);
  }
  if (act === 'exchange in') return exchange(desk, 'in', points);
  if (act !== 'credit' && desk.profile().available < points) return null;
  if (act === 'exchange out') return exchange(desk, 'out', points);
  if (act === 'credit' || act === 'debit') {
    const adjustment = posted(desk, { direction: act, points });
    return () => !isRefusal(decide(desk, 'reverse', adjustment));
  }
  receiptOf(desk.hold({ rewardId: `of-${points}` }));
  const reservationId = desk.newestId('rsv');
  if (act === 'hold') return () => !isRefusal(desk.release({ reservationId }));
  receiptOf(desk.commit());
  return () => !isRefusal(desk.reverse({ reservationId }));
}

function exchange(desk: RewardCounter, direction: 'in' | 'out', points: number): Undo {
  const settlementReference = `s-${desk.store.tables.exchangeSettlements.size}`;
  receiptOf(settle(desk, { settlementReference, direction, points }));
  return () => {
    const reversal = `r-${settlementReference}`;
    return !isRefusal(reverse(desk, { settlementReference: reversal, reverses: settlementReference }));
  };
}

/** Returns part of an order. @param points those that the part has earned */
export function giveBack(desk: RewardCounter, sourceReference: string, points: number): boolean {
  const returnReference = `return-${rows(desk.store.tables.returns).length}`;
  return !isRefusal(desk.return({ sourceReference, returnReference, returnAmountMinor: points * 100 }));
}

/** Takes them back in this order; what is refused is tried again after the rest. @throws where some can never be */
export function undoAll(undos: readonly Undo[]): void {
  let remaining = undos;
  while (remaining.length > 0) {
    const refused = remaining.filter((undo) => !undo());
    if (refused.length === remaining.length) throw new Error(`${remaining.length} cannot be undone`);
    remaining = refused;
  }
}
