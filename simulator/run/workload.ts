import { Memory } from '../client/client-memory.ts';
import type { Intent, Operation, Surroundings } from '../client/intent.ts';
import { type Model, nameOf } from '../model/model.ts';
import {
  approveAdjustmentOperation,
  rejectAdjustmentOperation,
  reverseAdjustmentOperation,
} from '../operations/adjustments/decide-adjustment.ts';
import { expireAdjustmentOperation } from '../operations/adjustments/expire-adjustment.ts';
import { openBalanceOperation } from '../operations/adjustments/open-balance.ts';
import { requestAdjustmentOperation } from '../operations/adjustments/request-adjustment.ts';
import { assignCouponCodeOperation } from '../operations/assign-coupon-code.ts';
import { claimChoiceBenefitOperation } from '../operations/claim-choice-benefit.ts';
import { reverseExchangeOperation } from '../operations/exchange/reverse-exchange.ts';
import { settleExchangeOperation } from '../operations/exchange/settle-exchange.ts';
import { createMemberOperation } from '../operations/members/create-member.ts';
import { enrollCustomerOperation } from '../operations/members/enroll-customer.ts';
import { enrollMemberOperation } from '../operations/members/enroll-member.ts';
import { forfeitEnrollmentOperation } from '../operations/members/forfeit-enrollment.ts';
import {
  addToListOperation,
  labelMembersOperation,
  removeFromListOperation,
  tagMemberOperation,
  untagMemberOperation,
} from '../operations/members/label-members.ts';
import {
  approveMemberMergeOperation,
  rejectMemberMergeOperation,
  requestMemberMergeOperation,
} from '../operations/members/merge-members.ts';
import { noticeExpiryOperation } from '../operations/members/notice-expiry.ts';
import { requalifyProfileOperation } from '../operations/members/requalify-profile.ts';
import { setMemberStatusOperation } from '../operations/members/set-member-status.ts';
import { settleProfileOperation } from '../operations/members/settle-profile.ts';
import { unenrollMemberOperation } from '../operations/members/unenroll-member.ts';
import {
  approveMemberUnmergeOperation,
  rejectMemberUnmergeOperation,
  requestMemberUnmergeOperation,
} from '../operations/members/unmerge-members.ts';
import { updateMemberOperation } from '../operations/members/update-member.ts';
import { previewPurchaseOperation } from '../operations/preview-purchase.ts';
import { purchaseEarnOperation } from '../operations/purchase-earn.ts';
import { recordCustomEventOperation } from '../operations/record-custom-event.ts';
import { recordReturnOperation } from '../operations/record-return.ts';
import { commitRedemptionOperation } from '../operations/redemptions/commit-redemption.ts';
import {
  openDisputeOperation,
  rejectDisputeOperation,
  resolveDisputeOperation,
} from '../operations/redemptions/disputes.ts';
import { quoteRedemptionOperation } from '../operations/redemptions/quote-redemption.ts';
import { redeemInWidgetOperation } from '../operations/redemptions/redeem-in-widget.ts';
import { releaseRedemptionOperation } from '../operations/redemptions/release-redemption.ts';
import { reserveRedemptionOperation } from '../operations/redemptions/reserve-redemption.ts';
import { reverseForCustomerOperation } from '../operations/redemptions/reverse-for-customer.ts';
import { reverseRedemptionOperation } from '../operations/redemptions/reverse-redemption.ts';
import { updateFulfillmentOperation } from '../operations/redemptions/update-fulfillment.ts';
import { documentOf, inventProgram, type PlainVersion } from '../programs/program.ts';
import type { Random } from '../random.ts';
import { learn } from './learn.ts';

/** The operations that are simulated. A new operation adds a file under operations/ and a line here. */
export const OPERATIONS: readonly Operation[] = [
  createMemberOperation,
  updateMemberOperation,
  setMemberStatusOperation,
  enrollMemberOperation,
  enrollCustomerOperation,
  unenrollMemberOperation,
  forfeitEnrollmentOperation,
  purchaseEarnOperation,
  previewPurchaseOperation,
  recordCustomEventOperation,
  claimChoiceBenefitOperation,
  assignCouponCodeOperation,
  recordReturnOperation,
  quoteRedemptionOperation,
  reserveRedemptionOperation,
  commitRedemptionOperation,
  redeemInWidgetOperation,
  releaseRedemptionOperation,
  reverseRedemptionOperation,
  reverseForCustomerOperation,
  updateFulfillmentOperation,
  openDisputeOperation,
  resolveDisputeOperation,
  rejectDisputeOperation,
  requestAdjustmentOperation,
  approveAdjustmentOperation,
  rejectAdjustmentOperation,
  reverseAdjustmentOperation,
  requestMemberMergeOperation,
  approveMemberMergeOperation,
  rejectMemberMergeOperation,
  requestMemberUnmergeOperation,
  approveMemberUnmergeOperation,
  rejectMemberUnmergeOperation,
  settleProfileOperation,
  requalifyProfileOperation,
  expireAdjustmentOperation,
  openBalanceOperation,
  settleExchangeOperation,
  reverseExchangeOperation,
  noticeExpiryOperation,
  tagMemberOperation,
  untagMemberOperation,
  addToListOperation,
  removeFromListOperation,
  labelMembersOperation,
];

const CUSTOMERS = 24;
const PROGRAMS = ['coffee', 'tea', 'water'];
const HOUR_MS = 3_600_000;
/** How many intents are kept to be sent again. */
const REMEMBERED = 300;

export interface WorkloadOptions {
  /** The least amount of anything that is limited. Small amounts make members contend for the last one. */
  leastLimit?: number;
  /** Reads a member's referral code. */
  referralCodeOf(programId: string, externalCustomerId: string): string | null;
  /** Reads a profile's lots. */
  lotsOf: Surroundings['lotsOf'];
  /** The codes of all pools; none where absent. */
  codes?: readonly string[];
}

/** Invents what clients and administrators do. Everything follows from the random numbers, so a seed repeats it. */
export class Workload {
  readonly #random: Random;
  readonly #model: Model;
  readonly #customers = Array.from({ length: CUSTOMERS }, (_, index) => `customer-${index}`);
  readonly #history: Intent[] = [];
  readonly #memory = new Memory();
  readonly #leastLimit: number;
  readonly #referralCodeOf: WorkloadOptions['referralCodeOf'];
  readonly #lotsOf: Surroundings['lotsOf'];
  readonly #codes: readonly string[];
  readonly #precision = new Map<string, number>();
  #keys = 0;
  /** How many order references were given out, by customer; under `order` where no customer was asked for. */
  readonly #orders = new Map<string, number>();

  constructor(
    random: Random,
    model: Model,
    { leastLimit = 0, referralCodeOf, lotsOf, codes = [] }: WorkloadOptions,
  ) {
    this.#codes = codes;
    this.#lotsOf = lotsOf;
    this.#leastLimit = leastLimit;
    this.#referralCodeOf = referralCodeOf;
    this.#random = random;
    this.#model = model;
    for (const programId of PROGRAMS) this.#precision.set(programId, random.pick([0, 0, 2]));
  }

  /**
   * The next command of a client: mostly a new one, at times an earlier one again, at times another input under a used
   * key.
   * @param externalCustomerId the customer whose command it is, with keys and order references that no other customer
   *   has; any customer where it is left out
   * @param referrers the customers whose referral codes may be used
   */
  next(now: Date, externalCustomerId?: string, referrers: readonly string[] = this.#customers): Intent {
    const random = this.#random;
    const entries = externalCustomerId
      ? this.#history.filter((intent) => intent.externalCustomerId === externalCustomerId)
      : this.#history;
    if (entries.length > 0 && random.chance(0.15)) {
      const again = random.pick(entries);
      return random.chance(0.3) ? again.altered(random) : again;
    }
    for (;;) {
      this.#keys += 1;
      const intent = random.pickWeighted(this.#likely(externalCustomerId)).invent(
        {
          random,
          now,
          model: this.#model,
          customers: externalCustomerId ? [externalCustomerId] : this.#customers,
          programIds: random.chance(0.01) ? ['nowhere'] : PROGRAMS,
          memory: this.#memory,
          orderReference: () => this.#orderReference(externalCustomerId),
          newReference: (of) => `${externalCustomerId ?? 'member'}-${of}-${this.#keys}`,
          referralCode: (programId) => this.#referralCode(programId, referrers),
          lotsOf: this.#lotsOf,
          codes: this.#codes,
        },
        // An idempotency key belongs to its operation, so another operation may have used the same one.
        `${externalCustomerId ?? 'key'}-${random.chance(0.1) ? this.#keys - 1 : this.#keys}`,
      );
      if (!intent) continue;
      this.#remember(intent);
      return intent;
    }
  }

  /** A single customer mostly becomes a member and enrolls before anything else. */
  #likely(externalCustomerId?: string): readonly Operation[] {
    if (!externalCustomerId || this.#random.chance(0.3)) return OPERATIONS;
    if (!this.#model.members.get(externalCustomerId)) return [createMemberOperation];
    const enrolled = PROGRAMS.some(
      (id) => this.#model.profiles.get(nameOf(id, externalCustomerId))?.enrolled,
    );
    return enrolled ? OPERATIONS : [enrollMemberOperation];
  }

  /** A client receives a receipt. */
  learn(intent: Intent, receipt: object): void {
    learn(intent, receipt, this.#memory, this.#model);
  }

  get customers(): readonly string[] {
    return this.#customers;
  }

  /** The next version of a program, in effect at once, in some hours, or since some hours ago. */
  publish(now: Date): { programId: string; version: PlainVersion } {
    const random = this.#random;
    const programId = random.pick(PROGRAMS);
    return {
      programId,
      version: this.#version(programId, now, random.pick([0, 0, random.between(-100, 100) * HOUR_MS])),
    };
  }

  /** The first version of each program. */
  firstVersions(now: Date): { programId: string; version: PlainVersion }[] {
    return PROGRAMS.map((programId) => ({ programId, version: this.#version(programId, now, 0) }));
  }

  #version(programId: string, now: Date, delayMs: number): PlainVersion {
    const program = inventProgram(this.#random, {
      id: programId,
      precision: this.#precision.get(programId) ?? 0,
      now,
      leastLimit: this.#leastLimit,
    });
    return {
      version: (this.#model.programs.get(programId)?.length ?? 0) + 1,
      effectiveFrom: new Date(now.getTime() + delayMs),
      publishedAt: now,
      program,
    };
  }

  #orderReference(scope = 'order'): string {
    const count = this.#orders.get(scope) ?? 0;
    if (count > 0 && this.#random.chance(0.05)) {
      // Half of the time one of the newest, whose purchase may not have been committed yet.
      const among = this.#random.chance(0.5) ? Math.min(count, 5) : count;
      return `${scope}-${count - this.#random.below(among)}`;
    }
    this.#orders.set(scope, count + 1);
    return `${scope}-${count + 1}`;
  }

  /** A referral code as people type it: at times in small letters, with `o` for 0 and `l` for 1. */
  #referralCode(programId: string, referrers: readonly string[]): string | null {
    const random = this.#random;
    if (referrers.length === 0) return null;
    const referrer = random.pick(referrers);
    const code = this.#referralCodeOf(programId, referrer);
    if (code === null) return null;
    const typed = random.chance(0.3) ? code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l') : code;
    this.#model.names.set(`${programId} ${typed}`, nameOf(programId, referrer));
    return typed;
  }

  #remember(intent: Intent): void {
    if (this.#history.length < REMEMBERED) this.#history.push(intent);
    else this.#history[this.#random.below(REMEMBERED)] = intent;
  }
}

/** A version in the form of the service's catalog. */
export function publishedVersion({ version, effectiveFrom, publishedAt, program }: PlainVersion) {
  return { version, effectiveFrom, publishedAt, document: documentOf(program) };
}
