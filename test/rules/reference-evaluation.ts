import type { Condition, Rounding } from '../../src/programs/document-values.ts';
import type { PurchaseEvaluationInput } from '../../src/rules/evaluate-purchase.ts';

/**
 * A second implementation of earning, to compare with: written from the decisions, sharing no code with src, slow and
 * plain. Fractions are kept reduced, and rounding searches the neighbours instead of computing.
 */
class Fraction {
  readonly n: bigint;
  readonly d: bigint;
  constructor(n: bigint, d: bigint) {
    let [a, b] = [n, d];
    while (b !== 0n) [a, b] = [b, a % b];
    const common = a === 0n ? 1n : a;
    this.n = n / common;
    this.d = d / common;
  }
  times(n: number | bigint, d: number | bigint = 1): Fraction {
    return new Fraction(this.n * BigInt(n), this.d * BigInt(d));
  }
  /** The integers on both sides; the same one twice where the fraction is one. */
  neighbours(): [bigint, bigint] {
    const text = this.n / this.d;
    return text * this.d === this.n ? [text, text] : [text, text + 1n];
  }
  round(how: Rounding): bigint {
    const [below, above] = this.neighbours();
    if (how === 'floor') return below;
    if (how === 'ceil') return above;
    const toBelow = this.n - below * this.d;
    const toAbove = above * this.d - this.n;
    if (toBelow < toAbove) return below;
    if (toAbove < toBelow) return above;
    if (how === 'nearest_half_up') return above;
    return below % 2n === 0n ? below : above;
  }
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The values that a field has: none where it is absent, several for a field of the items. */
function valuesOf(
  { program, purchase, profile, evaluationAt }: PurchaseEvaluationInput,
  field: string,
): unknown[] {
  const [section, ...rest] = field.split('.');
  const name = rest.join('.');
  const present = (value: unknown) => (value === undefined || value === null ? [] : [value]);
  if (section === 'purchase') {
    if (name === 'currency') return [purchase.currency ?? program.currency];
    return present(Object.entries(purchase).find(([key]) => key === name)?.[1]);
  }
  if (section === 'profile') return present(Object.entries(profile).find(([key]) => key === name)?.[1]);
  if (section === 'attributes') {
    return present(Object.entries(purchase.attributes ?? {}).find(([key]) => key === name)?.[1]);
  }
  if (section === 'items') {
    const lines = (purchase.items ?? []).map((line) => ({ ...line, quantity: line.quantity ?? 1 }));
    return lines.flatMap((line) => present(Object.entries(line).find(([key]) => key === name)?.[1]));
  }
  if (section !== 'time' || (program.timeZone ?? 'UTC') !== 'UTC') throw new Error(`not covered: ${field}`);
  const iso = evaluationAt.toISOString();
  if (name === 'date') return [iso.slice(0, 10)];
  if (name === 'hour') return [Number(iso.slice(11, 13))];
  if (name === 'dayOfMonth') return [Number(iso.slice(8, 10))];
  if (name === 'month') return [Number(iso.slice(5, 7))];
  return [(weekdays[evaluationAt.getUTCDay()] ?? '').toLowerCase()];
}

function holds(input: PurchaseEvaluationInput, { field, operator, value }: Condition): boolean {
  const values = valuesOf(input, field);
  const list = Array.isArray(value) ? value : [value];
  const compare =
    (test: (a: number | string, b: number | string) => boolean, bound: unknown) => (v: unknown) =>
      ['number', 'string'].includes(typeof v) &&
      typeof v === typeof bound &&
      test(v as number, bound as number);
  switch (operator) {
    case 'equals':
      return values.some((v) => v === value);
    case 'not_equals':
      return values.every((v) => v !== value);
    case 'in':
      return values.some((v) => list.some((one) => one === v));
    case 'not_in':
      return values.every((v) => list.every((one) => one !== v));
    case 'gt':
      return values.some(compare((a, b) => a > b, value));
    case 'gte':
      return values.some(compare((a, b) => a > b || a === b, value));
    case 'lt':
      return values.some(compare((a, b) => a < b, value));
    case 'lte':
      return values.some(compare((a, b) => a < b || a === b, value));
    case 'between':
      return values.some(
        (v) =>
          !compare((a, b) => a < b, list[0])(v) &&
          compare((a, b) => a <= b, list[1])(v) &&
          typeof v === typeof list[0],
      );
    case 'exists':
      return values.length > 0 === value;
  }
}

/** Points, base points and qualification points of a purchase under a program without campaigns, or a refusal's code. */
export function referenceEvaluation(
  input: PurchaseEvaluationInput,
): { points: number; qualificationPoints: number; rule: string | null } | string {
  const { program, purchase, profile, limitUsed } = input;
  const rule = program.earn.rules.find(({ match, conditions }) => {
    const held = conditions.filter((condition) => holds(input, condition)).length;
    return match === 'all' ? held === conditions.length : held > 0;
  });
  const tier = program.tiers.find(({ id }) => id === profile.tier);
  if (!tier) throw new Error('not covered: a tier that the program does not have');
  if (!rule) return { points: 0, qualificationPoints: 0, rule: null };
  const { earn } = rule;
  const majorUnits = new Fraction(BigInt(purchase.amountMinor), 10n ** BigInt(earn.currencyExponent));
  const rulePoints = majorUnits
    .times(earn.rateNumerator, earn.rateDenominator)
    .times(10n ** BigInt(earn.loyaltyUnitPrecision))
    .round(earn.rounding);
  const base = new Fraction(rulePoints, 1n)
    .times(tier.multiplier.numerator, tier.multiplier.denominator)
    .round(earn.tierRounding);
  if (rulePoints > 2n ** 53n - 1n || base > 2n ** 53n - 1n) return 'balance_limit_exceeded';
  let points = Number(base);
  const limit = program.memberLimit;
  if (limit && limitUsed + points > limit.points) {
    if (points > 0 && limit.onExceed === 'reject') return 'member_limit_reached';
    points = limitUsed > limit.points ? 0 : limit.points - limitUsed;
  }
  return { points, qualificationPoints: Number(rulePoints), rule: rule.id };
}
