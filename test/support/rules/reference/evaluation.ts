import type { ProgramDocument } from '../../../../src/programs/document/program-document.ts';
import { type Laid, layCampaigns, redeem } from './bonuses.ts';
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

  const { rulePoints, base, decisions } = basePoints(situation, tier);
  if (rulePoints > MOST || base > MOST) return 'balance_limit_exceeded';
  const campaigns = layCampaigns(situation, base);
  decisions.push(...campaigns.decisions);
  const coupon = redeem(situation, base);
  if (coupon) decisions.push(`coupon ${coupon.code} ${coupon.valid ? coupon.points : 'no'}`);

  // The limit takes points off from the end: the coupon's, the last campaign's, …, the base points.
  const parts: Laid[] = [
    { id: '', points: base },
    ...campaigns.laid,
    { id: '', points: coupon?.points ?? 0n },
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

  const points = sum(parts);
  const dates = points > 0n ? lifeOf(situation) : { activatesAt: null, expiresAt: null };
  return {
    points: Number(points),
    basePoints: Number(parts[0]?.points),
    campaigns: Object.fromEntries(
      parts.slice(1, -1).flatMap(({ id, points: given }) => (given > 0n ? [[id, Number(given)]] : [])),
    ),
    coupon: coupon && { valid: coupon.valid, points: Number(parts.at(-1)?.points) },
    qualificationPoints: Number(rulePoints),
    tier: tier.id,
    decisions,
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
