import type { Rounding } from '../programs/document-values.ts';
import type { PlainProgram } from './plain-program.ts';

interface Sale {
  amountMinor: number;
  channel: string;
  category: string | null;
  tier: string;
  /** Points that count against the limit already. */
  counted: number;
}

/** The model's account of what a sale earns: plain arithmetic on whole numbers. */
export function awardOf(
  program: PlainProgram,
  { amountMinor, channel, category, tier, counted }: Sale,
): { points: number; rulePoints: number } | { code: 'member_limit_reached' } {
  const rule = program.rules.find(
    (candidate) =>
      (candidate.channel === null || candidate.channel === channel) &&
      (candidate.category === null || candidate.category === category),
  );
  if (!rule) return { points: 0, rulePoints: 0 };
  // Hundredths of a dollar, times units a point, times points a dollar.
  const rulePoints = divide(
    BigInt(amountMinor) * BigInt(10 ** program.precision) * BigInt(rule.numerator),
    100n * BigInt(rule.denominator),
    rule.rounding,
  );
  const multiplier = program.tiers.find((candidate) => candidate.id === tier);
  if (!multiplier) throw new Error(`the model knows no tier ${tier}`);
  const earned = divide(
    rulePoints * BigInt(multiplier.numerator),
    BigInt(multiplier.denominator),
    rule.tierRounding,
  );
  const { limit } = program;
  if (!limit) return { points: Number(earned), rulePoints: Number(rulePoints) };
  const room = Math.max(limit.points - counted, 0);
  if (earned > room && limit.onExceed === 'reject') return { code: 'member_limit_reached' };
  return { points: Math.min(Number(earned), room), rulePoints: Number(rulePoints) };
}

/** The name of what a profile has counted in the period of that kind that holds the instant. */
export function countedName(
  profile: string,
  period: 'day' | 'month' | 'year' | 'lifetime',
  at: Date,
): string {
  const length = { day: 10, month: 7, year: 4, lifetime: 0 }[period];
  return `${profile} ${period} ${at.toISOString().slice(0, length)}`;
}

/** Neither is negative; the divisor is not zero. */
function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const whole = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  switch (rounding) {
    case 'floor':
      return whole;
    case 'ceil':
      return twice > 0n ? whole + 1n : whole;
    case 'nearest_half_up':
      return twice >= divisor ? whole + 1n : whole;
    case 'nearest_half_even':
      return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
  }
}
