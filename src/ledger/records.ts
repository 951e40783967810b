import type { RewardTerms } from '../rules/rewards.ts';

/** The rows that commands read and write, as the pure core sees them. Ids are UUIDs; points are safe integers. */

export interface EnvironmentRecord {
  id: string;
  kind: 'sandbox' | 'production';
  locked: boolean;
  revision: number;
}

export interface MemberRecord {
  id: string;
  externalCustomerId: string;
  displayName: string | null;
  status: 'active' | 'suspended' | 'erased';
  identityStatus: 'verified' | 'unverified';
  consentStatus: 'granted' | 'withdrawn';
  noticeVersion: string;
  consentAt: Date;
  createdAt: Date;
  /** Set by the merchant; audiences look at them. */
  tags: readonly string[];
  lists: readonly string[];
}

export interface ProfileRecord {
  memberId: string;
  programId: string;
  enrolled: boolean;
  tier: string;
  qualificationPoints: number;
  /**
   * Start of the year that qualificationPoints are counted in; where the window is rolling, the UTC day of enrollment
   * or of the last fall; null where the window is the lifetime.
   */
  qualificationSince: Date | null;
  /** qualificationPoints by UTC day (`2026-03-15`), ascending, where the window is rolling; null elsewhere. */
  qualificationDays: Readonly<Record<string, number>> | null;
  /** When points next leave the window, or the tier may fall next; null where nothing is to come. */
  requalifyAt: Date | null;
  available: number;
  pending: number;
  reserved: number;
  enrolledAt: Date;
  unenrolledAt: Date | null;
  /**
   * The first instant at which points may change by themselves: an activation, an expiry, the end of a hold. Never later
   * than the true one; null where nothing is to come.
   */
  nextDueAt: Date | null;
  /** The last time that the member earned or redeemed: points under an inactivity policy live on from here. */
  lastActivityAt: Date | null;
  /** Purchases in the program, and their amounts in minor currency units. */
  purchaseCount: number;
  purchaseAmountMinor: number;
  firstPurchaseAt: Date | null;
  lastPurchaseAt: Date | null;
  /** The member's own; null where the program had no referral when the member enrolled. */
  referralCode: string | null;
  /** Id of the member who referred this one, once a purchase has paid for it. */
  referredBy: string | null;
  /** Members that this one was rewarded for. */
  referralCount: number;
}

export interface ConsentRecord {
  id: string;
  memberId: string;
  programId: string | null;
  status: 'granted' | 'withdrawn';
  noticeVersion: string;
  evidence: object | null;
  reason: string | null;
  requestId: string;
  at: Date;
}

/** What moved points. */
export type EventType =
  | 'purchase.completed'
  | 'order.returned'
  | 'challenge.awarded'
  | 'referral.awarded'
  | 'points.activated'
  | 'points.expired'
  | 'redemption.reserved'
  | 'redemption.committed'
  | 'redemption.released'
  | 'redemption.expired'
  | 'redemption.reversed'
  | 'adjustment.posted'
  | 'adjustment.reversed'
  | 'exchange.settled'
  | 'exchange.reversed';

export interface TransactionRecord {
  id: string;
  programId: string;
  memberId: string;
  eventType: EventType;
  sourceReference: string | null;
  state: 'committed' | 'reversed';
  /** The sum of its postings. */
  points: number;
  occurredAt: Date;
  createdAt: Date;
  reversalOf: string | null;
  reversedBy: string | null;
  receipt: object;
}

export type Account =
  | 'member.available'
  | 'member.pending'
  | 'member.reserved'
  | 'program.issuance'
  | 'program.redemption'
  | 'program.expiry'
  | 'program.adjustment'
  | 'program.clearing';

export interface PostingRecord {
  transactionId: string;
  /** 1 for the first posting of the transaction. */
  line: number;
  programId: string;
  memberId: string;
  debitAccount: Account;
  creditAccount: Account;
  amount: number;
  lotId: string | null;
  createdAt: Date;
}

export interface LotRecord {
  id: string;
  memberId: string;
  programId: string;
  transactionId: string;
  granted: number;
  pending: number;
  available: number;
  reserved: number;
  /** When pending points become available; null where they were so at once. */
  activatesAt: Date | null;
  /** Null for never. Under an inactivity policy the date that held when it was last looked at. */
  expiresAt: Date | null;
  /** Days after the member's last activity at which the lot expires; null where `expiresAt` is fixed. */
  inactivityDays: number | null;
  /** Due to a return and not there when it was recorded: points that come back to the lot pay it first. */
  claimed: number;
  createdAt: Date;
}

export interface OrderRecord {
  sourceReference: string;
  programId: string;
  memberId: string;
  transactionId: string;
  state: 'active' | 'partially_returned' | 'returned';
  amountMinor: number;
  currency: string;
  points: number;
  returnedMinor: number;
  clawedBack: number;
  /** The items of the purchase. */
  lines: object | null;
  /** Quantities that have gone back, by lineReference; null where none was returned by line. */
  returnedLines: Readonly<Record<string, number>> | null;
}

export interface ReturnRecord {
  returnReference: string;
  sourceReference: string;
  transactionId: string;
  returnAmountMinor: number;
  pointsClawedBack: number;
  /** What was due to this return and not there. */
  shortfall: number;
  createdAt: Date;
}

export interface QuoteRecord {
  id: string;
  programId: string;
  memberId: string;
  rewardId: string;
  sourceReference: string;
  state: 'quoted' | 'reserved' | 'expired' | 'cancelled';
  points: number;
  terms: RewardTerms;
  expiresAt: Date;
  createdAt: Date;
}

export interface ReservationRecord {
  id: string;
  quoteId: string;
  programId: string;
  memberId: string;
  rewardId: string;
  sourceReference: string;
  state: 'reserved' | 'committed' | 'released' | 'expired' | 'reversed';
  points: number;
  /** Those of the quote, but for the inventory: the limit under which one was taken out of the stock. */
  terms: RewardTerms;
  /** Its postings name the lots that are held. */
  reserveTransactionId: string;
  commitTransactionId: string | null;
  /** The newest transaction. */
  transactionId: string;
  authorizationReference: string | null;
  /** Why it was released or reversed. */
  reason: string | null;
  cancellationEvidence: object | null;
  fulfillmentStatus: 'pending' | 'shipped' | 'delivered' | 'failed' | null;
  fulfillmentReference: string | null;
  reservedAt: Date;
  expiresAt: Date;
  /** When the state became what it is. */
  changedAt: Date;
}

export interface DisputeRecord {
  id: string;
  reservationId: string;
  state: 'open' | 'resolved' | 'rejected';
  reason: string;
  evidence: object | null;
  resolution: string | null;
  openedAt: Date;
  closedAt: Date | null;
}

/** How many of a reward are held or spent. */
export interface StockRecord {
  programId: string;
  rewardId: string;
  taken: number;
}

/** What many members take from together: points of a campaign's total cap, uses of a coupon, inventory of a choice. */
export interface SharedCounterRecord {
  programId: string;
  /** `campaign:<id>`, `coupon:<code>`, `choice:<set>/<reward>` with a slash of the set escaped. */
  counterId: string;
  taken: number;
}

export interface CustomEventRecord {
  id: string;
  sourceReference: string;
  type: string;
  memberId: string;
  attributes: object | null;
  occurredAt: Date;
  receivedAt: Date;
  receipt: object;
}

/** How far a member is in a challenge, in one window. */
export interface ChallengeProgressRecord {
  programId: string;
  memberId: string;
  challengeId: string;
  windowStart: Date;
  /** Count; or sum, in thousandths. */
  reached: number;
  completions: number;
  /** What it was counted toward (src/rules/challenges.ts); null where that was not noted. */
  goal: string | null;
}

export interface ChoiceGrantRecord {
  id: string;
  programId: string;
  memberId: string;
  choiceSetId: string;
  /** `tier:<id>` or `challenge:<id>#<completion>`, with `@<start>` of a window: each milestone grants once. */
  grantedBy: string;
  choices: number;
  remaining: number;
  state: 'open' | 'exhausted' | 'expired';
  grantedAt: Date;
  expiresAt: Date | null;
}

export interface ChoiceClaimRecord {
  id: string;
  sourceReference: string;
  grantId: string;
  programId: string;
  memberId: string;
  choiceSetId: string;
  rewardId: string;
  claimedAt: Date;
  receipt: object;
}

export interface AdjustmentRecord {
  id: string;
  programId: string;
  memberId: string;
  direction: 'credit' | 'debit';
  points: number;
  reason: string;
  evidence: object;
  state: 'requested' | 'posted' | 'rejected' | 'reversed' | 'expired';
  /** Principals. */
  requestedBy: string;
  requestedAt: Date;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Of the newest decision. */
  decisionReason: string | null;
  reversedBy: string | null;
  transactionId: string | null;
  reversalTransactionId: string | null;
}

export interface LimitCounterRecord {
  programId: string;
  memberId: string;
  limitId: string;
  periodStart: Date;
  points: number;
}

export interface IdempotencyRecord {
  operation: string;
  key: string;
  fingerprint: Buffer;
  receipt: object;
  /** Where the receipt is stored with a transaction, that transaction. */
  transactionId: string | null;
  createdAt: Date;
}

export interface AuditRecord {
  id: string;
  action: string;
  targetType: string;
  targetId: string;
  actorType: 'api_key' | 'system' | 'operator';
  actorId: string;
  requestId: string;
  changes: object;
  at: Date;
}
