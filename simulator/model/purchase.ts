import type { PlainProgram, PlainVersion } from '../programs/program.ts';
import { type Award, awardOf } from './award.ts';
import { shown } from './baskets.ts';
import { tellOfCaps } from './campaigns.ts';
import { grantTiers } from './choices.ts';
import { codeName, type ModelCode } from './codes.ts';
import { Counters } from './counters.ts';
import { earn, pendingUntil, tellOfAward } from './earning.ts';
import { settledBalance, storeBalance } from './ledger.ts';
import { type Model, nameOf, type Prediction } from './model.ts';
import type { Moment } from './moment.ts';
import type { ModelProfile } from './profile.ts';
import { PINNED, type Pin, type Purchase, type PurchasedItem } from './purchase-input.ts';
import { referralOf } from './referral.ts';
import type { ModelLine } from './returns.ts';
import { standingNow, standingWith, tellOfTier } from './standing.ts';

/** Applies a purchase to the model, and predicts its outcome. */
export function predictPurchase(model: Model, input: Purchase, moment: Moment): Prediction {
  const { now } = moment;
  const { programId, externalCustomerId, sourceReference } = input;
  if (!model.programs.get(programId)) return { code: 'program_not_found' };
  if (!model.isActive(externalCustomerId)) return { code: 'member_not_found' };
  if (model.orders.get(sourceReference) !== null) return { code: 'source_reference_conflict' };
  const name = nameOf(programId, externalCustomerId);
  const profile = model.profiles.get(name);
  if (!profile?.enrolled) return { code: 'enrollment_required' };
  const occurredAt = input.occurredAt ? new Date(input.occurredAt) : now;
  if (occurredAt.getTime() - now.getTime() > 300_000) return { code: 'invalid_event' };
  const chosen = chooseVersion(model, input, now);
  if ('code' in chosen) return chosen;
  if (input.currency && input.currency !== 'USD') return { code: 'currency_mismatch' };

  // The present version decides the tier, whichever version the event is evaluated under.
  const present = model.versionAt(programId, now)?.program ?? chosen.program;
  const standing = standingNow(present, profile, now);
  const at = chosen.pin ? occurredAt : now;
  const counters = new Counters(model, programId, name, at.getTime());
  const ofPool = codeOf(model, chosen.program, input);
  const tier = chosen.pin?.memberTier ?? standing.tier;
  const sale = saleOf(model, input, profile, { at, tier, ofPool });
  const award = awardOf(chosen.program, sale, counters);
  if ('code' in award) return award;

  const { points, basePoints, rulePoints } = award;
  const risen = standingWith(present, standing, rulePoints, { at, now });
  const balance = settledBalance(profile, now);
  const times = { occurredAt: occurredAt.getTime(), at: at.getTime() };
  const place = earn(balance, chosen.program, { order: sourceReference, points, ...times });
  const referral = referralOf(model, input, moment, { program: chosen.program, profile, ...times });
  const reward = { order: null, points: referral?.refereePoints ?? 0, ...times };
  const refereeLot = referral && earn(balance, chosen.program, reward);
  storeBalance(model, name, balance, {
    ...risen,
    purchases: profile.purchases + 1,
    spentMinor: profile.spentMinor + input.amountMinor,
    hasCode: profile.hasCode || present.referral !== null,
    referredBy: referral ? referral.referrer : profile.referredBy,
  });
  const told = toldOf(input, occurredAt, pendingUntil(balance, place ?? refereeLot));
  tellOfAward(model, name, 'purchase.completed', { ...told, points, basePoints });
  tellOfTier(model, name, profile.tier, risen);
  grantTiers(model, externalCustomerId, present, { from: profile.tier, to: risen.tier, now: now.getTime() });
  tellOfAward(model, name, 'referral.awarded', { ...told, points: reward.points });
  const referrerLot = referral?.pay() ?? null;
  tellOfCaps(model, chosen.program, award.campaigns, counters);
  counters.commit();
  if (award.redeemed) useCode(model, input, ofPool);
  model.orders.set(sourceReference, {
    profile: name,
    ...{ programId, externalCustomerId, points, amountMinor: input.amountMinor, returnedMinor: 0 },
    lines: (input.items ?? []).map((item, index) => lineOf(item, index, award)),
    returnedLines: {},
    lot: place,
    referral: referral && !referral.kept ? { referrer: referral.referrer, referrerLot, refereeLot } : null,
  });
  return {
    receipt: {
      ...receiptOf(award, input, ofPool),
      member: { externalCustomerId, tier: risen.tier },
      referral: referral ? referral.receipt : null,
      ...evaluationOf(chosen, at),
    },
  };
}

/** The code of a pool that a purchase comes with. A coupon of the version whose code it is comes first. */
function codeOf(
  model: Model,
  { coupons }: PlainVersion['program'],
  { programId, couponCode }: Purchase,
): ModelCode | null {
  if (!couponCode || coupons.some(({ code }) => code === couponCode)) return null;
  return model.codes.get(codeName(programId, couponCode));
}

function useCode(model: Model, { programId, couponCode = '' }: Purchase, ofPool: ModelCode | null): void {
  if (ofPool) model.codes.set(codeName(programId, couponCode), { ...ofPool, uses: ofPool.uses + 1 });
}

/** What the receipt says of the evaluation. */
function evaluationOf(
  { pin, version, program }: { pin: Pin | null; version: number; program: PlainProgram },
  at: Date,
) {
  return {
    evaluationMode: pin ? PINNED : 'receipt_time_current_configuration',
    evaluationAt: at.toISOString(),
    configurationVersion: version,
    loyaltyUnitPrecision: program.precision,
  };
}

/** What all awards of a purchase tell. Their lots have the same dates. */
function toldOf({ sourceReference }: Purchase, occurredAt: Date, activatesAt: string | null) {
  return { sourceReference, occurredAt: occurredAt.toISOString(), activatesAt };
}

/** The part of the receipt that follows from the award. */
function receiptOf(
  { points, basePoints, campaigns, redeemed, byPart }: Award,
  { couponCode }: Purchase,
  ofPool: ModelCode | null,
) {
  return {
    status: 'committed',
    award: { points, basePoints, campaignPoints: points - basePoints },
    campaigns: campaigns.map((given) => ({ campaignId: given.id, points: given.points })),
    coupon: couponCode ? { code: ofPool?.shown ?? couponCode.trim(), valid: redeemed, redeemed } : null,
    ...(byPart ? { lines: shown(byPart) } : {}),
  };
}

function saleOf(
  model: Model,
  input: Purchase,
  { purchases, spentMinor }: ModelProfile,
  { at, tier, ofPool }: { at: Date; tier: string; ofPool: ModelCode | null },
) {
  const { externalCustomerId, amountMinor, channel, couponCode = null } = input;
  const { tags = [], lists = [] } = model.members.get(externalCustomerId) ?? {};
  const known = { purchases, spent: spentMinor, tags, lists };
  return {
    externalCustomerId,
    at: at.getTime(),
    tier,
    ...known,
    channel,
    amountMinor,
    items: input.items ?? [],
    couponCode,
    ofPool,
  };
}

function lineOf(
  { lineReference, quantity = 1, unitPriceMinor = 0 }: PurchasedItem,
  index: number,
  { byPart }: Award,
): ModelLine {
  const points = byPart?.find((part) => part.index === index)?.points ?? null;
  return { reference: lineReference, quantity, price: unitPriceMinor, points };
}

function chooseVersion(
  model: Model,
  input: Purchase,
  now: Date,
): (Pick<PlainVersion, 'version' | 'program'> & { pin: Pin | null }) | Extract<Prediction, { code: string }> {
  const pin = input.context?.attributes.svcEvaluation ?? null;
  if (!pin) {
    const version = model.versionAt(input.programId, now);
    return version ? { ...version, pin } : { code: 'program_not_found' };
  }
  if (!input.occurredAt || !pin.configurationVersion || !pin.memberTier) return { code: 'invalid_event' };
  const occurredAt = new Date(input.occurredAt);
  let inForce: PlainVersion | null = null;
  for (const version of model.programs.get(input.programId) ?? []) {
    if (version.publishedAt <= occurredAt && version.effectiveFrom <= occurredAt) inForce = version;
  }
  if (!inForce || inForce.version !== pin.configurationVersion)
    return { code: 'configuration_not_effective' };
  if (!inForce.program.tiers.some((tier) => tier.id === pin.memberTier)) return { code: 'unknown_tier' };
  return { ...inForce, pin };
}
