import type { ProgramDocument } from '../../../../src/programs/document/program-document.ts';
import { handOut, looksAtLines, meant, toldLines, type Ware, waresOf } from './baskets.ts';
import { type Laid, layCampaigns, proportionOf, redeem } from './bonuses.ts';
import { addDays, endOf } from './calendar.ts';
import { together } from './holds.ts';
import { Rational } from './rational.ts';
import type { Award, Decided, Situation } from './situation.ts';

const MOST = 2n ** 53n - 1n;

/**
 * A second implementation of what a purchase earns, to compare with: written from the decisions and the types of the
 * document, in plain rational arithmetic, sharing no code with src. Slow.
 * @returns the code of the refusal where it is refused
 */
export function referenceEvaluation(asked: Situation): Award | string {
  const { program, purchase, limitUsed } = asked;
  if ((purchase.currency ?? program.currency) !== program.currency) return 'currency_mismatch';
  const tier = tierOf(asked);
  if (tier === null) return 'unknown_tier';
  const situation = { ...asked, profile: { ...asked.profile, tier: tier.id } };

  const wares = looksAtLines(situation) ? waresOf(situation) : null;
  const { rulePoints, base, decisions, shelves } = wares
    ? basePointsOfWares(situation, tier, wares)
    : { ...basePoints(situation, tier), shelves: [] };
  if (rulePoints > MOST || base > MOST) return 'balance_limit_exceeded';
  const campaigns = layCampaigns(situation, base, wares ?? []);
  decisions.push(...campaigns.decisions);
  const coupon = redeem(situation, base);
  if (coupon) decisions.push(`coupon ${coupon.code} ${coupon.valid ? coupon.points : 'no'}`);

  // The limit takes points off from the end: the coupon's, the last campaign's, …, the base points.
  const ofCoupon = program.coupons?.find(({ code }) => code === coupon?.code)?.award;
  const bases: Laid[] = wares ? shelves : [{ id: '', points: base }];
  const parts: Laid[] = [
    ...bases,
    ...campaigns.laid,
    { id: '', points: coupon?.points ?? 0n, wares: wares ?? [], by: proportionOf(ofCoupon) },
  ];
  const before = sum(parts);
  if (before > MOST) return 'balance_limit_exceeded';
  if (program.memberLimit) {
    const { points: limit, onExceed } = program.memberLimit;
    const left = limit > limitUsed ? BigInt(limit - limitUsed) : 0n;
    if (before > left && onExceed === 'reject') return 'member_limit_reached';
    for (const part of parts.toReversed()) {
      const excess = sum(parts) - left;
      if (excess > 0n) part.points -= excess < part.points ? excess : part.points;
    }
    const taken = before - sum(parts);
    decisions.push(`member_limit member_limit ${taken > 0n ? -taken : 'no'}`);
  }

  for (const { points: given, wares: its = [], by } of parts) {
    if (!wares || !by) continue;
    handOut(given, its, by).forEach((share, index) => {
      const ware = its[index];
      if (ware) ware.points += share;
    });
  }
  const points = sum(parts);
  const dates = points > 0n ? lifeOf(situation) : { activatesAt: null, expiresAt: null };
  return {
    points: Number(points),
    basePoints: Number(sum(parts.slice(0, bases.length))),
    campaigns: Object.fromEntries(
      parts
        .slice(bases.length, -1)
        .flatMap(({ id, points: given }) => (given > 0n ? [[id, Number(given)]] : [])),
    ),
    coupon: coupon && { valid: coupon.valid, points: Number(parts.at(-1)?.points) },
    qualificationPoints: Number(rulePoints),
    tier: tier.id,
    decisions,
    lines:
      wares &&
      toldLines(
        wares,
        wares.map((ware) => ware.points),
      ),
    ...dates,
  };
}

function sum(parts: readonly Laid[]): bigint {
  let total = 0n;
  for (const { points } of parts) total += points;
  return total;
}

/** The profile's tier; where the document has none of that name, the one that the points reach, unless it is pinned. */
function tierOf({ program, profile, mode }: Situation): ProgramDocument['tiers'][number] | null {
  const own = program.tiers.find(({ id }) => id === profile.tier);
  if (own || mode === 'event_time_pinned_configuration') return own ?? null;
  const reached = program.tiers.filter(({ threshold }) => threshold <= profile.qualificationPoints);
  return reached.toSorted((a, b) => b.threshold - a.threshold)[0] ?? null;
}

function basePoints(
  situation: Situation,
  tier: ProgramDocument['tiers'][number],
): { rulePoints: bigint; base: bigint; decisions: Decided[] } {
  const { program, purchase } = situation;
  const first = program.earn.rules.findIndex((rule) => together(rule, situation));
  const rule = program.earn.rules[first];
  const said = (points: bigint) =>
    program.earn.rules.map(({ id }, index) => `earn_rule ${id} ${index === first ? points : 'no'}`);
  if (!rule) return { rulePoints: 0n, base: 0n, decisions: [...said(0n), `tier ${tier.id} no`] };
  const { earn } = rule;
  const majorUnits = new Rational(purchase.amountMinor, 10n ** BigInt(earn.currencyExponent));
  const rulePoints = majorUnits
    .times(earn.rateNumerator, earn.rateDenominator)
    .times(10n ** BigInt(earn.loyaltyUnitPrecision))
    .round(earn.rounding);
  const { numerator, denominator } = tier.multiplier;
  const base = new Rational(rulePoints).times(numerator, denominator).round(earn.tierRounding);
  return { rulePoints, base, decisions: [...said(rulePoints), `tier ${tier.id} ${base - rulePoints}`] };
}

/**
 * Of a program that looks at lines: each rule takes what it is for from what is left, up to the first that is for all
 * that is left.
 */
function basePointsOfWares(
  situation: Situation,
  tier: ProgramDocument['tiers'][number],
  wares: readonly Ware[],
): { rulePoints: bigint; base: bigint; decisions: Decided[]; shelves: Laid[] } {
  const decisions: Decided[] = [];
  const shelves: Laid[] = [];
  let [left, rulePoints, base] = [[...wares], 0n, 0n];
  let over = false;
  for (const { id, match, conditions, lines, earn } of situation.program.earn.rules) {
    const its = lines === undefined ? left : meant(lines, left, situation);
    if (over || !together({ match, conditions }, situation) || (lines !== undefined && its.length === 0)) {
      decisions.push(`earn_rule ${id} no`);
      continue;
    }
    over = lines === undefined;
    left = left.filter((ware) => !its.includes(ware));
    const value = its.reduce((all, ware) => all + ware.value, 0n);
    const points = new Rational(value, 10n ** BigInt(earn.currencyExponent))
      .times(earn.rateNumerator, earn.rateDenominator)
      .times(10n ** BigInt(earn.loyaltyUnitPrecision))
      .round(earn.rounding);
    const { numerator, denominator } = tier.multiplier;
    const tiered = new Rational(points).times(numerator, denominator).round(earn.tierRounding);
    const byValue = (ware: Ware) => ware.value;
    const told = toldLines(its, handOut(points, its, byValue));
    decisions.push(`earn_rule ${id} ${points} [${told.join(', ')}]`);
    handOut(tiered, its, byValue).forEach((share, index) => {
      const ware = its[index];
      if (ware) ware.base += share;
    });
    shelves.push({ id: '', points: tiered, wares: its, by: byValue });
    rulePoints += points;
    base += tiered;
  }
  decisions.push(`tier ${tier.id} ${shelves.length > 0 ? base - rulePoints : 'no'}`);
  return { rulePoints, base, decisions, shelves };
}

/** When the points can be spent, null for at once, and when they lapse, null for never. */
function lifeOf({ program, purchase, evaluationAt }: Situation): {
  activatesAt: Date | null;
  expiresAt: Date | null;
} {
  const ready = addDays(purchase.occurredAt, program.pending?.days ?? 0);
  const waits = (program.pending?.days ?? 0) > 0 && ready > evaluationAt;
  const from = waits ? ready : evaluationAt;
  const { expiration = { policy: 'never' } } = program;
  const activatesAt = waits ? ready : null;
  switch (expiration.policy) {
    case 'never':
      return { activatesAt, expiresAt: null };
    case 'end_of_period':
      return { activatesAt, expiresAt: addDays(endOf(expiration.period, from), expiration.offsetDays ?? 0) };
    default:
      return { activatesAt, expiresAt: addDays(from, expiration.days) };
  }
}
