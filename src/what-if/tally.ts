import type { PurchaseReceipt } from '../queries/transactions/recorded-award.ts';

/** Under the published program, or under the draft. */
export type Side = 'now' | 'draft';

/** Points in the smallest loyalty unit. Sums over many members can exceed what a `number` represents exactly. */
export interface Points {
  now: bigint;
  draft: bigint;
}

/** Points and number of awards on both sides, of a month, a tier or a source. */
export interface Counted extends Points {
  countNow: number;
  countDraft: number;
}

/** The points of one member. */
export interface MemberPoints {
  now: number;
  draft: number;
}

const SEPARATOR = '\u0000';

/** Sums awards on both sides. */
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

  /** Adds the award of a purchase. */
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
      // The points of a referral are separate transactions, counted by `referral`.
      if (kind !== 'referral' && (matched || points !== 0)) this.#source(side, kind, id, points);
    }
    this.#award(side, at, memberId, award?.points ?? 0);
  }

  /** Adds a completed challenge. */
  challenge(side: Side, at: Date, memberId: string, challengeId: string, points: number): void {
    this.challenges[side] += BigInt(points);
    this.#source(side, 'challenge', challengeId, points);
    this.#award(side, at, memberId, points);
  }

  /** Adds the points of the referrer or of the referee. */
  referral(side: Side, at: Date, memberId: string, points: number): void {
    this.referrals[side] += BigInt(points);
    this.#source(side, 'referral', 'awarded', points);
    this.#award(side, at, memberId, points);
  }

  refuse(code: string): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }

  /** What added or took away points, by kind and id. */
  *sources(): Generator<{ kind: string; id: string } & Counted> {
    for (const [key, counted] of this.#sources) {
      const [kind = '', id = ''] = key.split(SEPARATOR);
      yield { kind, id, ...counted };
    }
  }

  #source(side: Side, kind: string, id: string, points: number): void {
    count(this.#sources, `${kind}${SEPARATOR}${id}`, side, points);
  }

  /** Caches the name of the month: events come in order of time, so most have the same one as the event before. */
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

function count(counts: Map<string, Counted>, key: string, side: Side, points: number): void {
  let counted = counts.get(key);
  if (!counted) {
    counted = { ...none(), countNow: 0, countDraft: 0 };
    counts.set(key, counted);
  }
  counted[side] += BigInt(points);
  counted[side === 'now' ? 'countNow' : 'countDraft'] += 1;
}
