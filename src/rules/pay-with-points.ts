import type { PayWithPoints } from '../programs/document/program-document.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { roundFraction } from './shared/rounding.ts';

/** The highest discount, in minor currency units: no order has a higher amount. */
const MOST_MINOR = 1_000_000_000_000;
const MAX_POINTS = BigInt(Number.MAX_SAFE_INTEGER);

/** What is asked for of a reward that is paid with points. */
export interface AskedPayment {
  /** Exactly so many points. */
  points?: number | null | undefined;
  /** A discount of at most so much, in minor currency units. */
  amountMinor?: number | null | undefined;
  /** The amount of the order that gets the discount, in minor currency units. */
  orderAmountMinor?: number | null | undefined;
}

/** Points and the discount that they pay for: `discountMinor` × `pointsPerUnit` = `points` × `unitMinor`, exactly. */
export interface Payment {
  points: number;
  /** In minor currency units. */
  discountMinor: number;
}

/** The step of the points, and the fewest that can be paid, with the defaults filled in. */
export function stepsOf({ pointsPerUnit, step = pointsPerUnit, minimumPoints = step }: PayWithPoints): {
  step: number;
  minimumPoints: number;
} {
  return { step, minimumPoints };
}

/**
 * The points to pay for a reward. Where points are asked for, it is exactly those. Where an amount is asked for, it is
 * as many points as the amount, the limits of the reward, the order and the balance allow. Refusals:
 * `points_out_of_range`, `insufficient_points`.
 * @param asked either points or an amount
 * @param available the member's available points
 */
export function paymentOf(
  reward: PayWithPoints,
  asked: AskedPayment,
  available: number,
): Payment | Refusal<'insufficient_points' | 'points_out_of_range'> {
  const { minimumPoints } = stepsOf(reward);
  const most = mostPoints(reward, asked.orderAmountMinor ?? null);
  const exact = asked.points ?? null;
  const requestedPoints = exact ?? Math.min(most, pointsFor(reward, asked.amountMinor ?? 0));
  if (
    requestedPoints < minimumPoints ||
    requestedPoints > most ||
    requestedPoints !== inSteps(reward, requestedPoints)
  ) {
    return outOfRange(reward, most, exact === null ? 'amountMinor' : 'points');
  }
  const points = exact ?? Math.min(requestedPoints, inSteps(reward, available));
  if (points < minimumPoints || points > available) {
    const needed = Math.max(points, minimumPoints);
    return refuse(
      'insufficient_points',
      `The member has ${available} available points, and ${needed} are needed.`,
    );
  }
  return { points, discountMinor: discountOf(reward, points) };
}

/**
 * The points that reversals of a part of a discount have to have given back, all together: round-half-up(points ×
 * reversed ÷ discount). Each gives back this number less the number before it, so that the whole discount gives back
 * just the points that paid for it, in however many parts.
 * @param reversedMinor at most the discount
 */
export function pointsGivenBack({ points, discountMinor }: Payment, reversedMinor: number): number {
  return Number(
    roundFraction(BigInt(points) * BigInt(reversedMinor), BigInt(discountMinor), 'nearest_half_up'),
  );
}

/** The most points that can be paid: at most the reward's maximum, and of the order no more than its share. */
function mostPoints(reward: PayWithPoints, orderAmountMinor: number | null): number {
  const { numerator, denominator } = reward.maximumShareOfOrder ?? { numerator: 1, denominator: 1 };
  const ofOrder =
    orderAmountMinor === null
      ? MOST_MINOR
      : Number((BigInt(orderAmountMinor) * BigInt(numerator)) / BigInt(denominator));
  return Math.min(reward.maximumPoints ?? Number.MAX_SAFE_INTEGER, pointsFor(reward, ofOrder));
}

/** The most points, in steps, whose discount is not above an amount. */
function pointsFor(reward: PayWithPoints, amountMinor: number): number {
  const points = (BigInt(amountMinor) * BigInt(reward.pointsPerUnit)) / BigInt(reward.unitMinor);
  return inSteps(reward, points > MAX_POINTS ? Number.MAX_SAFE_INTEGER : Number(points));
}

function inSteps(reward: PayWithPoints, points: number): number {
  return points - (points % stepsOf(reward).step);
}

/** Whole minor units: the document's step is worth some. */
function discountOf({ pointsPerUnit, unitMinor }: PayWithPoints, points: number): number {
  return Number((BigInt(points) * BigInt(unitMinor)) / BigInt(pointsPerUnit));
}

function outOfRange(
  reward: PayWithPoints,
  maximum: number,
  path: 'points' | 'amountMinor',
): Refusal<'points_out_of_range'> {
  const { step, minimumPoints } = stepsOf(reward);
  const range =
    maximum < minimumPoints
      ? `at least ${minimumPoints} points, and the order allows ${maximum}`
      : `${minimumPoints} to ${maximum} points, in steps of ${step}`;
  return refuse('points_out_of_range', `This reward is paid with ${range}.`, [
    { path, message: `must be worth ${range}` },
  ]);
}
