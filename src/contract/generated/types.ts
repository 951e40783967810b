export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An integer from -(2^53-1) to 2^53-1: every JSON safe integer. 1.0 and 1e2 are integers. */
  Long: { input: number; output: number; }
  /** An instant, RFC 3339 with a time zone, such as 2026-01-31T12:00:00Z. Given back in UTC. */
  DateTime: { input: string; output: string; }
  /** Any JSON object. */
  JSONObject: { input: Record<string, unknown>; output: Record<string, unknown>; }
  /**
   * The `context.attributes` of an event: any JSON object of at most 100 properties. Two names are the service's own:
   * `svcEvaluation` (object: `mode`, `configurationVersion`, `memberTier`) and `referralCode` (string).
   */
  EventAttributes: { input: Record<string, unknown>; output: Record<string, unknown>; }
};

/** Every error code of the service: `error.code` in REST, `extensions.code` in GraphQL. */
export type ErrorCode =
  /** The body is not one strict UTF-8 JSON object. */
  | 'invalid_json'
  /** The mutation carries no idempotency key, or more than one. */
  | 'idempotency_key_required'
  /** GraphQL: the body is not `{query, operationName?, variables?}`. */
  | 'invalid_request'
  /** GraphQL: the document does not parse. */
  | 'graphql_parse_failed'
  /** GraphQL: the document is not valid against the schema, or its variables or operation name do not fit. */
  | 'graphql_validation_failed'
  /** GraphQL: more than 12 fields deep (introspection: 16). */
  | 'depth_limit_exceeded'
  /** GraphQL: more than five top-level query fields. */
  | 'too_many_fields'
  /** GraphQL: a mutation holds other than exactly one command. */
  | 'single_command_required'
  /** GraphQL: over 1,000 tokens, 30 aliases or 500 expanded selections. */
  | 'budget_exceeded'
  /** GraphQL: introspection is closed in Production; the SDL is served instead. */
  | 'introspection_disabled'
  /** The credential is absent, invalid, expired, revoked, or of another environment. */
  | 'unauthorized'
  /** The credential is valid, the scope is missing. */
  | 'insufficient_scope'
  /** No such path. */
  | 'not_found'
  /** No such member in the environment, or it is not active. */
  | 'member_not_found'
  /** No such published program in the environment. */
  | 'program_not_found'
  /** The member was never enrolled in the program. */
  | 'profile_not_found'
  /** The path does not take this method. */
  | 'method_not_allowed'
  /** The idempotency key was used before with another input. Nothing happened. */
  | 'idempotency_key_reused'
  /** The Production environment is locked. */
  | 'production_locked'
  /** Another key already made a member with this externalCustomerId. */
  | 'member_exists'
  /** The member is not enrolled in the program. */
  | 'enrollment_required'
  /** Points are left on the profile. */
  | 'balance_not_zero'
  /** A reservation is still open. */
  | 'reservation_open'
  /** Another key already recorded this order reference. */
  | 'source_reference_conflict'
  /** The pinned configuration version was not published or not effective at `occurredAt`. */
  | 'configuration_not_effective'
  /** The member limit is reached and the program refuses what exceeds it. */
  | 'member_limit_reached'
  /** The balance would exceed 2^53-1. */
  | 'balance_limit_exceeded'
  /** The body is larger than the surface allows. */
  | 'payload_too_large'
  /** The body is not application/json in UTF-8. */
  | 'unsupported_media_type'
  /** The input violates the contract; `details` names each path. */
  | 'validation_failed'
  /** The event violates the contract; `details` names each path. */
  | 'invalid_event'
  /** Members are enrolled program by program, with their consent: `programIds` must be empty. */
  | 'explicit_program_enrollment_required'
  /** The purchase's currency is not the program's. */
  | 'currency_mismatch'
  /** The configuration version has no such tier. */
  | 'unknown_tier'
  /** More than 600 requests in a minute. Wait as Retry-After says; keep key and body. */
  | 'rate_limited'
  /** Something is broken on our side. Retry with the same key and body; keep the requestId. */
  | 'internal_error'
  /** Too much is waiting. Nothing was done; retry as Retry-After says. */
  | 'overloaded';

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

/** A customer of the merchant. A member is in no program until enrolled there. */
export type Member = {
  /** TypeID, `mem_…`. */
  id: Scalars['ID']['output'];
  /** The merchant's own customer id. */
  externalCustomerId: Scalars['String']['output'];
  displayName?: Maybe<Scalars['String']['output']>;
  status: MemberStatus;
  consentStatus: ConsentStatus;
  identityStatus: IdentityStatus;
  consent: Consent;
};

/** The newest consent record of the member's identity. */
export type Consent = {
  status: ConsentStatus;
  /** Version of the notice that was shown. */
  noticeVersion: Scalars['String']['output'];
  at: Scalars['DateTime']['output'];
};

/** A member's participation in one program. */
export type ProgramProfile = {
  programId: Scalars['String']['output'];
  /** Tier id in the program's published configuration. */
  tier: Scalars['String']['output'];
  status: EnrollmentStatus;
  /** Points that count for the tier, in the program's qualification window, in the smallest loyalty unit. */
  qualificationPoints: Scalars['Long']['output'];
  /** One entry per account. */
  balances: Array<AccountBalance>;
};

/** Points in the smallest loyalty unit. */
export type AccountBalance = {
  /** Always `member`. */
  accountType: Scalars['String']['output'];
  available: Scalars['Long']['output'];
  pending: Scalars['Long']['output'];
  reserved: Scalars['Long']['output'];
};

export type MemberResult = {
  requestId: Scalars['String']['output'];
  member: Member;
  /** Programs that the member is, or was, enrolled in. */
  programs: Array<ProgramProfile>;
};

export type CreateMemberInput = {
  idempotencyKey: Scalars['String']['input'];
  /** The identity that the merchant already trusts. */
  externalCustomerId: Scalars['String']['input'];
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** Checked and not kept: the service stores no address. */
  email?: InputMaybe<Scalars['String']['input']>;
  consentStatus: ConsentChoice;
  /** Version of the identity notice that was shown. */
  noticeVersion: Scalars['String']['input'];
  /** Legacy. Anything but an empty list is refused: enrollment is explicit. */
  programIds?: InputMaybe<Array<Scalars['String']['input']>>;
};

export type CreateMemberPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  member: Member;
};

export type EnrollMemberInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  /** Enrollment takes an affirmative consent: `opted_in`. */
  consentStatus: ConsentChoice;
  noticeVersion: Scalars['String']['input'];
  /** What proves the consent; `source` names the capture channel. */
  evidence: Scalars['JSONObject']['input'];
};

export type EnrollMemberPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** False where the profile was there already, or was re-activated. */
  created: Scalars['Boolean']['output'];
  member: MemberReference;
  program: ProgramProfile;
};

export type UnenrollMemberInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  noticeVersion: Scalars['String']['input'];
  evidence: Scalars['JSONObject']['input'];
  /** Why the customer leaves. */
  reason: Scalars['String']['input'];
};

export type UnenrollMemberPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  program: EnrollmentState;
};

export type EnrollmentState = {
  programId: Scalars['String']['output'];
  status: EnrollmentStatus;
};

/** A member as the answer to a command names it. */
export type MemberReference = {
  id: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  /** Tier id after the command. */
  tier: Scalars['String']['output'];
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
  lineReference?: InputMaybe<Scalars['String']['input']>;
  sku?: InputMaybe<Scalars['String']['input']>;
  category?: InputMaybe<Scalars['String']['input']>;
  quantity?: InputMaybe<Scalars['Long']['input']>;
  /** Price of one, in minor currency units. */
  unitPriceMinor?: InputMaybe<Scalars['Long']['input']>;
};

export type EventContextInput = {
  attributes?: InputMaybe<Scalars['EventAttributes']['input']>;
};

/** A completed purchase. The reference of the order is unique in the environment. */
export type PurchaseEarnInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  /** Completed order value in minor currency units. */
  amountMinor: Scalars['Long']['input'];
  channel: Channel;
  /** Stable order reference from the commerce system. */
  sourceReference: Scalars['String']['input'];
  couponCode?: InputMaybe<Scalars['String']['input']>;
  /** ISO 4217 code; the program's own where absent. */
  currency?: InputMaybe<Scalars['String']['input']>;
  items?: InputMaybe<Array<CartItemInput>>;
  /** When the purchase was completed; now where absent. Required in pinned mode. */
  occurredAt?: InputMaybe<Scalars['DateTime']['input']>;
  context?: InputMaybe<EventContextInput>;
};

/** Detailed fields are the first receipt's, also on a replay. */
export type PurchaseEarnPayload = {
  /** TypeID of the transaction, `txn_…`. */
  id: Scalars['ID']['output'];
  status: TransactionState;
  requestId: Scalars['String']['output'];
  /** True where an earlier identical command is answered again. */
  idempotent: Scalars['Boolean']['output'];
  member?: Maybe<MemberReference>;
  award?: Maybe<Award>;
  campaigns?: Maybe<Array<CampaignAward>>;
  /** Null where no referral applied. */
  referral?: Maybe<ReferralAward>;
  /** Null where no coupon came. */
  coupon?: Maybe<CouponResult>;
  evaluationMode?: Maybe<EvaluationMode>;
  evaluationAt?: Maybe<Scalars['DateTime']['output']>;
  configurationVersion?: Maybe<Scalars['Int']['output']>;
  loyaltyUnitPrecision?: Maybe<Scalars['Int']['output']>;
  ruleDecisions?: Maybe<Array<RuleDecision>>;
};

/** points = basePoints + campaignPoints, in the smallest loyalty unit. */
export type Award = {
  points: Scalars['Long']['output'];
  basePoints: Scalars['Long']['output'];
  campaignPoints: Scalars['Long']['output'];
};

export type CampaignAward = {
  campaignId: Scalars['String']['output'];
  points: Scalars['Long']['output'];
};

export type ReferralAward = {
  code: Scalars['String']['output'];
  referrerPoints: Scalars['Long']['output'];
  refereePoints: Scalars['Long']['output'];
};

export type CouponResult = {
  code: Scalars['String']['output'];
  valid: Scalars['Boolean']['output'];
  redeemed: Scalars['Boolean']['output'];
};

/** What was considered for an award, and what came of it. */
export type RuleDecision = {
  kind: RuleDecisionKind;
  id: Scalars['String']['output'];
  matched: Scalars['Boolean']['output'];
  /** Why it did not match, or what it changed. */
  reason?: Maybe<Scalars['String']['output']>;
  /** Points that it gave (positive) or took (negative). */
  points: Scalars['Long']['output'];
};

export type Query = {
  /** A member with its program profiles. */
  member?: Maybe<MemberResult>;
};


export type QuerymemberArgs = {
  externalCustomerId: Scalars['String']['input'];
};

export type Mutation = {
  /** Creates a member. Creates no program profile and no account. */
  createMember?: Maybe<CreateMemberPayload>;
  /** Enrolls a member in a program, with the evidence of consent. Never resets a balance. */
  enrollMember?: Maybe<EnrollMemberPayload>;
  /** Ends a member's enrollment once every balance is zero. History stays. */
  unenrollMember?: Maybe<UnenrollMemberPayload>;
  /** Awards points for a completed purchase. */
  purchaseEarn?: Maybe<PurchaseEarnPayload>;
};


export type MutationcreateMemberArgs = {
  input: CreateMemberInput;
};


export type MutationenrollMemberArgs = {
  input: EnrollMemberInput;
};


export type MutationunenrollMemberArgs = {
  input: UnenrollMemberInput;
};


export type MutationpurchaseEarnArgs = {
  input: PurchaseEarnInput;
};
