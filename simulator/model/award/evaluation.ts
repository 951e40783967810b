import type { ErrorCode } from '../../../src/contract/generated/error-codes.ts';
import type { EarnRule, Tier } from '../../../src/programs/document/program-document.ts';
import { datesOf } from '../dates.ts';
import { handOut, inDecision, lineAwards, looksAtLines, meant, type Ware, waresOf } from './baskets.ts';
import { bonus, type Laid, layCampaigns, proportionOf } from './bonuses.ts';
import { matches } from './conditions.ts';
import { asConditionsSee, couponOf } from './coupons.ts';
import { Rational } from './rational.ts';
import type { Award, Decided, LineAward, Situation } from './situation.ts';

const MOST = 2n ** 53n - 1n;

type Refused = Extract<
  ErrorCode,
  'currency_mismatch' | 'unknown_tier' | 'member_limit_reached' | 'balance_limit_exceeded'
>;

/**
 * A second implementation of what a purchase earns, for the simulator and the tests to compare with: written from the
 * decisions and the types of the document, in plain rational arithmetic, sharing no code with src.
 * @returns the code of the refusal where it is refused
 */
export function referenceEvaluation(asked: Situation): Award | Refused {
  const { program, purchase, limitUsed } = asked;
  if ((purchase.currency ?? program.currency) !== program.currency) return 'currency_mismatch';
  const tier = tierOf(asked);
  if (tier === null) return 'unknown_tier';
  const inTier = { ...asked, profile: { ...asked.profile, tier: tier.id } };
  const coupon = couponOf(inTier);
  const situation = asConditionsSee(inTier, coupon);

  const wares = looksAtLines(situation) ? waresOf(situation) : null;
  const { rulePoints, base, decisions, shelves } = wares
    ? basePointsOfWares(situation, tier, wares)
    : { ...basePoints(situation, tier), shelves: [] };
  if (rulePoints > MOST || base > MOST) return 'balance_limit_exceeded';
  const campaigns = layCampaigns(situation, base, wares ?? []);
  decisions.push(...campaigns.decisions);
  const ofCoupon = coupon?.award ? bonus(coupon.award, base) : 0n;
  if (coupon) decisions.push(`coupon ${coupon.id} ${coupon.valid ? ofCoupon : 'no'}`);

  // The limit takes points off from the end: the coupon's, the last campaign's, …, the base points.
  const bases: Laid[] = wares ? shelves : [{ id: '', points: base }];
  const parts: Laid[] = [
    ...bases,
    ...campaigns.laid,
    { id: '', points: ofCoupon, wares: wares ?? [], by: proportionOf(coupon?.award) },
  ];
  const before = sum(parts);
  if (before > MOST) return 'balance_limit_exceeded';
  if (program.memberLimit) {
    const { points: limit, onExceed } = program.memberLimit;
    const remaining = limit > limitUsed ? BigInt(limit - limitUsed) : 0n;
    if (before > remaining && onExceed === 'reject') return 'member_limit_reached';
    for (const part of parts.toReversed()) {
      const excess = sum(parts) - remaining;
      if (excess > 0n) part.points -= excess < part.points ? excess : part.points;
    }
    const reduction = before - sum(parts);
    decisions.push(`member_limit member_limit ${reduction > 0n ? -reduction : 'no'}`);
  }
  const points = sum(parts);
  return {
    points: Number(points),
    basePoints: Number(sum(parts.slice(0, bases.length))),
    campaigns: parts
      .slice(bases.length, -1)
      .map(({ id, points: given }) => ({ campaignId: id, points: Number(given) }))
      .filter(({ points: given }) => given > 0),
    coupon: coupon && { valid: coupon.valid, points: Number(parts.at(-1)?.points) },
    qualificationPoints: Number(rulePoints),
    tier: tier.id,
    decisions,
    lines: wares && linesOf(wares, parts),
    ...(points > 0n ? lifeOf(situation) : { activatesAt: null, expiresAt: null }),
  };
}

/** What each line earned of all parts of the award. */
function linesOf(wares: readonly Ware[], parts: readonly Laid[]): LineAward[] {
  for (const { points, wares: its = [], by } of parts) {
    if (!by) continue;
    handOut(points, its, by).forEach((share, index) => {
      const ware = its[index];
      if (ware) ware.points += share;
    });
  }
  return lineAwards(
    wares,
    wares.map(({ points }) => points),
  );
}

function sum(parts: readonly Laid[]): bigint {
  let total = 0n;
  for (const { points } of parts) total += points;
  return total;
}

/** The profile's tier; where the document has none of that name, the one that the points reach, unless it is pinned. */
function tierOf({ program, profile, mode }: Situation): Tier | null {
  const memberTier = program.tiers.find(({ id }) => id === profile.tier);
  if (memberTier || mode === 'event_time_pinned_configuration') return memberTier ?? null;
  const reached = program.tiers.filter(({ threshold }) => threshold <= profile.qualificationPoints);
  return reached.toSorted((a, b) => b.threshold - a.threshold)[0] ?? null;
}

function basePoints(
  situation: Situation,
  tier: Tier,
): { rulePoints: bigint; base: bigint; decisions: Decided[] } {
  const { program, purchase } = situation;
  const first = program.earn.rules.findIndex((rule) => matches(rule, situation));
  const rule = program.earn.rules[first];
  const decided = (points: bigint) =>
    program.earn.rules.map(({ id }, index) => `earn_rule ${id} ${index === first ? points : 'no'}`);
  if (!rule) return { rulePoints: 0n, base: 0n, decisions: [...decided(0n), `tier ${tier.id} no`] };
  const { rulePoints, base } = earned(BigInt(purchase.amountMinor), rule, tier);
  return { rulePoints, base, decisions: [...decided(rulePoints), `tier ${tier.id} ${base - rulePoints}`] };
}

/** What a rule gives for an amount in minor units, before and after the tier. */
function earned(amountMinor: bigint, { earn }: EarnRule, { multiplier }: Tier) {
  const rulePoints = new Rational(amountMinor, 10n ** BigInt(earn.currencyExponent))
    .times(earn.rateNumerator, earn.rateDenominator)
    .times(10n ** BigInt(earn.loyaltyUnitPrecision))
    .round(earn.rounding);
  const { numerator, denominator } = multiplier;
  return {
    rulePoints,
    base: new Rational(rulePoints).times(numerator, denominator).round(earn.tierRounding),
  };
}

/**
 * Of a program that looks at lines: each rule takes what it is for from what is left, up to the first that is for all
 * that is left.
 */
function basePointsOfWares(
  situation: Situation,
  tier: Tier,
  wares: readonly Ware[],
): { rulePoints: bigint; base: bigint; decisions: Decided[]; shelves: Laid[] } {
  const decisions: Decided[] = [];
  const shelves: Laid[] = [];
  let [remainingWares, rulePoints, base] = [[...wares], 0n, 0n];
  let isFinished = false;
  for (const rule of situation.program.earn.rules) {
    const { id, lines } = rule;
    const its = lines === undefined ? remainingWares : meant(lines, remainingWares, situation);
    if (isFinished || !matches(rule, situation) || (lines !== undefined && its.length === 0)) {
      decisions.push(`earn_rule ${id} no`);
      continue;
    }
    isFinished = lines === undefined;
    remainingWares = remainingWares.filter((ware) => !its.includes(ware));
    const value = its.reduce((all, ware) => all + ware.value, 0n);
    const points = earned(value, rule, tier);
    const byValue = (ware: Ware) => ware.value;
    const ofRule = handOut(points.rulePoints, its, byValue);
    decisions.push(`earn_rule ${id} ${points.rulePoints}${inDecision(its, ofRule)}`);
    handOut(points.base, its, byValue).forEach((share, index) => {
      const ware = its[index];
      if (ware) ware.base += share;
    });
    shelves.push({ id: '', points: points.base, wares: its, by: byValue });
    rulePoints += points.rulePoints;
    base += points.base;
  }
  decisions.push(`tier ${tier.id} ${shelves.length > 0 ? base - rulePoints : 'no'}`);
  return { rulePoints, base, decisions, shelves };
}

/** When the points can be spent, null for at once, and when they expire, null for never. */
function lifeOf({ program, purchase, evaluationAt }: Situation): Pick<Award, 'activatesAt' | 'expiresAt'> {
  const { pending, expiration = { policy: 'never' } } = program;
  const expiry = expiration.policy === 'end_of_period' ? { offsetDays: 0, ...expiration } : expiration;
  const { activatesAt, expiresAt } = datesOf(
    { pendingDays: pending?.days ?? 0, expiry },
    purchase.occurredAt.getTime(),
    evaluationAt.getTime(),
  );
  const date = (instant: number | null) => (instant === null ? null : new Date(instant));
  return { activatesAt: date(activatesAt), expiresAt: date(expiresAt) };
}
