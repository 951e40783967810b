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
   * `svcEvaluation` (object: `mode`, `configurationVersion`, `memberTier`) and `referralCode` (what the customer typed: a
   * string of at most 200 characters).
   */
  EventAttributes: { input: Record<string, unknown>; output: Record<string, unknown>; }
};

/** What the operations that share a code have in common. */
export type OperationForm =
  /** Every operation. */
  | 'OPERATION'
  /** Those with arguments: they are validated. */
  | 'INPUT'
  /** Those with a body, in REST. */
  | 'BODY'
  /** Those that change something, under an idempotency key. */
  | 'MUTATION'
  /** Those that ask for a scope. */
  | 'SCOPE'
  /** Those of the public GraphQL endpoint: the document is at fault. */
  | 'DOCUMENT';

/** Every error code of the service: `error.code` in REST, `extensions.code` in GraphQL. */
export type ErrorCode =
  /** The body is not one strict UTF-8 JSON object. */
  | 'invalid_json'
  /** The mutation carries no idempotency key, or more than one. */
  | 'idempotency_key_required'
  /** A header that may be given once is given twice, there is no `Host`, the request target is no path and no http URL, or it is no HTTP request; GraphQL: the body is not `{query, operationName?, variables?}`. */
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
  /** The token does not carry the authorization of the merchant's checkout for this redemption: its claim `authorization_reference` is not the one that is sent. */
  | 'authorization_required'
  /** The page's Origin is absent, or not the one that the widget's session was made for. */
  | 'origin_not_allowed'
  /** No such path. */
  | 'not_found'
  /** No such member in the environment, or it is not active. */
  | 'member_not_found'
  /** No such published program in the environment. */
  | 'program_not_found'
  /** The member was never enrolled in the program. */
  | 'profile_not_found'
  /** No such order in the environment. */
  | 'order_not_found'
  /** No such transaction in the environment. */
  | 'transaction_not_found'
  /** The program's present configuration has no such reward. */
  | 'reward_not_found'
  /** No such redemption quote in the environment. */
  | 'quote_not_found'
  /** No such redemption reservation in the environment. */
  | 'reservation_not_found'
  /** No such dispute of this reservation. */
  | 'dispute_not_found'
  /** No such adjustment in the environment. */
  | 'adjustment_not_found'
  /** No such merge of two members in the environment. */
  | 'merge_not_found'
  /** No such settlement of this member with a partner in the program. */
  | 'settlement_not_found'
  /** No such webhook endpoint in the environment, or it is deleted. */
  | 'endpoint_not_found'
  /** No such webhook delivery in the environment. */
  | 'delivery_not_found'
  /** No such long-running operation in the environment. */
  | 'operation_not_found'
  /** No such widget deployment. */
  | 'deployment_not_found'
  /** No active event definition of this type in the environment. */
  | 'event_definition_not_found'
  /** No pool of the program has this code. */
  | 'coupon_code_not_found'
  /** No active choice set of this id that the member could choose from. */
  | 'choice_set_not_found'
  /** The path does not take this method. */
  | 'method_not_allowed'
  /** The idempotency key was used before with another input. Nothing happened. */
  | 'idempotency_key_reused'
  /** The code of a pool is another member's, used up or disabled. */
  | 'coupon_code_unavailable'
  /** The Production environment is locked. */
  | 'production_locked'
  /** Another Idempotency-Key already made a member with this externalCustomerId. */
  | 'member_exists'
  /** The member is not enrolled in the program. */
  | 'enrollment_required'
  /** Points are left on the profile. */
  | 'balance_not_zero'
  /** A reservation is still open. */
  | 'reservation_open'
  /** Another Idempotency-Key already recorded this order reference. */
  | 'source_reference_conflict'
  /** The pinned configuration version was not published or not effective at `occurredAt`. */
  | 'configuration_not_effective'
  /** The member limit is reached and the program refuses what exceeds it. */
  | 'member_limit_reached'
  /** The balance would exceed 2^53-1. */
  | 'balance_limit_exceeded'
  /** More of a discount is to be reversed than remains of it. */
  | 'reversal_exceeds_remaining'
  /** More is returned than remains of the order or of one of its lines. */
  | 'return_exceeds_remaining'
  /** The order's points are spent or held, and the program's return policy refuses such returns. */
  | 'points_not_recoverable'
  /** This returnReference names a return of another order. */
  | 'return_reference_conflict'
  /** The member has too few available points. */
  | 'insufficient_points'
  /** The member may not have this reward. */
  | 'reward_not_eligible'
  /** Nothing is left of the reward. */
  | 'inventory_exhausted'
  /** The widget does not offer this reward to the member at present. Nothing happened, and the key is unused. */
  | 'reward_not_available'
  /** The widget was published anew since the page read it: read it again. Nothing happened, and the key is unused. */
  | 'deployment_replaced'
  /** The reward has another price by now than the member has confirmed; `details` has the present one. Nothing happened, and the key is unused. */
  | 'price_changed'
  /** The quote or the reservation is not in a state that allows this. */
  | 'invalid_redemption_state'
  /** The dispute is closed already. */
  | 'invalid_dispute_state'
  /** The reservation has had 20 disputes, the most that one can have. */
  | 'dispute_limit_reached'
  /** The member has no choice left in this set, or may not choose this reward (again). */
  | 'no_choice_left'
  /** The adjustment is not in a state that allows this. */
  | 'invalid_adjustment_state'
  /** The merge of two members is not in a state that allows this. */
  | 'invalid_merge_state'
  /** The two members cannot be merged as they are; the message names what to do. */
  | 'merge_blocked'
  /** The merge was approved more than 30 days ago, so that it cannot be undone. */
  | 'unmerge_period_over'
  /** One of the two accounts was merged once more since: that merge has to be undone first. */
  | 'merged_again'
  /** Points of the merged account were spent, held, returned, adjusted or have lapsed since: the merge cannot be undone. */
  | 'merged_points_used'
  /** Challenges, choices or the tier rest on both accounts together by now: the merge cannot be undone. */
  | 'merged_engagement_used'
  /** The settlement with a partner was reversed before, or is itself a reversal. */
  | 'invalid_settlement_state'
  /** The one who asked for an adjustment may not decide on it, nor may whoever published a section approve it. */
  | 'self_approval_forbidden'
  /** The member has 50 tags, the most that one can have. */
  | 'tag_limit_reached'
  /** The environment has 50 webhook endpoints, the most possible. Delete one first. */
  | 'endpoint_limit_reached'
  /** The webhook endpoint is disabled or deleted. */
  | 'endpoint_disabled'
  /** The webhook endpoint has two replays that have yet to end, the most possible. Wait for one of them. */
  | 'replay_limit_reached'
  /** The webhook delivery is not in a state that allows this. */
  | 'invalid_delivery_state'
  /** Only a Sandbox has a clock that can be moved. */
  | 'sandbox_required'
  /** The clock cannot be moved there: before the real time or the newest record of the environment, or more than 20 years ahead. */
  | 'invalid_clock_time'
  /** The feed is in another epoch, and what was read beyond `lastPositionKept` did not happen. `details` has both, and `epochAt`: take that back, and read on with `afterPosition`, `epoch` and `epochAt`. */
  | 'feed_forked'
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
  /** A reward that is paid with points takes either `points` or `amountMinor`, and `orderAmountMinor` where it limits the share of an order; another reward takes none of them. */
  | 'quote_form_invalid'
  /** The reward is not paid with so many points: they are below its minimum, above its maximum or its share of the order, or between two steps. */
  | 'points_out_of_range'
  /** Only a discount that was paid with points can be reversed in parts. */
  | 'reversal_form_invalid'
  /** A return names either `returnAmountMinor` or `items`: neither or both is no return. */
  | 'return_form_invalid'
  /** The order has no such line. */
  | 'unknown_line'
  /** Reversing this reward takes `cancellationEvidence`. */
  | 'cancellation_evidence_required'
  /** The attributes violate the event definition's schema; `details` names each path. */
  | 'attributes_invalid'
  /** The URL is not https, has credentials, or its host is not one of the public internet. */
  | 'url_not_public'
  /** The cursor is not one of this list under these filters. */
  | 'invalid_cursor'
  /** The window is empty, reversed, too long, or lies in the future. */
  | 'invalid_window'
  /** The cart or purchase has too many lines for the offers, or rules and campaigns, that are evaluated for it. Send fewer lines. */
  | 'cart_too_large'
  /** More than 600 requests in a minute, or too many coupon codes of one customer that could not be used. Wait as Retry-After says; keep key and body. */
  | 'rate_limited'
  /** Something is broken on our side. Retry with the same key and body; keep the requestId. */
  | 'internal_error'
  /** The mutation was done under this idempotency key, and is not done again; but its stored receipt was damaged in the database and cannot be shown. Read what it did, such as the transaction of its `sourceReference`, and have the receipt restored. */
  | 'receipt_unreadable'
  /** Too much is waiting: commands, reads of this environment, or points of the member that are due. Nothing was done; retry as Retry-After says. */
  | 'overloaded'
  /** The database does not answer at the moment. Retry as Retry-After says, with the same key and body: it may have happened. */
  | 'unavailable'
  /** A request with a session that did not come from a page of this service. Nothing was done. */
  | 'cross_site_request'
  /** There is no open session of yours of this id. */
  | 'session_not_found'
  /** This service has no database login for management. Whoever runs it sets `OPERATOR_DATABASE_URL`. */
  | 'management_unavailable'
  /** The program, or the widget, has no such version. */
  | 'version_not_found'
  /** The newest version is another one than the caller knew. Nothing was published: read it, and send the document again. */
  | 'version_conflict'
  /** The document changes the program's currency or precision, and so the value of its points. */
  | 'program_conflict'
  /** The version of the program has no such section. */
  | 'section_not_found'
  /** Only Production can be locked, and this is a Sandbox. */
  | 'production_required'
  /** The newest version of the program has no coupon of this code with a pool. */
  | 'pool_not_found'
  /** The pattern has too few random characters for so many codes: they could be guessed. The message says how many are missing. */
  | 'too_few_random_characters'
  /** No such issuer of customers' tokens in the environment. */
  | 'issuer_not_found'
  /** The environment has an issuer with this `iss` and audience already. To replace it, remove it first. */
  | 'issuer_exists';

/** What a search finds. */
export type SearchKind =
  /** By its externalCustomerId, from four characters on also by the beginning of it, or by its id. */
  | 'member'
  /** By its `sourceReference`, from four characters on also by the beginning of it. */
  | 'order'
  | 'transaction'
  | 'redemption'
  | 'adjustment'
  | 'member_merge'
  | 'operation'
  | 'webhook_endpoint'
  | 'webhook_delivery'
  | 'referral_code'
  /** A code of a pool. */
  | 'coupon_code';

export type SearchHit = {
  kind: SearchKind;
  /** Its TypeID. That of an order is the one of its purchase's transaction; that of a code is the id of its program. */
  id: Scalars['ID']['output'];
  /**
   * The externalCustomerId of a member, the `sourceReference` of an order, the `eventType` of a transaction or delivery, the reward of a
   * redemption, direction and points of an adjustment, the state of a merge, the type of an operation, the URL of an endpoint, and the
   * code as it was typed.
   */
  label: Scalars['String']['output'];
  /** The member that it belongs to: of a merged account the one that goes on. Null where it belongs to nobody; whom a coupon code was given to takes `members:read`. */
  member?: Maybe<MemberIdentity>;
};

export type SearchResult = {
  requestId: Scalars['String']['output'];
  /** At most 20: what the text names exactly first, then what begins with it, by its name. */
  data: Array<SearchHit>;
};

/** What a person may do. A person may have several roles, each in one environment or in all of the tenant's. */
export type PersonRole =
  /** Reads everything. */
  | 'viewer'
  /** Helps customers: members, redemptions, requests for adjustments. */
  | 'support'
  /** Changes programs. */
  | 'marketer'
  /** Reads the books. */
  | 'finance'
  /** Decides on what others ask for. */
  | 'approver'
  /** Connects a shop. In a Sandbox, all but people. */
  | 'developer'
  /** All. In Production nobody records purchases or opens sessions of widgets by hand. */
  | 'admin';

/** A person, and what it may do in each environment of its tenant. */
export type Person = {
  /** `prs_…`: what the audit trail names. */
  id: Scalars['String']['output'];
  tenantId: Scalars['String']['output'];
  name: Scalars['String']['output'];
  email: Scalars['String']['output'];
  /** Those in which the person has a role, oldest first. */
  environments: Array<PersonEnvironment>;
};

export type PersonEnvironment = {
  environmentId: Scalars['String']['output'];
  kind: Scalars['String']['output'];
  name: Scalars['String']['output'];
  roles: Array<PersonRole>;
  /** What requests with the session may do there. */
  scopes: Array<Scalars['String']['output']>;
};

export type PersonSession = {
  id: Scalars['String']['output'];
  /** Whether it is that of this request. */
  current: Scalars['Boolean']['output'];
  begunAt: Scalars['DateTime']['output'];
  /** Written at most once a minute. */
  lastUsedAt: Scalars['DateTime']['output'];
  /** When it ends if it is not used any more. */
  idleUntil: Scalars['DateTime']['output'];
  /** When it ends in any case. */
  expiresAt: Scalars['DateTime']['output'];
};

export type PersonSessionResult = {
  requestId: Scalars['String']['output'];
  person: Person;
  session: PersonSession;
};

/** Newest first. */
export type PersonSessionList = {
  requestId: Scalars['String']['output'];
  data: Array<PersonSession>;
};

export type EndPersonSessionInput = {
  idempotencyKey: Scalars['String']['input'];
  /** Which of the person's sessions. Default: that of this request, which signs out. */
  sessionId?: InputMaybe<Scalars['ID']['input']>;
};

export type EndPersonSessionPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  sessionId: Scalars['String']['output'];
};

/** A published program, as of the version in effect; of the newest one while none is. */
export type Program = {
  programId: Scalars['String']['output'];
  name: Scalars['String']['output'];
  /** ISO 4217. */
  currency: Scalars['String']['output'];
  /** Decimal places of a point: 0 where a point is the smallest loyalty unit. */
  loyaltyUnitPrecision: Scalars['Int']['output'];
  /** From the lowest to the highest. */
  tiers: Array<ProgramTier>;
  /** The version in effect; null while none is. */
  configurationVersion?: Maybe<Scalars['Int']['output']>;
  newestVersion: Scalars['Int']['output'];
  /** When the newest version was published. */
  publishedAt: Scalars['DateTime']['output'];
};

export type ProgramTier = {
  id: Scalars['String']['output'];
  name: Scalars['String']['output'];
};

/** By programId. */
export type ProgramPage = {
  requestId: Scalars['String']['output'];
  data: Array<Program>;
  page: Page;
};

/** A published configuration of a program. It never changes. */
export type ProgramVersion = {
  /** From 1 without gaps. */
  configurationVersion: Scalars['Int']['output'];
  effectiveFrom: Scalars['DateTime']['output'];
  publishedAt: Scalars['DateTime']['output'];
  /** The operator or principal who published it. */
  publishedBy: Scalars['String']['output'];
  /** SHA-256 of the document's canonical JSON (RFC 8785), as hex. */
  documentHash: Scalars['String']['output'];
  /** What whoever published it wrote about it. */
  note?: Maybe<Scalars['String']['output']>;
};

/** Newest first. */
export type ProgramVersionPage = {
  requestId: Scalars['String']['output'];
  data: Array<ProgramVersion>;
  page: Page;
};

export type ProgramVersionResult = {
  requestId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  version: ProgramVersion;
  /** As it was published, without the defaults. */
  document: Scalars['JSONObject']['output'];
};

/** One thing that differs between two documents of a program. */
export type ProgramChange = {
  /** Top-level property, such as `campaigns`; `earn.rules` for the earn rules. */
  section: Scalars['String']['output'];
  /** Id of the entry, in a section that is a list. */
  id?: Maybe<Scalars['String']['output']>;
  change: ProgramChangeKind;
  /** Path within the entry or section, such as `award.bonusPoints`. Empty for all of it. */
  path: Scalars['String']['output'];
  /** The value before, as JSON; null where it was added. */
  before?: Maybe<Scalars['String']['output']>;
  /** The value after, as JSON; null where it was removed. */
  after?: Maybe<Scalars['String']['output']>;
};

export type ProgramChangeKind =
  | 'added'
  | 'removed'
  | 'changed'
  /** Only earn rules: their order matters. */
  | 'moved';

export type ProgramDiffResult = {
  requestId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  /** The version that is compared. */
  from: Scalars['Int']['output'];
  /** The version that it is compared with. */
  to: Scalars['Int']['output'];
  changes: Array<ProgramChange>;
};

/** What is wrong in a document, and where. */
export type DocumentProblem = {
  /** Such as `earn.rules[0].points.perAmountMinor`; empty for the whole text. */
  path: Scalars['String']['output'];
  /** From 1. */
  line: Scalars['Int']['output'];
  /** From 1. */
  column: Scalars['Int']['output'];
  message: Scalars['String']['output'];
};

export type PublishProgramInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['ID']['input'];
  /** The document, as YAML 1.2 or JSON. Its `id` is the program's. */
  source: Scalars['String']['input'];
  /** From when the version is in effect. Default: now. */
  effectiveAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** What is new, for those who read the list of versions. */
  note?: InputMaybe<Scalars['String']['input']>;
  /**
   * The newest version that the caller knows; 0 where there is none. Where another one is the newest by now, nothing is
   * published. REST takes it from `If-Match: "3"`.
   */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** True to see what would become of the document, without publishing it: problems and changes. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};

export type PublishProgramPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** Whether a version was made. False for a dry run, and where the newest version is this very document already. */
  created: Scalars['Boolean']['output'];
  programId: Scalars['String']['output'];
  /** The version of this document: the one that was made, or that is there already. Null where a dry run would make one. */
  version?: Maybe<ProgramVersion>;
  /** What differs from the newest version before. Empty for the first one. */
  changes: Array<ProgramChange>;
  /** Why the document cannot be published. Other calls than dry runs are refused with these in `details`. */
  problems: Array<DocumentProblem>;
};

/** Whoever vouches for customers: an environment takes its tokens on the API for customers. Its keys and its secret are never shown. */
export type TokenIssuer = {
  /** TypeID, `iss_…`. */
  id: Scalars['ID']['output'];
  /** The claim `iss` of its tokens. */
  issuer: Scalars['String']['output'];
  /** What the claim `aud` of its tokens contains. */
  audience: Scalars['String']['output'];
  keysFrom: TokenIssuerKeys;
  /** Where its public keys are read. */
  jwksUrl?: Maybe<Scalars['String']['output']>;
  /** The origins whose pages may read responses. */
  origins: Array<Scalars['String']['output']>;
  createdAt: Scalars['DateTime']['output'];
  /** From then on its tokens are refused. */
  removedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** Where the keys of an issuer come from. */
export type TokenIssuerKeys =
  /** They are read from its `jwksUrl`. */
  | 'jwks_url'
  /** They were given with it: a JWKS, or one public key. */
  | 'jwks'
  /** A secret of HS256, which is stored encrypted. */
  | 'secret';

/** Newest first, with those that were removed. */
export type TokenIssuerPage = {
  requestId: Scalars['String']['output'];
  data: Array<TokenIssuer>;
  page: Page;
};

export type TokenIssuerResult = {
  requestId: Scalars['String']['output'];
  issuer: TokenIssuer;
};

/** Exactly one of `jwksUrl`, `jwks`, `publicKey` and `secret` is needed. Public keys are those of RS256 (2,048 bits or more), ES256 or EdDSA (Ed25519). */
export type AddTokenIssuerInput = {
  idempotencyKey: Scalars['String']['input'];
  /** The claim `iss` of its tokens, letter by letter. */
  issuer: Scalars['String']['input'];
  /** What the claim `aud` of its tokens has to contain. */
  audience: Scalars['String']['input'];
  /** Where its public keys are read: https, with a host of the public internet. */
  jwksUrl?: InputMaybe<Scalars['String']['input']>;
  /** Its public keys as a JSON Web Key Set. Keys that verify no tokens are left out. */
  jwks?: InputMaybe<Scalars['JSONObject']['input']>;
  /** Its one public key, in PEM. */
  publicKey?: InputMaybe<Scalars['String']['input']>;
  /** The secret of its tokens of HS256: at least 32 bytes. It is stored encrypted, and never shown. */
  secret?: InputMaybe<Scalars['String']['input']>;
  /** Sites whose pages may read responses, as browsers send them: `https://shop.example`. */
  origins?: InputMaybe<Array<Scalars['String']['input']>>;
};

export type RemoveTokenIssuerInput = {
  idempotencyKey: Scalars['String']['input'];
  issuerId: Scalars['ID']['input'];
};

export type TokenIssuerPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  issuer: TokenIssuer;
};

/** A token of a customer, to be explained to whoever runs the issuer. */
export type CheckTokenInput = {
  issuerId: Scalars['ID']['input'];
  /** The token, also with `Bearer` before it. It is neither stored nor logged. */
  token: Scalars['String']['input'];
};

export type CheckTokenResult = {
  requestId: Scalars['String']['output'];
  /** True where every finding is ok: the token is taken. */
  accepted: Scalars['Boolean']['output'];
  findings: Array<TokenFinding>;
};

/** What one part of a token is for an issuer. */
export type TokenFinding = {
  /** The name of a claim or of a part of the header; `form`, `key`, `signature` and `issuer` for the token as a whole. */
  part: Scalars['String']['output'];
  ok: Scalars['Boolean']['output'];
  /** What the part is, or what it has to be. */
  message: Scalars['String']['output'];
};

/** A section that finance approves, apart from the rest of the document. */
export type FinanceSectionName =
  /** What points are worth in close reports. */
  | 'finance'
  /** The merchant's accounts that close reports book to. */
  | 'journal';

/** A section of a version, with the approval that is valid for it. */
export type FinanceSection = {
  section: FinanceSectionName;
  /** As it was published. */
  content: Scalars['JSONObject']['output'];
  /** SHA-256 of the section's canonical JSON (RFC 8785), as hex. */
  sectionHash: Scalars['String']['output'];
  /** Accounts that `journal` does not name. Close reports stay `provisional` until it has them all. */
  missingAccounts: Array<Scalars['String']['output']>;
  /** It may be of another version that has the same section. Null while nobody has approved it. */
  approval?: Maybe<CloseApproval>;
};

export type FinanceSectionsResult = {
  requestId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  configurationVersion: Scalars['Int']['output'];
  publishedBy: Scalars['String']['output'];
  /** Only those that the version has. */
  sections: Array<FinanceSection>;
};

export type ApproveFinanceInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['ID']['input'];
  /** The version that has the sections. */
  configurationVersion: Scalars['Int']['input'];
  /** All of them are approved, or none. */
  sections: Array<FinanceSectionName>;
};

/** A section that is approved. */
export type FinanceApproval = {
  section: FinanceSectionName;
  /** SHA-256 of the section's canonical JSON (RFC 8785), as hex. */
  sectionHash: Scalars['String']['output'];
  /** The version that was approved. The approval is valid for every version with the same section. */
  version: Scalars['Int']['output'];
  approvedBy: Scalars['String']['output'];
  approvedAt: Scalars['DateTime']['output'];
  /** False where it was approved before: nothing has changed. */
  approved: Scalars['Boolean']['output'];
};

export type ApproveFinancePayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  programId: Scalars['String']['output'];
  configurationVersion: Scalars['Int']['output'];
  approvals: Array<FinanceApproval>;
};

/** Set by the merchant's operators, on the command line. */
export type MemberStatus =
  | 'active'
  /** Earns and redeems nothing, and keeps its points. */
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
  /** In the order of their characters. Null in what commands answer. */
  tags?: Maybe<Array<Scalars['String']['output']>>;
  /** Names of the lists that the member is on. Null in what commands answer. */
  lists?: Maybe<Array<Scalars['String']['output']>>;
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
  /** Counts the changes of the profile, as in events: of two states, the one with the higher version is newer. Null in what commands answer. */
  profileVersion?: Maybe<Scalars['Long']['output']>;
  /** The member's own code: it refers others to the program. Null where the program has no referral. */
  referralCode?: Maybe<Scalars['String']['output']>;
  /** The tier above; null in the highest one and outside the program. This and what follows is null in what commands answer. */
  nextTier?: Maybe<NextTier>;
  /** When the tier falls if nothing more is earned and the program stays as it is; null where it never does. */
  tierUntil?: Maybe<Scalars['DateTime']['output']>;
  /** The challenges of the present version, in its order. */
  challenges?: Maybe<Array<ChallengeProgress>>;
  /** Choices that the member may still make, oldest first; at most 50. */
  choices?: Maybe<Array<OpenChoice>>;
  /** Open holds, those that end first, first; at most 50. */
  holds?: Maybe<Array<OpenHold>>;
  /** Lots with points, those that lapse first, first; at most 50. Their sums are the balances. */
  lots?: Maybe<Array<Lot>>;
  /** Whether there are more lots than `lots` has. */
  hasMoreLots?: Maybe<Scalars['Boolean']['output']>;
  /** The available points by the instant at which they lapse, soonest first; at most 12 instants. */
  expirations?: Maybe<Array<NextExpiry>>;
};

/** A tier that a member can rise to. */
export type NextTier = {
  /** Tier id. */
  tier: Scalars['String']['output'];
  name: Scalars['String']['output'];
  /** Qualification points that it takes. */
  threshold: Scalars['Long']['output'];
  /** Qualification points that the member lacks. */
  missing: Scalars['Long']['output'];
};

/** Where a member stands in a challenge. */
export type ChallengeProgress = {
  challengeId: Scalars['String']['output'];
  name?: Maybe<Scalars['String']['output']>;
  /** Whether events of now count: the challenge is in effect, and for this member. */
  open: Scalars['Boolean']['output'];
  /** What counts toward the next completion, in the unit of `goal`; the goal itself once it is completed and cannot be again. */
  reached: Scalars['Float']['output'];
  /** A number of events, a sum of an attribute, or of a streak the number of windows in a row. */
  goal: Scalars['Float']['output'];
  /** How often it was completed in the present window. */
  completions: Scalars['Long']['output'];
  /** Null without a window, for a streak, and for a window of days that has not begun. */
  windowStart?: Maybe<Scalars['DateTime']['output']>;
  windowEnd?: Maybe<Scalars['DateTime']['output']>;
};

/** A grant of choices of which some are left. */
export type OpenChoice = {
  /** TypeID, `cgr_…`. */
  id: Scalars['ID']['output'];
  choiceSetId: Scalars['String']['output'];
  /** Of the choice set. */
  name: Scalars['String']['output'];
  /** The milestone that granted it: `tier:<id>` or `challenge:<id>#<completion>`. */
  grantedBy: Scalars['String']['output'];
  choices: Scalars['Long']['output'];
  remaining: Scalars['Long']['output'];
  grantedAt: Scalars['DateTime']['output'];
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** Points held for a redemption. */
export type OpenHold = {
  /** TypeID, `rsv_…`. */
  reservationId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  rewardName: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  reservedAt: Scalars['DateTime']['output'];
  expiresAt: Scalars['DateTime']['output'];
};

/** Points of one grant that are left, in the smallest loyalty unit. */
export type Lot = {
  /** TypeID, `lot_…`. */
  id: Scalars['ID']['output'];
  /** The transaction that granted it, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  granted: Scalars['Long']['output'];
  available: Scalars['Long']['output'];
  pending: Scalars['Long']['output'];
  reserved: Scalars['Long']['output'];
  /** When pending points become, or became, available; null where they were so at once. */
  activatesAt?: Maybe<Scalars['DateTime']['output']>;
  /** When it lapses if the member does nothing more; null for never. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  createdAt: Scalars['DateTime']['output'];
};

/** Points in the smallest loyalty unit. */
export type AccountBalance = {
  /** Always `member`. */
  accountType: Scalars['String']['output'];
  available: Scalars['Long']['output'];
  pending: Scalars['Long']['output'];
  reserved: Scalars['Long']['output'];
  /** The available points that expire next; null where none do. */
  nextExpiry?: Maybe<NextExpiry>;
};

export type NextExpiry = {
  points: Scalars['Long']['output'];
  at: Scalars['DateTime']['output'];
};

export type MemberResult = {
  requestId: Scalars['String']['output'];
  member: Member;
  /** Programs that the member is, or was, enrolled in. */
  programs: Array<ProgramProfile>;
};

/** Every filter that is given has to match. */
export type MemberFilter = {
  /** The externalCustomerId begins with it, in the same case. */
  externalCustomerIdPrefix?: InputMaybe<Scalars['String']['input']>;
  /** The name begins with it; case does not count. */
  displayNamePrefix?: InputMaybe<Scalars['String']['input']>;
  /** The member has this tag. */
  tag?: InputMaybe<Scalars['String']['input']>;
  /** The member is on this list. */
  list?: InputMaybe<Scalars['String']['input']>;
  /** The member is enrolled in this program at present. */
  programId?: InputMaybe<Scalars['String']['input']>;
  /** And is in this tier of it. */
  tier?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<MemberStatus>;
};

/** A member as lists show it. `GET /members/{externalId}` has its balances. */
export type ListedMember = {
  /** TypeID, `mem_…`. */
  id: Scalars['ID']['output'];
  /** The merchant's own customer id. */
  externalCustomerId: Scalars['String']['output'];
  displayName?: Maybe<Scalars['String']['output']>;
  status: MemberStatus;
  consentStatus: ConsentStatus;
  identityStatus: IdentityStatus;
  createdAt: Scalars['DateTime']['output'];
  /** Set by the merchant. */
  tags: Array<Scalars['String']['output']>;
  /** The lists that it is on. */
  lists: Array<Scalars['String']['output']>;
  /** Programs that the member is, or was, enrolled in. */
  programs: Array<ListedProfile>;
};

export type ListedProfile = {
  programId: Scalars['String']['output'];
  /** Tier id, as of the last re-qualification that has run. */
  tier: Scalars['String']['output'];
  status: EnrollmentStatus;
};

/**
 * Newest first; by externalCustomerId where its prefix is given; by name where the prefix of the name alone is given. A page
 * ends before `limit` after the member that brings its labels to 1 MiB, or after 5,000 members that were looked through for the
 * other filters, so that it may have fewer or none: `hasMore` alone says whether more follows.
 */
export type MemberPage = {
  requestId: Scalars['String']['output'];
  data: Array<ListedMember>;
  page: Page;
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

/**
 * Changes a member: the name, the consent of its identity, or both; at least one of them. What is left out stays as it is,
 * and null is refused.
 */
export type UpdateMemberInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  displayName?: InputMaybe<Scalars['String']['input']>;
  /** What the customer answered now. With `noticeVersion` and `evidence`; each answer is kept as a record. */
  consentStatus?: InputMaybe<ConsentChoice>;
  /** Version of the identity notice that was shown. */
  noticeVersion?: InputMaybe<Scalars['String']['input']>;
  /** What proves the answer; `source` names the capture channel. */
  evidence?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type UpdateMemberPayload = {
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

/** A tag of a member. Tags are the merchant's own words for its customers; audiences test `member.tags`. */
export type TagMemberInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  /** Case counts; spaces at either end do not. None of the characters is a control or invisible one. */
  tag: Scalars['String']['input'];
};

export type TagMemberPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  member: MemberIdentity;
  tag: Scalars['String']['output'];
  /** Whether the member has the tag after the command. */
  tagged: Scalars['Boolean']['output'];
  /** False where that was so before. */
  changed: Scalars['Boolean']['output'];
};

/** A member whose suspension begins or ends. */
export type MemberStatusInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
};

export type MemberStatusPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  member: MemberIdentity;
  /** After the command. */
  status: MemberStatus;
  /** False where it was so before. */
  changed: Scalars['Boolean']['output'];
};

/** Which member it is. */
export type MemberIdentity = {
  /** TypeID, `mem_…`. */
  id: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
};

/** Members for a list. Lists are segments that the merchant keeps; audiences test `member.lists`. */
export type ListMembersInput = {
  idempotencyKey: Scalars['String']['input'];
  /** Name of the list. Case counts; spaces at either end do not. None of the characters is a control or invisible one. */
  list: Scalars['String']['input'];
  /** One named twice counts once. */
  externalCustomerIds: Array<Scalars['String']['input']>;
};

export type ListMembersPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  list: Scalars['String']['output'];
  /** Members who were put on the list, or taken off. */
  changed: Scalars['Int']['output'];
  /** Members for whom it was so before. */
  unchanged: Scalars['Int']['output'];
  /** Ids of no member. */
  unknown: Array<Scalars['String']['output']>;
  /** Ids of members who are on 50 lists already, the most possible: nothing was changed for them. */
  full: Array<Scalars['String']['output']>;
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
  /** A campaign that holds for the purchase, and is withheld from some members: from this one if it matched. */
  | 'campaign_holdout'
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
  /** What the customer typed; spaces at either end do not count. One that is not known costs the purchase nothing. */
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
  /**
   * What each line earned in all: the points add up to the award, the values to the amount. A return by line takes back the
   * points of its lines. Null unless the program earns by line.
   */
  lines?: Maybe<Array<EarnedLine>>;
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
  /**
   * The lines that an earn rule took or a campaign worked on, with their parts of these points. Null unless the program
   * earns by line.
   */
  lines?: Maybe<Array<EarnedLine>>;
};

/** A line of a purchase, or the rest: the part of its amount that no line explains, such as delivery. */
export type EarnedLine = {
  /** Position in `items`, from 0; null for the rest. */
  index?: Maybe<Scalars['Int']['output']>;
  lineReference?: Maybe<Scalars['String']['output']>;
  /** Its part of the purchase's amount, in minor currency units. */
  valueMinor: Scalars['Long']['output'];
  /** Its part of the points, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
};

/** A purchase that might be made: as the event of the purchase says it, without a reference. */
export type PreviewPurchaseInput = {
  programId: Scalars['String']['input'];
  /** Absent for anyone: then the preview is that of a new member in the first tier. */
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  /** Order value in minor currency units. */
  amountMinor: Scalars['Long']['input'];
  channel: Channel;
  /** What the customer typed; spaces at either end do not count. It is not used up. */
  couponCode?: InputMaybe<Scalars['String']['input']>;
  /** ISO 4217 code; the program's own where absent. */
  currency?: InputMaybe<Scalars['String']['input']>;
  items?: InputMaybe<Array<CartItemInput>>;
  /** When the purchase would be completed; now where absent. Required in pinned mode. */
  occurredAt?: InputMaybe<Scalars['DateTime']['input']>;
  /**
   * What the preview takes for now, such as a day of next week: the configuration, the schedules and the periods of limits are those of
   * then, and the member is as it is today. Not before now.
   */
  at?: InputMaybe<Scalars['DateTime']['input']>;
  context?: InputMaybe<EventContextInput>;
};

/** What a purchase would earn now. Nothing is written. */
export type PurchasePreview = {
  requestId: Scalars['String']['output'];
  /** Whether it is that of the named customer. False for anyone. */
  personalized: Scalars['Boolean']['output'];
  /** Id of the tier after the purchase. */
  tier: Scalars['String']['output'];
  award: Award;
  campaigns: Array<CampaignAward>;
  /** Null where no referral would apply. */
  referral?: Maybe<ReferralAward>;
  /** Null where no coupon came. */
  coupon?: Maybe<CouponResult>;
  evaluationMode: EvaluationMode;
  evaluationAt: Scalars['DateTime']['output'];
  configurationVersion: Scalars['Int']['output'];
  loyaltyUnitPrecision: Scalars['Int']['output'];
  ruleDecisions: Array<RuleDecision>;
  /** What each line would earn in all. Null unless the program earns by line. */
  lines?: Maybe<Array<EarnedLine>>;
};

/** A code of a pool, whole. */
export type CouponCodeInput = {
  programId: Scalars['String']['input'];
  /** As customers type it: case, hyphens and blanks do not count. */
  code: Scalars['String']['input'];
};

/** A code of a pool, and the member who alone may redeem it from then on. */
export type AssignCouponCodeInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  /** As customers type it: case, hyphens and blanks do not count. */
  code: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
};

export type CouponCodeState =
  | 'open'
  | 'used_up'
  | 'disabled';

/** What is known of a code. The code itself is not stored. */
export type CouponCode = {
  programId: Scalars['String']['output'];
  /** The `code` of the coupon in the program's document whose pool it is in. */
  poolId: Scalars['String']['output'];
  /** The beginning of the code. */
  prefix: Scalars['String']['output'];
  /** Whether it can be redeemed at all. Its coupon's schedule, audiences and limits are not looked at. */
  state: CouponCodeState;
  uses: Scalars['Int']['output'];
  usesAllowed: Scalars['Int']['output'];
  /** The only member who may redeem it; null for anyone. */
  externalCustomerId?: Maybe<Scalars['String']['output']>;
};

export type CouponCodeResult = {
  requestId: Scalars['String']['output'];
  couponCode: CouponCode;
};

/** A pool of codes, counted. */
export type CodePool = {
  /** The `code` of the coupon in the program's document whose pool it is. */
  poolId: Scalars['String']['output'];
  codes: Scalars['Long']['output'];
  /** Codes that were redeemed at least once. */
  used: Scalars['Long']['output'];
  /** How often all of them were redeemed. */
  uses: Scalars['Long']['output'];
  /** Codes that one member alone may redeem. */
  assigned: Scalars['Long']['output'];
  disabled: Scalars['Long']['output'];
};

export type CodePoolsResult = {
  requestId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  /** By their ids: those of the newest version, and others that have codes. */
  pools: Array<CodePool>;
};

export type GenerateCouponCodesInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['ID']['input'];
  /** The `code` of a coupon with a pool, in the newest version of the program. */
  poolId: Scalars['ID']['input'];
  /** How many. For more, send further requests. */
  count: Scalars['Int']['input'];
  /**
   * Letters, digits, hyphens and #, ending with #, such as `SUMMER-########`: each # becomes a random character, the last
   * one the check character.
   */
  pattern: Scalars['String']['input'];
};

export type GenerateCouponCodesPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  programId: Scalars['String']['output'];
  poolId: Scalars['String']['output'];
  /** How many were made. */
  count: Scalars['Int']['output'];
  /** How many codes the pool has now. */
  poolCodes: Scalars['Long']['output'];
  /** The codes, this once: only their hashes are stored. Null where the request was sent again under its key. */
  codes?: Maybe<Array<Scalars['String']['output']>>;
};

export type AssignCouponCodePayload = {
  requestId: Scalars['String']['output'];
  /** True where an earlier identical command is answered again. */
  idempotent: Scalars['Boolean']['output'];
  couponCode: CouponCode;
};

export type OrderState =
  | 'active'
  | 'partially_returned'
  | 'returned';

/** A quantity of one line of the order. */
export type ReturnItemInput = {
  lineReference: Scalars['String']['input'];
  quantity: Scalars['Long']['input'];
};

/** Exactly one of `returnAmountMinor` and `items`. Both forms may follow each other on one order. */
export type RecordReturnInput = {
  idempotencyKey: Scalars['String']['input'];
  /** Reference of the completed order. */
  sourceReference: Scalars['String']['input'];
  /** Stable identity of this return, unique in the environment. */
  returnReference: Scalars['String']['input'];
  /** Value that goes back, in minor currency units. */
  returnAmountMinor?: InputMaybe<Scalars['Long']['input']>;
  /** Lines that go back; one named twice is added up. */
  items?: InputMaybe<Array<ReturnItemInput>>;
};

export type RecordReturnPayload = {
  /** TypeID of the transaction, `txn_…`. */
  id: Scalars['ID']['output'];
  status: TransactionState;
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  return?: Maybe<Return>;
};

export type Return = {
  sourceReference: Scalars['String']['output'];
  returnReference: Scalars['String']['output'];
  returnAmountMinor: Scalars['Long']['output'];
  /** Taken back now, out of what remained of the order's own lots. */
  pointsClawedBack: Scalars['Long']['output'];
  /** Due and not there: spent or held. Points that come back to the order's lots pay it first. */
  shortfall: Scalars['Long']['output'];
  /** State of the order after the return. */
  orderStatus: OrderState;
  /** Null where no referral was rewarded for the order, or where the program lets both members keep the points. */
  referral?: Maybe<ReferralClawback>;
};

/** The points of a referral that a return of its purchase takes back, in proportion to the returned value. */
export type ReferralClawback = {
  /** Taken back now from the member whose code it was, out of what remained of the referral's own lot. */
  referrerPointsClawedBack: Scalars['Long']['output'];
  /** Due from that member and not there. Points that come back to the lot pay it first. */
  referrerShortfall: Scalars['Long']['output'];
  /** Taken back now from the member who made the purchase. */
  refereePointsClawedBack: Scalars['Long']['output'];
  refereeShortfall: Scalars['Long']['output'];
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
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  /** The merchant's own reference of what the reward is redeemed for, such as a checkout. */
  sourceReference: Scalars['String']['input'];
  rewardId: Scalars['String']['input'];
  /** How long the quote is valid. */
  ttlSeconds?: InputMaybe<Scalars['Int']['input']>;
  /** For a reward that is paid with points: exactly so many. */
  points?: InputMaybe<Scalars['Long']['input']>;
  /** For a reward that is paid with points, in place of `points`: the highest discount, in minor currency units. As many points are paid as it, the reward's limits and the balance allow. */
  amountMinor?: InputMaybe<Scalars['Long']['input']>;
  /** For a reward that is paid with points: the amount of the order that gets the discount, in minor currency units. Required where the reward limits the share of an order. */
  orderAmountMinor?: InputMaybe<Scalars['Long']['input']>;
};

export type RedemptionQuotePayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  quote: RedemptionQuote;
};

/** The price of a reward for a member. Nothing is reserved or spent. */
export type RedemptionQuote = {
  /** TypeID, `quo_…`. */
  id: Scalars['ID']['output'];
  state: QuoteState;
  programId: Scalars['String']['output'];
  externalCustomerId: Scalars['String']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** Available points at the time of the quote. */
  availableBalance: Scalars['Long']['output'];
  expiresAt: Scalars['DateTime']['output'];
  /**
   * What the reward's configuration says at the time of the quote; the reservation keeps to it: `configurationVersion`,
   * `rewardName`, `description` or null, `holdSeconds` (how long a reservation holds the points before it expires by
   * itself), `cancellationEvidenceRequired` (whether a reversal takes `cancellationEvidence`); where the reward is paid
   * with points also `discountMinor`, its `currency`, and `orderAmountMinor` or null. Selected as a whole
   * (specification, "GraphQL redemption quote").
   */
  terms: Scalars['JSONObject']['output'];
};

export type ReserveRedemptionInput = {
  idempotencyKey: Scalars['String']['input'];
  quoteId: Scalars['ID']['input'];
};

export type CommitRedemptionInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  /** What the merchant's checkout authorized the redemption with. */
  authorizationReference: Scalars['String']['input'];
};

export type ReleaseRedemptionInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type ReverseRedemptionInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
  /** What proves that the reward was not consumed. Required where the reward's terms say so. */
  cancellationEvidence?: InputMaybe<Scalars['JSONObject']['input']>;
  /** How much of a discount that was paid with points is reversed, in minor currency units; all that is left of the redemption where absent. */
  amountMinor?: InputMaybe<Scalars['Long']['input']>;
};

export type RedemptionPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  reservation: Reservation;
};

/** Points held, and then spent or given back, for one reward. */
export type Reservation = {
  /** TypeID, `rsv_…`. */
  id: Scalars['ID']['output'];
  quoteId: Scalars['ID']['output'];
  state: ReservationState;
  programId: Scalars['String']['output'];
  externalCustomerId: Scalars['String']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  reservedAt: Scalars['DateTime']['output'];
  /** When the hold ends by itself unless committed before. */
  expiresAt: Scalars['DateTime']['output'];
  /** When the state became what it is. */
  changedAt: Scalars['DateTime']['output'];
  authorizationReference?: Maybe<Scalars['String']['output']>;
  /** Why it was released or reversed. */
  reason?: Maybe<Scalars['String']['output']>;
  fulfillmentStatus?: Maybe<FulfillmentStatus>;
  /** Such as a tracking number. */
  fulfillmentReference?: Maybe<Scalars['String']['output']>;
  /** The newest transaction of this redemption, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  /** What the points pay for; null where the reward has a fixed price. */
  discount?: Maybe<RedemptionDiscount>;
};

/** A discount that is paid with points. */
export type RedemptionDiscount = {
  /** In minor units of the currency. */
  amountMinor: Scalars['Long']['output'];
  /** ISO 4217 code. */
  currency: Scalars['String']['output'];
  /** The amount of the order that gets the discount, as the quote was told; null where it was not. */
  orderAmountMinor?: Maybe<Scalars['Long']['output']>;
  /** How much of `amountMinor` was reversed so far. */
  reversedMinor: Scalars['Long']['output'];
  /** How many of the points were given back for it. */
  reversedPoints: Scalars['Long']['output'];
};

export type RedemptionResult = {
  requestId: Scalars['String']['output'];
  reservation: Reservation;
  /** Oldest first. */
  disputes: Array<Dispute>;
};

/** A fulfillment status, or that none was recorded. */
export type FulfillmentFilter =
  /** Committed, and nothing was recorded yet. */
  | 'none'
  | 'pending'
  | 'shipped'
  | 'delivered'
  | 'failed';

/** Every filter that is given has to match. */
export type RedemptionFilter = {
  /** A hold whose time is over is `expired`. */
  state?: InputMaybe<ReservationState>;
  fulfillmentStatus?: InputMaybe<FulfillmentFilter>;
  /** The redemption has a dispute in this state. */
  disputeState?: InputMaybe<DisputeState>;
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  programId?: InputMaybe<Scalars['String']['input']>;
  rewardId?: InputMaybe<Scalars['String']['input']>;
};

/**
 * Newest first, by the time of the reservation. A page ends before `limit` after 5,000 redemptions that were looked through for
 * filters which no index answers, so that it may have fewer or none: `hasMore` alone says whether more follows.
 */
export type RedemptionPage = {
  requestId: Scalars['String']['output'];
  data: Array<Reservation>;
  page: Page;
};

export type UpdateFulfillmentInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  status: FulfillmentStatus;
  /** Such as a tracking number. */
  reference?: InputMaybe<Scalars['String']['input']>;
};

export type OpenDisputeInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
  evidence?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type ResolveDisputeInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  disputeId: Scalars['ID']['input'];
  resolution: Scalars['String']['input'];
  /** Reverses the redemption too. */
  reverse?: InputMaybe<Scalars['Boolean']['input']>;
  /** As in a reversal. */
  cancellationEvidence?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type RejectDisputeInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  disputeId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type DisputePayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  dispute: Dispute;
  reservation: Reservation;
};

/** A customer's objection to a committed redemption. Opening one freezes nothing. */
export type Dispute = {
  /** TypeID, `dsp_…`. */
  id: Scalars['ID']['output'];
  reservationId: Scalars['ID']['output'];
  state: DisputeState;
  reason: Scalars['String']['output'];
  /** How it was resolved, or why it was rejected. */
  resolution?: Maybe<Scalars['String']['output']>;
  openedAt: Scalars['DateTime']['output'];
  closedAt?: Maybe<Scalars['DateTime']['output']>;
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
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  direction: AdjustmentDirection;
  /** In the smallest loyalty unit. */
  points: Scalars['Long']['input'];
  reason: Scalars['String']['input'];
  evidence: Scalars['JSONObject']['input'];
};

/** What approving, rejecting and reversing take. */
export type DecideAdjustmentInput = {
  idempotencyKey: Scalars['String']['input'];
  adjustmentId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type AdjustmentPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  adjustment: Adjustment;
};

/** A correction that one principal asks for and another one decides on. */
export type Adjustment = {
  /** TypeID, `adj_…`. */
  id: Scalars['ID']['output'];
  state: AdjustmentState;
  programId: Scalars['String']['output'];
  externalCustomerId: Scalars['String']['output'];
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  requestedAt: Scalars['DateTime']['output'];
  /** When the request lapses undecided. */
  expiresAt: Scalars['DateTime']['output'];
  /** When the newest decision was made: an approval, a rejection or a reversal. */
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the newest decision. */
  decisionReason?: Maybe<Scalars['String']['output']>;
  /** The transaction that posted it, `txn_…`. */
  transactionId?: Maybe<Scalars['ID']['output']>;
  /** The transaction that reversed it. */
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** Every filter that is given has to match. */
export type AdjustmentFilter = {
  /** A request whose time is over is `expired`. */
  state?: InputMaybe<AdjustmentState>;
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  programId?: InputMaybe<Scalars['String']['input']>;
};

/** An adjustment with what it is decided on. */
export type ListedAdjustment = {
  /** TypeID, `adj_…`. */
  id: Scalars['ID']['output'];
  state: AdjustmentState;
  programId: Scalars['String']['output'];
  externalCustomerId: Scalars['String']['output'];
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  /** As it was sent with the request. */
  evidence: Scalars['JSONObject']['output'];
  /** The principal who asked for it: another one has to approve it. */
  requestedBy: Scalars['String']['output'];
  requestedAt: Scalars['DateTime']['output'];
  /** When the request lapses undecided. */
  expiresAt: Scalars['DateTime']['output'];
  /** The principal who approved or rejected it. */
  decidedBy?: Maybe<Scalars['String']['output']>;
  /** When the newest decision was made: an approval, a rejection or a reversal. */
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the newest decision. */
  decisionReason?: Maybe<Scalars['String']['output']>;
  /** The principal who reversed it. */
  reversedBy?: Maybe<Scalars['String']['output']>;
  /** The transaction that posted it, `txn_…`. */
  transactionId?: Maybe<Scalars['ID']['output']>;
  /** The transaction that reversed it. */
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/**
 * Newest first, by the time of the request. A page ends before `limit` after the adjustment that brings its evidence to 1 MiB, or
 * after 5,000 adjustments that were looked through for filters which no index answers, so that it may have fewer or none:
 * `hasMore` alone says whether more follows.
 */
export type AdjustmentPage = {
  requestId: Scalars['String']['output'];
  data: Array<ListedAdjustment>;
  page: Page;
};

export type MemberMergeState =
  | 'requested'
  | 'merged'
  | 'rejected'
  /** Merged, and somebody has asked to undo it. */
  | 'unmerge_requested'
  /** Undone: both accounts stand for themselves again. */
  | 'unmerged'
  /** A request that nobody has decided in time. */
  | 'expired';

export type RequestMemberMergeInput = {
  idempotencyKey: Scalars['String']['input'];
  /** The account that ends. Its name answers for the other one from then on. */
  externalCustomerId: Scalars['String']['input'];
  /** The account that goes on. */
  intoExternalCustomerId: Scalars['String']['input'];
  reason: Scalars['String']['input'];
  evidence: Scalars['JSONObject']['input'];
};

/** What approving and rejecting a merge take. */
export type RequestMemberUnmergeInput = {
  idempotencyKey: Scalars['String']['input'];
  mergeId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type DecideMemberMergeInput = {
  idempotencyKey: Scalars['String']['input'];
  mergeId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type MemberMergePayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  merge: MemberMerge;
};

/** A merge of two accounts of one person, which one principal asks for and another one decides on. */
export type MemberMerge = {
  /** TypeID, `mrg_…`. */
  id: Scalars['ID']['output'];
  state: MemberMergeState;
  /** The member whose account ends, `mem_…`. */
  sourceMemberId: Scalars['ID']['output'];
  /** The member who goes on, `mem_…`. */
  targetMemberId: Scalars['ID']['output'];
  intoExternalCustomerId: Scalars['String']['output'];
  reason: Scalars['String']['output'];
  requestedAt: Scalars['DateTime']['output'];
  /** When the request lapses undecided. */
  expiresAt: Scalars['DateTime']['output'];
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the decision. */
  decisionReason?: Maybe<Scalars['String']['output']>;
  /** What was moved, by program; empty until it is merged. */
  programs: Array<MergedProgram>;
  /** When somebody asked to undo it; null where nobody has, or that was rejected. So are the fields below. */
  unmergeRequestedAt?: Maybe<Scalars['DateTime']['output']>;
  unmergeReason?: Maybe<Scalars['String']['output']>;
  /** When the request to undo it lapses undecided. */
  unmergeExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  unmergedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the decision to undo it. */
  unmergeDecisionReason?: Maybe<Scalars['String']['output']>;
};

/** What a merge has moved in one program. */
export type MergedProgram = {
  programId: Scalars['String']['output'];
  /** Available and pending points, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** How many lots these points are in, those with nothing but claims of returns included. */
  lots: Scalars['Int']['output'];
};

/** Every filter that is given has to match. */
export type MemberMergeFilter = {
  /** A request whose time is over is `expired`. */
  state?: InputMaybe<MemberMergeState>;
};

/** A merge with what it is decided on. */
export type ListedMemberMerge = {
  /** TypeID, `mrg_…`. */
  id: Scalars['ID']['output'];
  state: MemberMergeState;
  /** The member whose account ends, `mem_…`. */
  sourceMemberId: Scalars['ID']['output'];
  /** The name of the account that ends. */
  externalCustomerId: Scalars['String']['output'];
  /** The member who goes on, `mem_…`. */
  targetMemberId: Scalars['ID']['output'];
  /** The name of the account that goes on. */
  intoExternalCustomerId: Scalars['String']['output'];
  reason: Scalars['String']['output'];
  /** As it was sent with the request. */
  evidence: Scalars['JSONObject']['output'];
  /** The principal who asked for it: another one has to approve it. */
  requestedBy: Scalars['String']['output'];
  requestedAt: Scalars['DateTime']['output'];
  /** When the request lapses undecided. */
  expiresAt: Scalars['DateTime']['output'];
  /** The principal who approved or rejected it. */
  decidedBy?: Maybe<Scalars['String']['output']>;
  decidedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the decision. */
  decisionReason?: Maybe<Scalars['String']['output']>;
  /** What was moved, by program; empty until it is merged. */
  programs: Array<MergedProgram>;
  /** The principal who asked to undo it: another one has to approve that. Null where nobody has, or that was rejected. */
  unmergeRequestedBy?: Maybe<Scalars['String']['output']>;
  unmergeRequestedAt?: Maybe<Scalars['DateTime']['output']>;
  unmergeReason?: Maybe<Scalars['String']['output']>;
  /** When the request to undo it lapses undecided. */
  unmergeExpiresAt?: Maybe<Scalars['DateTime']['output']>;
  /** The principal who has approved that it is undone. */
  unmergedBy?: Maybe<Scalars['String']['output']>;
  unmergedAt?: Maybe<Scalars['DateTime']['output']>;
  /** The reason of the decision to undo it. */
  unmergeDecisionReason?: Maybe<Scalars['String']['output']>;
};

/**
 * Newest first, by the time of the request. A page ends before `limit` after the merge that brings its evidence to 1 MiB, or after
 * 5,000 merges that were looked through for those that are merged, so that it may have fewer or none: `hasMore` alone says whether
 * more follows.
 */
export type MemberMergePage = {
  requestId: Scalars['String']['output'];
  data: Array<ListedMemberMerge>;
  page: Page;
};

export type MemberMergeResult = {
  requestId: Scalars['String']['output'];
  merge: ListedMemberMerge;
};

export type CustomEventStatus =
  | 'accepted';

/** An engagement event of a type that a published program defines. */
export type RecordCustomEventInput = {
  idempotencyKey: Scalars['String']['input'];
  /** Name of an active event definition in the environment. */
  type: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  /** Stable identity of the event, unique in the environment. */
  sourceReference: Scalars['String']['input'];
  /** When it happened; now where absent. */
  occurredAt?: InputMaybe<Scalars['DateTime']['input']>;
  /** Holds at most 1,000 values in all, members and items at any depth: else `attributes_invalid`. */
  attributes?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type RecordCustomEventPayload = {
  /** TypeID of the event, `evt_…`. */
  id: Scalars['ID']['output'];
  status: CustomEventStatus;
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** What completed challenges gave. */
  awards: Array<ChallengeAward>;
};

export type ChallengeAward = {
  programId: Scalars['String']['output'];
  challengeId: Scalars['String']['output'];
  /** Null where the challenge gives no points. */
  transactionId?: Maybe<Scalars['ID']['output']>;
  points: Scalars['Long']['output'];
  /** The choice set that it granted. */
  choiceSetId?: Maybe<Scalars['String']['output']>;
};

export type ChoiceState =
  | 'fulfilled';

export type ClaimChoiceBenefitInput = {
  idempotencyKey: Scalars['String']['input'];
  externalCustomerId: Scalars['String']['input'];
  choiceSetId: Scalars['String']['input'];
  rewardId: Scalars['String']['input'];
  /** Stable identity of this claim, unique in the environment. */
  sourceReference: Scalars['String']['input'];
};

export type ClaimChoiceBenefitPayload = {
  /** TypeID of the claim, `chc_…`. */
  id: Scalars['ID']['output'];
  state: ChoiceState;
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  choice: ChoiceClaim;
};

export type ChoiceClaim = {
  setId: Scalars['String']['output'];
  rewardId: Scalars['String']['output'];
  rewardName: Scalars['String']['output'];
  choicesRemaining: Scalars['Long']['output'];
};

/** A line of a cart whose offers are asked for. */
export type OfferItemInput = {
  lineReference?: InputMaybe<Scalars['String']['input']>;
  sku: Scalars['String']['input'];
  category?: InputMaybe<Scalars['String']['input']>;
  quantity?: InputMaybe<Scalars['Long']['input']>;
  /** Price of one, in minor currency units. */
  unitPriceMinor: Scalars['Long']['input'];
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Whatever conditions on `items.attributes.…` look at. */
  attributes?: InputMaybe<Scalars['JSONObject']['input']>;
};

/** A cart. Nothing is changed, and no coupon is consumed. */
export type EvaluateOffersInput = {
  /** Without it only offers of the whole environment apply. */
  programId?: InputMaybe<Scalars['String']['input']>;
  /** What the customer typed; spaces at either end do not count. */
  couponCode?: InputMaybe<Scalars['String']['input']>;
  /**
   * How many lines are accepted depends on the offers that are evaluated: at most 250,000 steps over all programs, and an
   * answer of at most 1,000,000 bytes. Otherwise the cart is refused with `cart_too_large`. A step is a condition that looks
   * at one value; the discount of an offer on a line counts as 10.
   */
  items: Array<OfferItemInput>;
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  channel?: InputMaybe<Channel>;
  currency?: InputMaybe<Scalars['String']['input']>;
  market?: InputMaybe<Scalars['String']['input']>;
  store?: InputMaybe<Scalars['String']['input']>;
  /** Of the cart as a whole. */
  tags?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Also says why each other offer does not apply. */
  explain?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Money in minor currency units. totalMinor = subtotalMinor - discountMinor. */
export type EvaluateOffersResult = {
  requestId: Scalars['String']['output'];
  subtotalMinor: Scalars['Long']['output'];
  discountMinor: Scalars['Long']['output'];
  totalMinor: Scalars['Long']['output'];
  /** In the order in which they apply. */
  effects: Array<OfferEffect>;
  /** Where `explain` was asked for: offers that were looked at and do not apply, and why. Else empty. */
  notApplied: Array<OfferRejection>;
  /** Null where no code came. */
  coupon?: Maybe<OfferCoupon>;
};

export type OfferEffect = {
  offerId: Scalars['String']['output'];
  name: Scalars['String']['output'];
  /** The program whose document defines it. */
  programId: Scalars['String']['output'];
  policy: Scalars['String']['output'];
  kind: Scalars['String']['output'];
  discountMinor: Scalars['Long']['output'];
  /** In words. */
  explanation: Scalars['String']['output'];
  lines: Array<OfferLine>;
};

/** A matched line, and its share of the discount. */
export type OfferLine = {
  /** Position in the cart, from 0. */
  index: Scalars['Int']['output'];
  lineReference?: Maybe<Scalars['String']['output']>;
  sku: Scalars['String']['output'];
  discountMinor: Scalars['Long']['output'];
};

export type OfferRejection = {
  offerId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  reason: Scalars['String']['output'];
};

export type OfferCoupon = {
  code: Scalars['String']['output'];
  valid: Scalars['Boolean']['output'];
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

/** A balanced double-entry record of points. */
export type Transaction = {
  /** TypeID, `txn_…`. */
  id: Scalars['ID']['output'];
  /** The subject of `eventType`. */
  type: TransactionType;
  /** Such as `purchase.completed`; docs/guide/transactions.md lists them. */
  eventType: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  externalCustomerId: Scalars['String']['output'];
  sourceReference?: Maybe<Scalars['String']['output']>;
  state: TransactionState;
  /** Points that it moved: the sum of its debits, which is that of its credits. */
  points: Scalars['Long']['output'];
  occurredAt: Scalars['DateTime']['output'];
  createdAt: Scalars['DateTime']['output'];
  /** The transaction that this one reverses. */
  reversalOf?: Maybe<Scalars['ID']['output']>;
  /** The transaction that reversed this one. */
  reversedBy?: Maybe<Scalars['ID']['output']>;
  /** In the order of its postings, two a posting: the first 200. REST `GET /transactions/{id}/entries` has all of them. */
  entries: Array<LedgerEntry>;
  /** There are more than the 200 in `entries`. */
  hasMoreEntries: Scalars['Boolean']['output'];
  /** How a purchase came to its points; null for everything else, and where `evaluationUnreadable`. */
  evaluation?: Maybe<PurchaseEvaluation>;
  /**
   * The stored receipt of this purchase was damaged, so that its `evaluation` cannot be shown. Its points and entries are right: they
   * are stored apart.
   */
  evaluationUnreadable: Scalars['Boolean']['output'];
};

/** One side of a posting. */
export type LedgerEntry = {
  /** Such as `member.available` or `program.issuance`. */
  account: Scalars['String']['output'];
  direction: EntryDirection;
  points: Scalars['Long']['output'];
  /** TypeID of the lot that it touches, `lot_…`. */
  lotId?: Maybe<Scalars['ID']['output']>;
};

/** All that the award of a purchase can be computed again from, together with the order's lines. */
export type PurchaseEvaluation = {
  award: Award;
  evaluationMode: EvaluationMode;
  evaluationAt: Scalars['DateTime']['output'];
  configurationVersion: Scalars['Int']['output'];
  loyaltyUnitPrecision: Scalars['Int']['output'];
  ruleDecisions: Array<RuleDecision>;
  /** What each line earned in all. Null unless the program earns by line. */
  lines?: Maybe<Array<EarnedLine>>;
};

export type TransactionResult = {
  requestId: Scalars['String']['output'];
  transaction: Transaction;
};

export type TransactionFilter = {
  sourceReference?: InputMaybe<Scalars['String']['input']>;
  programId?: InputMaybe<Scalars['String']['input']>;
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  /** Such as `purchase.completed`. */
  eventType?: InputMaybe<Scalars['String']['input']>;
  state?: InputMaybe<TransactionState>;
  /** Created at or after. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** Created before. Where both ends are given, the window is at most 366 days. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/**
 * Newest first. A page ends before `limit` once it holds 1,000 postings (2,000 entries) or 1 MiB of evaluations, as far as
 * those are selected: `hasMore` alone says whether more follows.
 */
export type TransactionPage = {
  requestId: Scalars['String']['output'];
  data: Array<Transaction>;
  page: Page;
};

/** In the order of the postings, the debit of each before its credit. */
export type TransactionEntryPage = {
  requestId: Scalars['String']['output'];
  data: Array<LedgerEntry>;
  page: Page;
};

export type Page = {
  /** Send it unchanged for what follows; null at the end. */
  nextCursor?: Maybe<Scalars['String']['output']>;
  hasMore: Scalars['Boolean']['output'];
};

/** A best-effort view over a window. Points are decimal strings: sums may exceed 2^53. */
export type CampaignReport = {
  requestId: Scalars['String']['output'];
  programId: Scalars['String']['output'];
  campaignId: Scalars['String']['output'];
  /** What it has given, as a decimal string. */
  points: Scalars['String']['output'];
  /** Members to whom it has given points. */
  members: Scalars['Long']['output'];
  /** Purchases that it has given points for. */
  purchases: Scalars['Long']['output'];
  /** Amount of these purchases in minor currency units, as a decimal string. Returns are not taken off. */
  amountMinor: Scalars['String']['output'];
  /** Null where the version in effect caps no total. */
  cap?: Maybe<CampaignCapUse>;
  /** Null where it has been withheld from nobody. */
  holdout?: Maybe<CampaignComparison>;
};

/** The cap `totalPoints` of the version in effect. */
export type CampaignCapUse = {
  capPoints: Scalars['Long']['output'];
  /** What counts toward it. */
  givenPoints: Scalars['Long']['output'];
};

/**
 * The purchases that a campaign holds for, of members who get it and of members from whom it is withheld. Members without such
 * a purchase are in neither group.
 */
export type CampaignComparison = {
  membersGiven: Scalars['Long']['output'];
  membersHeldOut: Scalars['Long']['output'];
  /** Purchases a member. */
  purchases: GroupMeans;
  /** Amount a member, in minor currency units. Returns are not taken off. */
  amountMinor: GroupMeans;
  /** Points a member that these purchases earned in all, whatever for. */
  points: GroupMeans;
};

/** The means of both groups, and their difference with its confidence interval of 95 percent (Welch). */
export type GroupMeans = {
  given: Scalars['Float']['output'];
  heldOut: Scalars['Float']['output'];
  /** given - heldOut */
  difference: Scalars['Float']['output'];
  /** Null where a group has fewer than two members. */
  low?: Maybe<Scalars['Float']['output']>;
  high?: Maybe<Scalars['Float']['output']>;
};

export type LedgerSummary = {
  requestId: Scalars['String']['output'];
  /** Null where every program is counted. */
  programId?: Maybe<Scalars['String']['output']>;
  from: Scalars['DateTime']['output'];
  to: Scalars['DateTime']['output'];
  transactions: TransactionCounts;
  points: PointMovements;
  /** As they are now. */
  balances: BalanceTotals;
  /** Reservations by their present state. */
  redemptions: RedemptionCounts;
  /** Deliveries of the window, by their present state. */
  webhookDeliveries: DeliveryCounts;
};

export type TransactionCounts = {
  posted: Scalars['Long']['output'];
  reversed: Scalars['Long']['output'];
};

/** Of the available accounts: net = credits - debits. */
export type PointMovements = {
  credits: Scalars['String']['output'];
  debits: Scalars['String']['output'];
  net: Scalars['String']['output'];
};

export type BalanceTotals = {
  members: Scalars['Long']['output'];
  available: Scalars['String']['output'];
  pending: Scalars['String']['output'];
  reserved: Scalars['String']['output'];
};

export type RedemptionCounts = {
  reserved: Scalars['Long']['output'];
  committed: Scalars['Long']['output'];
  released: Scalars['Long']['output'];
  expired: Scalars['Long']['output'];
  reversed: Scalars['Long']['output'];
};

export type DeliveryCounts = {
  pending: Scalars['Long']['output'];
  delivered: Scalars['Long']['output'];
  failed: Scalars['Long']['output'];
  deadLetter: Scalars['Long']['output'];
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

/** The books of one program over one period. Amounts are decimal strings. */
export type LedgerClose = {
  requestId: Scalars['String']['output'];
  /** TypeID, `rpt_…`. */
  reportId: Scalars['ID']['output'];
  status: LedgerCloseStatus;
  /** Why it is not ready for the external review: a sentence for each thing that is open. Empty where it is ready. */
  statusReasons: Array<Scalars['String']['output']>;
  programId: Scalars['String']['output'];
  currency: Scalars['String']['output'];
  period: Period;
  controls: Array<CloseControl>;
  /** The double-entry totals, account by account. */
  totals: CloseTotals;
  /** The members' points from the opening to the closing balance. */
  rollForward: Array<RollForwardLine>;
  /** Journal lines under the program's mapping, balanced. */
  journal: Array<JournalLine>;
  /** Points that members hold at the end of the period, by month of issue and of expiry. */
  liability: Array<LiabilityCohort>;
  /** Signatures under the finance policy and the journal mapping of the evidence. They may come after the period. */
  approvals: Array<CloseApproval>;
  /** All that the hash covers: the books of the period. Once it is over, they are the same whenever they are asked for. */
  evidence: Scalars['JSONObject']['output'];
  /** SHA-256 of the canonical JSON (RFC 8785) of the evidence, in hex. */
  evidenceHash: Scalars['String']['output'];
};

/** Half-open: from inclusive, to exclusive. */
export type Period = {
  from: Scalars['DateTime']['output'];
  to: Scalars['DateTime']['output'];
};

export type CloseControl = {
  id: Scalars['String']['output'];
  title: Scalars['String']['output'];
  expected: Scalars['String']['output'];
  found: Scalars['String']['output'];
  /** Things that differ; sums may agree where these do not. */
  differences: Scalars['Long']['output'];
  passed: Scalars['Boolean']['output'];
  /** What the report becomes where it fails: an exception, or provisional where it may pass later. */
  statusOnFailure: LedgerCloseStatus;
};

export type CloseApproval = {
  /** `finance` or `journal`. */
  section: Scalars['String']['output'];
  /** SHA-256 of the section's canonical JSON, in hex. */
  sectionHash: Scalars['String']['output'];
  /** The configuration version that was approved. It applies to others whose section is the same. */
  version: Scalars['Int']['output'];
  approvedBy: Scalars['String']['output'];
  approvedAt: Scalars['DateTime']['output'];
};

export type CloseTotals = {
  debits: Scalars['String']['output'];
  credits: Scalars['String']['output'];
  postings: Scalars['Long']['output'];
  transactions: Scalars['Long']['output'];
  accounts: Array<AccountTotal>;
};

export type AccountTotal = {
  account: Scalars['String']['output'];
  /** Credits less debits before the period. */
  opening: Scalars['String']['output'];
  debits: Scalars['String']['output'];
  credits: Scalars['String']['output'];
  closing: Scalars['String']['output'];
};

/** One kind of movement, signed as it changes what members hold; the first line is the opening, the last the closing. */
export type RollForwardLine = {
  line: Scalars['String']['output'];
  points: Scalars['String']['output'];
};

export type JournalLine = {
  /** What moved, such as `points_issued`. */
  movement: Scalars['String']['output'];
  /** The merchant's account. */
  account: Scalars['String']['output'];
  direction: EntryDirection;
  points: Scalars['String']['output'];
  /** In minor currency units; null without a valuation policy. */
  amountMinor?: Maybe<Scalars['String']['output']>;
};

export type LiabilityCohort = {
  /** `YYYY-MM`, UTC. */
  issueMonth: Scalars['String']['output'];
  /** `YYYY-MM`, UTC; null where the points never expire. */
  expiryMonth?: Maybe<Scalars['String']['output']>;
  points: Scalars['String']['output'];
  /** Of them, what the policy expects to be redeemed; null without a policy. */
  expectedPoints?: Maybe<Scalars['String']['output']>;
  /** What those are worth, in minor currency units; null without a valuation policy. */
  amountMinor?: Maybe<Scalars['String']['output']>;
};

export type WebhookEndpointStatus =
  /** Events wait, 30 days at most. Tests are sent. */
  | 'disabled'
  | 'active';

export type WebhookDisabledReason =
  /** The receiver answered 410. */
  | 'gone'
  /** All attempts of five days have failed. */
  | 'failing'
  | 'url_changed'
  | 'operator';

export type WebhookDeliveryStatus =
  /** Waits for its first attempt, or for the first one after a retry. */
  | 'pending'
  | 'delivered'
  /** The last attempt failed; there will be another one. */
  | 'failed'
  /** Given up. */
  | 'dead_letter';

/** Where events are sent to. */
export type WebhookEndpoint = {
  /** TypeID, `we_…`. */
  id: Scalars['ID']['output'];
  url: Scalars['String']['output'];
  /** `*` alone: all types. */
  eventTypes: Array<Scalars['String']['output']>;
  description?: Maybe<Scalars['String']['output']>;
  status: WebhookEndpointStatus;
  /** Null where it is active, and before it was active for the first time. */
  disabledReason?: Maybe<WebhookDisabledReason>;
  /** The epoch of the feed that the newest delivery belongs to. Null in replays of answers from before there were epochs. */
  epoch?: Maybe<Scalars['Int']['output']>;
  /** The sequence of the newest delivery; 0 before the first one. */
  lastSequence: Scalars['Long']['output'];
  /** The last successful test. */
  verifiedAt?: Maybe<Scalars['DateTime']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
};

export type CreateWebhookEndpointInput = {
  idempotencyKey: Scalars['String']['input'];
  /** https, with a host of the public internet. */
  url: Scalars['String']['input'];
  /** Each once; or `*` alone for all of them, also those that are yet to come. */
  eventTypes: Array<Scalars['String']['input']>;
  description?: InputMaybe<Scalars['String']['input']>;
};

export type CreateWebhookEndpointPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** Disabled until it is activated. */
  endpoint: WebhookEndpoint;
  /** What deliveries are signed with, `whsec_…`. Shown by this answer alone: null in a replay. */
  signingSecret?: Maybe<Scalars['String']['output']>;
};

/** Changes an endpoint; at least one property. What is left out stays as it is, and null is refused. */
export type UpdateWebhookEndpointInput = {
  idempotencyKey: Scalars['String']['input'];
  endpointId: Scalars['ID']['input'];
  /** A changed URL disables the endpoint, whatever `status` says. */
  url?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<WebhookEndpointStatus>;
  /** Each once, or `*` alone for all of them. They hold for events that are committed from now on. */
  eventTypes?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Empty: none. */
  description?: InputMaybe<Scalars['String']['input']>;
};

export type WebhookEndpointPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  endpoint: WebhookEndpoint;
};

export type DeleteWebhookEndpointInput = {
  idempotencyKey: Scalars['String']['input'];
  endpointId: Scalars['ID']['input'];
};

export type RotateWebhookSecretInput = {
  idempotencyKey: Scalars['String']['input'];
  endpointId: Scalars['ID']['input'];
  /** How long the old secret signs beside the new one; up to seven days. */
  overlapSeconds?: InputMaybe<Scalars['Int']['input']>;
};

export type RotateWebhookSecretPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  endpoint: WebhookEndpoint;
  /** The new secret, `whsec_…`. Shown by this answer alone: null in a replay. */
  signingSecret?: Maybe<Scalars['String']['output']>;
};

export type TestWebhookEndpointInput = {
  idempotencyKey: Scalars['String']['input'];
  endpointId: Scalars['ID']['input'];
};

export type RetryWebhookDeliveryInput = {
  idempotencyKey: Scalars['String']['input'];
  deliveryId: Scalars['ID']['input'];
};

export type ReplayWebhookEndpointInput = {
  idempotencyKey: Scalars['String']['input'];
  endpointId: Scalars['ID']['input'];
  /** The last sequence that is not sent again: 0 for all of them. */
  sinceSequence: Scalars['Long']['input'];
};

export type ReplayWebhookEndpointPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** Queued. Its progress counts deliveries that are put in the queue again. */
  operation: Operation;
};

export type WebhookDeliveryPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  delivery: WebhookDelivery;
};

/** An event for one endpoint. What is sent is not shown. */
export type WebhookDelivery = {
  /** TypeID, `msg_…`: the `webhook-id` of every attempt. */
  id: Scalars['ID']['output'];
  endpointId: Scalars['ID']['output'];
  eventType: Scalars['String']['output'];
  /** The epoch of the feed, from 1. Where a new one begins, sequences of the one before may be given again, to other events. Null in replays of answers from before there were epochs. */
  epoch?: Maybe<Scalars['Int']['output']>;
  /** From 1 without gaps for each endpoint, in the order of commits. */
  sequence: Scalars['Long']['output'];
  status: WebhookDeliveryStatus;
  attemptCount: Scalars['Int']['output'];
  createdAt: Scalars['DateTime']['output'];
  /** Null where there will be none. */
  nextAttemptAt?: Maybe<Scalars['DateTime']['output']>;
  deliveredAt?: Maybe<Scalars['DateTime']['output']>;
  /** Null where no response came. */
  lastResponseStatus?: Maybe<Scalars['Int']['output']>;
  lastError?: Maybe<Scalars['String']['output']>;
};

/** One try to send a delivery. */
export type WebhookAttempt = {
  at: Scalars['DateTime']['output'];
  durationMs: Scalars['Int']['output'];
  /** Null where no response came. */
  responseStatus?: Maybe<Scalars['Int']['output']>;
  error?: Maybe<Scalars['String']['output']>;
};

export type WebhookEndpointResult = {
  requestId: Scalars['String']['output'];
  endpoint: WebhookEndpoint;
};

export type WebhookEndpointPage = {
  requestId: Scalars['String']['output'];
  data: Array<WebhookEndpoint>;
  page: Page;
};

export type WebhookDeliveryResult = {
  requestId: Scalars['String']['output'];
  delivery: WebhookDelivery;
  /** The newest 100, oldest first. */
  attempts: Array<WebhookAttempt>;
};

export type WebhookDeliveryFilter = {
  endpointId?: InputMaybe<Scalars['ID']['input']>;
  eventType?: InputMaybe<Scalars['String']['input']>;
  status?: InputMaybe<WebhookDeliveryStatus>;
};

/** Newest first. */
export type WebhookDeliveryPage = {
  requestId: Scalars['String']['output'];
  data: Array<WebhookDelivery>;
  page: Page;
};

/**
 * The JSON body that is sent to webhook endpoints. What `data` has is described by the type whose `@event` names the message's
 * `type`. A field of it that has no value is null or absent. New fields may come: ignore those that you do not know. No message
 * has an email address, a display name or a secret.
 */
export type WebhookMessage = {
  /** Such as `points.earned`. */
  type: Scalars['String']['output'];
  /** When the change was made that the event reports; of a test, when it was asked for. */
  timestamp: Scalars['DateTime']['output'];
  /** TypeID of the environment, `env_…`. */
  environmentId: Scalars['ID']['output'];
  /**
   * The epoch of the environment's feed, from 1. Where the database has gone on from an older state, such as after the promotion of an
   * asynchronous standby or a restore, a new one begins, and sequences are given again: see `feed.epoch_started`.
   */
  epoch: Scalars['Int']['output'];
  /** Counts the messages of the endpoint from 1, without gaps, in the order in which changes were committed. */
  sequence: Scalars['Long']['output'];
  data: Scalars['JSONObject']['output'];
};

/** Points in the smallest loyalty unit. */
export type EventBalances = {
  /** Can be spent. */
  available: Scalars['Long']['output'];
  /** Awarded, and not to be spent yet. */
  pending: Scalars['Long']['output'];
  /** Held for redemptions that are neither committed nor released. */
  reserved: Scalars['Long']['output'];
};

export type ExchangeDirection =
  | 'in'
  | 'out';

/** What the rows of an imported file are. */
export type ImportKind =
  | 'members'
  | 'balances'
  | 'purchases'
  | 'exchange'
  /** Customers who are put on a list. */
  | 'list';

/** What every event about a member has. */
export type MemberEvent = {
  /** TypeID of the member, `mem_…`. It stays the same when the member is erased. */
  memberId: Scalars['ID']['output'];
  /** The merchant's own customer id, as it is when the message is sent: `erased-…` once the member is erased. */
  externalCustomerId: Scalars['String']['output'];
};

/** What every event about a member itself has, rather than about its account in a program: its state after the change. */
export type MemberStateEvent = {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  /** Whether the member can earn and redeem. */
  status: MemberStatus;
  /** Of the member's identity. Consent to a program is told by its enrollment. */
  consentStatus: ConsentStatus;
};

/** What every event about a member of a program has. */
export type ProfileEvent = {
  /** The program that the event belongs to. */
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  /** The member's points in the program after the change. */
  balances: EventBalances;
  /**
   * Counts the changes of the member's profile in the program, from 1. An event with a lower one than you have seen is older:
   * it must not overwrite what a newer one said.
   */
  profileVersion: Scalars['Long']['output'];
};

/** What every event about a redemption has. */
export type RedemptionEvent = {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** TypeID of the reservation, `rsv_…`. */
  reservationId: Scalars['ID']['output'];
  /** The newest transaction of the redemption, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  /** The reward's id in the program document. */
  rewardId: Scalars['String']['output'];
  /** The merchant's own reference that came with the quote, such as a checkout. */
  sourceReference: Scalars['String']['output'];
  /** What the reward costs. */
  points: Scalars['Long']['output'];
};

/** What every event about an adjustment has. */
export type AdjustmentEvent = {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** TypeID of the adjustment, `adj_…`; none where an import posted an opening balance. */
  adjustmentId?: Maybe<Scalars['ID']['output']>;
  /** After the change. */
  state: AdjustmentState;
  /** Whether points are given (`credit`) or taken (`debit`). */
  direction: AdjustmentDirection;
  /** How many, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** Why it was asked for, as the one who asked wrote it. */
  reason: Scalars['String']['output'];
  /** The transaction that posted it, `txn_…`, once it is posted. */
  transactionId?: Maybe<Scalars['ID']['output']>;
  /** The transaction that reversed it, `txn_…`, once it is reversed. */
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** What every event about an exchange with a partner has. */
export type ExchangeEvent = {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** The transaction of the settlement or of its reversal, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  /** The partner's reference of the settlement, unique in the environment. */
  settlementReference: Scalars['String']['output'];
  /** The partner whom points are exchanged with. */
  partnerId: Scalars['String']['output'];
  /** Whether points came in from the partner, or went out to it. */
  direction: ExchangeDirection;
  /** How many, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
};

/**
 * A member was awarded points: for a purchase, a completed challenge or a referral, or from a partner. Sent for each
 * award, and not where it came to no points. Points that are pending become available at `activatesAt`, without an event.
 */
export type PointsEarnedEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** The transaction of the award, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  /** What the points were awarded for. */
  eventType: Scalars['String']['output'];
  /** The merchant's reference of it, such as the order. */
  sourceReference?: Maybe<Scalars['String']['output']>;
  /** What was awarded, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** Of these, what the earn rule and the tier gave. */
  basePoints: Scalars['Long']['output'];
  /** Of these, what campaigns gave. */
  campaignPoints: Scalars['Long']['output'];
  /** The challenge that was completed, where that is what gave the points. */
  challengeId?: Maybe<Scalars['String']['output']>;
  /** When the points become available, where they are pending; null where they are available already. */
  activatesAt?: Maybe<Scalars['DateTime']['output']>;
  /** When what the points were awarded for happened. It can be long before `timestamp`. */
  occurredAt: Scalars['DateTime']['output'];
};

/** Points of a member have expired unspent. One event for each transaction that takes expired points from the books. */
export type PointsExpiredEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** The transaction, `txn_…`. */
  transactionId: Scalars['ID']['output'];
  /** How many expired, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** When they expired. The books may note it later: `timestamp` is when they did. */
  occurredAt: Scalars['DateTime']['output'];
};

/** An order was returned, in full or in part, and the points that it had earned were taken back as far as they were there. */
export type PointsClawedBackEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** The transaction that took them, `txn_…`; none where nothing could be taken. */
  transactionId?: Maybe<Scalars['ID']['output']>;
  /** TypeID of the return, `txn_…`: the `id` in its answer. */
  returnId: Scalars['ID']['output'];
  /** The merchant's reference of the return. */
  returnReference: Scalars['String']['output'];
  /** The merchant's reference of the order. */
  orderReference: Scalars['String']['output'];
  /** How many were taken, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** How many were due and not there, since they are spent or held. */
  shortfall: Scalars['Long']['output'];
};

/** Points of a member will expire within the `expiryNoticeDays` of the program. Sent once for each lot. */
export type PointsExpiringEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** TypeID of the lot, `lot_…`. */
  lotId: Scalars['ID']['output'];
  /** How many of the lot were left when the event was made, in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** When they will expire unless they are spent before. */
  expiresAt: Scalars['DateTime']['output'];
};

/**
 * A member was enrolled in a program, for the first time or again. A consent that is renewed by one who is enrolled sends
 * nothing.
 */
export type MemberEnrolledEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** Id of the tier in the program's published configuration. */
  tier: Scalars['String']['output'];
};

/** A member has left a program. */
export type MemberUnenrolledEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** Why, as the merchant wrote it. */
  reason: Scalars['String']['output'];
};

/** What was changed about a member. */
export type MemberChange =
  | 'displayName'
  /** Its suspension was ended: `member.suspended` tells of the beginning. */
  | 'status'
  | 'tags'
  | 'lists';

/** A member was created: by a call, an import, or by its own enrollment. It belongs to no program yet. */
export type MemberCreatedEvent = MemberEvent & MemberStateEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  status: MemberStatus;
  consentStatus: ConsentStatus;
};

/**
 * Something about a member was changed: its display name, tags or lists, or its suspension was ended. What it is now stands in the
 * member, for none of it is in a message.
 */
export type MemberUpdatedEvent = MemberEvent & MemberStateEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  status: MemberStatus;
  consentStatus: ConsentStatus;
  /** What was changed, each once. */
  changed: Array<MemberChange>;
};

/** A member was suspended: it earns and redeems nothing, and keeps its points. `member.updated` tells of the end. */
export type MemberSuspendedEvent = MemberEvent & MemberStateEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  status: MemberStatus;
  consentStatus: ConsentStatus;
};

/**
 * A member's answer about the consent of its identity was recorded, also where it is the same as before. Consent to a program is told
 * by `member.enrolled` and `member.unenrolled`.
 */
export type MemberConsentChangedEvent = MemberEvent & MemberStateEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  status: MemberStatus;
  consentStatus: ConsentStatus;
  /** The version of the notice that the member was shown, as the merchant names it. */
  noticeVersion: Scalars['String']['output'];
};

/** A member was erased: forget what you hold about the person. The event belongs to no program. */
export type MemberErasedEvent = MemberEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
};

/**
 * Two accounts of one person were merged: what you hold about the merged one belongs to this member now. The event belongs to no
 * program; `tier.changed` tells of a tier that rose with it.
 */
export type MemberMergedEvent = MemberEvent & {
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  /** The member whose account has ended, `mem_…`. */
  mergedMemberId: Scalars['ID']['output'];
  /** `mrg_…`. */
  mergeId: Scalars['ID']['output'];
  /** What was moved, by program. */
  programs: Array<MergedProgram>;
};

/**
 * A merge of two accounts was undone: what you hold about the account that was parted belongs to itself again; what came under
 * either name since the merge stays this member's. The event belongs to no program.
 */
export type MemberUnmergedEvent = MemberEvent & {
  /** The member who had taken the other account over. */
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  /** The member whose account stands for itself again, `mem_…`. */
  unmergedMemberId: Scalars['ID']['output'];
  /** The name of that member. */
  unmergedExternalCustomerId: Scalars['String']['output'];
  /** `mrg_…`. */
  mergeId: Scalars['ID']['output'];
  /** What was given back, by program. */
  programs: Array<MergedProgram>;
};

/** A member has reached another tier of a program, higher or lower. An enrollment says the tier in `member.enrolled` instead. */
export type TierChangedEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** Id of the tier before. */
  previousTier: Scalars['String']['output'];
  /** Id of the tier now. */
  tier: Scalars['String']['output'];
  /** The points that count for the tier, in the program's qualification window, in the smallest loyalty unit. */
  qualificationPoints: Scalars['Long']['output'];
};

/** A member may choose benefits of a choice set: for a tier or for a completed challenge. */
export type ChoiceGrantedEvent = MemberEvent & ProfileEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  /** TypeID of the grant, `cgr_…`. */
  choiceGrantId: Scalars['ID']['output'];
  /** The choice set's id in the program document. */
  choiceSetId: Scalars['String']['output'];
  /** How many benefits may be chosen. */
  choices: Scalars['Long']['output'];
  /** What it was granted for: `tier:` or `challenge:` with the id, and of a challenge `#` with the number of the completion. */
  grantedBy: Scalars['String']['output'];
  /** Until when they can be chosen. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

/** Points are held for a reward. */
export type RedemptionReservedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** When the hold ends by itself unless it is committed or released before. */
  expiresAt: Scalars['DateTime']['output'];
};

/** Held points are spent: the reward is redeemed. */
export type RedemptionCommittedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** What the merchant's checkout authorized the redemption with. */
  authorizationReference: Scalars['String']['output'];
};

/** A hold was released: its points are back with the member. */
export type RedemptionReleasedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
};

/** A hold has ended by itself, neither committed nor released: its points are back with the member. */
export type RedemptionExpiredEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
};

/** A committed redemption, or a part of the discount that its points paid for, was reversed: the points are back with the member. */
export type RedemptionReversedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** `reversed`, or `committed` where only a part of the discount was reversed. */
  reservationState: ReservationState;
  /** How many of the points this reversal gave back. */
  reversedPoints: Scalars['Long']['output'];
  /** How much of the discount it reversed, in minor currency units; null where the reward has a fixed price. */
  reversedMinor?: Maybe<Scalars['Long']['output']>;
};

/** It was noted how far the fulfillment of a committed redemption has come. */
export type RedemptionFulfillmentUpdatedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** How far it has come. */
  fulfillmentStatus: FulfillmentStatus;
  /** Such as a tracking number. */
  fulfillmentReference?: Maybe<Scalars['String']['output']>;
};

/** A dispute of a committed redemption was opened. */
export type RedemptionDisputeOpenedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: Scalars['ID']['output'];
};

/** A dispute was resolved. Where that reversed the redemption, `redemption.reversed` is sent as well. */
export type RedemptionDisputeResolvedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: Scalars['ID']['output'];
};

/** A dispute was rejected: the redemption stays as it is. */
export type RedemptionDisputeRejectedEvent = MemberEvent & ProfileEvent & RedemptionEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  reservationId: Scalars['ID']['output'];
  transactionId: Scalars['ID']['output'];
  rewardId: Scalars['String']['output'];
  sourceReference: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  /** TypeID of the dispute, `dsp_…`. */
  disputeId: Scalars['ID']['output'];
};

/** A credit or a debit of points was asked for. Nothing is moved until it is approved. */
export type AdjustmentRequestedEvent = MemberEvent & ProfileEvent & AdjustmentEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  adjustmentId: Scalars['ID']['output'];
  state: AdjustmentState;
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  transactionId?: Maybe<Scalars['ID']['output']>;
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** An adjustment was approved, and its points were given or taken; or an import posted an opening balance. */
export type AdjustmentPostedEvent = MemberEvent & ProfileEvent & AdjustmentEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  adjustmentId?: Maybe<Scalars['ID']['output']>;
  state: AdjustmentState;
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  transactionId?: Maybe<Scalars['ID']['output']>;
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** An adjustment was rejected: nothing was moved. */
export type AdjustmentRejectedEvent = MemberEvent & ProfileEvent & AdjustmentEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  adjustmentId: Scalars['ID']['output'];
  state: AdjustmentState;
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  transactionId?: Maybe<Scalars['ID']['output']>;
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** A posted adjustment was taken back. */
export type AdjustmentReversedEvent = MemberEvent & ProfileEvent & AdjustmentEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  adjustmentId: Scalars['ID']['output'];
  state: AdjustmentState;
  direction: AdjustmentDirection;
  points: Scalars['Long']['output'];
  reason: Scalars['String']['output'];
  transactionId?: Maybe<Scalars['ID']['output']>;
  reversalTransactionId?: Maybe<Scalars['ID']['output']>;
};

/** An exchange of points with a partner was settled. Where points came in, `points.earned` is sent as well. */
export type ExchangeSettledEvent = MemberEvent & ProfileEvent & ExchangeEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  transactionId: Scalars['ID']['output'];
  settlementReference: Scalars['String']['output'];
  partnerId: Scalars['String']['output'];
  direction: ExchangeDirection;
  points: Scalars['Long']['output'];
};

/** A settled exchange with a partner was undone. */
export type ExchangeReversedEvent = MemberEvent & ProfileEvent & ExchangeEvent & {
  programId: Scalars['String']['output'];
  memberId: Scalars['ID']['output'];
  externalCustomerId: Scalars['String']['output'];
  balances: EventBalances;
  profileVersion: Scalars['Long']['output'];
  transactionId: Scalars['ID']['output'];
  settlementReference: Scalars['String']['output'];
  partnerId: Scalars['String']['output'];
  direction: ExchangeDirection;
  points: Scalars['Long']['output'];
  /** The reference of the settlement that was undone. */
  reverses: Scalars['String']['output'];
};

/**
 * A new epoch of the feed has begun: the database goes on from an older state, as after the promotion of an asynchronous standby, a
 * restore or the reset of a Sandbox. It is sent to every endpoint before anything else of the epoch, whatever the endpoint subscribes
 * to. What was sent of the epochs before at later positions than `lastPositionKept` did not happen: take it back.
 */
export type FeedEpochStartedEvent = {
  /** The epoch that begins, from 2. */
  epoch: Scalars['Int']['output'];
  /** The epoch before. */
  previousEpoch: Scalars['Int']['output'];
  /** The last position of the epochs before that holds on; 0 where none does. */
  lastPositionKept: Scalars['Long']['output'];
  /** When it began, by the database's clock. */
  at: Scalars['DateTime']['output'];
};

/** A version of a program was published. */
export type ProgramPublishedEvent = {
  /** The program's id, from its document. */
  programId: Scalars['String']['output'];
  /** Number of the version, from 1. */
  version: Scalars['Int']['output'];
  /** From when on it is used. */
  effectiveFrom: Scalars['DateTime']['output'];
};

/**
 * A campaign has given 80 or 100 percent of what its cap `totalPoints` lets it give. Sent once for each of both; again where a
 * version raises the cap and the new one is reached.
 */
export type CampaignCapReachedEvent = {
  /** The program's id, from its document. */
  programId: Scalars['String']['output'];
  /** The campaign's id, from the document. */
  campaignId: Scalars['String']['output'];
  /** 80 or 100. */
  percent: Scalars['Int']['output'];
  /** The cap, in the smallest loyalty unit. */
  capPoints: Scalars['Long']['output'];
  /** What the campaign has given by now, in the smallest loyalty unit. */
  givenPoints: Scalars['Long']['output'];
};

/** An import has come to its end. Rows may have been rejected; its report says which. */
export type ImportCompletedEvent = {
  /** TypeID of the operation, `op_…`. */
  operationId: Scalars['ID']['output'];
  /** What the rows of the file were. */
  kind: ImportKind;
  /** Rows that were read. */
  rows: Scalars['Long']['output'];
  /** Rows that were new and have been done. */
  committed: Scalars['Long']['output'];
  /** Rows that had been done before, and changed nothing. */
  replayed: Scalars['Long']['output'];
  /** Rows that were refused. */
  rejected: Scalars['Long']['output'];
  /** Members who were made for its rows. */
  membersCreated: Scalars['Long']['output'];
  /** Points of the new rows: a decimal string, since a sum may exceed 2^53. */
  committedPoints: Scalars['String']['output'];
  /** Points of the rows that had been done before, as a decimal string. */
  replayedPoints: Scalars['String']['output'];
};

/** What a change reports. */
export type FeedEvent = {
  /** TypeID, `whe_…`: the same whenever the event is read. */
  id: Scalars['ID']['output'];
  type: Scalars['String']['output'];
  /** When the change was decided. */
  timestamp: Scalars['DateTime']['output'];
  environmentId: Scalars['ID']['output'];
  /** The epoch of the feed that the position was given in, from 1. */
  epoch: Scalars['Int']['output'];
  /** When that epoch began, by the database's clock. After a restore an epoch may begin again under the same number: this tells the two apart. Null before it is noted. */
  epochAt?: Maybe<Scalars['DateTime']['output']>;
  /** From 1 without gaps in the environment, in the order of commits. */
  position: Scalars['Long']['output'];
  /** The same as in a webhook. Null where it is no longer kept. */
  data?: Maybe<Scalars['JSONObject']['output']>;
};

/** Oldest first. A page ends before `limit` after the event that brings its data to 1 MiB. */
export type EventFeedPage = {
  requestId: Scalars['String']['output'];
  /** The newest epoch of the feed, from 1. */
  epoch: Scalars['Int']['output'];
  /** When that epoch began. Null before the first event. */
  epochAt?: Maybe<Scalars['DateTime']['output']>;
  data: Array<FeedEvent>;
  page: Page;
};

export type OperationType =
  | 'import'
  | 'export'
  /** Settles what has fallen due, where much has. */
  | 'expiry_run'
  /** Re-qualifies members for their tiers. */
  | 'tier_run'
  | 'exchange_settlement'
  /** Tries a program over past events. */
  | 'simulation'
  /** Sends deliveries of a webhook endpoint again. */
  | 'webhook_replay'
  /** Removes what was stored about a member who is to be forgotten. */
  | 'erasure';

export type OperationStatus =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed';

/** Long-running work. */
export type Operation = {
  /** TypeID, `op_…`. It is also the request id of the audit events of what the operation does. */
  id: Scalars['ID']['output'];
  type: OperationType;
  status: OperationStatus;
  progress: OperationProgress;
  createdAt: Scalars['DateTime']['output'];
  /** Null while it is queued. */
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Null until it has succeeded or failed. */
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Its counts, which differ by type. One that has failed may have a result too: what was done stays done. */
  result?: Maybe<Scalars['JSONObject']['output']>;
  /** Null unless it has failed. */
  error?: Maybe<OperationError>;
};

/** Of rows, members or deliveries, by type. */
export type OperationProgress = {
  done: Scalars['Long']['output'];
  /** Null while it is not known how much there is to do. */
  total?: Maybe<Scalars['Long']['output']>;
};

export type OperationError = {
  /** `interrupted` where it was stopped or its process was killed; else `internal_error`, or why it could not go on. */
  code: Scalars['String']['output'];
  message: Scalars['String']['output'];
};

export type OperationResult = {
  requestId: Scalars['String']['output'];
  operation: Operation;
};

export type OperationFilter = {
  type?: InputMaybe<OperationType>;
  status?: InputMaybe<OperationStatus>;
};

/** Newest first. A page ends before `limit` after the operation that brings its results to 1 MiB. */
export type OperationPage = {
  requestId: Scalars['String']['output'];
  data: Array<Operation>;
  page: Page;
};

/** Who changed what, when, under which request. */
export type AuditEvent = {
  /** TypeID, `aud_…`. */
  id: Scalars['ID']['output'];
  /** Such as `member.created`. */
  action: Scalars['String']['output'];
  /** Such as `member`. */
  targetType: Scalars['String']['output'];
  /** The id by which callers know it. */
  targetId: Scalars['String']['output'];
  actor: AuditActor;
  at: Scalars['DateTime']['output'];
  /** Of the request, or the id of the operation, that made the change. */
  requestId: Scalars['String']['output'];
  changes: Scalars['JSONObject']['output'];
  /** Null until it is sealed, within a minute. */
  seal?: Maybe<AuditSeal>;
};

export type AuditActor = {
  /** `api_key`, `system` or `operator`. */
  type: Scalars['String']['output'];
  /** The principal of the API key, the operator's name, or `time`. */
  id: Scalars['String']['output'];
};

/** The event's place in the hash chain of its environment. */
export type AuditSeal = {
  /** From 1 without gaps. */
  position: Scalars['Long']['output'];
  /**
   * SHA-256 as hex, over the hash at the position before (64 zeros before the first) followed by the canonical JSON (RFC 8785)
   * of this event without `seal`.
   */
  hash: Scalars['String']['output'];
};

export type AuditEventFilter = {
  /** Such as `member.created`. */
  action?: InputMaybe<Scalars['String']['input']>;
  /** Such as `member`. */
  targetType?: InputMaybe<Scalars['String']['input']>;
  targetId?: InputMaybe<Scalars['String']['input']>;
  actorId?: InputMaybe<Scalars['String']['input']>;
  /** `at` is this or later. */
  from?: InputMaybe<Scalars['DateTime']['input']>;
  /** `at` is before this. */
  to?: InputMaybe<Scalars['DateTime']['input']>;
};

/**
 * Newest first. A page ends before `limit` after the event that brings its changes to 1 MiB. Without `targetId` it also ends
 * after 10,000 events that were looked through for the other filters, so that it may have fewer or none: `hasMore` alone says
 * whether more follows.
 */
export type AuditEventPage = {
  requestId: Scalars['String']['output'];
  data: Array<AuditEvent>;
  page: Page;
};

export type EnvironmentKind =
  | 'sandbox'
  | 'production';

/** The environment of the credential. */
export type Environment = {
  environmentId: Scalars['String']['output'];
  kind: EnvironmentKind;
  name: Scalars['String']['output'];
  /** While it is locked, mutations are refused with `production_locked`. A Sandbox is while it is emptied. */
  locked: Scalars['Boolean']['output'];
  /** By which everything of the environment goes. That of Production shows the real time. */
  clock: SandboxClock;
  createdAt: Scalars['DateTime']['output'];
};

export type EnvironmentResult = {
  requestId: Scalars['String']['output'];
  environment: Environment;
};

export type EnvironmentLockInput = {
  idempotencyKey: Scalars['String']['input'];
};

export type EnvironmentLockPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  environmentId: Scalars['String']['output'];
  locked: Scalars['Boolean']['output'];
  /** False where it was so already: nothing has changed. */
  changed: Scalars['Boolean']['output'];
};

export type SandboxClockState =
  /** It shows the real time. */
  | 'real'
  /** It runs, ahead of the real time. */
  | 'runs_ahead'
  /** It stands until it is moved, or the real time has reached it. */
  | 'stands';

/** The clock of a Sandbox, by which everything of the environment goes but rate limits, keys, tokens and the deliveries of webhooks. */
export type SandboxClock = {
  /** What it shows. */
  now: Scalars['DateTime']['output'];
  realTime: Scalars['DateTime']['output'];
  state: SandboxClockState;
};

export type SandboxClockResult = {
  requestId: Scalars['String']['output'];
  clock: SandboxClock;
};

export type SandboxClockAction =
  /** To the instant `at`. */
  | 'set'
  /** By `seconds`; a clock that stands stands again afterwards. */
  | 'advance'
  /** Back to the real time. */
  | 'reset';

export type MoveSandboxClockInput = {
  idempotencyKey: Scalars['String']['input'];
  action: SandboxClockAction;
  /** The instant that the clock is set to. With `set` only, and required there. */
  at?: InputMaybe<Scalars['DateTime']['input']>;
  /** Whether the clock runs on from `at`; otherwise it stands there. With `set` only. */
  runs?: InputMaybe<Scalars['Boolean']['input']>;
  /** How far the clock is advanced. With `advance` only, and required there. */
  seconds?: InputMaybe<Scalars['Long']['input']>;
};

/** What was due by the time that the clock shows, and is done when the answer comes. */
export type SandboxSweep = {
  /** Profiles in which something was posted: activations, expiries, ends of holds. */
  profilesSettled: Scalars['Int']['output'];
  transactions: Scalars['Int']['output'];
  reservationsExpired: Scalars['Int']['output'];
  quotesExpired: Scalars['Int']['output'];
  choicesExpired: Scalars['Int']['output'];
  adjustmentsExpired: Scalars['Int']['output'];
  tiersRequalified: Scalars['Int']['output'];
  tiersChanged: Scalars['Int']['output'];
  /** Lots of whose coming expiry `points.expiring` told. */
  expiriesNoticed: Scalars['Int']['output'];
  /** The last closed day of UTC, `YYYY-MM-DD`. */
  closedThrough: Scalars['String']['output'];
  /** Members of whom something could not be done. The server's log says why. */
  failed: Scalars['Int']['output'];
};

export type MoveSandboxClockPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  clock: SandboxClock;
  swept: SandboxSweep;
};

/** The customer, as the customer sees itself: neither ids nor anything of the merchant's. */
export type CustomerMemberResult = {
  requestId: Scalars['String']['output'];
  member: CustomerMember;
  /** Programs that the customer is enrolled in. */
  programs: Array<CustomerProgram>;
};

export type CustomerMember = {
  displayName?: Maybe<Scalars['String']['output']>;
  status: MemberStatus;
};

/** The customer's participation in one program. Points are in the smallest loyalty unit. */
export type CustomerProgram = {
  programId: Scalars['String']['output'];
  name: Scalars['String']['output'];
  /** What one point is called, such as `beans`. */
  unitName: Scalars['String']['output'];
  tier: CustomerTier;
  /** Name of the next higher tier; null in the highest. */
  nextTier?: Maybe<Scalars['String']['output']>;
  /** Qualification points that the next tier requires; null in the highest. */
  nextTierAt?: Maybe<Scalars['Long']['output']>;
  qualificationPoints: Scalars['Long']['output'];
  balances: CustomerBalances;
  /** The available points that expire next; null where none do. */
  nextExpiry?: Maybe<NextExpiry>;
};

export type CustomerTier = {
  id: Scalars['String']['output'];
  name: Scalars['String']['output'];
};

/** Points in the smallest loyalty unit. */
export type CustomerBalances = {
  available: Scalars['Long']['output'];
  pending: Scalars['Long']['output'];
  reserved: Scalars['Long']['output'];
};

export type CustomerDetailsResult = {
  requestId: Scalars['String']['output'];
  /** Programs that the customer is enrolled in. */
  programs: Array<CustomerDetails>;
};

export type CustomerDetails = {
  programId: Scalars['String']['output'];
  /** Qualification points that the next tier lacks; null in the highest one. */
  pointsToNextTier?: Maybe<Scalars['Long']['output']>;
  /** When the tier falls if nothing more is earned; null where it never does. */
  tierUntil?: Maybe<Scalars['DateTime']['output']>;
  /** Challenges that are open to the customer, in the order of the program. */
  challenges: Array<CustomerChallenge>;
  /** Choices that the customer may still make, oldest first; at most 50. */
  choices: Array<CustomerChoice>;
  /** Points held for redemptions, those that end first, first; at most 50. */
  holds: Array<CustomerHold>;
  /** Available points by the instant at which they lapse, soonest first; at most 12 instants. */
  expirations: Array<NextExpiry>;
};

export type CustomerChallenge = {
  id: Scalars['String']['output'];
  name?: Maybe<Scalars['String']['output']>;
  /** What counts toward the next completion, in the unit of `goal`. */
  reached: Scalars['Float']['output'];
  goal: Scalars['Float']['output'];
  /** How often it was completed in the present window. */
  completions: Scalars['Long']['output'];
  /** When the present window ends; null without one. */
  windowEnd?: Maybe<Scalars['DateTime']['output']>;
};

export type CustomerChoice = {
  choiceSetId: Scalars['String']['output'];
  name: Scalars['String']['output'];
  remaining: Scalars['Long']['output'];
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

export type CustomerHold = {
  rewardId: Scalars['String']['output'];
  rewardName: Scalars['String']['output'];
  points: Scalars['Long']['output'];
  expiresAt: Scalars['DateTime']['output'];
};

export type CustomerActivityPage = {
  requestId: Scalars['String']['output'];
  data: Array<CustomerActivity>;
  page: Page;
};

/** What changed the customer's available points. The sum of all is the available balance. */
export type CustomerActivity = {
  /** Opaque, `act_…`; the same at each read. */
  id: Scalars['ID']['output'];
  type: TransactionType;
  /** Negative where points were taken; in the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  postedAt: Scalars['DateTime']['output'];
  programId: Scalars['String']['output'];
  /** What happened, in a few words of English. */
  description: Scalars['String']['output'];
};

export type CustomerCatalogResult = {
  requestId: Scalars['String']['output'];
  data: Array<CustomerReward>;
};

/** Why a reward is not for this customer. */
export type CustomerEligibilityReason =
  /** The customer is not enrolled in the program. */
  | 'enrollment_required'
  /** The customer is suspended. */
  | 'member_not_active'
  /** The reward is for others, such as those of a higher tier. */
  | 'not_eligible';

/** A reward of the program's present configuration, to be shown to the customer. */
export type CustomerReward = {
  id: Scalars['String']['output'];
  name: Scalars['String']['output'];
  description?: Maybe<Scalars['String']['output']>;
  imageUrl?: Maybe<Scalars['String']['output']>;
  /** In the smallest loyalty unit. The fewest points where it is paid with points. */
  pointsCost: Scalars['Long']['output'];
  /** False where nothing is left of it. */
  available: Scalars['Boolean']['output'];
  /** Whether the customer may have it, apart from the points. */
  eligible: Scalars['Boolean']['output'];
  eligibilityReason?: Maybe<CustomerEligibilityReason>;
  /** Points that the customer lacks, 0 where it has enough; null where it is not enrolled. */
  pointsNeeded?: Maybe<Scalars['Long']['output']>;
  /** Whether the customer could redeem it now. */
  redeemable: Scalars['Boolean']['output'];
  /** How points pay for it; null where it has a fixed price. */
  payWithPoints?: Maybe<CustomerPayment>;
};

/** A discount that is paid with points: so many for each unit of it. */
export type CustomerPayment = {
  /** In the smallest loyalty unit. */
  pointsPerUnit: Scalars['Long']['output'];
  /** In minor units of the currency. */
  unitMinor: Scalars['Long']['output'];
  /** ISO 4217 code. */
  currency: Scalars['String']['output'];
  /** Points are paid in multiples of it. */
  step: Scalars['Long']['output'];
  minimumPoints: Scalars['Long']['output'];
  /** Null for no limit. */
  maximumPoints?: Maybe<Scalars['Long']['output']>;
  /** The largest part of an order that can be paid; null for all of it. */
  maximumShareOfOrder?: Maybe<ShareOfOrder>;
};

/** An exact fraction. */
export type ShareOfOrder = {
  numerator: Scalars['Long']['output'];
  denominator: Scalars['Long']['output'];
};

export type EnrollCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  /** Enrollment takes an affirmative consent: `opted_in`. */
  consentStatus: ConsentChoice;
  noticeVersion: Scalars['String']['input'];
  /** What proves the consent; `source` names the capture channel. */
  evidence: Scalars['JSONObject']['input'];
};

export type EnrollCustomerPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** False where the profile was there already, or was re-activated. */
  created: Scalars['Boolean']['output'];
  program: JoinedProgram;
};

/** A customer's participation in the program that it has joined. */
export type JoinedProgram = {
  programId: Scalars['String']['output'];
  /** Tier id in the program's published configuration. */
  tier: Scalars['String']['output'];
  status: EnrollmentStatus;
  /** Points that count for the tier, in the program's qualification window, in the smallest loyalty unit. */
  qualificationPoints: Scalars['Long']['output'];
  /** One entry per account. */
  balances: Array<AccountBalance>;
  /** The customer's own code: it refers others to the program. Null where the program has no referral. */
  referralCode?: Maybe<Scalars['String']['output']>;
};

export type UnenrollCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  noticeVersion: Scalars['String']['input'];
  evidence: Scalars['JSONObject']['input'];
  /** Why the customer leaves. */
  reason: Scalars['String']['input'];
};

/** A purchase that the customer might make. */
export type PreviewForCustomerInput = {
  programId: Scalars['String']['input'];
  /** Order value in minor currency units. */
  amountMinor: Scalars['Long']['input'];
  channel: Channel;
  /** What the customer typed; spaces at either end do not count. It is not used up. */
  couponCode?: InputMaybe<Scalars['String']['input']>;
  /** ISO 4217 code; the program's own where absent. */
  currency?: InputMaybe<Scalars['String']['input']>;
  items?: InputMaybe<Array<CartItemInput>>;
};

/** What a purchase would earn now. */
export type CustomerPurchasePreview = {
  requestId: Scalars['String']['output'];
  /** False where the customer is not enrolled in the program: then it is what a new member in the first tier would get. */
  personalized: Scalars['Boolean']['output'];
  /** Id of the tier after the purchase. */
  tier: Scalars['String']['output'];
  award: Award;
  /** Null where no coupon came. */
  coupon?: Maybe<CouponResult>;
  loyaltyUnitPrecision: Scalars['Int']['output'];
  /** What each line would earn in all. Null unless the program earns by line. */
  lines?: Maybe<Array<EarnedLine>>;
};

export type QuoteForCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  programId: Scalars['String']['input'];
  rewardId: Scalars['String']['input'];
  /** How long the quote is valid. */
  ttlSeconds?: InputMaybe<Scalars['Int']['input']>;
  /** For a reward that is paid with points: exactly so many. */
  points?: InputMaybe<Scalars['Long']['input']>;
  /** For a reward that is paid with points, in place of `points`: the highest discount, in minor currency units. As many points are paid as it, the reward's limits and the balance allow. */
  amountMinor?: InputMaybe<Scalars['Long']['input']>;
  /** For a reward that is paid with points: the amount of the order that gets the discount, in minor currency units, which the merchant's checkout has to check. Required where the reward limits the share of an order. */
  orderAmountMinor?: InputMaybe<Scalars['Long']['input']>;
};

export type CustomerQuotePayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  quote: CustomerQuote;
};

export type CustomerQuote = {
  /** TypeID, `quo_…`. */
  id: Scalars['ID']['output'];
  /** In the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  expiresAt: Scalars['DateTime']['output'];
  /** What the points pay for, in minor units of the program's currency; null where the reward has a fixed price. */
  discountMinor?: Maybe<Scalars['Long']['output']>;
};

export type ReserveForCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  quoteId: Scalars['ID']['input'];
};

export type CommitForCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  /** What the merchant's checkout authorized the redemption with: the token's claim `authorization_reference`. */
  authorizationReference: Scalars['String']['input'];
};

export type ReleaseForCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  reason?: InputMaybe<Scalars['String']['input']>;
};

export type ReverseForCustomerInput = {
  idempotencyKey: Scalars['String']['input'];
  reservationId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
  /** What proves that the reward was not consumed. Required where the reward's terms say so, and it is reversed at once. */
  cancellationEvidence?: InputMaybe<Scalars['JSONObject']['input']>;
};

export type CustomerRedemptionPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  reservation: CustomerReservation;
};

export type CustomerReservation = {
  /** TypeID, `rsv_…`. */
  id: Scalars['ID']['output'];
  state: ReservationState;
};

export type CustomerReversalPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** True where a dispute was opened, on which the merchant decides; false where the redemption was reversed at once. */
  created: Scalars['Boolean']['output'];
  reservation: CustomerReservation;
};

/** Whom a session of a widget is for. */
export type WidgetSessionInput = {
  /** Of the deployment, `wdg_…`. */
  deploymentId: Scalars['ID']['input'];
  externalCustomerId: Scalars['String']['input'];
  /** Of the page that gets the token, as browsers send it: one of the deployment's. */
  origin: Scalars['String']['input'];
};

export type WidgetSessionResult = {
  requestId: Scalars['String']['output'];
  /** For the page: opaque, `wst_…`. It is good for this deployment, member and origin. */
  token: Scalars['String']['output'];
  /** 15 minutes from now. */
  expiresAt: Scalars['DateTime']['output'];
};

/** A reward that the widget offers, which the member has confirmed. */
export type RedeemInWidgetInput = {
  /** Of the deployment, `wdg_…`. */
  deploymentId: Scalars['ID']['input'];
  rewardId: Scalars['String']['input'];
  /** One for each intent of the member, kept over retries. It is the member's own: others may use the same one. */
  idempotencyKey: Scalars['String']['input'];
};

/** A widget as a merchant has published it. Its pages name it by its id, which stays the same for every version. */
export type WidgetDeployment = {
  /** TypeID, `wdg_…`. */
  id: Scalars['ID']['output'];
  /** The `id` of its documents. */
  documentId: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  /** The version that is served. */
  newest: WidgetVersion;
};

/** A published document of a widget. It never changes. */
export type WidgetVersion = {
  /** From 1. */
  version: Scalars['Int']['output'];
  programId: Scalars['String']['output'];
  /** SHA-256 of the document's canonical JSON (RFC 8785), as hex. */
  documentHash: Scalars['String']['output'];
  publishedAt: Scalars['DateTime']['output'];
  publishedBy: Scalars['String']['output'];
};

/** Newest first. */
export type WidgetDeploymentPage = {
  requestId: Scalars['String']['output'];
  data: Array<WidgetDeployment>;
  page: Page;
};

export type WidgetDeploymentResult = {
  requestId: Scalars['String']['output'];
  deployment: WidgetDeployment;
  /** That of the newest version, as it was published. */
  document: Scalars['JSONObject']['output'];
};

/** Newest first. */
export type WidgetVersionPage = {
  requestId: Scalars['String']['output'];
  data: Array<WidgetVersion>;
  page: Page;
};

export type WidgetVersionResult = {
  requestId: Scalars['String']['output'];
  deploymentId: Scalars['ID']['output'];
  version: WidgetVersion;
  /** As it was published. */
  document: Scalars['JSONObject']['output'];
};

export type WidgetPreviewResult = {
  requestId: Scalars['String']['output'];
  /** What a page gets, as /schemas/agent-rewards-surface.v1.json describes it. */
  surface: Scalars['JSONObject']['output'];
};

export type PublishWidgetInput = {
  idempotencyKey: Scalars['String']['input'];
  /** The document, as YAML 1.2 or JSON. Its `id` says of which deployment it is the next version. */
  source: Scalars['String']['input'];
  /**
   * The newest version that the caller knows; 0 where there is none. Where another one is the newest by now, nothing is
   * published. REST takes it from `If-Match: "3"`.
   */
  expectedVersion?: InputMaybe<Scalars['Int']['input']>;
  /** True to see what is wrong with the document, without publishing it. */
  dryRun?: InputMaybe<Scalars['Boolean']['input']>;
};

export type PublishWidgetPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  /** Whether a version was made. False for a dry run, and where the newest version is this very document already. */
  created: Scalars['Boolean']['output'];
  /** TypeID, `wdg_…`. Null where a dry run would make the deployment, or the document has problems. */
  deploymentId?: Maybe<Scalars['ID']['output']>;
  /** The version of this document: the one that was made, or that is there already. Null in a dry run. */
  version?: Maybe<WidgetVersion>;
  /** Why the document cannot be published. Other calls than dry runs are refused with these in `details`. */
  problems: Array<DocumentProblem>;
};

export type WidgetRedemptionPayload = {
  requestId: Scalars['String']['output'];
  idempotent: Scalars['Boolean']['output'];
  redemption: WidgetRedemption;
  balance: CustomerBalances;
};

export type WidgetRedemption = {
  /** TypeID of the reservation, `rsv_…`. */
  id: Scalars['ID']['output'];
  /** `reserved`, or `committed` where the widget's document says `redemption: commit`. */
  state: ReservationState;
  rewardId: Scalars['String']['output'];
  /** In the smallest loyalty unit. */
  points: Scalars['Long']['output'];
  /** When a reserved one ends by itself, and its points are available again. Null where it is committed. */
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
};

export type Query = {
  /** The person who has signed in, and what it may do where. */
  personSession?: Maybe<PersonSessionResult>;
  /** The open sessions of the person. */
  personSessions?: Maybe<PersonSessionList>;
  /** A member with its program profiles. */
  member?: Maybe<MemberResult>;
  /** A member with its tags and lists, and with what it has in each program and is on the way to. */
  memberDetails?: Maybe<MemberResult>;
  /**
   * What a text names: an id, a code, a customer's id or the reference of an order; the last two from four characters on also by their
   * beginning. Each kind is found with a scope that opens it elsewhere; without one it is as if it were not there. 60 a minute for each key.
   */
  search?: Maybe<SearchResult>;
  /** The published programs, by their ids. */
  programs?: Maybe<ProgramPage>;
  /** The published versions of a program, newest first. */
  programVersions?: Maybe<ProgramVersionPage>;
  /** A published version of a program, with its document. */
  programVersion?: Maybe<ProgramVersionResult>;
  /** What a published version of a program changed, or two of them differ in. */
  programDiff?: Maybe<ProgramDiffResult>;
  /** Issuers of customers' tokens, newest first, with those that were removed. */
  tokenIssuers?: Maybe<TokenIssuerPage>;
  /** An issuer of customers' tokens. */
  tokenIssuer?: Maybe<TokenIssuerResult>;
  /**
   * Says which parts of a token the service takes for an issuer, and why not the others. Keys are read as the service reads
   * them, times are those of the database. Nothing is stored.
   */
  checkToken?: Maybe<CheckTokenResult>;
  /** The sections of a published version that finance approves, with their approvals. */
  financeSections?: Maybe<FinanceSectionsResult>;
  /** The pools of a program, with the numbers of their codes. */
  codePools?: Maybe<CodePoolsResult>;
  /** Members: newest first, or in the order of what a prefix is of. */
  members?: Maybe<MemberPage>;
  /** A transaction with its entries. */
  transaction?: Maybe<TransactionResult>;
  /** Transactions, newest first. */
  transactions?: Maybe<TransactionPage>;
  /** All entries of a transaction, page by page. */
  transactionEntries?: Maybe<TransactionEntryPage>;
  /** Totals of the ledger and of operations over a window of at most 90 days. */
  ledgerSummary?: Maybe<LedgerSummary>;
  /** The close report of one program. The period begins with the UTC month of its end where `from` is absent, and ends now where `to` is; it is at most 366 days long. */
  ledgerClose?: Maybe<LedgerClose>;
  /** What a campaign has given, how much of its cap, and how members with it compare with those from whom it is withheld. */
  campaignReport?: Maybe<CampaignReport>;
  /** Says which offers apply to a cart. Nothing is changed, and no coupon is consumed. */
  evaluateOffers?: Maybe<EvaluateOffersResult>;
  /** What a purchase would earn now. Nothing is written, no coupon is used up and no limit is counted. */
  previewPurchase?: Maybe<PurchasePreview>;
  /** The state of a code of a pool. It is sent in the body, because addresses are logged. */
  couponCode?: Maybe<CouponCodeResult>;
  /** Redemptions, newest first. */
  redemptions?: Maybe<RedemptionPage>;
  /** Adjustments with what they are decided on, newest first. */
  adjustments?: Maybe<AdjustmentPage>;
  /** Merges of two accounts with what they are decided on, newest first. */
  memberMerges?: Maybe<MemberMergePage>;
  /** A merge of two accounts with what it is decided on. */
  memberMerge?: Maybe<MemberMergeResult>;
  /** A redemption with its disputes. */
  redemption?: Maybe<RedemptionResult>;
  /** The webhook endpoints that are not deleted, newest first. */
  webhookEndpoints?: Maybe<WebhookEndpointPage>;
  /** A webhook endpoint. */
  webhookEndpoint?: Maybe<WebhookEndpointResult>;
  /** Webhook deliveries, newest first. */
  webhookDeliveries?: Maybe<WebhookDeliveryPage>;
  /**
   * The events of the environment in the order of commits, oldest first, whether an endpoint subscribes to them or not.
   * `page.nextCursor` is always given: sent as `after`, also later, it continues after the last event that was looked at.
   * `hasMore` says whether more can be read now. Under `types` a page may have few events or none although more follows.
   */
  eventsFeed?: Maybe<EventFeedPage>;
  /** A webhook delivery with its attempts. */
  webhookDelivery?: Maybe<WebhookDeliveryResult>;
  /** Long-running operations, newest first. */
  operations?: Maybe<OperationPage>;
  /** A long-running operation. */
  operation?: Maybe<OperationResult>;
  /** The audit trail, newest first. */
  auditEvents?: Maybe<AuditEventPage>;
  /** The signed-in customer, with the programs that it is enrolled in. */
  customerMember?: Maybe<CustomerMemberResult>;
  /** What the signed-in customer is on the way to in its programs, and what waits for it there. */
  customerDetails?: Maybe<CustomerDetailsResult>;
  /** What changed the customer's available points, newest first. */
  customerActivity?: Maybe<CustomerActivityPage>;
  /** The rewards of a program that may be shown at present. */
  customerCatalog?: Maybe<CustomerCatalogResult>;
  /** What a purchase of the customer would earn now. Nothing is written, and no coupon is used up. */
  previewForCustomer?: Maybe<CustomerPurchasePreview>;
  /** The clock of a Sandbox. */
  sandboxClock?: Maybe<SandboxClockResult>;
  /** Widget deployments, newest first, each with the version that is served. */
  widgetDeployments?: Maybe<WidgetDeploymentPage>;
  /** A widget deployment, with the document that is served. */
  widgetDeployment?: Maybe<WidgetDeploymentResult>;
  /** The versions of a widget deployment, newest first. */
  widgetVersions?: Maybe<WidgetVersionPage>;
  /** A version of a widget deployment, with its document. */
  widgetVersion?: Maybe<WidgetVersionResult>;
  /** What a widget shows now: to visitors, or to a member, for which `members:read` is needed too. */
  widgetPreview?: Maybe<WidgetPreviewResult>;
  /** The environment of the credential: what it is, whether it is locked, and what its clock shows. */
  environment?: Maybe<EnvironmentResult>;
  /** Makes the token with which a page shows a widget to one member, who is enrolled in its program. Nothing is stored. */
  widgetSession?: Maybe<WidgetSessionResult>;
};


export type QuerymemberArgs = {
  externalCustomerId: Scalars['String']['input'];
};


export type QuerymemberDetailsArgs = {
  externalCustomerId: Scalars['String']['input'];
};


export type QuerysearchArgs = {
  q: Scalars['String']['input'];
};


export type QueryprogramsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryprogramVersionsArgs = {
  programId: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryprogramVersionArgs = {
  programId: Scalars['ID']['input'];
  configurationVersion: Scalars['Int']['input'];
};


export type QueryprogramDiffArgs = {
  programId: Scalars['ID']['input'];
  configurationVersion: Scalars['Int']['input'];
  from?: InputMaybe<Scalars['Int']['input']>;
};


export type QuerytokenIssuersArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerytokenIssuerArgs = {
  issuerId: Scalars['ID']['input'];
};


export type QuerycheckTokenArgs = {
  input: CheckTokenInput;
};


export type QueryfinanceSectionsArgs = {
  programId: Scalars['ID']['input'];
  configurationVersion: Scalars['Int']['input'];
};


export type QuerycodePoolsArgs = {
  programId: Scalars['ID']['input'];
};


export type QuerymembersArgs = {
  filter?: InputMaybe<MemberFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerytransactionArgs = {
  id: Scalars['ID']['input'];
};


export type QuerytransactionsArgs = {
  filter?: InputMaybe<TransactionFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerytransactionEntriesArgs = {
  id: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryledgerSummaryArgs = {
  programId?: InputMaybe<Scalars['ID']['input']>;
  from: Scalars['DateTime']['input'];
  to: Scalars['DateTime']['input'];
};


export type QueryledgerCloseArgs = {
  programId: Scalars['ID']['input'];
  from?: InputMaybe<Scalars['DateTime']['input']>;
  to?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QuerycampaignReportArgs = {
  programId: Scalars['ID']['input'];
  campaignId: Scalars['ID']['input'];
};


export type QueryevaluateOffersArgs = {
  input: EvaluateOffersInput;
};


export type QuerypreviewPurchaseArgs = {
  input: PreviewPurchaseInput;
};


export type QuerycouponCodeArgs = {
  input: CouponCodeInput;
};


export type QueryredemptionsArgs = {
  filter?: InputMaybe<RedemptionFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryadjustmentsArgs = {
  filter?: InputMaybe<AdjustmentFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerymemberMergesArgs = {
  filter?: InputMaybe<MemberMergeFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerymemberMergeArgs = {
  mergeId: Scalars['ID']['input'];
};


export type QueryredemptionArgs = {
  reservationId: Scalars['ID']['input'];
};


export type QuerywebhookEndpointsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerywebhookEndpointArgs = {
  endpointId: Scalars['ID']['input'];
};


export type QuerywebhookDeliveriesArgs = {
  filter?: InputMaybe<WebhookDeliveryFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryeventsFeedArgs = {
  types?: InputMaybe<Array<Scalars['String']['input']>>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
  afterPosition?: InputMaybe<Scalars['Long']['input']>;
  epoch?: InputMaybe<Scalars['Int']['input']>;
  epochAt?: InputMaybe<Scalars['DateTime']['input']>;
};


export type QuerywebhookDeliveryArgs = {
  deliveryId: Scalars['ID']['input'];
};


export type QueryoperationsArgs = {
  filter?: InputMaybe<OperationFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QueryoperationArgs = {
  id: Scalars['ID']['input'];
};


export type QueryauditEventsArgs = {
  filter?: InputMaybe<AuditEventFilter>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerycustomerActivityArgs = {
  programId?: InputMaybe<Scalars['String']['input']>;
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerycustomerCatalogArgs = {
  programId: Scalars['String']['input'];
};


export type QuerypreviewForCustomerArgs = {
  input: PreviewForCustomerInput;
};


export type QuerywidgetDeploymentsArgs = {
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerywidgetDeploymentArgs = {
  deploymentId: Scalars['ID']['input'];
};


export type QuerywidgetVersionsArgs = {
  deploymentId: Scalars['ID']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  cursor?: InputMaybe<Scalars['String']['input']>;
};


export type QuerywidgetVersionArgs = {
  deploymentId: Scalars['ID']['input'];
  version: Scalars['Int']['input'];
};


export type QuerywidgetPreviewArgs = {
  deploymentId: Scalars['ID']['input'];
  externalCustomerId?: InputMaybe<Scalars['String']['input']>;
  version?: InputMaybe<Scalars['Int']['input']>;
};


export type QuerywidgetSessionArgs = {
  input: WidgetSessionInput;
};

export type Mutation = {
  /** Ends a session of the person: that of the request, or another one. */
  endPersonSession?: Maybe<EndPersonSessionPayload>;
  /**
   * Publishes a document as the next version of its program; the first one makes the program. `programs:write` is enough for
   * a dry run.
   */
  publishProgram?: Maybe<PublishProgramPayload>;
  /**
   * Publishes a document as the next version of its widget deployment; the first one makes the deployment. It is served, to
   * pages of its origins, within a second.
   */
  publishWidget?: Maybe<PublishWidgetPayload>;
  /** Makes the environment take the tokens of an issuer, within a second. */
  addTokenIssuer?: Maybe<TokenIssuerPayload>;
  /** Makes the tokens of an issuer be refused, within a second and for good. */
  removeTokenIssuer?: Maybe<TokenIssuerPayload>;
  /**
   * Locks Production: when the answer comes, no mutation is under way any more, and those that follow are refused. Reads go
   * on, and so do unenrollment, release of a hold and rejection of an adjustment.
   */
  lockEnvironment?: Maybe<EnvironmentLockPayload>;
  /** Opens Production for mutations again. */
  unlockEnvironment?: Maybe<EnvironmentLockPayload>;
  /** Adds generated codes to a pool, all or none, and shows them once. It needs both `codes:reveal` and `codes:write`. */
  generateCouponCodes?: Maybe<GenerateCouponCodesPayload>;
  /** Approves sections of a version, by another principal than whoever published them in any version. */
  approveFinance?: Maybe<ApproveFinancePayload>;
  /** Creates a member. Creates no program profile and no account. */
  createMember?: Maybe<CreateMemberPayload>;
  /** Changes a member's name, or the consent of its identity. A member whose consent is withdrawn earns and redeems nothing, and keeps its points. */
  updateMember?: Maybe<UpdateMemberPayload>;
  /** Enrolls a member in a program, with the evidence of consent. Never resets a balance. */
  enrollMember?: Maybe<EnrollMemberPayload>;
  /** Ends a member's enrollment once every balance is zero. History stays. */
  unenrollMember?: Maybe<UnenrollMemberPayload>;
  /** Puts a tag on a member. The next purchase sees it. */
  tagMember?: Maybe<TagMemberPayload>;
  /** Takes a tag off a member. */
  untagMember?: Maybe<TagMemberPayload>;
  /** Suspends a member: it earns and redeems nothing, and keeps its points, enrollments and holds. Allowed while Production is locked. */
  suspendMember?: Maybe<MemberStatusPayload>;
  /** Ends a member's suspension. Allowed while Production is locked. */
  resumeMember?: Maybe<MemberStatusPayload>;
  /** Puts up to 1,000 members on a list. The next purchases see it. */
  addToList?: Maybe<ListMembersPayload>;
  /** Takes up to 1,000 members off a list. */
  removeFromList?: Maybe<ListMembersPayload>;
  /** Awards points for a completed purchase. */
  purchaseEarn?: Maybe<PurchaseEarnPayload>;
  /** Gives a code of a pool to a member: nobody else can redeem it from then on. */
  assignCouponCode?: Maybe<AssignCouponCodePayload>;
  /** Takes points back for a full or partial return of an order. */
  recordReturn?: Maybe<RecordReturnPayload>;
  /** Prices a reward for a member. Nothing is reserved or spent. */
  quoteRedemption?: Maybe<RedemptionQuotePayload>;
  /** Holds the points of a quote. */
  reserveRedemption?: Maybe<RedemptionPayload>;
  /** Spends held points, after the merchant's checkout has authorized the redemption. */
  commitRedemption?: Maybe<RedemptionPayload>;
  /** Gives held points back. */
  releaseRedemption?: Maybe<RedemptionPayload>;
  /** Restores the points of a committed redemption. */
  reverseRedemption?: Maybe<RedemptionPayload>;
  /** Notes how far the fulfillment of a committed redemption has come. */
  updateFulfillment?: Maybe<RedemptionPayload>;
  /** Opens a dispute of a committed redemption, which can have 20 disputes in all. */
  openDispute?: Maybe<DisputePayload>;
  /** Resolves a dispute, and reverses the redemption where asked to. */
  resolveDispute?: Maybe<DisputePayload>;
  /** Rejects a dispute. */
  rejectDispute?: Maybe<DisputePayload>;
  /** Asks for a credit or debit that another principal decides on. */
  requestAdjustment?: Maybe<AdjustmentPayload>;
  /** Posts a requested adjustment. Never by the principal who asked for it. */
  approveAdjustment?: Maybe<AdjustmentPayload>;
  /** Rejects a requested adjustment. */
  rejectAdjustment?: Maybe<AdjustmentPayload>;
  /** Takes a posted adjustment back. Never by the principal who asked for it. */
  reverseAdjustment?: Maybe<AdjustmentPayload>;
  /** Asks to merge one account of a person into another one. Another principal decides on it. */
  requestMemberMerge?: Maybe<MemberMergePayload>;
  /** Merges the two accounts of a request. Never by the principal who asked for it. */
  approveMemberMerge?: Maybe<MemberMergePayload>;
  /** Rejects a request to merge two accounts. */
  rejectMemberMerge?: Maybe<MemberMergePayload>;
  /** Asks to undo a merge of two accounts. Another principal decides on it. */
  requestMemberUnmerge?: Maybe<MemberMergePayload>;
  /** Undoes a merge of two accounts. Never by the principal who asked for it. */
  approveMemberUnmerge?: Maybe<MemberMergePayload>;
  /** Rejects a request to undo a merge: it stays merged. */
  rejectMemberUnmerge?: Maybe<MemberMergePayload>;
  /** Records an engagement event, and advances the challenges that it counts for. */
  recordCustomEvent?: Maybe<RecordCustomEventPayload>;
  /** Claims one of a choice set's benefits. No points are spent. */
  claimChoiceBenefit?: Maybe<ClaimChoiceBenefitPayload>;
  /** Makes a webhook endpoint, disabled, with its signing secret. */
  createWebhookEndpoint?: Maybe<CreateWebhookEndpointPayload>;
  /** Changes a webhook endpoint; activates or disables it. */
  updateWebhookEndpoint?: Maybe<WebhookEndpointPayload>;
  /** Deletes a webhook endpoint. What waits for it is given up; its deliveries stay readable. */
  deleteWebhookEndpoint?: Maybe<WebhookEndpointPayload>;
  /** Gives a webhook endpoint a new signing secret. The old one signs as well for a while. */
  rotateWebhookSecret?: Maybe<RotateWebhookSecretPayload>;
  /** Sends a test to a webhook endpoint, whether it is active or disabled. */
  testWebhookEndpoint?: Maybe<WebhookDeliveryPayload>;
  /** Sends the deliveries of a webhook endpoint after a sequence again, in their order, as an operation. */
  replayWebhookEndpoint?: Maybe<ReplayWebhookEndpointPayload>;
  /** Puts a webhook delivery that failed or was given up in the queue again. */
  retryWebhookDelivery?: Maybe<WebhookDeliveryPayload>;
  /** Moves the clock of a Sandbox, and does what is due by then before it answers. */
  moveSandboxClock?: Maybe<MoveSandboxClockPayload>;
  /** Enrolls the customer in a program, with its consent. A customer who is no member yet becomes one. */
  enrollCustomer?: Maybe<EnrollCustomerPayload>;
  /** Ends the customer's enrollment. Every balance has to be zero. */
  unenrollCustomer?: Maybe<UnenrollMemberPayload>;
  /** Prices a reward for the customer. No points are reserved or spent. */
  quoteForCustomer?: Maybe<CustomerQuotePayload>;
  /** Holds the points of a quote of the customer. */
  reserveForCustomer?: Maybe<CustomerRedemptionPayload>;
  /** Spends held points, once the merchant's checkout has authorized it: the token has to say so. */
  commitForCustomer?: Maybe<CustomerRedemptionPayload>;
  /** Gives held points back. */
  releaseForCustomer?: Maybe<CustomerRedemptionPayload>;
  /** Asks for a redemption to be reversed: opens a dispute, or reverses it at once where the reward allows that. */
  reverseForCustomer?: Maybe<CustomerReversalPayload>;
  /** Redeems a reward that a widget offers to the member of its session: quotes and holds it, and commits it where the widget's document says so. */
  redeemInWidget?: Maybe<WidgetRedemptionPayload>;
};


export type MutationendPersonSessionArgs = {
  input: EndPersonSessionInput;
};


export type MutationpublishProgramArgs = {
  input: PublishProgramInput;
};


export type MutationpublishWidgetArgs = {
  input: PublishWidgetInput;
};


export type MutationaddTokenIssuerArgs = {
  input: AddTokenIssuerInput;
};


export type MutationremoveTokenIssuerArgs = {
  input: RemoveTokenIssuerInput;
};


export type MutationlockEnvironmentArgs = {
  input: EnvironmentLockInput;
};


export type MutationunlockEnvironmentArgs = {
  input: EnvironmentLockInput;
};


export type MutationgenerateCouponCodesArgs = {
  input: GenerateCouponCodesInput;
};


export type MutationapproveFinanceArgs = {
  input: ApproveFinanceInput;
};


export type MutationcreateMemberArgs = {
  input: CreateMemberInput;
};


export type MutationupdateMemberArgs = {
  input: UpdateMemberInput;
};


export type MutationenrollMemberArgs = {
  input: EnrollMemberInput;
};


export type MutationunenrollMemberArgs = {
  input: UnenrollMemberInput;
};


export type MutationtagMemberArgs = {
  input: TagMemberInput;
};


export type MutationuntagMemberArgs = {
  input: TagMemberInput;
};


export type MutationsuspendMemberArgs = {
  input: MemberStatusInput;
};


export type MutationresumeMemberArgs = {
  input: MemberStatusInput;
};


export type MutationaddToListArgs = {
  input: ListMembersInput;
};


export type MutationremoveFromListArgs = {
  input: ListMembersInput;
};


export type MutationpurchaseEarnArgs = {
  input: PurchaseEarnInput;
};


export type MutationassignCouponCodeArgs = {
  input: AssignCouponCodeInput;
};


export type MutationrecordReturnArgs = {
  input: RecordReturnInput;
};


export type MutationquoteRedemptionArgs = {
  input: RedemptionQuoteInput;
};


export type MutationreserveRedemptionArgs = {
  input: ReserveRedemptionInput;
};


export type MutationcommitRedemptionArgs = {
  input: CommitRedemptionInput;
};


export type MutationreleaseRedemptionArgs = {
  input: ReleaseRedemptionInput;
};


export type MutationreverseRedemptionArgs = {
  input: ReverseRedemptionInput;
};


export type MutationupdateFulfillmentArgs = {
  input: UpdateFulfillmentInput;
};


export type MutationopenDisputeArgs = {
  input: OpenDisputeInput;
};


export type MutationresolveDisputeArgs = {
  input: ResolveDisputeInput;
};


export type MutationrejectDisputeArgs = {
  input: RejectDisputeInput;
};


export type MutationrequestAdjustmentArgs = {
  input: RequestAdjustmentInput;
};


export type MutationapproveAdjustmentArgs = {
  input: DecideAdjustmentInput;
};


export type MutationrejectAdjustmentArgs = {
  input: DecideAdjustmentInput;
};


export type MutationreverseAdjustmentArgs = {
  input: DecideAdjustmentInput;
};


export type MutationrequestMemberMergeArgs = {
  input: RequestMemberMergeInput;
};


export type MutationapproveMemberMergeArgs = {
  input: DecideMemberMergeInput;
};


export type MutationrejectMemberMergeArgs = {
  input: DecideMemberMergeInput;
};


export type MutationrequestMemberUnmergeArgs = {
  input: RequestMemberUnmergeInput;
};


export type MutationapproveMemberUnmergeArgs = {
  input: DecideMemberMergeInput;
};


export type MutationrejectMemberUnmergeArgs = {
  input: DecideMemberMergeInput;
};


export type MutationrecordCustomEventArgs = {
  input: RecordCustomEventInput;
};


export type MutationclaimChoiceBenefitArgs = {
  input: ClaimChoiceBenefitInput;
};


export type MutationcreateWebhookEndpointArgs = {
  input: CreateWebhookEndpointInput;
};


export type MutationupdateWebhookEndpointArgs = {
  input: UpdateWebhookEndpointInput;
};


export type MutationdeleteWebhookEndpointArgs = {
  input: DeleteWebhookEndpointInput;
};


export type MutationrotateWebhookSecretArgs = {
  input: RotateWebhookSecretInput;
};


export type MutationtestWebhookEndpointArgs = {
  input: TestWebhookEndpointInput;
};


export type MutationreplayWebhookEndpointArgs = {
  input: ReplayWebhookEndpointInput;
};


export type MutationretryWebhookDeliveryArgs = {
  input: RetryWebhookDeliveryInput;
};


export type MutationmoveSandboxClockArgs = {
  input: MoveSandboxClockInput;
};


export type MutationenrollCustomerArgs = {
  input: EnrollCustomerInput;
};


export type MutationunenrollCustomerArgs = {
  input: UnenrollCustomerInput;
};


export type MutationquoteForCustomerArgs = {
  input: QuoteForCustomerInput;
};


export type MutationreserveForCustomerArgs = {
  input: ReserveForCustomerInput;
};


export type MutationcommitForCustomerArgs = {
  input: CommitForCustomerInput;
};


export type MutationreleaseForCustomerArgs = {
  input: ReleaseForCustomerInput;
};


export type MutationreverseForCustomerArgs = {
  input: ReverseForCustomerInput;
};


export type MutationredeemInWidgetArgs = {
  input: RedeemInWidgetInput;
};
