import type { MemoryTables } from '../../src/ledger/memory/memory-tables.ts';
import type { LimitCounterRecord } from '../../src/ledger/tables/limit-counters.ts';
import type { SharedCounterRecord } from '../../src/ledger/tables/shared-counters.ts';
import type { TransactionRecord } from '../../src/ledger/tables/transactions.ts';
import { type CountedPeriod, firstDay } from '../model/counters.ts';
import type { Model } from '../model/model.ts';
import type { PlainProgram } from '../programs/program.ts';
import { assertInvariant } from './broken-invariant.ts';
import { presentOwner } from './present-owner.ts';
import { add } from './sums.ts';

/** Counters that were written. */
export interface WrittenCounters {
  limits: readonly LimitCounterRecord[];
  shared: readonly SharedCounterRecord[];
}

/** The fields of a purchase's receipt that counters follow from. */
interface PurchaseReceipt {
  award: { points: number };
  campaigns: { campaignId: string; points: number }[];
  coupon: { code: string; redeemed: boolean } | null;
  evidence?: { poolCode?: { poolId: string } };
  configurationVersion: number;
  evaluationAt: string;
}

/** Checks counters against what the receipts of purchases award, and against the caps that programs have had. */
export class CounterAuditor {
  readonly #tables: MemoryTables;
  readonly #model: Model;
  /** By counter: the sum that the receipts award, and the count that is stored. */
  readonly #awarded = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #seenTransactions = new Set<string>();
  /** Ids of members that were merged at some time, and of those that they were merged into. */
  readonly #joined = new Set<string>();
  #touched = new Set<string>();

  constructor(tables: MemoryTables, model: Model) {
    this.#tables = tables;
    this.#model = model;
  }

  /** @param transactions ids of those that were written */
  audit(transactions: ReadonlySet<string>, { limits, shared }: WrittenCounters): void {
    this.#noteJoined();
    for (const id of transactions) {
      const transaction = this.#tables.transactions.get(id);
      if (transaction?.eventType !== 'purchase.completed' || this.#seenTransactions.has(id)) continue;
      this.#seenTransactions.add(id);
      this.#addPurchase(transaction);
    }
    for (const { programId, memberId, limitId, periodStart, points } of limits) {
      if (presentOwner(this.#tables, memberId) !== memberId) {
        assertInvariant(points === 0, 'the counters of a merged member are empty', { memberId, limitId });
        continue;
      }
      const name = nameOf([programId, memberId, limitId, periodStart.toISOString().slice(0, 10)]);
      this.#count(
        name,
        points,
        // Two members together may have had more than one may have.
        this.#joined.has(memberId)
          ? Number.POSITIVE_INFINITY
          : this.#highest(programId, (program) => memberCap(program, limitId)),
      );
    }
    for (const { programId, counterId, taken } of shared) {
      if (counterId.startsWith('choice:')) continue;
      const name = nameOf([programId, counterId]);
      this.#count(
        name,
        taken,
        this.#highest(programId, (program) => sharedCap(program, counterId)),
      );
    }
    for (const name of this.#touched) {
      const [awarded, counted] = [this.#awardedTo(name), this.#counts.get(name) ?? 0];
      assertInvariant(awarded === counted, 'a counter has counted what purchases were told', {
        name,
        awarded,
        counted,
      });
    }
    this.#touched = new Set();
  }

  /** Members that were merged into another one: what purchases have told both is counted for both together. */
  #noteJoined(): void {
    for (const { id, mergedInto } of this.#tables.members.values()) {
      if (mergedInto === null) continue;
      this.#joined.add(mergedInto);
      this.#joined.add(id);
    }
  }

  /** What purchases have told a member, and those that are merged into it at present. @param name of the counter */
  #awardedTo(name: string): number {
    const [programId = '', memberId = '', ...what] = name.split(' ');
    if (!this.#joined.has(memberId)) return this.#awarded.get(name) ?? 0;
    let sum = 0;
    for (const id of this.#joined) {
      if (presentOwner(this.#tables, id) !== memberId) continue;
      sum += this.#awarded.get(nameOf([programId, id, ...what])) ?? 0;
    }
    return sum;
  }

  #count(name: string, amount: number, cap: number): void {
    const before = this.#counts.get(name) ?? 0;
    const grows = amount >= before || this.#joined.has(name.split(' ')[1] ?? '');
    assertInvariant(grows, 'a counter only grows, but where accounts are parted', {
      name,
      taken: amount,
      before,
    });
    assertInvariant(amount <= cap, 'no cap is ever exceeded', { name, taken: amount, cap });
    this.#counts.set(name, amount);
    this.#touched.add(name);
  }

  #addPurchase({ programId, memberId, receipt }: TransactionRecord): void {
    const ownerId = presentOwner(this.#tables, memberId);
    const { award, campaigns, coupon, evidence, configurationVersion, evaluationAt } =
      receipt as PurchaseReceipt;
    const program = this.#versions(programId)[configurationVersion - 1];
    if (!program) return;
    const at = Date.parse(evaluationAt);
    const ofMember = (limitId: string, period: CountedPeriod, amount: number): void =>
      this.#addAward(
        [memberId, ownerId].map((id) => nameOf([programId, id, limitId, firstDay(period, at)])),
        amount,
      );
    const ofAll = (counterId: string, amount: number): void =>
      this.#addAward([nameOf([programId, counterId])], amount);
    const { limit } = program;
    if (limit) ofMember(`member_limit.${limit.period}`, limit.period, award.points);
    for (const { campaignId, points } of campaigns) {
      const campaign = program.campaigns.find(({ id }) => id === campaignId);
      assertInvariant(
        campaign !== undefined,
        'what a campaign gave, a campaign of the version gave',
        campaignId,
      );
      if (campaign.capTotal !== null) ofAll(`campaign:${campaignId}`, points);
      if (campaign.capMember !== null) ofMember(`campaign:${campaignId}`, 'lifetime', points);
      const period = campaign.capPeriod?.period;
      if (period) ofMember(`campaign:${campaignId}.${period}`, period, points);
    }
    if (!coupon?.redeemed) return;
    const code = evidence?.poolCode?.poolId ?? coupon.code;
    const redeemed = program.coupons.find((each) => each.code === code);
    assertInvariant(redeemed !== undefined, 'what was redeemed is a coupon of the version', code);
    if (redeemed.limitTotal !== null) ofAll(`coupon:${code}`, 1);
    if (redeemed.limitMember !== null) ofMember(`coupon:${code}`, 'lifetime', 1);
  }

  /** @param names of the counter of the member that was told, and of the member that this one is at present */
  #addAward([name = '', present = name]: readonly string[], amount: number): void {
    add(this.#awarded, name, amount);
    this.#touched.add(present);
  }

  /** The highest cap of all versions: an earlier version may have had a higher one than the present one. */
  #highest(programId: string, capIn: (program: PlainProgram) => number): number {
    return Math.max(...this.#versions(programId).map(capIn));
  }

  #versions(programId: string): PlainProgram[] {
    return (this.#model.programs.get(programId) ?? []).map(({ program }) => program);
  }
}

function nameOf(parts: readonly string[]): string {
  return parts.join(' ');
}

function memberCap({ limit, campaigns, coupons }: PlainProgram, limitId: string): number {
  if (limitId === `member_limit.${limit?.period}`) return limit?.points ?? 0;
  for (const { id, capMember, capPeriod } of campaigns) {
    if (limitId === `campaign:${id}`) return capMember ?? 0;
    if (limitId === `campaign:${id}.${capPeriod?.period}`) return capPeriod?.points ?? 0;
  }
  return coupons.find(({ code }) => limitId === `coupon:${code}`)?.limitMember ?? 0;
}

function sharedCap({ campaigns, coupons }: PlainProgram, counterId: string): number {
  const campaign = campaigns.find(({ id }) => counterId === `campaign:${id}`);
  if (campaign) return campaign.capTotal ?? 0;
  return coupons.find(({ code }) => counterId === `coupon:${code}`)?.limitTotal ?? 0;
}
