import { referenceEvaluation } from '../../../simulator/model/award/evaluation.ts';
import { heldOutOf } from '../../../simulator/model/award/holdout.ts';
import { referenceReferral } from '../../../simulator/model/award/referral.ts';
import {
  type Award,
  type BoughtGoods,
  type KnownHistory,
  stranger,
} from '../../../simulator/model/award/situation.ts';
import { firstDay } from '../../../simulator/model/counters.ts';
import type { LimitPeriod } from '../../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';

export interface ClubPurchase extends BoughtGoods {
  who: string;
  /** The member whose referral code the purchase has; `nobody` for an unknown code; null for none. */
  referrer: string | null;
  /** The tier that an event in pinned mode names; null in receipt mode. */
  pinnedTier: string | null;
}

export interface ClubMember extends KnownHistory {
  tier: string;
  qualificationPoints: number;
  rewardedFor: number;
  referredBy: string | null;
  /** All that was ever earned, referrals included. */
  earned: number;
}

/**
 * The books of a program's members, kept by the second implementation: what each purchase earns after those before it,
 * with caps, limits, uses of coupons, history, tiers and referrals counted anew.
 */
export class ReferenceClub {
  readonly members = new Map<string, ClubMember>();
  /** How much of each cap, limit and coupon was used, by a key of what is counted, of whom and in which period. */
  readonly counters = new Map<string, number>();
  readonly #program: ProgramDocument;

  /** @param program of which the qualification window is the lifetime */
  constructor(program: ProgramDocument, members: readonly (readonly [string, Partial<KnownHistory>])[]) {
    this.#program = program;
    for (const [who, known] of members) {
      const tier = this.#reached(0);
      this.members.set(who, {
        ...stranger,
        ...known,
        tier,
        qualificationPoints: 0,
        rewardedFor: 0,
        referredBy: null,
        earned: 0,
      });
    }
  }

  /** @returns the award, and what the referral gave to referrer and referee; or the code of the refusal */
  buy(purchase: ClubPurchase, now: Date): { award: Award; referral: [number, number] } | string {
    const { who, pinnedTier, occurredAt, couponCode } = purchase;
    const member = this.members.get(who);
    if (!member) return 'member_not_found';
    const program = this.#program;
    const at = pinnedTier === null ? now : occurredAt;
    const award = referenceEvaluation({
      program,
      mode: pinnedTier === null ? 'receipt_time_current_configuration' : 'event_time_pinned_configuration',
      evaluationAt: at,
      purchase,
      profile: { tier: pinnedTier ?? member.tier, qualificationPoints: member.qualificationPoints },
      member,
      limitUsed: program.memberLimit ? this.#of(['limit', who, periodOf(program.memberLimit.period, at)]) : 0,
      capsUsed: new Map(
        (program.campaigns ?? []).map(({ id, caps }) => [
          id,
          {
            total: this.#of(['cap', id]),
            member: this.#of(['cap', id, who]),
            memberPeriod: caps?.memberPeriod
              ? this.#of(['cap', id, who, periodOf(caps.memberPeriod.period, at)])
              : 0,
          },
        ]),
      ),
      heldOut: heldOutOf(program, who),
      couponUsed: { total: this.#of(['coupon', couponCode]), member: this.#of(['coupon', couponCode, who]) },
    });
    if (typeof award === 'string') return award;
    this.#count(who, award, purchase, at);
    const referral = this.#refer(purchase, member);
    this.#remember(member, award, purchase);
    return { award, referral };
  }

  #count(who: string, award: Award, { couponCode }: ClubPurchase, at: Date): void {
    const { memberLimit, campaigns = [] } = this.#program;
    if (memberLimit) this.#add(['limit', who, periodOf(memberLimit.period, at)], award.points);
    for (const { campaignId: id, points } of award.campaigns) {
      const period = campaigns.find((campaign) => campaign.id === id)?.caps?.memberPeriod?.period;
      this.#add(['cap', id], points);
      this.#add(['cap', id, who], points);
      if (period) this.#add(['cap', id, who, periodOf(period, at)], points);
    }
    if (!award.coupon?.valid) return;
    this.#add(['coupon', couponCode], 1);
    this.#add(['coupon', couponCode, who], 1);
  }

  #refer({ who, referrer, amountMinor }: ClubPurchase, buyer: ClubMember): [number, number] {
    const other = referrer === null || referrer === who ? undefined : this.members.get(referrer);
    const [toReferrer, toReferee] = referenceReferral(this.#program.referral, {
      ofAnother: other !== undefined && other.referredBy !== who,
      purchasesBefore: buyer.purchaseCount,
      amountMinor,
      rewardedFor: other?.rewardedFor ?? 0,
    });
    if (other && toReferrer + toReferee > 0) {
      other.rewardedFor += 1;
      buyer.referredBy = referrer;
      other.earned += toReferrer;
      buyer.earned += toReferee;
    }
    return [toReferrer, toReferee];
  }

  #remember(member: ClubMember, { points, qualificationPoints }: Award, purchase: ClubPurchase): void {
    const { occurredAt, amountMinor } = purchase;
    const { firstPurchaseAt: first, lastPurchaseAt: last } = member;
    member.earned += points;
    member.purchaseCount += 1;
    member.purchaseAmountMinor += amountMinor;
    if (first === null || occurredAt < first) member.firstPurchaseAt = occurredAt;
    if (last === null || occurredAt > last) member.lastPurchaseAt = occurredAt;
    member.qualificationPoints += qualificationPoints;
    const ids = this.#program.tiers.map(({ id }) => id);
    const reached = this.#reached(member.qualificationPoints);
    if (ids.indexOf(reached) > ids.indexOf(member.tier)) member.tier = reached;
  }

  #reached(points: number): string {
    let tier = '';
    for (const { id, threshold } of this.#program.tiers) if (points >= threshold) tier = id;
    return tier;
  }

  #of(what: readonly unknown[]): number {
    return this.counters.get(what.join(' ')) ?? 0;
  }

  #add(what: readonly unknown[], amount: number): void {
    this.counters.set(what.join(' '), this.#of(what) + amount);
  }
}

/** Periods of different kinds are counted apart. */
function periodOf(period: LimitPeriod, at: Date): string {
  return `${period} ${firstDay(period, at.getTime())}`;
}
