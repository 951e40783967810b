import type { PlainPayment, PlainReward } from '../programs/program.ts';
import type { Random } from '../random.ts';
import type { ModelQuote, Prediction } from './model.ts';

/** What a quote says of how many points are paid. */
export interface AskedPayment {
  points?: number;
  amountMinor?: number;
  orderAmountMinor?: number;
}

/** Whether a quote says what the reward asks for. */
export function isOfForm({ payment }: PlainReward, asked: AskedPayment): boolean {
  const { points, amountMinor, orderAmountMinor } = asked;
  if (!payment) return points === undefined && amountMinor === undefined && orderAmountMinor === undefined;
  const forms = [points, amountMinor].filter((form) => form !== undefined).length;
  return forms === 1 && (payment.percent === null || orderAmountMinor !== undefined);
}

/** The price of a reward for somebody with so many points. @param asked of the reward's form */
export function priceOf(
  { points, payment }: PlainReward,
  asked: AskedPayment,
  available: number,
): Pick<ModelQuote, 'points' | 'discount'> | Extract<Prediction, { code: unknown }> {
  if (!payment) {
    return available < points ? { code: 'insufficient_points' } : { points, discount: null };
  }
  const requestedPoints = asked.points ?? highest(payment, (paid) => isAllowed(payment, asked, paid));
  if (
    requestedPoints < payment.minimum ||
    requestedPoints % payment.step > 0 ||
    !isAllowed(payment, asked, requestedPoints)
  ) {
    return { code: 'points_out_of_range' };
  }
  const paid =
    asked.points ?? highest(payment, (each) => each <= available && isAllowed(payment, asked, each));
  if (paid < payment.minimum || paid > available) return { code: 'insufficient_points' };
  const { orderAmountMinor = null } = asked;
  const amountMinor = Number((BigInt(paid) * BigInt(payment.unitMinor)) / BigInt(payment.perUnit));
  return { points: paid, discount: { amountMinor, orderAmountMinor } };
}

/** Whether what was asked for, and the limits of the reward, allow so many points. */
function isAllowed(payment: PlainPayment, asked: AskedPayment, points: number): boolean {
  const { perUnit, unitMinor, maximum, percent } = payment;
  // In units of 1/(100 * perUnit) of a minor unit.
  const discount = BigInt(points) * BigInt(unitMinor) * 100n;
  const within = (amountMinor: number | undefined, of: number): boolean =>
    amountMinor === undefined || discount <= BigInt(amountMinor) * BigInt(of) * BigInt(perUnit);
  return (
    (maximum === null || points <= maximum) &&
    within(asked.amountMinor, 100) &&
    within(asked.orderAmountMinor, percent ?? 100) &&
    within(1e12, 100)
  );
}

/** The highest multiple of the step that suits, where all lower ones suit too. */
function highest({ step }: PlainPayment, suits: (points: number) => boolean): number {
  let [low, high] = [0, Math.floor(Number.MAX_SAFE_INTEGER / step)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (suits(middle * step)) low = middle;
    else high = middle - 1;
  }
  return low * step;
}

/** What a quote says of a reward: mostly of its form, and mostly something that the member can pay. */
export function inventPayment(random: Random, payment: PlainPayment | null, available: number): AskedPayment {
  if (!payment) return random.chance(0.02) ? { points: 1 } : {};
  const { perUnit, unitMinor, step, minimum } = payment;
  const worth = Math.min(1e9, Math.ceil((Math.max(available, minimum) * unitMinor) / perUnit));
  const amount = random.between(1, worth * 2);
  const points = Math.max(minimum, random.between(0, Math.floor(available / step) + 1) * step);
  const byPoints = random.chance(0.5);
  return {
    ...(byPoints ? { points: random.chance(0.05) ? points + 1 : points } : { amountMinor: amount }),
    ...(payment.percent !== null || random.chance(0.3)
      ? { orderAmountMinor: random.between(1, worth * random.pick([2, 10, 100])) }
      : {}),
    ...(random.chance(0.03) ? { points: 1, amountMinor: 1 } : {}),
  };
}
