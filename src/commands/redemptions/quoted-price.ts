import type { RedemptionQuoteInput } from '../../contract/generated/types.ts';
import type { Reward } from '../../programs/document/program-document.ts';
import type { ProgramVersion } from '../../programs/published/published-program.ts';
import { type Detail, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { paymentOf } from '../../rules/pay-with-points.ts';
import { type DiscountTerms, leastPoints } from '../../rules/rewards.ts';

/** The part of a quote's input that says how many points are paid. */
export type PaymentInput = Pick<RedemptionQuoteInput, 'points' | 'amountMinor' | 'orderAmountMinor'>;

const PROPERTIES = ['points', 'amountMinor', 'orderAmountMinor'] as const;

/**
 * Why an input cannot be of a quote of this reward: one that is paid with points takes either points or an amount, and
 * any other one neither. Null where it can be. Refusal: `quote_form_invalid`.
 */
export function refuseForm(
  { payWithPoints }: Reward,
  input: PaymentInput,
): Refusal<'quote_form_invalid'> | null {
  const sent = PROPERTIES.filter((property) => (input[property] ?? null) !== null);
  if (!payWithPoints) {
    const details = sent.map((path): Detail => ({ path, message: 'is not for a reward of a fixed price' }));
    return sent.length > 0
      ? refuse('quote_form_invalid', 'The reward has a fixed price: send no points and no amounts.', details)
      : null;
  }
  if (sent.includes('points') === sent.includes('amountMinor')) {
    return refuse('quote_form_invalid', 'The reward is paid with points: send either points or amountMinor.');
  }
  if (payWithPoints.maximumShareOfOrder && !sent.includes('orderAmountMinor')) {
    return refuse('quote_form_invalid', 'Only a part of an order can be paid with points: send its amount.', [
      { path: 'orderAmountMinor', message: 'is required for this reward' },
    ]);
  }
  return null;
}

/** What a quote costs. */
export interface QuotedPrice {
  points: number;
  /** Absent where the reward has a fixed price. */
  discount?: DiscountTerms;
}

/**
 * The price of a reward in a version for a member with so many available points. Refusals: `points_out_of_range`,
 * `insufficient_points`.
 * @param input that `refuseForm` does not refuse
 */
export function quotedPrice(
  { document: { currency } }: ProgramVersion,
  reward: Reward,
  input: PaymentInput,
  available: number,
): QuotedPrice | Refusal<'insufficient_points' | 'points_out_of_range'> {
  const { payWithPoints } = reward;
  if (payWithPoints) {
    const payment = paymentOf(payWithPoints, input, available);
    if (isRefusal(payment)) return payment;
    const { pointsPerUnit, unitMinor } = payWithPoints;
    const { orderAmountMinor = null } = input;
    const amountMinor = payment.discountMinor;
    return {
      points: payment.points,
      discount: { amountMinor, currency, orderAmountMinor, pointsPerUnit, unitMinor },
    };
  }
  const points = leastPoints(reward);
  if (available >= points) return { points };
  return refuse(
    'insufficient_points',
    `The member has ${available} available points; the reward costs ${points}.`,
  );
}
