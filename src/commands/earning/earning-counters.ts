import type { PurchaseEarnInput } from '../../contract/generated/types.ts';
import type { Updates } from '../../ledger/command.ts';
import type { State } from '../../ledger/state.ts';
import { type CouponCodeRecord, poolCodeOf } from '../../ledger/tables/coupon-codes.ts';
import type { LimitCounterRecord } from '../../ledger/tables/limit-counters.ts';
import type { SharedCounterRecord } from '../../ledger/tables/shared-counters.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import type { ProgramVersion, PublishedProgram } from '../../programs/published/published-program.ts';
import { limitPeriodStart } from '../../rules/calendar/limit-period.ts';
import { compileProgram } from '../../rules/compiled/compiled-program.ts';
import { type CouponUse, couponIdOf, type PoolCode } from '../../rules/compiled/coupons.ts';
import type { CapUse } from '../../rules/earning/campaigns.ts';
import type { PurchaseEvaluation } from '../../rules/earning/evaluate-purchase.ts';
import { heldOutOf } from '../../rules/earning/holdout.ts';
import { memberLimitId } from '../../rules/earning/member-limit.ts';
import type { EvaluationRequest, PickedVersion } from '../../rules/earning/pick-version.ts';

/** A purchase as it was sent; a preview has no reference, and may have no customer. */
export type PurchaseFields = Omit<
  PurchaseEarnInput,
  'idempotencyKey' | 'sourceReference' | 'externalCustomerId'
> & { sourceReference?: string | null | undefined; externalCustomerId?: string | null | undefined };

/** A purchase, with the version and the instant at which it is evaluated. */
export interface Purchase {
  input: PurchaseFields;
  occurredAt: Date;
  picked: PickedVersion;
}

const NOTHING: readonly string[] = [];
const lifetime = limitPeriodStart('lifetime', new Date(0));
/** The counters of the versions from `from` on, as last asked for. */
const campaignCounters = new WeakMap<PublishedProgram, { from: number; counters: readonly string[] }>();

/**
 * Returns a function that names the shared counters that a purchase may change, so that they can be locked: the
 * counters of every version that the purchase may be evaluated under. It names none where no such version has a cap or
 * a limit that members share.
 */
export function sharedCountersOf(
  { configurationVersion, mode }: EvaluationRequest,
  couponCode: string | null | undefined,
): (program: PublishedProgram, now: Date) => readonly string[] {
  return (program, now) => {
    const pinned = mode === 'event_time_pinned_configuration';
    const from = pinned
      ? program.versions.findIndex(({ version }) => version === configurationVersion)
      : firstCandidate(program, now);
    const versions = from < 0 ? [] : program.versions.slice(from, pinned ? from + 1 : undefined);
    const cached = campaignCounters.get(program);
    let counters = !pinned && cached?.from === from ? cached.counters : null;
    if (!counters) {
      counters = cappedIn(versions);
      if (!pinned) campaignCounters.set(program, { from, counters });
    }
    if (!couponCode) return counters;
    const limited = versions.some(({ document }) => couponLimits(document, couponCode)?.total !== undefined);
    return limited ? [...counters, couponCounter(couponCode)] : counters;
  };
}

/** How much of each limit of a program had been used before a purchase, and what is withheld from the member. */
export interface EarningUse {
  /** Points that count against the member limit. */
  limitUsed: number;
  /** By campaign id: campaigns with caps that have given points before. */
  capsUsed: Map<string, CapUse>;
  couponUsed: CouponUse;
  /** What is known of the code where it was found in a pool. */
  poolCode: PoolCode | null;
  /** Ids of the campaigns that are withheld from the member. */
  heldOut: ReadonlySet<string>;
}

/** Reads how much of each limit had been used, in the periods that contain the instant of the evaluation. */
export function earningUse(
  { input, picked }: Purchase,
  state: Pick<State, 'member' | 'limitCounter' | 'sharedCounter' | 'couponCode'>,
): EarningUse {
  const { programId, externalCustomerId, couponCode } = input;
  const { evaluationAt: at, version } = picked;
  const { document } = version;
  const ofMember = (limitId: string, periodStart: Date): number =>
    externalCustomerId
      ? (state.limitCounter(programId, externalCustomerId, limitId, periodStart)?.points ?? 0)
      : 0;
  const shared = (counterId: string): number => state.sharedCounter(programId, counterId)?.taken ?? 0;
  const { memberLimit } = document;
  const capsUsed = new Map<string, CapUse>();
  for (const { id, caps } of compileProgram(document).campaigns) {
    if (!caps) continue;
    const counter = campaignCounter(id);
    const { totalPoints, memberPoints, memberPeriod: period } = caps;
    const use = {
      total: totalPoints === undefined ? 0 : shared(counter),
      member: memberPoints === undefined ? 0 : ofMember(counter, lifetime),
      memberPeriod: period ? ofMember(`${counter}.${period.period}`, limitPeriodStart(period.period, at)) : 0,
    };
    if (use.total + use.member + use.memberPeriod > 0) capsUsed.set(id, use);
  }
  const stored = storedCode({ input, picked }, state);
  const memberId = stored && externalCustomerId ? (state.member(externalCustomerId)?.id ?? null) : null;
  const poolCode = stored && poolCodeOf(stored, memberId);
  const couponId = couponCode ? couponIdOf(couponCode, poolCode) : null;
  const limits = couponId ? couponLimits(document, couponId) : undefined;
  return {
    // A month and a day may begin at the same instant, so the counter's name contains the kind of period.
    limitUsed: memberLimit
      ? ofMember(`${memberLimitId}.${memberLimit.period}`, limitPeriodStart(memberLimit.period, at))
      : 0,
    capsUsed,
    heldOut: heldOutOf(document, externalCustomerId),
    couponUsed: {
      total: couponId && limits?.total !== undefined ? shared(couponCounter(couponId)) : 0,
      member: couponId && limits?.perMember !== undefined ? ofMember(couponCounter(couponId), lifetime) : 0,
    },
    poolCode,
  };
}

/** The purchase's code where it was found in a pool. A coupon of the version whose code it is comes first. */
export function storedCode(
  { input: { programId, couponCode }, picked }: Pick<Purchase, 'input' | 'picked'>,
  state: Pick<State, 'couponCode'>,
): CouponCodeRecord | null {
  if (!couponCode || compileProgram(picked.version.document).coupons.has(couponCode)) return null;
  return state.couponCode(programId, couponCode);
}

/** The counters that a purchase changes, with their values after the purchase. */
export function countersAfter(
  { input: { programId }, picked }: Purchase,
  memberId: string,
  { limitUsed, capsUsed, couponUsed, poolCode }: EarningUse,
  { points, campaigns, coupon }: PurchaseEvaluation,
): Pick<Updates, 'limitCounters' | 'sharedCounters'> {
  const { evaluationAt: at, version } = picked;
  const { document } = version;
  const limitCounters: LimitCounterRecord[] = [];
  const sharedCounters: SharedCounterRecord[] = [];
  const count = (limitId: string, periodStart: Date, points: number): void => {
    limitCounters.push({ programId, memberId, limitId, periodStart, points });
  };
  const { memberLimit } = document;
  if (memberLimit) {
    const { period } = memberLimit;
    count(`${memberLimitId}.${period}`, limitPeriodStart(period, at), limitUsed + points);
  }
  for (const award of campaigns) {
    const { caps } = compileProgram(document).campaigns.find(({ id }) => id === award.campaignId) ?? {};
    if (!caps) continue;
    const counterId = campaignCounter(award.campaignId);
    const use = capsUsed.get(award.campaignId);
    if (caps.totalPoints !== undefined) {
      sharedCounters.push({ programId, counterId, taken: (use?.total ?? 0) + award.points });
    }
    if (caps.memberPoints !== undefined) count(counterId, lifetime, (use?.member ?? 0) + award.points);
    if (caps.memberPeriod) {
      const { period } = caps.memberPeriod;
      const memberPoints = (use?.memberPeriod ?? 0) + award.points;
      count(`${counterId}.${period}`, limitPeriodStart(period, at), memberPoints);
    }
  }
  if (coupon?.redeemed) {
    const couponId = couponIdOf(coupon.code, poolCode);
    const counterId = couponCounter(couponId);
    const limits = couponLimits(document, couponId);
    if (limits?.total !== undefined) {
      sharedCounters.push({ programId, counterId, taken: couponUsed.total + 1 });
    }
    if (limits?.perMember !== undefined) count(counterId, lifetime, couponUsed.member + 1);
  }
  return { limitCounters, sharedCounters };
}

/**
 * The place of the version in effect now. A decision is made a moment later, so it or one of the versions behind it is
 * in effect then. The versions' own dates of publication do not matter.
 */
function firstCandidate({ versions }: PublishedProgram, now: Date): number {
  return Math.max(
    0,
    versions.findLastIndex(({ effectiveFrom }) => effectiveFrom <= now),
  );
}

function cappedIn(versions: readonly ProgramVersion[]): readonly string[] {
  const ids = versions.flatMap(({ document }) =>
    (document.campaigns ?? []).filter(({ caps }) => caps?.totalPoints !== undefined).map(({ id }) => id),
  );
  return ids.length === 0 ? NOTHING : [...new Set(ids)].map(campaignCounter);
}

/** How often a coupon can be redeemed; undefined where the document has no such coupon, or the coupon has no limits. */
function couponLimits(document: ProgramDocument, code: string) {
  return compileProgram(document).coupons.get(code)?.coupon.limits;
}

/** Name of the counter of a campaign's points. */
function campaignCounter(id: string): string {
  return `campaign:${id}`;
}

/** Name of the counter of a coupon's uses. */
function couponCounter(code: string): string {
  return `coupon:${code}`;
}
