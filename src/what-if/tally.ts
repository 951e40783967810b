import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';

/** As it was, and as it would have been. */
export type Side = 'now' | 'draft';

/** Points, in the smallest loyalty unit. Sums over many members can leave what a number holds exactly. */
export interface Points {
  now: bigint;
  draft: bigint;
}

/** Points and how often, of one thing on both sides. */
export interface Counted extends Points {
  countNow: number;
  countDraft: number;
}

/** What one member got. */
export interface MemberPoints {
  now: number;
  draft: number;
}

const SEPARATOR = '\u0000';

/** Adds up awards as they were and as they would have been. */
export class Tally {
  readonly total: Points = none();
  readonly base: Points = none();
  readonly campaigns: Points = none();
  readonly challenges: Points = none();
  readonly referrals: Points = none();
  readonly months = new Map<string, Counted>();
  readonly tiers = new Map<string, Counted>();
  readonly members = new Map<string, MemberPoints>();
  /** Purchases that the draft refuses, by code. */
  readonly refused = new Map<string, number>();
  readonly #sources = new Map<string, Counted>();
  #month = Number.NaN;
  #monthName = '';
  purchases = 0;
  engagementEvents = 0;

  /** The award of a purchase, by its receipt. */
  purchase(
    side: Side,
    at: Date,
    memberId: string,
    receipt: Pick<PurchaseReceipt, 'award' | 'ruleDecisions'>,
  ) {
    const { award, ruleDecisions } = receipt;
    this.base[side] += BigInt(award?.basePoints ?? 0);
    this.campaigns[side] += BigInt(award?.campaignPoints ?? 0);
    for (const { kind, id, matched, points } of ruleDecisions ?? []) {
      if (kind === 'tier') count(this.tiers, id, side, award?.points ?? 0);
      // A referral's points are transactions of their own.
      if (kind !== 'referral' && (matched || points !== 0)) this.#source(side, kind, id, points);
    }
    this.#award(side, at, memberId, award?.points ?? 0);
  }

  /** A completed challenge. */
  challenge(side: Side, at: Date, memberId: string, challengeId: string, points: number): void {
    this.challenges[side] += BigInt(points);
    this.#source(side, 'challenge', challengeId, points);
    this.#award(side, at, memberId, points);
  }

  /** One side of a referral. */
  referral(side: Side, at: Date, memberId: string, points: number): void {
    this.referrals[side] += BigInt(points);
    this.#source(side, 'referral', 'awarded', points);
    this.#award(side, at, memberId, points);
  }

  refuse(code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  /** What gave and took points, by kind and id. */
  *sources(): Generator<{ kind: string; id: string } & Counted> {
    for (const [key, counted] of this.#sources) {
      const [kind = '', id = ''] = key.split(SEPARATOR);
      yield { kind, id, ...counted };
    }
  }

  #source(side: Side, kind: string, id: string, points: number): void {
    count(this.#sources, `${kind}${SEPARATOR}${id}`, side, points);
  }

  /** Events come in order of time, so that most are of the same month as the one before. */
  #monthOf(at: Date): string {
    const month = at.getUTCFullYear() * 12 + at.getUTCMonth();
    if (month !== this.#month) {
      this.#month = month;
      this.#monthName = at.toISOString().slice(0, 7);
    }
    return this.#monthName;
  }

  #award(side: Side, at: Date, memberId: string, points: number): void {
    this.total[side] += BigInt(points);
    count(this.months, this.#monthOf(at), side, points);
    let member = this.members.get(memberId);
    if (!member) {
      member = { now: 0, draft: 0 };
      this.members.set(memberId, member);
    }
    member[side] += points;
  }
}

function none(): Points {
  return { now: 0n, draft: 0n };
}

function count(into: Map<string, Counted>, key: string, side: Side, points: number): void {
  let counted = into.get(key);
  if (!counted) {
    counted = { ...none(), countNow: 0, countDraft: 0 };
    into.set(key, counted);
  }
  counted[side] += BigInt(points);
  counted[side === 'now' ? 'countNow' : 'countDraft'] += 1;
}
