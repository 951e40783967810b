import { documentOf, type PlainProgram, type PlainVersion } from '../programs/program.ts';
import { referenceEvaluation } from './award/evaluation.ts';
import { heldOutOf } from './award/holdout.ts';
import type { Award } from './award/situation.ts';
import { capsUsed, countAward, couponUsed, historyOf, limitUsed, tellOfCaps } from './campaigns.ts';
import { grantTiers } from './choices.ts';
import { codeName, type ModelCode, poolCodeOf } from './codes.ts';
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

  // The present version decides the tier, whichever version the event is evaluated under.
  const present = model.versionAt(programId, now)?.program ?? chosen.program;
  const standing = standingNow(present, profile, now);
  const at = chosen.pin ? occurredAt : now;
  const counters = new Counters(model, programId, name, at.getTime());
  const ofPool = codeOf(model, chosen.program, input);
  const { qualificationPoints } = standing;
  const award = evaluated(model, input, chosen, {
    ...{ at, occurredAt, profile, ofPool, counters },
    standing: { tier: chosen.pin?.memberTier ?? standing.tier, qualificationPoints },
  });
  if (typeof award === 'string') return { code: award };

  const { points, basePoints } = award;
  const risen = standingWith(present, standing, award.qualificationPoints, { at, now });
  const balance = settledBalance(profile, now);
  const times = { occurredAt: occurredAt.getTime(), at: at.getTime() };
  const lotIndex = earn(balance, chosen.program, { order: sourceReference, points, ...times });
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
  const told = toldOf(input, occurredAt, pendingUntil(balance, lotIndex ?? refereeLot));
  tellOfAward(model, name, 'purchase.completed', { ...told, points, basePoints });
  tellOfTier(model, name, profile.tier, risen);
  grantTiers(model, externalCustomerId, present, { from: profile.tier, to: risen.tier, now: now.getTime() });
  tellOfAward(model, name, 'referral.awarded', { ...told, points: reward.points });
  const referrerLot = referral?.pay() ?? null;
  tellOfCaps(model, chosen.program, award.campaigns, counters);
  countAward(chosen.program, award, couponIdOf(input, ofPool), counters);
  counters.commit();
  if (award.coupon?.valid) useCode(model, input, ofPool);
  model.orders.set(sourceReference, {
    profile: name,
    ...{ programId, externalCustomerId, points, amountMinor: input.amountMinor, returnedMinor: 0 },
    lines: (input.items ?? []).map((item, index) => lineOf(item, index, award)),
    returnedLines: {},
    lot: lotIndex,
    referral: referral && !referral.isKept ? { referrer: referral.referrer, referrerLot, refereeLot } : null,
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

interface Evaluated {
  at: Date;
  occurredAt: Date;
  profile: ModelProfile;
  standing: { tier: string; qualificationPoints: number };
  ofPool: ModelCode | null;
  counters: Counters;
}

/** What the second implementation of the rules says that the purchase earns. */
function evaluated(
  model: Model,
  input: Purchase,
  { pin, program }: { pin: Pin | null; program: PlainProgram },
  { at, occurredAt, profile, standing, ofPool, counters }: Evaluated,
) {
  const { externalCustomerId } = input;
  const document = documentOf(program);
  return referenceEvaluation({
    program: document,
    mode: modeOf({ pin }),
    evaluationAt: at,
    purchase: { ...input, occurredAt },
    profile: standing,
    member: historyOf(model, externalCustomerId, profile),
    limitUsed: limitUsed(program, counters),
    capsUsed: capsUsed(program, counters),
    heldOut: heldOutOf(document, externalCustomerId),
    couponUsed: couponUsed(couponIdOf(input, ofPool), counters),
    poolCode: poolCodeOf(ofPool, externalCustomerId),
  });
}

/** The `code` of the purchase's coupon: of a code of a pool the pool's name. */
function couponIdOf({ couponCode = '' }: Purchase, ofPool: ModelCode | null): string {
  return ofPool?.pool ?? couponCode;
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
    evaluationMode: modeOf({ pin }),
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
  { points, basePoints, campaigns, coupon, lines }: Award,
  { couponCode }: Purchase,
  ofPool: ModelCode | null,
) {
  return {
    status: 'committed',
    award: { points, basePoints, campaignPoints: points - basePoints },
    campaigns,
    coupon:
      couponCode && coupon
        ? { code: ofPool?.shown ?? couponCode.trim(), valid: coupon.valid, redeemed: coupon.valid }
        : null,
    ...(lines ? { lines } : {}),
  };
}

function modeOf({ pin }: { pin: Pin | null }) {
  return pin ? PINNED : 'receipt_time_current_configuration';
}

function lineOf(
  { lineReference, quantity = 1, unitPriceMinor = 0 }: PurchasedItem,
  index: number,
  { lines }: Award,
): ModelLine {
  const points = lines?.find((line) => line.index === index)?.points ?? null;
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
