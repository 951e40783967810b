/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
export type MemberStatus =
  | 'active'
  | 'suspended'
  | 'erased';

/** What the customer answered when asked, as it is sent. */
export type ConsentChoice =
  | 'opted_in'
  | 'opted_out';

/** Consent as it is read back: `opted_in` reads `granted`, `opted_out` reads `withdrawn`. */
export type ConsentStatus =
  | 'granted'
  | 'withdrawn';

export type IdentityStatus =
  | 'verified'
  | 'unverified';

export type EnrollmentStatus =
  | 'enrolled'
  | 'unenrolled';

export type CreateMemberInput = {
  idempotencyKey: string;
  /** The identity that the merchant already trusts. */
  externalCustomerId: string;
  displayName?: string | null | undefined;
  /** Checked and not kept: the service stores no address. */
  email?: string | null | undefined;
  consentStatus: ConsentChoice;
  /** Version of the identity notice that was shown. */
  noticeVersion: string;
  /** Legacy. Anything but an empty list is refused: enrollment is explicit. */
  programIds?: Array<string> | null | undefined;
};

export type EnrollMemberInput = {
  idempotencyKey: string;
  externalCustomerId: string;
  programId: string;
  /** Enrollment takes an affirmative consent: `opted_in`. */
  consentStatus: ConsentChoice;
  noticeVersion: string;
  /** What proves the consent; `source` names the capture channel. */
  evidence: Record<string, unknown>;
};

export type UnenrollMemberInput = {
  idempotencyKey: string;
  externalCustomerId: string;
  programId: string;
  noticeVersion: string;
  evidence: Record<string, unknown>;
  /** Why the customer leaves. */
  reason: string;
};

export type Channel =
  | 'web'
  | 'store'
  | 'app';

export type EvaluationMode =
  /** The configuration and the member's tier that are current when the event is received. */
  | 'receipt_time_current_configuration'
  /** The configuration version and tier that the event names, effective at its `occurredAt`. */
  | 'event_time_pinned_configuration';

/** State of a transaction. A reversed one is followed by the transaction that reverses it. */
export type TransactionState =
  | 'committed'
  | 'reversed';

/** What a rule decision is about. */
export type RuleDecisionKind =
  | 'earn_rule'
  | 'tier'
  | 'campaign'
  | 'campaign_cap'
  | 'member_limit'
  | 'coupon'
  | 'referral';

/** A line of a cart or an order. */
export type CartItemInput = {
  /** The commerce system's name of the line; line-based returns refer to it. */
  lineReference?: string | null | undefined;
  sku?: string | null | undefined;
  category?: string | null | undefined;
  quantity?: number | null | undefined;
  /** Price of one, in minor currency units. */
  unitPriceMinor?: number | null | undefined;
};

export type EventContextInput = {
  attributes?: Record<string, unknown> | null | undefined;
};

/** A completed purchase. The reference of the order is unique in the environment. */
export type PurchaseEarnInput = {
  idempotencyKey: string;
  programId: string;
  externalCustomerId: string;
  /** Completed order value in minor currency units. */
  amountMinor: number;
  channel: Channel;
  /** Stable order reference from the commerce system. */
  sourceReference: string;
  /** What the customer typed; spaces at either end do not count. One that is not known costs the purchase nothing. */
  couponCode?: string | null | undefined;
  /** ISO 4217 code; the program's own where absent. */
  currency?: string | null | undefined;
  items?: Array<CartItemInput> | null | undefined;
  /** When the purchase was completed; now where absent. Required in pinned mode. */
  occurredAt?: string | null | undefined;
  context?: EventContextInput | null | undefined;
};

export type OrderState =
  | 'active'
  | 'partially_returned'
  | 'returned';

/** A quantity of one line of the order. */
export type ReturnItemInput = {
  lineReference: string;
  quantity: number;
};

/** Exactly one of `returnAmountMinor` and `items`. Both forms may follow each other on one order. */
export type RecordReturnInput = {
  idempotencyKey: string;
  /** Reference of the completed order. */
  sourceReference: string;
  /** Stable identity of this return, unique in the environment. */
  returnReference: string;
  /** Value that goes back, in minor currency units. */
  returnAmountMinor?: number | null | undefined;
  /** Lines that go back; one named twice is added up. */
  items?: Array<ReturnItemInput> | null | undefined;
};

export type QuoteState =
  | 'quoted'
  | 'reserved'
  | 'expired'
  | 'cancelled';

export type ReservationState =
  | 'reserved'
  | 'committed'
  | 'released'
  | 'expired'
  | 'reversed';

export type FulfillmentStatus =
  | 'pending'
  | 'shipped'
  | 'delivered'
  | 'failed';

export type DisputeState =
  | 'open'
  | 'resolved'
  | 'rejected';

export type RedemptionQuoteInput = {
  idempotencyKey: string;
  programId: string;
  externalCustomerId: string;
  /** The merchant's own reference of what the reward is redeemed for, such as a checkout. */
  sourceReference: string;
  rewardId: string;
  /** How long the quote holds. */
  ttlSeconds?: number | null | undefined;
};

export type ReserveRedemptionInput = {
  idempotencyKey: string;
  quoteId: string;
};

export type CommitRedemptionInput = {
  idempotencyKey: string;
  reservationId: string;
  /** What the merchant's checkout authorized the redemption with. */
  authorizationReference: string;
};

export type ReleaseRedemptionInput = {
  idempotencyKey: string;
  reservationId: string;
  reason: string;
};

export type ReverseRedemptionInput = {
  idempotencyKey: string;
  reservationId: string;
  reason: string;
  /** What proves that the reward was not consumed. Required where the reward's terms say so. */
  cancellationEvidence?: Record<string, unknown> | null | undefined;
};

export type UpdateFulfillmentInput = {
  idempotencyKey: string;
  reservationId: string;
  status: FulfillmentStatus;
  /** Such as a tracking number. */
  reference?: string | null | undefined;
};

export type OpenDisputeInput = {
  idempotencyKey: string;
  reservationId: string;
  reason: string;
  evidence?: Record<string, unknown> | null | undefined;
};

export type ResolveDisputeInput = {
  idempotencyKey: string;
  reservationId: string;
  disputeId: string;
  resolution: string;
  /** Reverses the redemption too. */
  reverse?: boolean | null | undefined;
  /** As in a reversal. */
  cancellationEvidence?: Record<string, unknown> | null | undefined;
};

export type RejectDisputeInput = {
  idempotencyKey: string;
  reservationId: string;
  disputeId: string;
  reason: string;
};

export type AdjustmentDirection =
  | 'credit'
  | 'debit';

export type AdjustmentState =
  | 'requested'
  | 'posted'
  | 'rejected'
  | 'reversed'
  | 'expired';

export type RequestAdjustmentInput = {
  idempotencyKey: string;
  programId: string;
  externalCustomerId: string;
  direction: AdjustmentDirection;
  /** In the smallest loyalty unit. */
  points: number;
  reason: string;
  evidence: Record<string, unknown>;
};

/** What approving, rejecting and reversing take. */
export type DecideAdjustmentInput = {
  idempotencyKey: string;
  adjustmentId: string;
  reason: string;
};

export type CustomEventStatus =
  | 'accepted';

/** An engagement event of a type that a published program defines. */
export type RecordCustomEventInput = {
  idempotencyKey: string;
  /** Name of an active event definition in the environment. */
  type: string;
  externalCustomerId: string;
  /** Stable identity of the event, unique in the environment. */
  sourceReference: string;
  /** When it happened; now where absent. */
  occurredAt?: string | null | undefined;
  /** Holds at most 1,000 values in all, members and items at any depth: else `attributes_invalid`. */
  attributes?: Record<string, unknown> | null | undefined;
};

export type ChoiceState =
  | 'fulfilled';

export type ClaimChoiceBenefitInput = {
  idempotencyKey: string;
  externalCustomerId: string;
  choiceSetId: string;
  rewardId: string;
  /** Stable identity of this claim, unique in the environment. */
  sourceReference: string;
};

/** A line of a cart whose offers are asked for. */
export type OfferItemInput = {
  lineReference?: string | null | undefined;
  sku: string;
  category?: string | null | undefined;
  quantity?: number | null | undefined;
  /** Price of one, in minor currency units. */
  unitPriceMinor: number;
  tags?: Array<string> | null | undefined;
  /** Whatever conditions on `items.attributes.…` look at. */
  attributes?: Record<string, unknown> | null | undefined;
};

/** A cart. Nothing is changed, and no coupon is consumed. */
export type EvaluateOffersInput = {
  /** Without it only offers of the whole environment apply. */
  programId?: string | null | undefined;
  /** What the customer typed; spaces at either end do not count. */
  couponCode?: string | null | undefined;
  items: Array<OfferItemInput>;
  externalCustomerId?: string | null | undefined;
  channel?: Channel | null | undefined;
  currency?: string | null | undefined;
  market?: string | null | undefined;
  store?: string | null | undefined;
  /** Of the cart as a whole. */
  tags?: Array<string> | null | undefined;
  /** Also says why each other offer does not apply. */
  explain?: boolean | null | undefined;
};

export type TransactionType =
  | 'purchase'
  | 'return'
  | 'challenge'
  | 'referral'
  | 'points'
  | 'redemption'
  | 'adjustment'
  | 'exchange';

export type EntryDirection =
  | 'debit'
  | 'credit';

export type TransactionFilter = {
  sourceReference?: string | null | undefined;
  programId?: string | null | undefined;
  externalCustomerId?: string | null | undefined;
  /** Such as `purchase.completed`. */
  eventType?: string | null | undefined;
  state?: TransactionState | null | undefined;
  /** Created at or after. */
  from?: string | null | undefined;
  /** Created before. Where both ends are given, the window is at most 366 days. */
  to?: string | null | undefined;
};

/** By precedence: the first one that applies. */
export type LedgerCloseStatus =
  /** A control fails: stop and reconcile. */
  | 'control_exception'
  /** There is no valuation policy: points alone. */
  | 'points_only'
  /** The finance policy or the journal mapping is not approved, or the mapping not complete. */
  | 'provisional'
  | 'ready_for_external_review';

export type approveAdjustmentMutationVariables = Exact<{
  input: DecideAdjustmentInput;
}>;


export type approveAdjustmentMutation = { approveAdjustment: { requestId: string, idempotent: boolean, adjustment: { id: string, state: AdjustmentState, programId: string, externalCustomerId: string, direction: AdjustmentDirection, points: number, reason: string, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionReason: string | null, transactionId: string | null, reversalTransactionId: string | null } } | null };

export type claimChoiceBenefitMutationVariables = Exact<{
  input: ClaimChoiceBenefitInput;
}>;


export type claimChoiceBenefitMutation = { claimChoiceBenefit: { id: string, state: ChoiceState, requestId: string, idempotent: boolean, choice: { setId: string, rewardId: string, rewardName: string, choicesRemaining: number } } | null };

export type commitRedemptionMutationVariables = Exact<{
  input: CommitRedemptionInput;
}>;


export type commitRedemptionMutation = { commitRedemption: { requestId: string, idempotent: boolean, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type createMemberMutationVariables = Exact<{
  input: CreateMemberInput;
}>;


export type createMemberMutation = { createMember: { requestId: string, idempotent: boolean, member: { id: string, externalCustomerId: string, displayName: string | null, status: MemberStatus, consentStatus: ConsentStatus } } | null };

export type enrollMemberMutationVariables = Exact<{
  input: EnrollMemberInput;
}>;


export type enrollMemberMutation = { enrollMember: { requestId: string, idempotent: boolean, created: boolean, member: { id: string, externalCustomerId: string, tier: string }, program: { programId: string, tier: string, status: EnrollmentStatus, qualificationPoints: number, referralCode: string | null, balances: Array<{ accountType: string, available: number, pending: number, reserved: number }> } } | null };

export type evaluateOffersQueryVariables = Exact<{
  input: EvaluateOffersInput;
}>;


export type evaluateOffersQuery = { evaluateOffers: { requestId: string, subtotalMinor: number, discountMinor: number, totalMinor: number, effects: Array<{ offerId: string, name: string, programId: string, policy: string, kind: string, discountMinor: number, explanation: string, lines: Array<{ index: number, lineReference: string | null, sku: string, discountMinor: number }> }>, notApplied: Array<{ offerId: string, programId: string, reason: string }>, coupon: { code: string, valid: boolean } | null } | null };

export type ledgerCloseQueryVariables = Exact<{
  programId: string;
  from?: string | null | undefined;
  to?: string | null | undefined;
}>;


export type ledgerCloseQuery = { ledgerClose: { requestId: string, reportId: string, status: LedgerCloseStatus, programId: string, currency: string, evidence: Record<string, unknown>, evidenceHash: string, period: { from: string, to: string }, controls: Array<{ id: string, title: string, expected: string, found: string, differences: number, passed: boolean, statusOnFailure: LedgerCloseStatus }>, totals: { debits: string, credits: string, postings: number, transactions: number, accounts: Array<{ account: string, opening: string, debits: string, credits: string, closing: string }> }, rollForward: Array<{ line: string, points: string }>, journal: Array<{ movement: string, account: string, direction: EntryDirection, points: string, amountMinor: string | null }>, liability: Array<{ issueMonth: string, expiryMonth: string | null, points: string, expectedPoints: string | null, amountMinor: string | null }>, approvals: Array<{ section: string, sectionHash: string, version: number, approvedBy: string, approvedAt: string }> } | null };

export type ledgerSummaryQueryVariables = Exact<{
  programId?: string | null | undefined;
  from: string;
  to: string;
}>;


export type ledgerSummaryQuery = { ledgerSummary: { requestId: string, programId: string | null, from: string, to: string, transactions: { posted: number, reversed: number }, points: { credits: string, debits: string, net: string }, balances: { members: number, available: string, pending: string, reserved: string }, redemptions: { reserved: number, committed: number, released: number, expired: number, reversed: number }, webhookDeliveries: { pending: number, delivered: number, failed: number, deadLetter: number } } | null };

export type memberQueryVariables = Exact<{
  externalCustomerId: string;
}>;


export type memberQuery = { member: { requestId: string, member: { id: string, externalCustomerId: string, status: MemberStatus, consentStatus: ConsentStatus, identityStatus: IdentityStatus, consent: { status: ConsentStatus, noticeVersion: string, at: string } }, programs: Array<{ programId: string, tier: string, status: EnrollmentStatus, qualificationPoints: number, referralCode: string | null, balances: Array<{ accountType: string, available: number, pending: number, reserved: number, nextExpiry: { points: number, at: string } | null }> }> } | null };

export type openDisputeMutationVariables = Exact<{
  input: OpenDisputeInput;
}>;


export type openDisputeMutation = { openDispute: { requestId: string, idempotent: boolean, dispute: { id: string, reservationId: string, state: DisputeState, reason: string, resolution: string | null, openedAt: string, closedAt: string | null }, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type purchaseEarnMutationVariables = Exact<{
  input: PurchaseEarnInput;
}>;


export type purchaseEarnMutation = { purchaseEarn: { id: string, status: TransactionState, requestId: string, idempotent: boolean, evaluationMode: EvaluationMode | null, evaluationAt: string | null, configurationVersion: number | null, loyaltyUnitPrecision: number | null, member: { id: string, externalCustomerId: string, tier: string } | null, award: { points: number, basePoints: number, campaignPoints: number } | null, campaigns: Array<{ campaignId: string, points: number }> | null, referral: { code: string, referrerPoints: number, refereePoints: number } | null, coupon: { code: string, valid: boolean, redeemed: boolean } | null, ruleDecisions: Array<{ kind: RuleDecisionKind, id: string, matched: boolean, reason: string | null, points: number }> | null } | null };

export type quoteRedemptionMutationVariables = Exact<{
  input: RedemptionQuoteInput;
}>;


export type quoteRedemptionMutation = { quoteRedemption: { requestId: string, idempotent: boolean, quote: { id: string, state: QuoteState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, availableBalance: number, expiresAt: string, terms: Record<string, unknown> } } | null };

export type recordCustomEventMutationVariables = Exact<{
  input: RecordCustomEventInput;
}>;


export type recordCustomEventMutation = { recordCustomEvent: { id: string, status: CustomEventStatus, requestId: string, idempotent: boolean, awards: Array<{ programId: string, challengeId: string, transactionId: string | null, points: number, choiceSetId: string | null }> } | null };

export type recordReturnMutationVariables = Exact<{
  input: RecordReturnInput;
}>;


export type recordReturnMutation = { recordReturn: { id: string, status: TransactionState, requestId: string, idempotent: boolean, return: { sourceReference: string, returnReference: string, returnAmountMinor: number, pointsClawedBack: number, shortfall: number, orderStatus: OrderState } | null } | null };

export type redemptionQueryVariables = Exact<{
  reservationId: string;
}>;


export type redemptionQuery = { redemption: { requestId: string, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string }, disputes: Array<{ id: string, reservationId: string, state: DisputeState, reason: string, resolution: string | null, openedAt: string, closedAt: string | null }> } | null };

export type rejectAdjustmentMutationVariables = Exact<{
  input: DecideAdjustmentInput;
}>;


export type rejectAdjustmentMutation = { rejectAdjustment: { requestId: string, idempotent: boolean, adjustment: { id: string, state: AdjustmentState, programId: string, externalCustomerId: string, direction: AdjustmentDirection, points: number, reason: string, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionReason: string | null, transactionId: string | null, reversalTransactionId: string | null } } | null };

export type rejectDisputeMutationVariables = Exact<{
  input: RejectDisputeInput;
}>;


export type rejectDisputeMutation = { rejectDispute: { requestId: string, idempotent: boolean, dispute: { id: string, reservationId: string, state: DisputeState, reason: string, resolution: string | null, openedAt: string, closedAt: string | null }, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type releaseRedemptionMutationVariables = Exact<{
  input: ReleaseRedemptionInput;
}>;


export type releaseRedemptionMutation = { releaseRedemption: { requestId: string, idempotent: boolean, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type requestAdjustmentMutationVariables = Exact<{
  input: RequestAdjustmentInput;
}>;


export type requestAdjustmentMutation = { requestAdjustment: { requestId: string, idempotent: boolean, adjustment: { id: string, state: AdjustmentState, programId: string, externalCustomerId: string, direction: AdjustmentDirection, points: number, reason: string, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionReason: string | null, transactionId: string | null, reversalTransactionId: string | null } } | null };

export type reserveRedemptionMutationVariables = Exact<{
  input: ReserveRedemptionInput;
}>;


export type reserveRedemptionMutation = { reserveRedemption: { requestId: string, idempotent: boolean, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type resolveDisputeMutationVariables = Exact<{
  input: ResolveDisputeInput;
}>;


export type resolveDisputeMutation = { resolveDispute: { requestId: string, idempotent: boolean, dispute: { id: string, reservationId: string, state: DisputeState, reason: string, resolution: string | null, openedAt: string, closedAt: string | null }, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type reverseAdjustmentMutationVariables = Exact<{
  input: DecideAdjustmentInput;
}>;


export type reverseAdjustmentMutation = { reverseAdjustment: { requestId: string, idempotent: boolean, adjustment: { id: string, state: AdjustmentState, programId: string, externalCustomerId: string, direction: AdjustmentDirection, points: number, reason: string, requestedAt: string, expiresAt: string, decidedAt: string | null, decisionReason: string | null, transactionId: string | null, reversalTransactionId: string | null } } | null };

export type reverseRedemptionMutationVariables = Exact<{
  input: ReverseRedemptionInput;
}>;


export type reverseRedemptionMutation = { reverseRedemption: { requestId: string, idempotent: boolean, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };

export type transactionQueryVariables = Exact<{
  id: string;
}>;


export type transactionQuery = { transaction: { requestId: string, transaction: { id: string, type: TransactionType, eventType: string, programId: string, externalCustomerId: string, sourceReference: string | null, state: TransactionState, points: number, occurredAt: string, createdAt: string, reversalOf: string | null, reversedBy: string | null, entries: Array<{ account: string, direction: EntryDirection, points: number, lotId: string | null }>, evaluation: { evaluationMode: EvaluationMode, evaluationAt: string, configurationVersion: number, loyaltyUnitPrecision: number, award: { points: number, basePoints: number, campaignPoints: number }, ruleDecisions: Array<{ kind: RuleDecisionKind, id: string, matched: boolean, reason: string | null, points: number }> } | null } } | null };

export type transactionsQueryVariables = Exact<{
  filter?: TransactionFilter | null | undefined;
  limit?: number | null | undefined;
  cursor?: string | null | undefined;
}>;


export type transactionsQuery = { transactions: { requestId: string, data: Array<{ id: string, type: TransactionType, eventType: string, programId: string, externalCustomerId: string, sourceReference: string | null, state: TransactionState, points: number, occurredAt: string, createdAt: string, reversalOf: string | null, reversedBy: string | null, entries: Array<{ account: string, direction: EntryDirection, points: number, lotId: string | null }>, evaluation: { evaluationMode: EvaluationMode, evaluationAt: string, configurationVersion: number, loyaltyUnitPrecision: number, award: { points: number, basePoints: number, campaignPoints: number }, ruleDecisions: Array<{ kind: RuleDecisionKind, id: string, matched: boolean, reason: string | null, points: number }> } | null }>, page: { nextCursor: string | null, hasMore: boolean } } | null };

export type unenrollMemberMutationVariables = Exact<{
  input: UnenrollMemberInput;
}>;


export type unenrollMemberMutation = { unenrollMember: { requestId: string, idempotent: boolean, program: { programId: string, status: EnrollmentStatus } } | null };

export type updateFulfillmentMutationVariables = Exact<{
  input: UpdateFulfillmentInput;
}>;


export type updateFulfillmentMutation = { updateFulfillment: { requestId: string, idempotent: boolean, reservation: { id: string, quoteId: string, state: ReservationState, programId: string, externalCustomerId: string, rewardId: string, sourceReference: string, points: number, reservedAt: string, expiresAt: string, changedAt: string, authorizationReference: string | null, reason: string | null, fulfillmentStatus: FulfillmentStatus | null, fulfillmentReference: string | null, transactionId: string } } | null };
