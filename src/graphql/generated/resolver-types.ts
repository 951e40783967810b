import type * as contract from '../../contract/generated/types.ts';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { RequestContext, ContextOfCustomer, ContextOfWidget, ContextOfPerson } from '../execution/context.ts';
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };


export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => contract.Maybe<TTypes> | Promise<contract.Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  MemberEvent:
    | ( contract.PointsEarnedEvent )
    | ( contract.PointsExpiredEvent )
    | ( contract.PointsClawedBackEvent )
    | ( contract.PointsExpiringEvent )
    | ( contract.MemberEnrolledEvent )
    | ( contract.MemberUnenrolledEvent )
    | ( contract.MemberCreatedEvent )
    | ( contract.MemberUpdatedEvent )
    | ( contract.MemberSuspendedEvent )
    | ( contract.MemberConsentChangedEvent )
    | ( contract.MemberErasedEvent )
    | ( contract.MemberMergedEvent )
    | ( contract.MemberUnmergedEvent )
    | ( contract.TierChangedEvent )
    | ( contract.ChoiceGrantedEvent )
    | ( contract.RedemptionReservedEvent )
    | ( contract.RedemptionCommittedEvent )
    | ( contract.RedemptionReleasedEvent )
    | ( contract.RedemptionExpiredEvent )
    | ( contract.RedemptionReversedEvent )
    | ( contract.RedemptionFulfillmentUpdatedEvent )
    | ( contract.RedemptionDisputeOpenedEvent )
    | ( contract.RedemptionDisputeResolvedEvent )
    | ( contract.RedemptionDisputeRejectedEvent )
    | ( contract.AdjustmentRequestedEvent )
    | ( contract.AdjustmentPostedEvent )
    | ( contract.AdjustmentRejectedEvent )
    | ( contract.AdjustmentReversedEvent )
    | ( contract.ExchangeSettledEvent )
    | ( contract.ExchangeReversedEvent )
  ;
  MemberStateEvent:
    | ( contract.MemberCreatedEvent )
    | ( contract.MemberUpdatedEvent )
    | ( contract.MemberSuspendedEvent )
    | ( contract.MemberConsentChangedEvent )
  ;
  ProfileEvent:
    | ( contract.PointsEarnedEvent )
    | ( contract.PointsExpiredEvent )
    | ( contract.PointsClawedBackEvent )
    | ( contract.PointsExpiringEvent )
    | ( contract.MemberEnrolledEvent )
    | ( contract.MemberUnenrolledEvent )
    | ( contract.TierChangedEvent )
    | ( contract.ChoiceGrantedEvent )
    | ( contract.RedemptionReservedEvent )
    | ( contract.RedemptionCommittedEvent )
    | ( contract.RedemptionReleasedEvent )
    | ( contract.RedemptionExpiredEvent )
    | ( contract.RedemptionReversedEvent )
    | ( contract.RedemptionFulfillmentUpdatedEvent )
    | ( contract.RedemptionDisputeOpenedEvent )
    | ( contract.RedemptionDisputeResolvedEvent )
    | ( contract.RedemptionDisputeRejectedEvent )
    | ( contract.AdjustmentRequestedEvent )
    | ( contract.AdjustmentPostedEvent )
    | ( contract.AdjustmentRejectedEvent )
    | ( contract.AdjustmentReversedEvent )
    | ( contract.ExchangeSettledEvent )
    | ( contract.ExchangeReversedEvent )
  ;
  RedemptionEvent:
    | ( contract.RedemptionReservedEvent )
    | ( contract.RedemptionCommittedEvent )
    | ( contract.RedemptionReleasedEvent )
    | ( contract.RedemptionExpiredEvent )
    | ( contract.RedemptionReversedEvent )
    | ( contract.RedemptionFulfillmentUpdatedEvent )
    | ( contract.RedemptionDisputeOpenedEvent )
    | ( contract.RedemptionDisputeResolvedEvent )
    | ( contract.RedemptionDisputeRejectedEvent )
  ;
  AdjustmentEvent:
    | ( contract.AdjustmentRequestedEvent )
    | ( contract.AdjustmentPostedEvent )
    | ( contract.AdjustmentRejectedEvent )
    | ( contract.AdjustmentReversedEvent )
  ;
  ExchangeEvent:
    | ( contract.ExchangeSettledEvent )
    | ( contract.ExchangeReversedEvent )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  OperationForm: contract.OperationForm;
  Long: ResolverTypeWrapper<contract.Scalars['Long']['output']>;
  DateTime: ResolverTypeWrapper<contract.Scalars['DateTime']['output']>;
  JSONObject: ResolverTypeWrapper<contract.Scalars['JSONObject']['output']>;
  EventAttributes: ResolverTypeWrapper<contract.Scalars['EventAttributes']['output']>;
  ErrorCode: contract.ErrorCode;
  SearchKind: contract.SearchKind;
  SearchHit: ResolverTypeWrapper<contract.SearchHit>;
  ID: ResolverTypeWrapper<contract.Scalars['ID']['output']>;
  SearchResult: ResolverTypeWrapper<contract.SearchResult>;
  PersonRole: contract.PersonRole;
  Person: ResolverTypeWrapper<contract.Person>;
  PersonEnvironment: ResolverTypeWrapper<contract.PersonEnvironment>;
  PersonSession: ResolverTypeWrapper<contract.PersonSession>;
  Boolean: ResolverTypeWrapper<contract.Scalars['Boolean']['output']>;
  PersonSessionResult: ResolverTypeWrapper<contract.PersonSessionResult>;
  PersonSessionList: ResolverTypeWrapper<contract.PersonSessionList>;
  EndPersonSessionInput: contract.EndPersonSessionInput;
  EndPersonSessionPayload: ResolverTypeWrapper<contract.EndPersonSessionPayload>;
  Program: ResolverTypeWrapper<contract.Program>;
  ProgramTier: ResolverTypeWrapper<contract.ProgramTier>;
  ProgramPage: ResolverTypeWrapper<contract.ProgramPage>;
  ProgramVersion: ResolverTypeWrapper<contract.ProgramVersion>;
  ProgramVersionPage: ResolverTypeWrapper<contract.ProgramVersionPage>;
  ProgramVersionResult: ResolverTypeWrapper<contract.ProgramVersionResult>;
  ProgramChange: ResolverTypeWrapper<contract.ProgramChange>;
  ProgramChangeKind: contract.ProgramChangeKind;
  ProgramDiffResult: ResolverTypeWrapper<contract.ProgramDiffResult>;
  DocumentProblem: ResolverTypeWrapper<contract.DocumentProblem>;
  PublishProgramInput: contract.PublishProgramInput;
  PublishProgramPayload: ResolverTypeWrapper<contract.PublishProgramPayload>;
  TokenIssuer: ResolverTypeWrapper<contract.TokenIssuer>;
  TokenIssuerKeys: contract.TokenIssuerKeys;
  TokenIssuerPage: ResolverTypeWrapper<contract.TokenIssuerPage>;
  TokenIssuerResult: ResolverTypeWrapper<contract.TokenIssuerResult>;
  AddTokenIssuerInput: contract.AddTokenIssuerInput;
  RemoveTokenIssuerInput: contract.RemoveTokenIssuerInput;
  TokenIssuerPayload: ResolverTypeWrapper<contract.TokenIssuerPayload>;
  CheckTokenInput: contract.CheckTokenInput;
  CheckTokenResult: ResolverTypeWrapper<contract.CheckTokenResult>;
  TokenFinding: ResolverTypeWrapper<contract.TokenFinding>;
  FinanceSectionName: contract.FinanceSectionName;
  FinanceSection: ResolverTypeWrapper<contract.FinanceSection>;
  FinanceSectionsResult: ResolverTypeWrapper<contract.FinanceSectionsResult>;
  ApproveFinanceInput: contract.ApproveFinanceInput;
  FinanceApproval: ResolverTypeWrapper<contract.FinanceApproval>;
  ApproveFinancePayload: ResolverTypeWrapper<contract.ApproveFinancePayload>;
  MemberStatus: contract.MemberStatus;
  ConsentChoice: contract.ConsentChoice;
  ConsentStatus: contract.ConsentStatus;
  IdentityStatus: contract.IdentityStatus;
  EnrollmentStatus: contract.EnrollmentStatus;
  Member: ResolverTypeWrapper<contract.Member>;
  Consent: ResolverTypeWrapper<contract.Consent>;
  ProgramProfile: ResolverTypeWrapper<contract.ProgramProfile>;
  NextTier: ResolverTypeWrapper<contract.NextTier>;
  ChallengeProgress: ResolverTypeWrapper<contract.ChallengeProgress>;
  Float: ResolverTypeWrapper<contract.Scalars['Float']['output']>;
  OpenChoice: ResolverTypeWrapper<contract.OpenChoice>;
  OpenHold: ResolverTypeWrapper<contract.OpenHold>;
  Lot: ResolverTypeWrapper<contract.Lot>;
  AccountBalance: ResolverTypeWrapper<contract.AccountBalance>;
  NextExpiry: ResolverTypeWrapper<contract.NextExpiry>;
  MemberResult: ResolverTypeWrapper<contract.MemberResult>;
  MemberFilter: contract.MemberFilter;
  ListedMember: ResolverTypeWrapper<contract.ListedMember>;
  ListedProfile: ResolverTypeWrapper<contract.ListedProfile>;
  MemberPage: ResolverTypeWrapper<contract.MemberPage>;
  CreateMemberInput: contract.CreateMemberInput;
  CreateMemberPayload: ResolverTypeWrapper<contract.CreateMemberPayload>;
  UpdateMemberInput: contract.UpdateMemberInput;
  UpdateMemberPayload: ResolverTypeWrapper<contract.UpdateMemberPayload>;
  EnrollMemberInput: contract.EnrollMemberInput;
  EnrollMemberPayload: ResolverTypeWrapper<contract.EnrollMemberPayload>;
  UnenrollMemberInput: contract.UnenrollMemberInput;
  UnenrollMemberPayload: ResolverTypeWrapper<contract.UnenrollMemberPayload>;
  EnrollmentState: ResolverTypeWrapper<contract.EnrollmentState>;
  MemberReference: ResolverTypeWrapper<contract.MemberReference>;
  TagMemberInput: contract.TagMemberInput;
  TagMemberPayload: ResolverTypeWrapper<contract.TagMemberPayload>;
  MemberStatusInput: contract.MemberStatusInput;
  MemberStatusPayload: ResolverTypeWrapper<contract.MemberStatusPayload>;
  MemberIdentity: ResolverTypeWrapper<contract.MemberIdentity>;
  ListMembersInput: contract.ListMembersInput;
  ListMembersPayload: ResolverTypeWrapper<contract.ListMembersPayload>;
  Channel: contract.Channel;
  EvaluationMode: contract.EvaluationMode;
  TransactionState: contract.TransactionState;
  RuleDecisionKind: contract.RuleDecisionKind;
  CartItemInput: contract.CartItemInput;
  EventContextInput: contract.EventContextInput;
  PurchaseEarnInput: contract.PurchaseEarnInput;
  PurchaseEarnPayload: ResolverTypeWrapper<contract.PurchaseEarnPayload>;
  Award: ResolverTypeWrapper<contract.Award>;
  CampaignAward: ResolverTypeWrapper<contract.CampaignAward>;
  ReferralAward: ResolverTypeWrapper<contract.ReferralAward>;
  CouponResult: ResolverTypeWrapper<contract.CouponResult>;
  RuleDecision: ResolverTypeWrapper<contract.RuleDecision>;
  EarnedLine: ResolverTypeWrapper<contract.EarnedLine>;
  PreviewPurchaseInput: contract.PreviewPurchaseInput;
  PurchasePreview: ResolverTypeWrapper<contract.PurchasePreview>;
  CouponCodeInput: contract.CouponCodeInput;
  AssignCouponCodeInput: contract.AssignCouponCodeInput;
  CouponCodeState: contract.CouponCodeState;
  CouponCode: ResolverTypeWrapper<contract.CouponCode>;
  CouponCodeResult: ResolverTypeWrapper<contract.CouponCodeResult>;
  CodePool: ResolverTypeWrapper<contract.CodePool>;
  CodePoolsResult: ResolverTypeWrapper<contract.CodePoolsResult>;
  GenerateCouponCodesInput: contract.GenerateCouponCodesInput;
  GenerateCouponCodesPayload: ResolverTypeWrapper<contract.GenerateCouponCodesPayload>;
  AssignCouponCodePayload: ResolverTypeWrapper<contract.AssignCouponCodePayload>;
  OrderState: contract.OrderState;
  ReturnItemInput: contract.ReturnItemInput;
  RecordReturnInput: contract.RecordReturnInput;
  RecordReturnPayload: ResolverTypeWrapper<contract.RecordReturnPayload>;
  Return: ResolverTypeWrapper<contract.Return>;
  ReferralClawback: ResolverTypeWrapper<contract.ReferralClawback>;
  QuoteState: contract.QuoteState;
  ReservationState: contract.ReservationState;
  FulfillmentStatus: contract.FulfillmentStatus;
  DisputeState: contract.DisputeState;
  RedemptionQuoteInput: contract.RedemptionQuoteInput;
  RedemptionQuotePayload: ResolverTypeWrapper<contract.RedemptionQuotePayload>;
  RedemptionQuote: ResolverTypeWrapper<contract.RedemptionQuote>;
  ReserveRedemptionInput: contract.ReserveRedemptionInput;
  CommitRedemptionInput: contract.CommitRedemptionInput;
  ReleaseRedemptionInput: contract.ReleaseRedemptionInput;
  ReverseRedemptionInput: contract.ReverseRedemptionInput;
  RedemptionPayload: ResolverTypeWrapper<contract.RedemptionPayload>;
  Reservation: ResolverTypeWrapper<contract.Reservation>;
  RedemptionDiscount: ResolverTypeWrapper<contract.RedemptionDiscount>;
  RedemptionResult: ResolverTypeWrapper<contract.RedemptionResult>;
  FulfillmentFilter: contract.FulfillmentFilter;
  RedemptionFilter: contract.RedemptionFilter;
  RedemptionPage: ResolverTypeWrapper<contract.RedemptionPage>;
  UpdateFulfillmentInput: contract.UpdateFulfillmentInput;
  OpenDisputeInput: contract.OpenDisputeInput;
  ResolveDisputeInput: contract.ResolveDisputeInput;
  RejectDisputeInput: contract.RejectDisputeInput;
  DisputePayload: ResolverTypeWrapper<contract.DisputePayload>;
  Dispute: ResolverTypeWrapper<contract.Dispute>;
  AdjustmentDirection: contract.AdjustmentDirection;
  AdjustmentState: contract.AdjustmentState;
  RequestAdjustmentInput: contract.RequestAdjustmentInput;
  DecideAdjustmentInput: contract.DecideAdjustmentInput;
  AdjustmentPayload: ResolverTypeWrapper<contract.AdjustmentPayload>;
  Adjustment: ResolverTypeWrapper<contract.Adjustment>;
  AdjustmentFilter: contract.AdjustmentFilter;
  ListedAdjustment: ResolverTypeWrapper<contract.ListedAdjustment>;
  AdjustmentPage: ResolverTypeWrapper<contract.AdjustmentPage>;
  MemberMergeState: contract.MemberMergeState;
  RequestMemberMergeInput: contract.RequestMemberMergeInput;
  RequestMemberUnmergeInput: contract.RequestMemberUnmergeInput;
  DecideMemberMergeInput: contract.DecideMemberMergeInput;
  MemberMergePayload: ResolverTypeWrapper<contract.MemberMergePayload>;
  MemberMerge: ResolverTypeWrapper<contract.MemberMerge>;
  MergedProgram: ResolverTypeWrapper<contract.MergedProgram>;
  MemberMergeFilter: contract.MemberMergeFilter;
  ListedMemberMerge: ResolverTypeWrapper<contract.ListedMemberMerge>;
  MemberMergePage: ResolverTypeWrapper<contract.MemberMergePage>;
  MemberMergeResult: ResolverTypeWrapper<contract.MemberMergeResult>;
  CustomEventStatus: contract.CustomEventStatus;
  RecordCustomEventInput: contract.RecordCustomEventInput;
  RecordCustomEventPayload: ResolverTypeWrapper<contract.RecordCustomEventPayload>;
  ChallengeAward: ResolverTypeWrapper<contract.ChallengeAward>;
  ChoiceState: contract.ChoiceState;
  ClaimChoiceBenefitInput: contract.ClaimChoiceBenefitInput;
  ClaimChoiceBenefitPayload: ResolverTypeWrapper<contract.ClaimChoiceBenefitPayload>;
  ChoiceClaim: ResolverTypeWrapper<contract.ChoiceClaim>;
  OfferItemInput: contract.OfferItemInput;
  EvaluateOffersInput: contract.EvaluateOffersInput;
  EvaluateOffersResult: ResolverTypeWrapper<contract.EvaluateOffersResult>;
  OfferEffect: ResolverTypeWrapper<contract.OfferEffect>;
  OfferLine: ResolverTypeWrapper<contract.OfferLine>;
  OfferRejection: ResolverTypeWrapper<contract.OfferRejection>;
  OfferCoupon: ResolverTypeWrapper<contract.OfferCoupon>;
  TransactionType: contract.TransactionType;
  EntryDirection: contract.EntryDirection;
  Transaction: ResolverTypeWrapper<contract.Transaction>;
  LedgerEntry: ResolverTypeWrapper<contract.LedgerEntry>;
  PurchaseEvaluation: ResolverTypeWrapper<contract.PurchaseEvaluation>;
  TransactionResult: ResolverTypeWrapper<contract.TransactionResult>;
  TransactionFilter: contract.TransactionFilter;
  TransactionPage: ResolverTypeWrapper<contract.TransactionPage>;
  TransactionEntryPage: ResolverTypeWrapper<contract.TransactionEntryPage>;
  Page: ResolverTypeWrapper<contract.Page>;
  CampaignReport: ResolverTypeWrapper<contract.CampaignReport>;
  CampaignCapUse: ResolverTypeWrapper<contract.CampaignCapUse>;
  CampaignComparison: ResolverTypeWrapper<contract.CampaignComparison>;
  GroupMeans: ResolverTypeWrapper<contract.GroupMeans>;
  LedgerSummary: ResolverTypeWrapper<contract.LedgerSummary>;
  TransactionCounts: ResolverTypeWrapper<contract.TransactionCounts>;
  PointMovements: ResolverTypeWrapper<contract.PointMovements>;
  BalanceTotals: ResolverTypeWrapper<contract.BalanceTotals>;
  RedemptionCounts: ResolverTypeWrapper<contract.RedemptionCounts>;
  DeliveryCounts: ResolverTypeWrapper<contract.DeliveryCounts>;
  LedgerCloseStatus: contract.LedgerCloseStatus;
  LedgerClose: ResolverTypeWrapper<contract.LedgerClose>;
  Period: ResolverTypeWrapper<contract.Period>;
  CloseControl: ResolverTypeWrapper<contract.CloseControl>;
  CloseApproval: ResolverTypeWrapper<contract.CloseApproval>;
  CloseTotals: ResolverTypeWrapper<contract.CloseTotals>;
  AccountTotal: ResolverTypeWrapper<contract.AccountTotal>;
  RollForwardLine: ResolverTypeWrapper<contract.RollForwardLine>;
  JournalLine: ResolverTypeWrapper<contract.JournalLine>;
  LiabilityCohort: ResolverTypeWrapper<contract.LiabilityCohort>;
  WebhookEndpointStatus: contract.WebhookEndpointStatus;
  WebhookDisabledReason: contract.WebhookDisabledReason;
  WebhookDeliveryStatus: contract.WebhookDeliveryStatus;
  WebhookEndpoint: ResolverTypeWrapper<contract.WebhookEndpoint>;
  CreateWebhookEndpointInput: contract.CreateWebhookEndpointInput;
  CreateWebhookEndpointPayload: ResolverTypeWrapper<contract.CreateWebhookEndpointPayload>;
  UpdateWebhookEndpointInput: contract.UpdateWebhookEndpointInput;
  WebhookEndpointPayload: ResolverTypeWrapper<contract.WebhookEndpointPayload>;
  DeleteWebhookEndpointInput: contract.DeleteWebhookEndpointInput;
  RotateWebhookSecretInput: contract.RotateWebhookSecretInput;
  RotateWebhookSecretPayload: ResolverTypeWrapper<contract.RotateWebhookSecretPayload>;
  TestWebhookEndpointInput: contract.TestWebhookEndpointInput;
  RetryWebhookDeliveryInput: contract.RetryWebhookDeliveryInput;
  ReplayWebhookEndpointInput: contract.ReplayWebhookEndpointInput;
  ReplayWebhookEndpointPayload: ResolverTypeWrapper<contract.ReplayWebhookEndpointPayload>;
  WebhookDeliveryPayload: ResolverTypeWrapper<contract.WebhookDeliveryPayload>;
  WebhookDelivery: ResolverTypeWrapper<contract.WebhookDelivery>;
  WebhookAttempt: ResolverTypeWrapper<contract.WebhookAttempt>;
  WebhookEndpointResult: ResolverTypeWrapper<contract.WebhookEndpointResult>;
  WebhookEndpointPage: ResolverTypeWrapper<contract.WebhookEndpointPage>;
  WebhookDeliveryResult: ResolverTypeWrapper<contract.WebhookDeliveryResult>;
  WebhookDeliveryFilter: contract.WebhookDeliveryFilter;
  WebhookDeliveryPage: ResolverTypeWrapper<contract.WebhookDeliveryPage>;
  WebhookMessage: ResolverTypeWrapper<contract.WebhookMessage>;
  EventBalances: ResolverTypeWrapper<contract.EventBalances>;
  ExchangeDirection: contract.ExchangeDirection;
  ImportKind: contract.ImportKind;
  MemberEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['MemberEvent']>;
  MemberStateEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['MemberStateEvent']>;
  ProfileEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['ProfileEvent']>;
  RedemptionEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['RedemptionEvent']>;
  AdjustmentEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['AdjustmentEvent']>;
  ExchangeEvent: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['ExchangeEvent']>;
  PointsEarnedEvent: ResolverTypeWrapper<contract.PointsEarnedEvent>;
  PointsExpiredEvent: ResolverTypeWrapper<contract.PointsExpiredEvent>;
  PointsClawedBackEvent: ResolverTypeWrapper<contract.PointsClawedBackEvent>;
  PointsExpiringEvent: ResolverTypeWrapper<contract.PointsExpiringEvent>;
  MemberEnrolledEvent: ResolverTypeWrapper<contract.MemberEnrolledEvent>;
  MemberUnenrolledEvent: ResolverTypeWrapper<contract.MemberUnenrolledEvent>;
  MemberChange: contract.MemberChange;
  MemberCreatedEvent: ResolverTypeWrapper<contract.MemberCreatedEvent>;
  MemberUpdatedEvent: ResolverTypeWrapper<contract.MemberUpdatedEvent>;
  MemberSuspendedEvent: ResolverTypeWrapper<contract.MemberSuspendedEvent>;
  MemberConsentChangedEvent: ResolverTypeWrapper<contract.MemberConsentChangedEvent>;
  MemberErasedEvent: ResolverTypeWrapper<contract.MemberErasedEvent>;
  MemberMergedEvent: ResolverTypeWrapper<contract.MemberMergedEvent>;
  MemberUnmergedEvent: ResolverTypeWrapper<contract.MemberUnmergedEvent>;
  TierChangedEvent: ResolverTypeWrapper<contract.TierChangedEvent>;
  ChoiceGrantedEvent: ResolverTypeWrapper<contract.ChoiceGrantedEvent>;
  RedemptionReservedEvent: ResolverTypeWrapper<contract.RedemptionReservedEvent>;
  RedemptionCommittedEvent: ResolverTypeWrapper<contract.RedemptionCommittedEvent>;
  RedemptionReleasedEvent: ResolverTypeWrapper<contract.RedemptionReleasedEvent>;
  RedemptionExpiredEvent: ResolverTypeWrapper<contract.RedemptionExpiredEvent>;
  RedemptionReversedEvent: ResolverTypeWrapper<contract.RedemptionReversedEvent>;
  RedemptionFulfillmentUpdatedEvent: ResolverTypeWrapper<contract.RedemptionFulfillmentUpdatedEvent>;
  RedemptionDisputeOpenedEvent: ResolverTypeWrapper<contract.RedemptionDisputeOpenedEvent>;
  RedemptionDisputeResolvedEvent: ResolverTypeWrapper<contract.RedemptionDisputeResolvedEvent>;
  RedemptionDisputeRejectedEvent: ResolverTypeWrapper<contract.RedemptionDisputeRejectedEvent>;
  AdjustmentRequestedEvent: ResolverTypeWrapper<contract.AdjustmentRequestedEvent>;
  AdjustmentPostedEvent: ResolverTypeWrapper<contract.AdjustmentPostedEvent>;
  AdjustmentRejectedEvent: ResolverTypeWrapper<contract.AdjustmentRejectedEvent>;
  AdjustmentReversedEvent: ResolverTypeWrapper<contract.AdjustmentReversedEvent>;
  ExchangeSettledEvent: ResolverTypeWrapper<contract.ExchangeSettledEvent>;
  ExchangeReversedEvent: ResolverTypeWrapper<contract.ExchangeReversedEvent>;
  FeedEpochStartedEvent: ResolverTypeWrapper<contract.FeedEpochStartedEvent>;
  ProgramPublishedEvent: ResolverTypeWrapper<contract.ProgramPublishedEvent>;
  CampaignCapReachedEvent: ResolverTypeWrapper<contract.CampaignCapReachedEvent>;
  ImportCompletedEvent: ResolverTypeWrapper<contract.ImportCompletedEvent>;
  FeedEvent: ResolverTypeWrapper<contract.FeedEvent>;
  EventFeedPage: ResolverTypeWrapper<contract.EventFeedPage>;
  OperationType: contract.OperationType;
  OperationStatus: contract.OperationStatus;
  Operation: ResolverTypeWrapper<contract.Operation>;
  OperationProgress: ResolverTypeWrapper<contract.OperationProgress>;
  OperationError: ResolverTypeWrapper<contract.OperationError>;
  OperationResult: ResolverTypeWrapper<contract.OperationResult>;
  OperationFilter: contract.OperationFilter;
  OperationPage: ResolverTypeWrapper<contract.OperationPage>;
  AuditEvent: ResolverTypeWrapper<contract.AuditEvent>;
  AuditActor: ResolverTypeWrapper<contract.AuditActor>;
  AuditSeal: ResolverTypeWrapper<contract.AuditSeal>;
  AuditEventFilter: contract.AuditEventFilter;
  AuditEventPage: ResolverTypeWrapper<contract.AuditEventPage>;
  EnvironmentKind: contract.EnvironmentKind;
  Environment: ResolverTypeWrapper<contract.Environment>;
  EnvironmentResult: ResolverTypeWrapper<contract.EnvironmentResult>;
  EnvironmentLockInput: contract.EnvironmentLockInput;
  EnvironmentLockPayload: ResolverTypeWrapper<contract.EnvironmentLockPayload>;
  SandboxClockState: contract.SandboxClockState;
  SandboxClock: ResolverTypeWrapper<contract.SandboxClock>;
  SandboxClockResult: ResolverTypeWrapper<contract.SandboxClockResult>;
  SandboxClockAction: contract.SandboxClockAction;
  MoveSandboxClockInput: contract.MoveSandboxClockInput;
  SandboxSweep: ResolverTypeWrapper<contract.SandboxSweep>;
  MoveSandboxClockPayload: ResolverTypeWrapper<contract.MoveSandboxClockPayload>;
  CustomerMemberResult: ResolverTypeWrapper<contract.CustomerMemberResult>;
  CustomerMember: ResolverTypeWrapper<contract.CustomerMember>;
  CustomerProgram: ResolverTypeWrapper<contract.CustomerProgram>;
  CustomerTier: ResolverTypeWrapper<contract.CustomerTier>;
  CustomerBalances: ResolverTypeWrapper<contract.CustomerBalances>;
  CustomerDetailsResult: ResolverTypeWrapper<contract.CustomerDetailsResult>;
  CustomerDetails: ResolverTypeWrapper<contract.CustomerDetails>;
  CustomerChallenge: ResolverTypeWrapper<contract.CustomerChallenge>;
  CustomerChoice: ResolverTypeWrapper<contract.CustomerChoice>;
  CustomerHold: ResolverTypeWrapper<contract.CustomerHold>;
  CustomerActivityPage: ResolverTypeWrapper<contract.CustomerActivityPage>;
  CustomerActivity: ResolverTypeWrapper<contract.CustomerActivity>;
  CustomerCatalogResult: ResolverTypeWrapper<contract.CustomerCatalogResult>;
  CustomerEligibilityReason: contract.CustomerEligibilityReason;
  CustomerReward: ResolverTypeWrapper<contract.CustomerReward>;
  CustomerPayment: ResolverTypeWrapper<contract.CustomerPayment>;
  ShareOfOrder: ResolverTypeWrapper<contract.ShareOfOrder>;
  EnrollCustomerInput: contract.EnrollCustomerInput;
  EnrollCustomerPayload: ResolverTypeWrapper<contract.EnrollCustomerPayload>;
  JoinedProgram: ResolverTypeWrapper<contract.JoinedProgram>;
  UnenrollCustomerInput: contract.UnenrollCustomerInput;
  PreviewForCustomerInput: contract.PreviewForCustomerInput;
  CustomerPurchasePreview: ResolverTypeWrapper<contract.CustomerPurchasePreview>;
  QuoteForCustomerInput: contract.QuoteForCustomerInput;
  CustomerQuotePayload: ResolverTypeWrapper<contract.CustomerQuotePayload>;
  CustomerQuote: ResolverTypeWrapper<contract.CustomerQuote>;
  ReserveForCustomerInput: contract.ReserveForCustomerInput;
  CommitForCustomerInput: contract.CommitForCustomerInput;
  ReleaseForCustomerInput: contract.ReleaseForCustomerInput;
  ReverseForCustomerInput: contract.ReverseForCustomerInput;
  CustomerRedemptionPayload: ResolverTypeWrapper<contract.CustomerRedemptionPayload>;
  CustomerReservation: ResolverTypeWrapper<contract.CustomerReservation>;
  CustomerReversalPayload: ResolverTypeWrapper<contract.CustomerReversalPayload>;
  WidgetSessionInput: contract.WidgetSessionInput;
  WidgetSessionResult: ResolverTypeWrapper<contract.WidgetSessionResult>;
  RedeemInWidgetInput: contract.RedeemInWidgetInput;
  WidgetDeployment: ResolverTypeWrapper<contract.WidgetDeployment>;
  WidgetVersion: ResolverTypeWrapper<contract.WidgetVersion>;
  WidgetDeploymentPage: ResolverTypeWrapper<contract.WidgetDeploymentPage>;
  WidgetDeploymentResult: ResolverTypeWrapper<contract.WidgetDeploymentResult>;
  WidgetVersionPage: ResolverTypeWrapper<contract.WidgetVersionPage>;
  WidgetVersionResult: ResolverTypeWrapper<contract.WidgetVersionResult>;
  WidgetPreviewResult: ResolverTypeWrapper<contract.WidgetPreviewResult>;
  PublishWidgetInput: contract.PublishWidgetInput;
  PublishWidgetPayload: ResolverTypeWrapper<contract.PublishWidgetPayload>;
  WidgetRedemptionPayload: ResolverTypeWrapper<contract.WidgetRedemptionPayload>;
  WidgetRedemption: ResolverTypeWrapper<contract.WidgetRedemption>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  String: ResolverTypeWrapper<contract.Scalars['String']['output']>;
  Int: ResolverTypeWrapper<contract.Scalars['Int']['output']>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  Long: contract.Scalars['Long']['output'];
  DateTime: contract.Scalars['DateTime']['output'];
  JSONObject: contract.Scalars['JSONObject']['output'];
  EventAttributes: contract.Scalars['EventAttributes']['output'];
  SearchHit: contract.SearchHit;
  ID: contract.Scalars['ID']['output'];
  SearchResult: contract.SearchResult;
  Person: contract.Person;
  PersonEnvironment: contract.PersonEnvironment;
  PersonSession: contract.PersonSession;
  Boolean: contract.Scalars['Boolean']['output'];
  PersonSessionResult: contract.PersonSessionResult;
  PersonSessionList: contract.PersonSessionList;
  EndPersonSessionInput: contract.EndPersonSessionInput;
  EndPersonSessionPayload: contract.EndPersonSessionPayload;
  Program: contract.Program;
  ProgramTier: contract.ProgramTier;
  ProgramPage: contract.ProgramPage;
  ProgramVersion: contract.ProgramVersion;
  ProgramVersionPage: contract.ProgramVersionPage;
  ProgramVersionResult: contract.ProgramVersionResult;
  ProgramChange: contract.ProgramChange;
  ProgramDiffResult: contract.ProgramDiffResult;
  DocumentProblem: contract.DocumentProblem;
  PublishProgramInput: contract.PublishProgramInput;
  PublishProgramPayload: contract.PublishProgramPayload;
  TokenIssuer: contract.TokenIssuer;
  TokenIssuerPage: contract.TokenIssuerPage;
  TokenIssuerResult: contract.TokenIssuerResult;
  AddTokenIssuerInput: contract.AddTokenIssuerInput;
  RemoveTokenIssuerInput: contract.RemoveTokenIssuerInput;
  TokenIssuerPayload: contract.TokenIssuerPayload;
  CheckTokenInput: contract.CheckTokenInput;
  CheckTokenResult: contract.CheckTokenResult;
  TokenFinding: contract.TokenFinding;
  FinanceSection: contract.FinanceSection;
  FinanceSectionsResult: contract.FinanceSectionsResult;
  ApproveFinanceInput: contract.ApproveFinanceInput;
  FinanceApproval: contract.FinanceApproval;
  ApproveFinancePayload: contract.ApproveFinancePayload;
  Member: contract.Member;
  Consent: contract.Consent;
  ProgramProfile: contract.ProgramProfile;
  NextTier: contract.NextTier;
  ChallengeProgress: contract.ChallengeProgress;
  Float: contract.Scalars['Float']['output'];
  OpenChoice: contract.OpenChoice;
  OpenHold: contract.OpenHold;
  Lot: contract.Lot;
  AccountBalance: contract.AccountBalance;
  NextExpiry: contract.NextExpiry;
  MemberResult: contract.MemberResult;
  MemberFilter: contract.MemberFilter;
  ListedMember: contract.ListedMember;
  ListedProfile: contract.ListedProfile;
  MemberPage: contract.MemberPage;
  CreateMemberInput: contract.CreateMemberInput;
  CreateMemberPayload: contract.CreateMemberPayload;
  UpdateMemberInput: contract.UpdateMemberInput;
  UpdateMemberPayload: contract.UpdateMemberPayload;
  EnrollMemberInput: contract.EnrollMemberInput;
  EnrollMemberPayload: contract.EnrollMemberPayload;
  UnenrollMemberInput: contract.UnenrollMemberInput;
  UnenrollMemberPayload: contract.UnenrollMemberPayload;
  EnrollmentState: contract.EnrollmentState;
  MemberReference: contract.MemberReference;
  TagMemberInput: contract.TagMemberInput;
  TagMemberPayload: contract.TagMemberPayload;
  MemberStatusInput: contract.MemberStatusInput;
  MemberStatusPayload: contract.MemberStatusPayload;
  MemberIdentity: contract.MemberIdentity;
  ListMembersInput: contract.ListMembersInput;
  ListMembersPayload: contract.ListMembersPayload;
  CartItemInput: contract.CartItemInput;
  EventContextInput: contract.EventContextInput;
  PurchaseEarnInput: contract.PurchaseEarnInput;
  PurchaseEarnPayload: contract.PurchaseEarnPayload;
  Award: contract.Award;
  CampaignAward: contract.CampaignAward;
  ReferralAward: contract.ReferralAward;
  CouponResult: contract.CouponResult;
  RuleDecision: contract.RuleDecision;
  EarnedLine: contract.EarnedLine;
  PreviewPurchaseInput: contract.PreviewPurchaseInput;
  PurchasePreview: contract.PurchasePreview;
  CouponCodeInput: contract.CouponCodeInput;
  AssignCouponCodeInput: contract.AssignCouponCodeInput;
  CouponCode: contract.CouponCode;
  CouponCodeResult: contract.CouponCodeResult;
  CodePool: contract.CodePool;
  CodePoolsResult: contract.CodePoolsResult;
  GenerateCouponCodesInput: contract.GenerateCouponCodesInput;
  GenerateCouponCodesPayload: contract.GenerateCouponCodesPayload;
  AssignCouponCodePayload: contract.AssignCouponCodePayload;
  ReturnItemInput: contract.ReturnItemInput;
  RecordReturnInput: contract.RecordReturnInput;
  RecordReturnPayload: contract.RecordReturnPayload;
  Return: contract.Return;
  ReferralClawback: contract.ReferralClawback;
  RedemptionQuoteInput: contract.RedemptionQuoteInput;
  RedemptionQuotePayload: contract.RedemptionQuotePayload;
  RedemptionQuote: contract.RedemptionQuote;
  ReserveRedemptionInput: contract.ReserveRedemptionInput;
  CommitRedemptionInput: contract.CommitRedemptionInput;
  ReleaseRedemptionInput: contract.ReleaseRedemptionInput;
  ReverseRedemptionInput: contract.ReverseRedemptionInput;
  RedemptionPayload: contract.RedemptionPayload;
  Reservation: contract.Reservation;
  RedemptionDiscount: contract.RedemptionDiscount;
  RedemptionResult: contract.RedemptionResult;
  RedemptionFilter: contract.RedemptionFilter;
  RedemptionPage: contract.RedemptionPage;
  UpdateFulfillmentInput: contract.UpdateFulfillmentInput;
  OpenDisputeInput: contract.OpenDisputeInput;
  ResolveDisputeInput: contract.ResolveDisputeInput;
  RejectDisputeInput: contract.RejectDisputeInput;
  DisputePayload: contract.DisputePayload;
  Dispute: contract.Dispute;
  RequestAdjustmentInput: contract.RequestAdjustmentInput;
  DecideAdjustmentInput: contract.DecideAdjustmentInput;
  AdjustmentPayload: contract.AdjustmentPayload;
  Adjustment: contract.Adjustment;
  AdjustmentFilter: contract.AdjustmentFilter;
  ListedAdjustment: contract.ListedAdjustment;
  AdjustmentPage: contract.AdjustmentPage;
  RequestMemberMergeInput: contract.RequestMemberMergeInput;
  RequestMemberUnmergeInput: contract.RequestMemberUnmergeInput;
  DecideMemberMergeInput: contract.DecideMemberMergeInput;
  MemberMergePayload: contract.MemberMergePayload;
  MemberMerge: contract.MemberMerge;
  MergedProgram: contract.MergedProgram;
  MemberMergeFilter: contract.MemberMergeFilter;
  ListedMemberMerge: contract.ListedMemberMerge;
  MemberMergePage: contract.MemberMergePage;
  MemberMergeResult: contract.MemberMergeResult;
  RecordCustomEventInput: contract.RecordCustomEventInput;
  RecordCustomEventPayload: contract.RecordCustomEventPayload;
  ChallengeAward: contract.ChallengeAward;
  ClaimChoiceBenefitInput: contract.ClaimChoiceBenefitInput;
  ClaimChoiceBenefitPayload: contract.ClaimChoiceBenefitPayload;
  ChoiceClaim: contract.ChoiceClaim;
  OfferItemInput: contract.OfferItemInput;
  EvaluateOffersInput: contract.EvaluateOffersInput;
  EvaluateOffersResult: contract.EvaluateOffersResult;
  OfferEffect: contract.OfferEffect;
  OfferLine: contract.OfferLine;
  OfferRejection: contract.OfferRejection;
  OfferCoupon: contract.OfferCoupon;
  Transaction: contract.Transaction;
  LedgerEntry: contract.LedgerEntry;
  PurchaseEvaluation: contract.PurchaseEvaluation;
  TransactionResult: contract.TransactionResult;
  TransactionFilter: contract.TransactionFilter;
  TransactionPage: contract.TransactionPage;
  TransactionEntryPage: contract.TransactionEntryPage;
  Page: contract.Page;
  CampaignReport: contract.CampaignReport;
  CampaignCapUse: contract.CampaignCapUse;
  CampaignComparison: contract.CampaignComparison;
  GroupMeans: contract.GroupMeans;
  LedgerSummary: contract.LedgerSummary;
  TransactionCounts: contract.TransactionCounts;
  PointMovements: contract.PointMovements;
  BalanceTotals: contract.BalanceTotals;
  RedemptionCounts: contract.RedemptionCounts;
  DeliveryCounts: contract.DeliveryCounts;
  LedgerClose: contract.LedgerClose;
  Period: contract.Period;
  CloseControl: contract.CloseControl;
  CloseApproval: contract.CloseApproval;
  CloseTotals: contract.CloseTotals;
  AccountTotal: contract.AccountTotal;
  RollForwardLine: contract.RollForwardLine;
  JournalLine: contract.JournalLine;
  LiabilityCohort: contract.LiabilityCohort;
  WebhookEndpoint: contract.WebhookEndpoint;
  CreateWebhookEndpointInput: contract.CreateWebhookEndpointInput;
  CreateWebhookEndpointPayload: contract.CreateWebhookEndpointPayload;
  UpdateWebhookEndpointInput: contract.UpdateWebhookEndpointInput;
  WebhookEndpointPayload: contract.WebhookEndpointPayload;
  DeleteWebhookEndpointInput: contract.DeleteWebhookEndpointInput;
  RotateWebhookSecretInput: contract.RotateWebhookSecretInput;
  RotateWebhookSecretPayload: contract.RotateWebhookSecretPayload;
  TestWebhookEndpointInput: contract.TestWebhookEndpointInput;
  RetryWebhookDeliveryInput: contract.RetryWebhookDeliveryInput;
  ReplayWebhookEndpointInput: contract.ReplayWebhookEndpointInput;
  ReplayWebhookEndpointPayload: contract.ReplayWebhookEndpointPayload;
  WebhookDeliveryPayload: contract.WebhookDeliveryPayload;
  WebhookDelivery: contract.WebhookDelivery;
  WebhookAttempt: contract.WebhookAttempt;
  WebhookEndpointResult: contract.WebhookEndpointResult;
  WebhookEndpointPage: contract.WebhookEndpointPage;
  WebhookDeliveryResult: contract.WebhookDeliveryResult;
  WebhookDeliveryFilter: contract.WebhookDeliveryFilter;
  WebhookDeliveryPage: contract.WebhookDeliveryPage;
  WebhookMessage: contract.WebhookMessage;
  EventBalances: contract.EventBalances;
  MemberEvent: ResolversInterfaceTypes<ResolversParentTypes>['MemberEvent'];
  MemberStateEvent: ResolversInterfaceTypes<ResolversParentTypes>['MemberStateEvent'];
  ProfileEvent: ResolversInterfaceTypes<ResolversParentTypes>['ProfileEvent'];
  RedemptionEvent: ResolversInterfaceTypes<ResolversParentTypes>['RedemptionEvent'];
  AdjustmentEvent: ResolversInterfaceTypes<ResolversParentTypes>['AdjustmentEvent'];
  ExchangeEvent: ResolversInterfaceTypes<ResolversParentTypes>['ExchangeEvent'];
  PointsEarnedEvent: contract.PointsEarnedEvent;
  PointsExpiredEvent: contract.PointsExpiredEvent;
  PointsClawedBackEvent: contract.PointsClawedBackEvent;
  PointsExpiringEvent: contract.PointsExpiringEvent;
  MemberEnrolledEvent: contract.MemberEnrolledEvent;
  MemberUnenrolledEvent: contract.MemberUnenrolledEvent;
  MemberCreatedEvent: contract.MemberCreatedEvent;
  MemberUpdatedEvent: contract.MemberUpdatedEvent;
  MemberSuspendedEvent: contract.MemberSuspendedEvent;
  MemberConsentChangedEvent: contract.MemberConsentChangedEvent;
  MemberErasedEvent: contract.MemberErasedEvent;
  MemberMergedEvent: contract.MemberMergedEvent;
  MemberUnmergedEvent: contract.MemberUnmergedEvent;
  TierChangedEvent: contract.TierChangedEvent;
  ChoiceGrantedEvent: contract.ChoiceGrantedEvent;
  RedemptionReservedEvent: contract.RedemptionReservedEvent;
  RedemptionCommittedEvent: contract.RedemptionCommittedEvent;
  RedemptionReleasedEvent: contract.RedemptionReleasedEvent;
  RedemptionExpiredEvent: contract.RedemptionExpiredEvent;
  RedemptionReversedEvent: contract.RedemptionReversedEvent;
  RedemptionFulfillmentUpdatedEvent: contract.RedemptionFulfillmentUpdatedEvent;
  RedemptionDisputeOpenedEvent: contract.RedemptionDisputeOpenedEvent;
  RedemptionDisputeResolvedEvent: contract.RedemptionDisputeResolvedEvent;
  RedemptionDisputeRejectedEvent: contract.RedemptionDisputeRejectedEvent;
  AdjustmentRequestedEvent: contract.AdjustmentRequestedEvent;
  AdjustmentPostedEvent: contract.AdjustmentPostedEvent;
  AdjustmentRejectedEvent: contract.AdjustmentRejectedEvent;
  AdjustmentReversedEvent: contract.AdjustmentReversedEvent;
  ExchangeSettledEvent: contract.ExchangeSettledEvent;
  ExchangeReversedEvent: contract.ExchangeReversedEvent;
  FeedEpochStartedEvent: contract.FeedEpochStartedEvent;
  ProgramPublishedEvent: contract.ProgramPublishedEvent;
  CampaignCapReachedEvent: contract.CampaignCapReachedEvent;
  ImportCompletedEvent: contract.ImportCompletedEvent;
  FeedEvent: contract.FeedEvent;
  EventFeedPage: contract.EventFeedPage;
  Operation: contract.Operation;
  OperationProgress: contract.OperationProgress;
  OperationError: contract.OperationError;
  OperationResult: contract.OperationResult;
  OperationFilter: contract.OperationFilter;
  OperationPage: contract.OperationPage;
  AuditEvent: contract.AuditEvent;
  AuditActor: contract.AuditActor;
  AuditSeal: contract.AuditSeal;
  AuditEventFilter: contract.AuditEventFilter;
  AuditEventPage: contract.AuditEventPage;
  Environment: contract.Environment;
  EnvironmentResult: contract.EnvironmentResult;
  EnvironmentLockInput: contract.EnvironmentLockInput;
  EnvironmentLockPayload: contract.EnvironmentLockPayload;
  SandboxClock: contract.SandboxClock;
  SandboxClockResult: contract.SandboxClockResult;
  MoveSandboxClockInput: contract.MoveSandboxClockInput;
  SandboxSweep: contract.SandboxSweep;
  MoveSandboxClockPayload: contract.MoveSandboxClockPayload;
  CustomerMemberResult: contract.CustomerMemberResult;
  CustomerMember: contract.CustomerMember;
  CustomerProgram: contract.CustomerProgram;
  CustomerTier: contract.CustomerTier;
  CustomerBalances: contract.CustomerBalances;
  CustomerDetailsResult: contract.CustomerDetailsResult;
  CustomerDetails: contract.CustomerDetails;
  CustomerChallenge: contract.CustomerChallenge;
  CustomerChoice: contract.CustomerChoice;
  CustomerHold: contract.CustomerHold;
  CustomerActivityPage: contract.CustomerActivityPage;
  CustomerActivity: contract.CustomerActivity;
  CustomerCatalogResult: contract.CustomerCatalogResult;
  CustomerReward: contract.CustomerReward;
  CustomerPayment: contract.CustomerPayment;
  ShareOfOrder: contract.ShareOfOrder;
  EnrollCustomerInput: contract.EnrollCustomerInput;
  EnrollCustomerPayload: contract.EnrollCustomerPayload;
  JoinedProgram: contract.JoinedProgram;
  UnenrollCustomerInput: contract.UnenrollCustomerInput;
  PreviewForCustomerInput: contract.PreviewForCustomerInput;
  CustomerPurchasePreview: contract.CustomerPurchasePreview;
  QuoteForCustomerInput: contract.QuoteForCustomerInput;
  CustomerQuotePayload: contract.CustomerQuotePayload;
  CustomerQuote: contract.CustomerQuote;
  ReserveForCustomerInput: contract.ReserveForCustomerInput;
  CommitForCustomerInput: contract.CommitForCustomerInput;
  ReleaseForCustomerInput: contract.ReleaseForCustomerInput;
  ReverseForCustomerInput: contract.ReverseForCustomerInput;
  CustomerRedemptionPayload: contract.CustomerRedemptionPayload;
  CustomerReservation: contract.CustomerReservation;
  CustomerReversalPayload: contract.CustomerReversalPayload;
  WidgetSessionInput: contract.WidgetSessionInput;
  WidgetSessionResult: contract.WidgetSessionResult;
  RedeemInWidgetInput: contract.RedeemInWidgetInput;
  WidgetDeployment: contract.WidgetDeployment;
  WidgetVersion: contract.WidgetVersion;
  WidgetDeploymentPage: contract.WidgetDeploymentPage;
  WidgetDeploymentResult: contract.WidgetDeploymentResult;
  WidgetVersionPage: contract.WidgetVersionPage;
  WidgetVersionResult: contract.WidgetVersionResult;
  WidgetPreviewResult: contract.WidgetPreviewResult;
  PublishWidgetInput: contract.PublishWidgetInput;
  PublishWidgetPayload: contract.PublishWidgetPayload;
  WidgetRedemptionPayload: contract.WidgetRedemptionPayload;
  WidgetRedemption: contract.WidgetRedemption;
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  String: contract.Scalars['String']['output'];
  Int: contract.Scalars['Int']['output'];
};

export type scopeDirectiveArgs = {
  requires: Array<contract.Scalars['String']['input']>;
};

export type scopeDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = scopeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type refusesDirectiveArgs = {
  codes: Array<contract.ErrorCode>;
};

export type refusesDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = refusesDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type alwaysDirectiveArgs = {
  of: contract.OperationForm;
};

export type alwaysDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = alwaysDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type grantsDirectiveArgs = {
  of?: contract.Maybe<contract.Scalars['String']['input']>;
  scopes: Array<contract.Scalars['String']['input']>;
  inSandbox?: contract.Maybe<Array<contract.Scalars['String']['input']>>;
};

export type grantsDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = grantsDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type restOnlyDirectiveArgs = { };

export type restOnlyDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = restOnlyDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type customerDirectiveArgs = { };

export type customerDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = customerDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type personDirectiveArgs = { };

export type personDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = personDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type widgetDirectiveArgs = { };

export type widgetDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = widgetDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type eventDirectiveArgs = {
  type: contract.Scalars['String']['input'];
};

export type eventDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = eventDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type eventEnvelopeDirectiveArgs = {
  testType: contract.Scalars['String']['input'];
};

export type eventEnvelopeDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = eventEnvelopeDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type constraintDirectiveArgs = {
  min?: contract.Maybe<contract.Scalars['Long']['input']>;
  max?: contract.Maybe<contract.Scalars['Long']['input']>;
  minLength?: contract.Maybe<contract.Scalars['Int']['input']>;
  maxLength?: contract.Maybe<contract.Scalars['Int']['input']>;
  minItems?: contract.Maybe<contract.Scalars['Int']['input']>;
  maxItems?: contract.Maybe<contract.Scalars['Int']['input']>;
  minProperties?: contract.Maybe<contract.Scalars['Int']['input']>;
  maxProperties?: contract.Maybe<contract.Scalars['Int']['input']>;
  pattern?: contract.Maybe<contract.Scalars['String']['input']>;
  values?: contract.Maybe<Array<contract.Scalars['String']['input']>>;
  format?: contract.Maybe<contract.Scalars['String']['input']>;
};

export type constraintDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = constraintDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type httpStatusDirectiveArgs = {
  code: contract.Scalars['Int']['input'];
};

export type httpStatusDirectiveResolver<Result, Parent, ContextType = RequestContext, Args = httpStatusDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export interface LongScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['Long'], any> {
  name: 'Long';
}

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JSONObjectScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSONObject'], any> {
  name: 'JSONObject';
}

export interface EventAttributesScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['EventAttributes'], any> {
  name: 'EventAttributes';
}

export type SearchHitResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SearchHit'] = ResolversParentTypes['SearchHit']> = {
  kind?: Resolver<ResolversTypes['SearchKind'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  label?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  member?: Resolver<contract.Maybe<ResolversTypes['MemberIdentity']>, ParentType, ContextType>;
};

export type SearchResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SearchResult'] = ResolversParentTypes['SearchResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['SearchHit']>, ParentType, ContextType>;
};

export type PersonResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Person'] = ResolversParentTypes['Person']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tenantId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  environments?: Resolver<Array<ResolversTypes['PersonEnvironment']>, ParentType, ContextType>;
};

export type PersonEnvironmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PersonEnvironment'] = ResolversParentTypes['PersonEnvironment']> = {
  environmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  roles?: Resolver<Array<ResolversTypes['PersonRole']>, ParentType, ContextType>;
  scopes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PersonSessionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PersonSession'] = ResolversParentTypes['PersonSession']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  current?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  begunAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastUsedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  idleUntil?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type PersonSessionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PersonSessionResult'] = ResolversParentTypes['PersonSessionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  person?: Resolver<ResolversTypes['Person'], ParentType, ContextType>;
  session?: Resolver<ResolversTypes['PersonSession'], ParentType, ContextType>;
};

export type PersonSessionListResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PersonSessionList'] = ResolversParentTypes['PersonSessionList']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['PersonSession']>, ParentType, ContextType>;
};

export type EndPersonSessionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EndPersonSessionPayload'] = ResolversParentTypes['EndPersonSessionPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  sessionId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProgramResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Program'] = ResolversParentTypes['Program']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  loyaltyUnitPrecision?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tiers?: Resolver<Array<ResolversTypes['ProgramTier']>, ParentType, ContextType>;
  configurationVersion?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  newestVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  publishedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ProgramTierResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramTier'] = ResolversParentTypes['ProgramTier']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ProgramPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramPage'] = ResolversParentTypes['ProgramPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Program']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type ProgramVersionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramVersion'] = ResolversParentTypes['ProgramVersion']> = {
  configurationVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  effectiveFrom?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  publishedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  publishedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  note?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProgramVersionPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramVersionPage'] = ResolversParentTypes['ProgramVersionPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['ProgramVersion']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type ProgramVersionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramVersionResult'] = ResolversParentTypes['ProgramVersionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['ProgramVersion'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type ProgramChangeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramChange'] = ResolversParentTypes['ProgramChange']> = {
  section?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  change?: Resolver<ResolversTypes['ProgramChangeKind'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  before?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  after?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ProgramDiffResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramDiffResult'] = ResolversParentTypes['ProgramDiffResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  from?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  changes?: Resolver<Array<ResolversTypes['ProgramChange']>, ParentType, ContextType>;
};

export type DocumentProblemResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DocumentProblem'] = ResolversParentTypes['DocumentProblem']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  line?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  column?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PublishProgramPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PublishProgramPayload'] = ResolversParentTypes['PublishProgramPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<contract.Maybe<ResolversTypes['ProgramVersion']>, ParentType, ContextType>;
  changes?: Resolver<Array<ResolversTypes['ProgramChange']>, ParentType, ContextType>;
  problems?: Resolver<Array<ResolversTypes['DocumentProblem']>, ParentType, ContextType>;
};

export type TokenIssuerResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TokenIssuer'] = ResolversParentTypes['TokenIssuer']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  issuer?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  audience?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  keysFrom?: Resolver<ResolversTypes['TokenIssuerKeys'], ParentType, ContextType>;
  jwksUrl?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  origins?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  removedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type TokenIssuerPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TokenIssuerPage'] = ResolversParentTypes['TokenIssuerPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['TokenIssuer']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type TokenIssuerResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TokenIssuerResult'] = ResolversParentTypes['TokenIssuerResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  issuer?: Resolver<ResolversTypes['TokenIssuer'], ParentType, ContextType>;
};

export type TokenIssuerPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TokenIssuerPayload'] = ResolversParentTypes['TokenIssuerPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  issuer?: Resolver<ResolversTypes['TokenIssuer'], ParentType, ContextType>;
};

export type CheckTokenResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CheckTokenResult'] = ResolversParentTypes['CheckTokenResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  accepted?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  findings?: Resolver<Array<ResolversTypes['TokenFinding']>, ParentType, ContextType>;
};

export type TokenFindingResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TokenFinding'] = ResolversParentTypes['TokenFinding']> = {
  part?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  ok?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type FinanceSectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FinanceSection'] = ResolversParentTypes['FinanceSection']> = {
  section?: Resolver<ResolversTypes['FinanceSectionName'], ParentType, ContextType>;
  content?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  sectionHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  missingAccounts?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  approval?: Resolver<contract.Maybe<ResolversTypes['CloseApproval']>, ParentType, ContextType>;
};

export type FinanceSectionsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FinanceSectionsResult'] = ResolversParentTypes['FinanceSectionsResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  configurationVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  publishedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sections?: Resolver<Array<ResolversTypes['FinanceSection']>, ParentType, ContextType>;
};

export type FinanceApprovalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FinanceApproval'] = ResolversParentTypes['FinanceApproval']> = {
  section?: Resolver<ResolversTypes['FinanceSectionName'], ParentType, ContextType>;
  sectionHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  approvedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  approvedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  approved?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type ApproveFinancePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ApproveFinancePayload'] = ResolversParentTypes['ApproveFinancePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  configurationVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  approvals?: Resolver<Array<ResolversTypes['FinanceApproval']>, ParentType, ContextType>;
};

export type MemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Member'] = ResolversParentTypes['Member']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  identityStatus?: Resolver<ResolversTypes['IdentityStatus'], ParentType, ContextType>;
  consent?: Resolver<ResolversTypes['Consent'], ParentType, ContextType>;
  tags?: Resolver<contract.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  lists?: Resolver<contract.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type ConsentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Consent'] = ResolversParentTypes['Consent']> = {
  status?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  noticeVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ProgramProfileResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramProfile'] = ResolversParentTypes['ProgramProfile']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EnrollmentStatus'], ParentType, ContextType>;
  qualificationPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  balances?: Resolver<Array<ResolversTypes['AccountBalance']>, ParentType, ContextType>;
  profileVersion?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  referralCode?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextTier?: Resolver<contract.Maybe<ResolversTypes['NextTier']>, ParentType, ContextType>;
  tierUntil?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  challenges?: Resolver<contract.Maybe<Array<ResolversTypes['ChallengeProgress']>>, ParentType, ContextType>;
  choices?: Resolver<contract.Maybe<Array<ResolversTypes['OpenChoice']>>, ParentType, ContextType>;
  holds?: Resolver<contract.Maybe<Array<ResolversTypes['OpenHold']>>, ParentType, ContextType>;
  lots?: Resolver<contract.Maybe<Array<ResolversTypes['Lot']>>, ParentType, ContextType>;
  hasMoreLots?: Resolver<contract.Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  expirations?: Resolver<contract.Maybe<Array<ResolversTypes['NextExpiry']>>, ParentType, ContextType>;
};

export type NextTierResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NextTier'] = ResolversParentTypes['NextTier']> = {
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  threshold?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  missing?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type ChallengeProgressResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChallengeProgress'] = ResolversParentTypes['ChallengeProgress']> = {
  challengeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  open?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reached?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  goal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  completions?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  windowStart?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  windowEnd?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type OpenChoiceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OpenChoice'] = ResolversParentTypes['OpenChoice']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  choiceSetId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  grantedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  choices?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  grantedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type OpenHoldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OpenHold'] = ResolversParentTypes['OpenHold']> = {
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type LotResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Lot'] = ResolversParentTypes['Lot']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  granted?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  activatesAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  expiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type AccountBalanceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AccountBalance'] = ResolversParentTypes['AccountBalance']> = {
  accountType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  nextExpiry?: Resolver<contract.Maybe<ResolversTypes['NextExpiry']>, ParentType, ContextType>;
};

export type NextExpiryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['NextExpiry'] = ResolversParentTypes['NextExpiry']> = {
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type MemberResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberResult'] = ResolversParentTypes['MemberResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['Member'], ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['ProgramProfile']>, ParentType, ContextType>;
};

export type ListedMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ListedMember'] = ResolversParentTypes['ListedMember']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  identityStatus?: Resolver<ResolversTypes['IdentityStatus'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  tags?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  lists?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['ListedProfile']>, ParentType, ContextType>;
};

export type ListedProfileResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ListedProfile'] = ResolversParentTypes['ListedProfile']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EnrollmentStatus'], ParentType, ContextType>;
};

export type MemberPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberPage'] = ResolversParentTypes['MemberPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['ListedMember']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type CreateMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateMemberPayload'] = ResolversParentTypes['CreateMemberPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['Member'], ParentType, ContextType>;
};

export type UpdateMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UpdateMemberPayload'] = ResolversParentTypes['UpdateMemberPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['Member'], ParentType, ContextType>;
};

export type EnrollMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EnrollMemberPayload'] = ResolversParentTypes['EnrollMemberPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['MemberReference'], ParentType, ContextType>;
  program?: Resolver<ResolversTypes['ProgramProfile'], ParentType, ContextType>;
};

export type UnenrollMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['UnenrollMemberPayload'] = ResolversParentTypes['UnenrollMemberPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  program?: Resolver<ResolversTypes['EnrollmentState'], ParentType, ContextType>;
};

export type EnrollmentStateResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EnrollmentState'] = ResolversParentTypes['EnrollmentState']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EnrollmentStatus'], ParentType, ContextType>;
};

export type MemberReferenceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberReference'] = ResolversParentTypes['MemberReference']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type TagMemberPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TagMemberPayload'] = ResolversParentTypes['TagMemberPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['MemberIdentity'], ParentType, ContextType>;
  tag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tagged?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type MemberStatusPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberStatusPayload'] = ResolversParentTypes['MemberStatusPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['MemberIdentity'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type MemberIdentityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberIdentity'] = ResolversParentTypes['MemberIdentity']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ListMembersPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ListMembersPayload'] = ResolversParentTypes['ListMembersPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  list?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unchanged?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  unknown?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  full?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PurchaseEarnPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PurchaseEarnPayload'] = ResolversParentTypes['PurchaseEarnPayload']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['TransactionState'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  member?: Resolver<contract.Maybe<ResolversTypes['MemberReference']>, ParentType, ContextType>;
  award?: Resolver<contract.Maybe<ResolversTypes['Award']>, ParentType, ContextType>;
  campaigns?: Resolver<contract.Maybe<Array<ResolversTypes['CampaignAward']>>, ParentType, ContextType>;
  referral?: Resolver<contract.Maybe<ResolversTypes['ReferralAward']>, ParentType, ContextType>;
  coupon?: Resolver<contract.Maybe<ResolversTypes['CouponResult']>, ParentType, ContextType>;
  evaluationMode?: Resolver<contract.Maybe<ResolversTypes['EvaluationMode']>, ParentType, ContextType>;
  evaluationAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  configurationVersion?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  loyaltyUnitPrecision?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  ruleDecisions?: Resolver<contract.Maybe<Array<ResolversTypes['RuleDecision']>>, ParentType, ContextType>;
  lines?: Resolver<contract.Maybe<Array<ResolversTypes['EarnedLine']>>, ParentType, ContextType>;
};

export type AwardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Award'] = ResolversParentTypes['Award']> = {
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  basePoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  campaignPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type CampaignAwardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignAward'] = ResolversParentTypes['CampaignAward']> = {
  campaignId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type ReferralAwardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReferralAward'] = ResolversParentTypes['ReferralAward']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  referrerPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  refereePoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type CouponResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CouponResult'] = ResolversParentTypes['CouponResult']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  valid?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  redeemed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type RuleDecisionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RuleDecision'] = ResolversParentTypes['RuleDecision']> = {
  kind?: Resolver<ResolversTypes['RuleDecisionKind'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  matched?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  lines?: Resolver<contract.Maybe<Array<ResolversTypes['EarnedLine']>>, ParentType, ContextType>;
};

export type EarnedLineResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EarnedLine'] = ResolversParentTypes['EarnedLine']> = {
  index?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lineReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  valueMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type PurchasePreviewResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PurchasePreview'] = ResolversParentTypes['PurchasePreview']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  personalized?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  award?: Resolver<ResolversTypes['Award'], ParentType, ContextType>;
  campaigns?: Resolver<Array<ResolversTypes['CampaignAward']>, ParentType, ContextType>;
  referral?: Resolver<contract.Maybe<ResolversTypes['ReferralAward']>, ParentType, ContextType>;
  coupon?: Resolver<contract.Maybe<ResolversTypes['CouponResult']>, ParentType, ContextType>;
  evaluationMode?: Resolver<ResolversTypes['EvaluationMode'], ParentType, ContextType>;
  evaluationAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  configurationVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  loyaltyUnitPrecision?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ruleDecisions?: Resolver<Array<ResolversTypes['RuleDecision']>, ParentType, ContextType>;
  lines?: Resolver<contract.Maybe<Array<ResolversTypes['EarnedLine']>>, ParentType, ContextType>;
};

export type CouponCodeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CouponCode'] = ResolversParentTypes['CouponCode']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  poolId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  prefix?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['CouponCodeState'], ParentType, ContextType>;
  uses?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  usesAllowed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  externalCustomerId?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CouponCodeResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CouponCodeResult'] = ResolversParentTypes['CouponCodeResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  couponCode?: Resolver<ResolversTypes['CouponCode'], ParentType, ContextType>;
};

export type CodePoolResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CodePool'] = ResolversParentTypes['CodePool']> = {
  poolId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  codes?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  used?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  uses?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  assigned?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  disabled?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type CodePoolsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CodePoolsResult'] = ResolversParentTypes['CodePoolsResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pools?: Resolver<Array<ResolversTypes['CodePool']>, ParentType, ContextType>;
};

export type GenerateCouponCodesPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GenerateCouponCodesPayload'] = ResolversParentTypes['GenerateCouponCodesPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  poolId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  count?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  poolCodes?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  codes?: Resolver<contract.Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
};

export type AssignCouponCodePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AssignCouponCodePayload'] = ResolversParentTypes['AssignCouponCodePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  couponCode?: Resolver<ResolversTypes['CouponCode'], ParentType, ContextType>;
};

export type RecordReturnPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordReturnPayload'] = ResolversParentTypes['RecordReturnPayload']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['TransactionState'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  return?: Resolver<contract.Maybe<ResolversTypes['Return']>, ParentType, ContextType>;
};

export type ReturnResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Return'] = ResolversParentTypes['Return']> = {
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  returnReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  returnAmountMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  pointsClawedBack?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  shortfall?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  orderStatus?: Resolver<ResolversTypes['OrderState'], ParentType, ContextType>;
  referral?: Resolver<contract.Maybe<ResolversTypes['ReferralClawback']>, ParentType, ContextType>;
};

export type ReferralClawbackResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReferralClawback'] = ResolversParentTypes['ReferralClawback']> = {
  referrerPointsClawedBack?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  referrerShortfall?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  refereePointsClawedBack?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  refereeShortfall?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type RedemptionQuotePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionQuotePayload'] = ResolversParentTypes['RedemptionQuotePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  quote?: Resolver<ResolversTypes['RedemptionQuote'], ParentType, ContextType>;
};

export type RedemptionQuoteResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionQuote'] = ResolversParentTypes['RedemptionQuote']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['QuoteState'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  availableBalance?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  terms?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type RedemptionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionPayload'] = ResolversParentTypes['RedemptionPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reservation?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType>;
};

export type ReservationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Reservation'] = ResolversParentTypes['Reservation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  quoteId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ReservationState'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  changedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  authorizationReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  fulfillmentStatus?: Resolver<contract.Maybe<ResolversTypes['FulfillmentStatus']>, ParentType, ContextType>;
  fulfillmentReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  discount?: Resolver<contract.Maybe<ResolversTypes['RedemptionDiscount']>, ParentType, ContextType>;
};

export type RedemptionDiscountResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionDiscount'] = ResolversParentTypes['RedemptionDiscount']> = {
  amountMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orderAmountMinor?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  reversedMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reversedPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type RedemptionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionResult'] = ResolversParentTypes['RedemptionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reservation?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType>;
  disputes?: Resolver<Array<ResolversTypes['Dispute']>, ParentType, ContextType>;
};

export type RedemptionPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionPage'] = ResolversParentTypes['RedemptionPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Reservation']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type DisputePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DisputePayload'] = ResolversParentTypes['DisputePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  dispute?: Resolver<ResolversTypes['Dispute'], ParentType, ContextType>;
  reservation?: Resolver<ResolversTypes['Reservation'], ParentType, ContextType>;
};

export type DisputeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Dispute'] = ResolversParentTypes['Dispute']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['DisputeState'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  resolution?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  openedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  closedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type AdjustmentPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentPayload'] = ResolversParentTypes['AdjustmentPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  adjustment?: Resolver<ResolversTypes['Adjustment'], ParentType, ContextType>;
};

export type AdjustmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Adjustment'] = ResolversParentTypes['Adjustment']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  decidedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  decisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type ListedAdjustmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ListedAdjustment'] = ResolversParentTypes['ListedAdjustment']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  evidence?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  requestedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  decidedBy?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  decidedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  decisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reversedBy?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type AdjustmentPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentPage'] = ResolversParentTypes['AdjustmentPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['ListedAdjustment']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type MemberMergePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberMergePayload'] = ResolversParentTypes['MemberMergePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  merge?: Resolver<ResolversTypes['MemberMerge'], ParentType, ContextType>;
};

export type MemberMergeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberMerge'] = ResolversParentTypes['MemberMerge']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['MemberMergeState'], ParentType, ContextType>;
  sourceMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  targetMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  intoExternalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  decidedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  decisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['MergedProgram']>, ParentType, ContextType>;
  unmergeRequestedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergeReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unmergeExpiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergeDecisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MergedProgramResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MergedProgram'] = ResolversParentTypes['MergedProgram']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  lots?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type ListedMemberMergeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ListedMemberMerge'] = ResolversParentTypes['ListedMemberMerge']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['MemberMergeState'], ParentType, ContextType>;
  sourceMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  intoExternalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  evidence?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  requestedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  decidedBy?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  decidedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  decisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['MergedProgram']>, ParentType, ContextType>;
  unmergeRequestedBy?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unmergeRequestedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergeReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unmergeExpiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergedBy?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unmergedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  unmergeDecisionReason?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MemberMergePageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberMergePage'] = ResolversParentTypes['MemberMergePage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['ListedMemberMerge']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type MemberMergeResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberMergeResult'] = ResolversParentTypes['MemberMergeResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  merge?: Resolver<ResolversTypes['ListedMemberMerge'], ParentType, ContextType>;
};

export type RecordCustomEventPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RecordCustomEventPayload'] = ResolversParentTypes['RecordCustomEventPayload']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['CustomEventStatus'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  awards?: Resolver<Array<ResolversTypes['ChallengeAward']>, ParentType, ContextType>;
};

export type ChallengeAwardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChallengeAward'] = ResolversParentTypes['ChallengeAward']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  challengeId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  choiceSetId?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ClaimChoiceBenefitPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ClaimChoiceBenefitPayload'] = ResolversParentTypes['ClaimChoiceBenefitPayload']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ChoiceState'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  choice?: Resolver<ResolversTypes['ChoiceClaim'], ParentType, ContextType>;
};

export type ChoiceClaimResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChoiceClaim'] = ResolversParentTypes['ChoiceClaim']> = {
  setId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  choicesRemaining?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type EvaluateOffersResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EvaluateOffersResult'] = ResolversParentTypes['EvaluateOffersResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subtotalMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  discountMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  totalMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  effects?: Resolver<Array<ResolversTypes['OfferEffect']>, ParentType, ContextType>;
  notApplied?: Resolver<Array<ResolversTypes['OfferRejection']>, ParentType, ContextType>;
  coupon?: Resolver<contract.Maybe<ResolversTypes['OfferCoupon']>, ParentType, ContextType>;
};

export type OfferEffectResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OfferEffect'] = ResolversParentTypes['OfferEffect']> = {
  offerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  policy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  discountMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  explanation?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  lines?: Resolver<Array<ResolversTypes['OfferLine']>, ParentType, ContextType>;
};

export type OfferLineResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OfferLine'] = ResolversParentTypes['OfferLine']> = {
  index?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lineReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  sku?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  discountMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type OfferRejectionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OfferRejection'] = ResolversParentTypes['OfferRejection']> = {
  offerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type OfferCouponResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OfferCoupon'] = ResolversParentTypes['OfferCoupon']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  valid?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type TransactionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Transaction'] = ResolversParentTypes['Transaction']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['TransactionType'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['TransactionState'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reversalOf?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversedBy?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  entries?: Resolver<Array<ResolversTypes['LedgerEntry']>, ParentType, ContextType>;
  hasMoreEntries?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  evaluation?: Resolver<contract.Maybe<ResolversTypes['PurchaseEvaluation']>, ParentType, ContextType>;
  evaluationUnreadable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type LedgerEntryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LedgerEntry'] = ResolversParentTypes['LedgerEntry']> = {
  account?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['EntryDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  lotId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
};

export type PurchaseEvaluationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PurchaseEvaluation'] = ResolversParentTypes['PurchaseEvaluation']> = {
  award?: Resolver<ResolversTypes['Award'], ParentType, ContextType>;
  evaluationMode?: Resolver<ResolversTypes['EvaluationMode'], ParentType, ContextType>;
  evaluationAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  configurationVersion?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  loyaltyUnitPrecision?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  ruleDecisions?: Resolver<Array<ResolversTypes['RuleDecision']>, ParentType, ContextType>;
  lines?: Resolver<contract.Maybe<Array<ResolversTypes['EarnedLine']>>, ParentType, ContextType>;
};

export type TransactionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TransactionResult'] = ResolversParentTypes['TransactionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transaction?: Resolver<ResolversTypes['Transaction'], ParentType, ContextType>;
};

export type TransactionPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TransactionPage'] = ResolversParentTypes['TransactionPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Transaction']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type TransactionEntryPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TransactionEntryPage'] = ResolversParentTypes['TransactionEntryPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['LedgerEntry']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type PageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Page'] = ResolversParentTypes['Page']> = {
  nextCursor?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasMore?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type CampaignReportResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignReport'] = ResolversParentTypes['CampaignReport']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  members?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  purchases?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  amountMinor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  cap?: Resolver<contract.Maybe<ResolversTypes['CampaignCapUse']>, ParentType, ContextType>;
  holdout?: Resolver<contract.Maybe<ResolversTypes['CampaignComparison']>, ParentType, ContextType>;
};

export type CampaignCapUseResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignCapUse'] = ResolversParentTypes['CampaignCapUse']> = {
  capPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  givenPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type CampaignComparisonResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignComparison'] = ResolversParentTypes['CampaignComparison']> = {
  membersGiven?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  membersHeldOut?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  purchases?: Resolver<ResolversTypes['GroupMeans'], ParentType, ContextType>;
  amountMinor?: Resolver<ResolversTypes['GroupMeans'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['GroupMeans'], ParentType, ContextType>;
};

export type GroupMeansResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['GroupMeans'] = ResolversParentTypes['GroupMeans']> = {
  given?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  heldOut?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  difference?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  low?: Resolver<contract.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  high?: Resolver<contract.Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
};

export type LedgerSummaryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LedgerSummary'] = ResolversParentTypes['LedgerSummary']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programId?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  transactions?: Resolver<ResolversTypes['TransactionCounts'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['PointMovements'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['BalanceTotals'], ParentType, ContextType>;
  redemptions?: Resolver<ResolversTypes['RedemptionCounts'], ParentType, ContextType>;
  webhookDeliveries?: Resolver<ResolversTypes['DeliveryCounts'], ParentType, ContextType>;
};

export type TransactionCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TransactionCounts'] = ResolversParentTypes['TransactionCounts']> = {
  posted?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reversed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type PointMovementsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PointMovements'] = ResolversParentTypes['PointMovements']> = {
  credits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  debits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  net?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type BalanceTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['BalanceTotals'] = ResolversParentTypes['BalanceTotals']> = {
  members?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RedemptionCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionCounts'] = ResolversParentTypes['RedemptionCounts']> = {
  reserved?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  committed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  released?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expired?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reversed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type DeliveryCountsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['DeliveryCounts'] = ResolversParentTypes['DeliveryCounts']> = {
  pending?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  delivered?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  deadLetter?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type LedgerCloseResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LedgerClose'] = ResolversParentTypes['LedgerClose']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  reportId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['LedgerCloseStatus'], ParentType, ContextType>;
  statusReasons?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  period?: Resolver<ResolversTypes['Period'], ParentType, ContextType>;
  controls?: Resolver<Array<ResolversTypes['CloseControl']>, ParentType, ContextType>;
  totals?: Resolver<ResolversTypes['CloseTotals'], ParentType, ContextType>;
  rollForward?: Resolver<Array<ResolversTypes['RollForwardLine']>, ParentType, ContextType>;
  journal?: Resolver<Array<ResolversTypes['JournalLine']>, ParentType, ContextType>;
  liability?: Resolver<Array<ResolversTypes['LiabilityCohort']>, ParentType, ContextType>;
  approvals?: Resolver<Array<ResolversTypes['CloseApproval']>, ParentType, ContextType>;
  evidence?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  evidenceHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PeriodResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Period'] = ResolversParentTypes['Period']> = {
  from?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CloseControlResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CloseControl'] = ResolversParentTypes['CloseControl']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  title?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expected?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  found?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  differences?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  passed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  statusOnFailure?: Resolver<ResolversTypes['LedgerCloseStatus'], ParentType, ContextType>;
};

export type CloseApprovalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CloseApproval'] = ResolversParentTypes['CloseApproval']> = {
  section?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sectionHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  approvedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  approvedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CloseTotalsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CloseTotals'] = ResolversParentTypes['CloseTotals']> = {
  debits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  postings?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactions?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  accounts?: Resolver<Array<ResolversTypes['AccountTotal']>, ParentType, ContextType>;
};

export type AccountTotalResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AccountTotal'] = ResolversParentTypes['AccountTotal']> = {
  account?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  opening?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  debits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  closing?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type RollForwardLineResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RollForwardLine'] = ResolversParentTypes['RollForwardLine']> = {
  line?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type JournalLineResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['JournalLine'] = ResolversParentTypes['JournalLine']> = {
  movement?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  account?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['EntryDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  amountMinor?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LiabilityCohortResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['LiabilityCohort'] = ResolversParentTypes['LiabilityCohort']> = {
  issueMonth?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiryMonth?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  points?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expectedPoints?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  amountMinor?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  eventTypes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  description?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookEndpointStatus'], ParentType, ContextType>;
  disabledReason?: Resolver<contract.Maybe<ResolversTypes['WebhookDisabledReason']>, ParentType, ContextType>;
  epoch?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lastSequence?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  verifiedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreateWebhookEndpointPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CreateWebhookEndpointPayload'] = ResolversParentTypes['CreateWebhookEndpointPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
  signingSecret?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookEndpointPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookEndpointPayload'] = ResolversParentTypes['WebhookEndpointPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
};

export type RotateWebhookSecretPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RotateWebhookSecretPayload'] = ResolversParentTypes['RotateWebhookSecretPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
  signingSecret?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ReplayWebhookEndpointPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ReplayWebhookEndpointPayload'] = ResolversParentTypes['ReplayWebhookEndpointPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['Operation'], ParentType, ContextType>;
};

export type WebhookDeliveryPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDeliveryPayload'] = ResolversParentTypes['WebhookDeliveryPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  delivery?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type WebhookDeliveryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  endpointId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  epoch?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['WebhookDeliveryStatus'], ParentType, ContextType>;
  attemptCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  nextAttemptAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  deliveredAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastResponseStatus?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  lastError?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookAttemptResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookAttempt'] = ResolversParentTypes['WebhookAttempt']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  responseStatus?: Resolver<contract.Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type WebhookEndpointResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookEndpointResult'] = ResolversParentTypes['WebhookEndpointResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  endpoint?: Resolver<ResolversTypes['WebhookEndpoint'], ParentType, ContextType>;
};

export type WebhookEndpointPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookEndpointPage'] = ResolversParentTypes['WebhookEndpointPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type WebhookDeliveryResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDeliveryResult'] = ResolversParentTypes['WebhookDeliveryResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  delivery?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
  attempts?: Resolver<Array<ResolversTypes['WebhookAttempt']>, ParentType, ContextType>;
};

export type WebhookDeliveryPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookDeliveryPage'] = ResolversParentTypes['WebhookDeliveryPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['WebhookDelivery']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type WebhookMessageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WebhookMessage'] = ResolversParentTypes['WebhookMessage']> = {
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timestamp?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  environmentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  epoch?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  sequence?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type EventBalancesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EventBalances'] = ResolversParentTypes['EventBalances']> = {
  available?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type MemberEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberEvent'] = ResolversParentTypes['MemberEvent']> = {
  __resolveType: TypeResolveFn<'PointsEarnedEvent' | 'PointsExpiredEvent' | 'PointsClawedBackEvent' | 'PointsExpiringEvent' | 'MemberEnrolledEvent' | 'MemberUnenrolledEvent' | 'MemberCreatedEvent' | 'MemberUpdatedEvent' | 'MemberSuspendedEvent' | 'MemberConsentChangedEvent' | 'MemberErasedEvent' | 'MemberMergedEvent' | 'MemberUnmergedEvent' | 'TierChangedEvent' | 'ChoiceGrantedEvent' | 'RedemptionReservedEvent' | 'RedemptionCommittedEvent' | 'RedemptionReleasedEvent' | 'RedemptionExpiredEvent' | 'RedemptionReversedEvent' | 'RedemptionFulfillmentUpdatedEvent' | 'RedemptionDisputeOpenedEvent' | 'RedemptionDisputeResolvedEvent' | 'RedemptionDisputeRejectedEvent' | 'AdjustmentRequestedEvent' | 'AdjustmentPostedEvent' | 'AdjustmentRejectedEvent' | 'AdjustmentReversedEvent' | 'ExchangeSettledEvent' | 'ExchangeReversedEvent', ParentType, ContextType>;
};

export type MemberStateEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberStateEvent'] = ResolversParentTypes['MemberStateEvent']> = {
  __resolveType: TypeResolveFn<'MemberCreatedEvent' | 'MemberUpdatedEvent' | 'MemberSuspendedEvent' | 'MemberConsentChangedEvent', ParentType, ContextType>;
};

export type ProfileEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProfileEvent'] = ResolversParentTypes['ProfileEvent']> = {
  __resolveType: TypeResolveFn<'PointsEarnedEvent' | 'PointsExpiredEvent' | 'PointsClawedBackEvent' | 'PointsExpiringEvent' | 'MemberEnrolledEvent' | 'MemberUnenrolledEvent' | 'TierChangedEvent' | 'ChoiceGrantedEvent' | 'RedemptionReservedEvent' | 'RedemptionCommittedEvent' | 'RedemptionReleasedEvent' | 'RedemptionExpiredEvent' | 'RedemptionReversedEvent' | 'RedemptionFulfillmentUpdatedEvent' | 'RedemptionDisputeOpenedEvent' | 'RedemptionDisputeResolvedEvent' | 'RedemptionDisputeRejectedEvent' | 'AdjustmentRequestedEvent' | 'AdjustmentPostedEvent' | 'AdjustmentRejectedEvent' | 'AdjustmentReversedEvent' | 'ExchangeSettledEvent' | 'ExchangeReversedEvent', ParentType, ContextType>;
};

export type RedemptionEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionEvent'] = ResolversParentTypes['RedemptionEvent']> = {
  __resolveType: TypeResolveFn<'RedemptionReservedEvent' | 'RedemptionCommittedEvent' | 'RedemptionReleasedEvent' | 'RedemptionExpiredEvent' | 'RedemptionReversedEvent' | 'RedemptionFulfillmentUpdatedEvent' | 'RedemptionDisputeOpenedEvent' | 'RedemptionDisputeResolvedEvent' | 'RedemptionDisputeRejectedEvent', ParentType, ContextType>;
};

export type AdjustmentEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentEvent'] = ResolversParentTypes['AdjustmentEvent']> = {
  __resolveType: TypeResolveFn<'AdjustmentRequestedEvent' | 'AdjustmentPostedEvent' | 'AdjustmentRejectedEvent' | 'AdjustmentReversedEvent', ParentType, ContextType>;
};

export type ExchangeEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ExchangeEvent'] = ResolversParentTypes['ExchangeEvent']> = {
  __resolveType: TypeResolveFn<'ExchangeSettledEvent' | 'ExchangeReversedEvent', ParentType, ContextType>;
};

export type PointsEarnedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PointsEarnedEvent'] = ResolversParentTypes['PointsEarnedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  basePoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  campaignPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  challengeId?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  activatesAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PointsExpiredEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PointsExpiredEvent'] = ResolversParentTypes['PointsExpiredEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  occurredAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PointsClawedBackEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PointsClawedBackEvent'] = ResolversParentTypes['PointsClawedBackEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  returnId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  returnReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  orderReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  shortfall?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PointsExpiringEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PointsExpiringEvent'] = ResolversParentTypes['PointsExpiringEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  lotId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberEnrolledEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberEnrolledEvent'] = ResolversParentTypes['MemberEnrolledEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberUnenrolledEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberUnenrolledEvent'] = ResolversParentTypes['MemberUnenrolledEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberCreatedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberCreatedEvent'] = ResolversParentTypes['MemberCreatedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberUpdatedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberUpdatedEvent'] = ResolversParentTypes['MemberUpdatedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  changed?: Resolver<Array<ResolversTypes['MemberChange']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberSuspendedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberSuspendedEvent'] = ResolversParentTypes['MemberSuspendedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberConsentChangedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberConsentChangedEvent'] = ResolversParentTypes['MemberConsentChangedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
  consentStatus?: Resolver<ResolversTypes['ConsentStatus'], ParentType, ContextType>;
  noticeVersion?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberErasedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberErasedEvent'] = ResolversParentTypes['MemberErasedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberMergedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberMergedEvent'] = ResolversParentTypes['MemberMergedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mergedMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  mergeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['MergedProgram']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type MemberUnmergedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MemberUnmergedEvent'] = ResolversParentTypes['MemberUnmergedEvent']> = {
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unmergedMemberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  unmergedExternalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mergeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['MergedProgram']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type TierChangedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['TierChangedEvent'] = ResolversParentTypes['TierChangedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  previousTier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  qualificationPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ChoiceGrantedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ChoiceGrantedEvent'] = ResolversParentTypes['ChoiceGrantedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  choiceGrantId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  choiceSetId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  choices?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  grantedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionReservedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionReservedEvent'] = ResolversParentTypes['RedemptionReservedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionCommittedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionCommittedEvent'] = ResolversParentTypes['RedemptionCommittedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  authorizationReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionReleasedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionReleasedEvent'] = ResolversParentTypes['RedemptionReleasedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionExpiredEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionExpiredEvent'] = ResolversParentTypes['RedemptionExpiredEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionReversedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionReversedEvent'] = ResolversParentTypes['RedemptionReversedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationState?: Resolver<ResolversTypes['ReservationState'], ParentType, ContextType>;
  reversedPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reversedMinor?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionFulfillmentUpdatedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionFulfillmentUpdatedEvent'] = ResolversParentTypes['RedemptionFulfillmentUpdatedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  fulfillmentStatus?: Resolver<ResolversTypes['FulfillmentStatus'], ParentType, ContextType>;
  fulfillmentReference?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionDisputeOpenedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionDisputeOpenedEvent'] = ResolversParentTypes['RedemptionDisputeOpenedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  disputeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionDisputeResolvedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionDisputeResolvedEvent'] = ResolversParentTypes['RedemptionDisputeResolvedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  disputeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type RedemptionDisputeRejectedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['RedemptionDisputeRejectedEvent'] = ResolversParentTypes['RedemptionDisputeRejectedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reservationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  sourceReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  disputeId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AdjustmentRequestedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentRequestedEvent'] = ResolversParentTypes['AdjustmentRequestedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  adjustmentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AdjustmentPostedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentPostedEvent'] = ResolversParentTypes['AdjustmentPostedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  adjustmentId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AdjustmentRejectedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentRejectedEvent'] = ResolversParentTypes['AdjustmentRejectedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  adjustmentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type AdjustmentReversedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AdjustmentReversedEvent'] = ResolversParentTypes['AdjustmentReversedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  adjustmentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['AdjustmentState'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['AdjustmentDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  transactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  reversalTransactionId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ExchangeSettledEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ExchangeSettledEvent'] = ResolversParentTypes['ExchangeSettledEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  settlementReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  partnerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['ExchangeDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ExchangeReversedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ExchangeReversedEvent'] = ResolversParentTypes['ExchangeReversedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  memberId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  externalCustomerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['EventBalances'], ParentType, ContextType>;
  profileVersion?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  transactionId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  settlementReference?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  partnerId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  direction?: Resolver<ResolversTypes['ExchangeDirection'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reverses?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type FeedEpochStartedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedEpochStartedEvent'] = ResolversParentTypes['FeedEpochStartedEvent']> = {
  epoch?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  previousEpoch?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lastPositionKept?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type ProgramPublishedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ProgramPublishedEvent'] = ResolversParentTypes['ProgramPublishedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  effectiveFrom?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CampaignCapReachedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CampaignCapReachedEvent'] = ResolversParentTypes['CampaignCapReachedEvent']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  campaignId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  percent?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  capPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  givenPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type ImportCompletedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ImportCompletedEvent'] = ResolversParentTypes['ImportCompletedEvent']> = {
  operationId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ImportKind'], ParentType, ContextType>;
  rows?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  committed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  replayed?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  rejected?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  membersCreated?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  committedPoints?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  replayedPoints?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type FeedEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['FeedEvent'] = ResolversParentTypes['FeedEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timestamp?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  environmentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  epoch?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  epochAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  position?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  data?: Resolver<contract.Maybe<ResolversTypes['JSONObject']>, ParentType, ContextType>;
};

export type EventFeedPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EventFeedPage'] = ResolversParentTypes['EventFeedPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  epoch?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  epochAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['FeedEvent']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type OperationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Operation'] = ResolversParentTypes['Operation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['OperationType'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['OperationStatus'], ParentType, ContextType>;
  progress?: Resolver<ResolversTypes['OperationProgress'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  startedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  finishedAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  result?: Resolver<contract.Maybe<ResolversTypes['JSONObject']>, ParentType, ContextType>;
  error?: Resolver<contract.Maybe<ResolversTypes['OperationError']>, ParentType, ContextType>;
};

export type OperationProgressResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationProgress'] = ResolversParentTypes['OperationProgress']> = {
  done?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  total?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
};

export type OperationErrorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationError'] = ResolversParentTypes['OperationError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type OperationResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationResult'] = ResolversParentTypes['OperationResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  operation?: Resolver<ResolversTypes['Operation'], ParentType, ContextType>;
};

export type OperationPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['OperationPage'] = ResolversParentTypes['OperationPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['Operation']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type AuditEventResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditEvent'] = ResolversParentTypes['AuditEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetType?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  targetId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['AuditActor'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  changes?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
  seal?: Resolver<contract.Maybe<ResolversTypes['AuditSeal']>, ParentType, ContextType>;
};

export type AuditActorResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditActor'] = ResolversParentTypes['AuditActor']> = {
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditSealResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditSeal'] = ResolversParentTypes['AuditSeal']> = {
  position?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  hash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AuditEventPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['AuditEventPage'] = ResolversParentTypes['AuditEventPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['AuditEvent']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type EnvironmentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Environment'] = ResolversParentTypes['Environment']> = {
  environmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EnvironmentKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  locked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  clock?: Resolver<ResolversTypes['SandboxClock'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type EnvironmentResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EnvironmentResult'] = ResolversParentTypes['EnvironmentResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  environment?: Resolver<ResolversTypes['Environment'], ParentType, ContextType>;
};

export type EnvironmentLockPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EnvironmentLockPayload'] = ResolversParentTypes['EnvironmentLockPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  environmentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  locked?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  changed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type SandboxClockResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SandboxClock'] = ResolversParentTypes['SandboxClock']> = {
  now?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  realTime?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['SandboxClockState'], ParentType, ContextType>;
};

export type SandboxClockResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SandboxClockResult'] = ResolversParentTypes['SandboxClockResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  clock?: Resolver<ResolversTypes['SandboxClock'], ParentType, ContextType>;
};

export type SandboxSweepResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['SandboxSweep'] = ResolversParentTypes['SandboxSweep']> = {
  profilesSettled?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  transactions?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reservationsExpired?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  quotesExpired?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  choicesExpired?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  adjustmentsExpired?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tiersRequalified?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  tiersChanged?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  expiriesNoticed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  closedThrough?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  failed?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type MoveSandboxClockPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['MoveSandboxClockPayload'] = ResolversParentTypes['MoveSandboxClockPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  clock?: Resolver<ResolversTypes['SandboxClock'], ParentType, ContextType>;
  swept?: Resolver<ResolversTypes['SandboxSweep'], ParentType, ContextType>;
};

export type CustomerMemberResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerMemberResult'] = ResolversParentTypes['CustomerMemberResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  member?: Resolver<ResolversTypes['CustomerMember'], ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['CustomerProgram']>, ParentType, ContextType>;
};

export type CustomerMemberResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerMember'] = ResolversParentTypes['CustomerMember']> = {
  displayName?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['MemberStatus'], ParentType, ContextType>;
};

export type CustomerProgramResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerProgram'] = ResolversParentTypes['CustomerProgram']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  unitName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['CustomerTier'], ParentType, ContextType>;
  nextTier?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  nextTierAt?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  qualificationPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  balances?: Resolver<ResolversTypes['CustomerBalances'], ParentType, ContextType>;
  nextExpiry?: Resolver<contract.Maybe<ResolversTypes['NextExpiry']>, ParentType, ContextType>;
};

export type CustomerTierResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerTier'] = ResolversParentTypes['CustomerTier']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomerBalancesResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerBalances'] = ResolversParentTypes['CustomerBalances']> = {
  available?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  pending?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type CustomerDetailsResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerDetailsResult'] = ResolversParentTypes['CustomerDetailsResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  programs?: Resolver<Array<ResolversTypes['CustomerDetails']>, ParentType, ContextType>;
};

export type CustomerDetailsResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerDetails'] = ResolversParentTypes['CustomerDetails']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  pointsToNextTier?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  tierUntil?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  challenges?: Resolver<Array<ResolversTypes['CustomerChallenge']>, ParentType, ContextType>;
  choices?: Resolver<Array<ResolversTypes['CustomerChoice']>, ParentType, ContextType>;
  holds?: Resolver<Array<ResolversTypes['CustomerHold']>, ParentType, ContextType>;
  expirations?: Resolver<Array<ResolversTypes['NextExpiry']>, ParentType, ContextType>;
};

export type CustomerChallengeResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerChallenge'] = ResolversParentTypes['CustomerChallenge']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  reached?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  goal?: Resolver<ResolversTypes['Float'], ParentType, ContextType>;
  completions?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  windowEnd?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CustomerChoiceResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerChoice'] = ResolversParentTypes['CustomerChoice']> = {
  choiceSetId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  remaining?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type CustomerHoldResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerHold'] = ResolversParentTypes['CustomerHold']> = {
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  rewardName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CustomerActivityPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerActivityPage'] = ResolversParentTypes['CustomerActivityPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['CustomerActivity']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type CustomerActivityResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerActivity'] = ResolversParentTypes['CustomerActivity']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['TransactionType'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  postedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CustomerCatalogResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerCatalogResult'] = ResolversParentTypes['CustomerCatalogResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['CustomerReward']>, ParentType, ContextType>;
};

export type CustomerRewardResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerReward'] = ResolversParentTypes['CustomerReward']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  imageUrl?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  pointsCost?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  eligible?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  eligibilityReason?: Resolver<contract.Maybe<ResolversTypes['CustomerEligibilityReason']>, ParentType, ContextType>;
  pointsNeeded?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  redeemable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  payWithPoints?: Resolver<contract.Maybe<ResolversTypes['CustomerPayment']>, ParentType, ContextType>;
};

export type CustomerPaymentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerPayment'] = ResolversParentTypes['CustomerPayment']> = {
  pointsPerUnit?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  unitMinor?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  currency?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  step?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  minimumPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  maximumPoints?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
  maximumShareOfOrder?: Resolver<contract.Maybe<ResolversTypes['ShareOfOrder']>, ParentType, ContextType>;
};

export type ShareOfOrderResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['ShareOfOrder'] = ResolversParentTypes['ShareOfOrder']> = {
  numerator?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  denominator?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
};

export type EnrollCustomerPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['EnrollCustomerPayload'] = ResolversParentTypes['EnrollCustomerPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  program?: Resolver<ResolversTypes['JoinedProgram'], ParentType, ContextType>;
};

export type JoinedProgramResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['JoinedProgram'] = ResolversParentTypes['JoinedProgram']> = {
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EnrollmentStatus'], ParentType, ContextType>;
  qualificationPoints?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  balances?: Resolver<Array<ResolversTypes['AccountBalance']>, ParentType, ContextType>;
  referralCode?: Resolver<contract.Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CustomerPurchasePreviewResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerPurchasePreview'] = ResolversParentTypes['CustomerPurchasePreview']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  personalized?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  tier?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  award?: Resolver<ResolversTypes['Award'], ParentType, ContextType>;
  coupon?: Resolver<contract.Maybe<ResolversTypes['CouponResult']>, ParentType, ContextType>;
  loyaltyUnitPrecision?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  lines?: Resolver<contract.Maybe<Array<ResolversTypes['EarnedLine']>>, ParentType, ContextType>;
};

export type CustomerQuotePayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerQuotePayload'] = ResolversParentTypes['CustomerQuotePayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  quote?: Resolver<ResolversTypes['CustomerQuote'], ParentType, ContextType>;
};

export type CustomerQuoteResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerQuote'] = ResolversParentTypes['CustomerQuote']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  discountMinor?: Resolver<contract.Maybe<ResolversTypes['Long']>, ParentType, ContextType>;
};

export type CustomerRedemptionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerRedemptionPayload'] = ResolversParentTypes['CustomerRedemptionPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reservation?: Resolver<ResolversTypes['CustomerReservation'], ParentType, ContextType>;
};

export type CustomerReservationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerReservation'] = ResolversParentTypes['CustomerReservation']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ReservationState'], ParentType, ContextType>;
};

export type CustomerReversalPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['CustomerReversalPayload'] = ResolversParentTypes['CustomerReversalPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  reservation?: Resolver<ResolversTypes['CustomerReservation'], ParentType, ContextType>;
};

export type WidgetSessionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetSessionResult'] = ResolversParentTypes['WidgetSessionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  token?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  expiresAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type WidgetDeploymentResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetDeployment'] = ResolversParentTypes['WidgetDeployment']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  documentId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  newest?: Resolver<ResolversTypes['WidgetVersion'], ParentType, ContextType>;
};

export type WidgetVersionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetVersion'] = ResolversParentTypes['WidgetVersion']> = {
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  programId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  documentHash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  publishedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  publishedBy?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type WidgetDeploymentPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetDeploymentPage'] = ResolversParentTypes['WidgetDeploymentPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['WidgetDeployment']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type WidgetDeploymentResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetDeploymentResult'] = ResolversParentTypes['WidgetDeploymentResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  deployment?: Resolver<ResolversTypes['WidgetDeployment'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type WidgetVersionPageResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetVersionPage'] = ResolversParentTypes['WidgetVersionPage']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  data?: Resolver<Array<ResolversTypes['WidgetVersion']>, ParentType, ContextType>;
  page?: Resolver<ResolversTypes['Page'], ParentType, ContextType>;
};

export type WidgetVersionResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetVersionResult'] = ResolversParentTypes['WidgetVersionResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  deploymentId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['WidgetVersion'], ParentType, ContextType>;
  document?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type WidgetPreviewResultResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetPreviewResult'] = ResolversParentTypes['WidgetPreviewResult']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  surface?: Resolver<ResolversTypes['JSONObject'], ParentType, ContextType>;
};

export type PublishWidgetPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['PublishWidgetPayload'] = ResolversParentTypes['PublishWidgetPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  created?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  deploymentId?: Resolver<contract.Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  version?: Resolver<contract.Maybe<ResolversTypes['WidgetVersion']>, ParentType, ContextType>;
  problems?: Resolver<Array<ResolversTypes['DocumentProblem']>, ParentType, ContextType>;
};

export type WidgetRedemptionPayloadResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetRedemptionPayload'] = ResolversParentTypes['WidgetRedemptionPayload']> = {
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  idempotent?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  redemption?: Resolver<ResolversTypes['WidgetRedemption'], ParentType, ContextType>;
  balance?: Resolver<ResolversTypes['CustomerBalances'], ParentType, ContextType>;
};

export type WidgetRedemptionResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['WidgetRedemption'] = ResolversParentTypes['WidgetRedemption']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ReservationState'], ParentType, ContextType>;
  rewardId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  points?: Resolver<ResolversTypes['Long'], ParentType, ContextType>;
  expiresAt?: Resolver<contract.Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  personSession?: Resolver<contract.Maybe<ResolversTypes['PersonSessionResult']>, ParentType, ContextOfPerson<ContextType>>;
  personSessions?: Resolver<contract.Maybe<ResolversTypes['PersonSessionList']>, ParentType, ContextOfPerson<ContextType>>;
  member?: Resolver<contract.Maybe<ResolversTypes['MemberResult']>, ParentType, ContextType, RequireFields<contract.QuerymemberArgs, 'externalCustomerId'>>;
  memberDetails?: Resolver<contract.Maybe<ResolversTypes['MemberResult']>, ParentType, ContextType, RequireFields<contract.QuerymemberDetailsArgs, 'externalCustomerId'>>;
  search?: Resolver<contract.Maybe<ResolversTypes['SearchResult']>, ParentType, ContextType, RequireFields<contract.QuerysearchArgs, 'q'>>;
  programs?: Resolver<contract.Maybe<ResolversTypes['ProgramPage']>, ParentType, ContextType, RequireFields<contract.QueryprogramsArgs, 'limit'>>;
  programVersions?: Resolver<contract.Maybe<ResolversTypes['ProgramVersionPage']>, ParentType, ContextType, RequireFields<contract.QueryprogramVersionsArgs, 'programId' | 'limit'>>;
  programVersion?: Resolver<contract.Maybe<ResolversTypes['ProgramVersionResult']>, ParentType, ContextType, RequireFields<contract.QueryprogramVersionArgs, 'programId' | 'configurationVersion'>>;
  programDiff?: Resolver<contract.Maybe<ResolversTypes['ProgramDiffResult']>, ParentType, ContextType, RequireFields<contract.QueryprogramDiffArgs, 'programId' | 'configurationVersion'>>;
  tokenIssuers?: Resolver<contract.Maybe<ResolversTypes['TokenIssuerPage']>, ParentType, ContextType, RequireFields<contract.QuerytokenIssuersArgs, 'limit'>>;
  tokenIssuer?: Resolver<contract.Maybe<ResolversTypes['TokenIssuerResult']>, ParentType, ContextType, RequireFields<contract.QuerytokenIssuerArgs, 'issuerId'>>;
  checkToken?: Resolver<contract.Maybe<ResolversTypes['CheckTokenResult']>, ParentType, ContextType, RequireFields<contract.QuerycheckTokenArgs, 'input'>>;
  financeSections?: Resolver<contract.Maybe<ResolversTypes['FinanceSectionsResult']>, ParentType, ContextType, RequireFields<contract.QueryfinanceSectionsArgs, 'programId' | 'configurationVersion'>>;
  codePools?: Resolver<contract.Maybe<ResolversTypes['CodePoolsResult']>, ParentType, ContextType, RequireFields<contract.QuerycodePoolsArgs, 'programId'>>;
  members?: Resolver<contract.Maybe<ResolversTypes['MemberPage']>, ParentType, ContextType, RequireFields<contract.QuerymembersArgs, 'limit'>>;
  transaction?: Resolver<contract.Maybe<ResolversTypes['TransactionResult']>, ParentType, ContextType, RequireFields<contract.QuerytransactionArgs, 'id'>>;
  transactions?: Resolver<contract.Maybe<ResolversTypes['TransactionPage']>, ParentType, ContextType, RequireFields<contract.QuerytransactionsArgs, 'limit'>>;
  transactionEntries?: Resolver<contract.Maybe<ResolversTypes['TransactionEntryPage']>, ParentType, ContextType, RequireFields<contract.QuerytransactionEntriesArgs, 'id' | 'limit'>>;
  ledgerSummary?: Resolver<contract.Maybe<ResolversTypes['LedgerSummary']>, ParentType, ContextType, RequireFields<contract.QueryledgerSummaryArgs, 'from' | 'to'>>;
  ledgerClose?: Resolver<contract.Maybe<ResolversTypes['LedgerClose']>, ParentType, ContextType, RequireFields<contract.QueryledgerCloseArgs, 'programId'>>;
  campaignReport?: Resolver<contract.Maybe<ResolversTypes['CampaignReport']>, ParentType, ContextType, RequireFields<contract.QuerycampaignReportArgs, 'programId' | 'campaignId'>>;
  evaluateOffers?: Resolver<contract.Maybe<ResolversTypes['EvaluateOffersResult']>, ParentType, ContextType, RequireFields<contract.QueryevaluateOffersArgs, 'input'>>;
  previewPurchase?: Resolver<contract.Maybe<ResolversTypes['PurchasePreview']>, ParentType, ContextType, RequireFields<contract.QuerypreviewPurchaseArgs, 'input'>>;
  couponCode?: Resolver<contract.Maybe<ResolversTypes['CouponCodeResult']>, ParentType, ContextType, RequireFields<contract.QuerycouponCodeArgs, 'input'>>;
  redemptions?: Resolver<contract.Maybe<ResolversTypes['RedemptionPage']>, ParentType, ContextType, RequireFields<contract.QueryredemptionsArgs, 'limit'>>;
  adjustments?: Resolver<contract.Maybe<ResolversTypes['AdjustmentPage']>, ParentType, ContextType, RequireFields<contract.QueryadjustmentsArgs, 'limit'>>;
  memberMerges?: Resolver<contract.Maybe<ResolversTypes['MemberMergePage']>, ParentType, ContextType, RequireFields<contract.QuerymemberMergesArgs, 'limit'>>;
  memberMerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergeResult']>, ParentType, ContextType, RequireFields<contract.QuerymemberMergeArgs, 'mergeId'>>;
  redemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionResult']>, ParentType, ContextType, RequireFields<contract.QueryredemptionArgs, 'reservationId'>>;
  webhookEndpoints?: Resolver<contract.Maybe<ResolversTypes['WebhookEndpointPage']>, ParentType, ContextType, RequireFields<contract.QuerywebhookEndpointsArgs, 'limit'>>;
  webhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['WebhookEndpointResult']>, ParentType, ContextType, RequireFields<contract.QuerywebhookEndpointArgs, 'endpointId'>>;
  webhookDeliveries?: Resolver<contract.Maybe<ResolversTypes['WebhookDeliveryPage']>, ParentType, ContextType, RequireFields<contract.QuerywebhookDeliveriesArgs, 'limit'>>;
  eventsFeed?: Resolver<contract.Maybe<ResolversTypes['EventFeedPage']>, ParentType, ContextType, RequireFields<contract.QueryeventsFeedArgs, 'limit'>>;
  webhookDelivery?: Resolver<contract.Maybe<ResolversTypes['WebhookDeliveryResult']>, ParentType, ContextType, RequireFields<contract.QuerywebhookDeliveryArgs, 'deliveryId'>>;
  operations?: Resolver<contract.Maybe<ResolversTypes['OperationPage']>, ParentType, ContextType, RequireFields<contract.QueryoperationsArgs, 'limit'>>;
  operation?: Resolver<contract.Maybe<ResolversTypes['OperationResult']>, ParentType, ContextType, RequireFields<contract.QueryoperationArgs, 'id'>>;
  auditEvents?: Resolver<contract.Maybe<ResolversTypes['AuditEventPage']>, ParentType, ContextType, RequireFields<contract.QueryauditEventsArgs, 'limit'>>;
  customerMember?: Resolver<contract.Maybe<ResolversTypes['CustomerMemberResult']>, ParentType, ContextOfCustomer<ContextType>>;
  customerDetails?: Resolver<contract.Maybe<ResolversTypes['CustomerDetailsResult']>, ParentType, ContextOfCustomer<ContextType>>;
  customerActivity?: Resolver<contract.Maybe<ResolversTypes['CustomerActivityPage']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.QuerycustomerActivityArgs, 'limit'>>;
  customerCatalog?: Resolver<contract.Maybe<ResolversTypes['CustomerCatalogResult']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.QuerycustomerCatalogArgs, 'programId'>>;
  previewForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerPurchasePreview']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.QuerypreviewForCustomerArgs, 'input'>>;
  sandboxClock?: Resolver<contract.Maybe<ResolversTypes['SandboxClockResult']>, ParentType, ContextType>;
  widgetDeployments?: Resolver<contract.Maybe<ResolversTypes['WidgetDeploymentPage']>, ParentType, ContextType, RequireFields<contract.QuerywidgetDeploymentsArgs, 'limit'>>;
  widgetDeployment?: Resolver<contract.Maybe<ResolversTypes['WidgetDeploymentResult']>, ParentType, ContextType, RequireFields<contract.QuerywidgetDeploymentArgs, 'deploymentId'>>;
  widgetVersions?: Resolver<contract.Maybe<ResolversTypes['WidgetVersionPage']>, ParentType, ContextType, RequireFields<contract.QuerywidgetVersionsArgs, 'deploymentId' | 'limit'>>;
  widgetVersion?: Resolver<contract.Maybe<ResolversTypes['WidgetVersionResult']>, ParentType, ContextType, RequireFields<contract.QuerywidgetVersionArgs, 'deploymentId' | 'version'>>;
  widgetPreview?: Resolver<contract.Maybe<ResolversTypes['WidgetPreviewResult']>, ParentType, ContextType, RequireFields<contract.QuerywidgetPreviewArgs, 'deploymentId'>>;
  environment?: Resolver<contract.Maybe<ResolversTypes['EnvironmentResult']>, ParentType, ContextType>;
  widgetSession?: Resolver<contract.Maybe<ResolversTypes['WidgetSessionResult']>, ParentType, ContextType, RequireFields<contract.QuerywidgetSessionArgs, 'input'>>;
};

export type MutationResolvers<ContextType = RequestContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  endPersonSession?: Resolver<contract.Maybe<ResolversTypes['EndPersonSessionPayload']>, ParentType, ContextOfPerson<ContextType>, RequireFields<contract.MutationendPersonSessionArgs, 'input'>>;
  publishProgram?: Resolver<contract.Maybe<ResolversTypes['PublishProgramPayload']>, ParentType, ContextType, RequireFields<contract.MutationpublishProgramArgs, 'input'>>;
  publishWidget?: Resolver<contract.Maybe<ResolversTypes['PublishWidgetPayload']>, ParentType, ContextType, RequireFields<contract.MutationpublishWidgetArgs, 'input'>>;
  addTokenIssuer?: Resolver<contract.Maybe<ResolversTypes['TokenIssuerPayload']>, ParentType, ContextType, RequireFields<contract.MutationaddTokenIssuerArgs, 'input'>>;
  removeTokenIssuer?: Resolver<contract.Maybe<ResolversTypes['TokenIssuerPayload']>, ParentType, ContextType, RequireFields<contract.MutationremoveTokenIssuerArgs, 'input'>>;
  lockEnvironment?: Resolver<contract.Maybe<ResolversTypes['EnvironmentLockPayload']>, ParentType, ContextType, RequireFields<contract.MutationlockEnvironmentArgs, 'input'>>;
  unlockEnvironment?: Resolver<contract.Maybe<ResolversTypes['EnvironmentLockPayload']>, ParentType, ContextType, RequireFields<contract.MutationunlockEnvironmentArgs, 'input'>>;
  generateCouponCodes?: Resolver<contract.Maybe<ResolversTypes['GenerateCouponCodesPayload']>, ParentType, ContextType, RequireFields<contract.MutationgenerateCouponCodesArgs, 'input'>>;
  approveFinance?: Resolver<contract.Maybe<ResolversTypes['ApproveFinancePayload']>, ParentType, ContextType, RequireFields<contract.MutationapproveFinanceArgs, 'input'>>;
  createMember?: Resolver<contract.Maybe<ResolversTypes['CreateMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationcreateMemberArgs, 'input'>>;
  updateMember?: Resolver<contract.Maybe<ResolversTypes['UpdateMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationupdateMemberArgs, 'input'>>;
  enrollMember?: Resolver<contract.Maybe<ResolversTypes['EnrollMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationenrollMemberArgs, 'input'>>;
  unenrollMember?: Resolver<contract.Maybe<ResolversTypes['UnenrollMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationunenrollMemberArgs, 'input'>>;
  tagMember?: Resolver<contract.Maybe<ResolversTypes['TagMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationtagMemberArgs, 'input'>>;
  untagMember?: Resolver<contract.Maybe<ResolversTypes['TagMemberPayload']>, ParentType, ContextType, RequireFields<contract.MutationuntagMemberArgs, 'input'>>;
  suspendMember?: Resolver<contract.Maybe<ResolversTypes['MemberStatusPayload']>, ParentType, ContextType, RequireFields<contract.MutationsuspendMemberArgs, 'input'>>;
  resumeMember?: Resolver<contract.Maybe<ResolversTypes['MemberStatusPayload']>, ParentType, ContextType, RequireFields<contract.MutationresumeMemberArgs, 'input'>>;
  addToList?: Resolver<contract.Maybe<ResolversTypes['ListMembersPayload']>, ParentType, ContextType, RequireFields<contract.MutationaddToListArgs, 'input'>>;
  removeFromList?: Resolver<contract.Maybe<ResolversTypes['ListMembersPayload']>, ParentType, ContextType, RequireFields<contract.MutationremoveFromListArgs, 'input'>>;
  purchaseEarn?: Resolver<contract.Maybe<ResolversTypes['PurchaseEarnPayload']>, ParentType, ContextType, RequireFields<contract.MutationpurchaseEarnArgs, 'input'>>;
  assignCouponCode?: Resolver<contract.Maybe<ResolversTypes['AssignCouponCodePayload']>, ParentType, ContextType, RequireFields<contract.MutationassignCouponCodeArgs, 'input'>>;
  recordReturn?: Resolver<contract.Maybe<ResolversTypes['RecordReturnPayload']>, ParentType, ContextType, RequireFields<contract.MutationrecordReturnArgs, 'input'>>;
  quoteRedemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionQuotePayload']>, ParentType, ContextType, RequireFields<contract.MutationquoteRedemptionArgs, 'input'>>;
  reserveRedemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionPayload']>, ParentType, ContextType, RequireFields<contract.MutationreserveRedemptionArgs, 'input'>>;
  commitRedemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionPayload']>, ParentType, ContextType, RequireFields<contract.MutationcommitRedemptionArgs, 'input'>>;
  releaseRedemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionPayload']>, ParentType, ContextType, RequireFields<contract.MutationreleaseRedemptionArgs, 'input'>>;
  reverseRedemption?: Resolver<contract.Maybe<ResolversTypes['RedemptionPayload']>, ParentType, ContextType, RequireFields<contract.MutationreverseRedemptionArgs, 'input'>>;
  updateFulfillment?: Resolver<contract.Maybe<ResolversTypes['RedemptionPayload']>, ParentType, ContextType, RequireFields<contract.MutationupdateFulfillmentArgs, 'input'>>;
  openDispute?: Resolver<contract.Maybe<ResolversTypes['DisputePayload']>, ParentType, ContextType, RequireFields<contract.MutationopenDisputeArgs, 'input'>>;
  resolveDispute?: Resolver<contract.Maybe<ResolversTypes['DisputePayload']>, ParentType, ContextType, RequireFields<contract.MutationresolveDisputeArgs, 'input'>>;
  rejectDispute?: Resolver<contract.Maybe<ResolversTypes['DisputePayload']>, ParentType, ContextType, RequireFields<contract.MutationrejectDisputeArgs, 'input'>>;
  requestAdjustment?: Resolver<contract.Maybe<ResolversTypes['AdjustmentPayload']>, ParentType, ContextType, RequireFields<contract.MutationrequestAdjustmentArgs, 'input'>>;
  approveAdjustment?: Resolver<contract.Maybe<ResolversTypes['AdjustmentPayload']>, ParentType, ContextType, RequireFields<contract.MutationapproveAdjustmentArgs, 'input'>>;
  rejectAdjustment?: Resolver<contract.Maybe<ResolversTypes['AdjustmentPayload']>, ParentType, ContextType, RequireFields<contract.MutationrejectAdjustmentArgs, 'input'>>;
  reverseAdjustment?: Resolver<contract.Maybe<ResolversTypes['AdjustmentPayload']>, ParentType, ContextType, RequireFields<contract.MutationreverseAdjustmentArgs, 'input'>>;
  requestMemberMerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationrequestMemberMergeArgs, 'input'>>;
  approveMemberMerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationapproveMemberMergeArgs, 'input'>>;
  rejectMemberMerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationrejectMemberMergeArgs, 'input'>>;
  requestMemberUnmerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationrequestMemberUnmergeArgs, 'input'>>;
  approveMemberUnmerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationapproveMemberUnmergeArgs, 'input'>>;
  rejectMemberUnmerge?: Resolver<contract.Maybe<ResolversTypes['MemberMergePayload']>, ParentType, ContextType, RequireFields<contract.MutationrejectMemberUnmergeArgs, 'input'>>;
  recordCustomEvent?: Resolver<contract.Maybe<ResolversTypes['RecordCustomEventPayload']>, ParentType, ContextType, RequireFields<contract.MutationrecordCustomEventArgs, 'input'>>;
  claimChoiceBenefit?: Resolver<contract.Maybe<ResolversTypes['ClaimChoiceBenefitPayload']>, ParentType, ContextType, RequireFields<contract.MutationclaimChoiceBenefitArgs, 'input'>>;
  createWebhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['CreateWebhookEndpointPayload']>, ParentType, ContextType, RequireFields<contract.MutationcreateWebhookEndpointArgs, 'input'>>;
  updateWebhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['WebhookEndpointPayload']>, ParentType, ContextType, RequireFields<contract.MutationupdateWebhookEndpointArgs, 'input'>>;
  deleteWebhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['WebhookEndpointPayload']>, ParentType, ContextType, RequireFields<contract.MutationdeleteWebhookEndpointArgs, 'input'>>;
  rotateWebhookSecret?: Resolver<contract.Maybe<ResolversTypes['RotateWebhookSecretPayload']>, ParentType, ContextType, RequireFields<contract.MutationrotateWebhookSecretArgs, 'input'>>;
  testWebhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['WebhookDeliveryPayload']>, ParentType, ContextType, RequireFields<contract.MutationtestWebhookEndpointArgs, 'input'>>;
  replayWebhookEndpoint?: Resolver<contract.Maybe<ResolversTypes['ReplayWebhookEndpointPayload']>, ParentType, ContextType, RequireFields<contract.MutationreplayWebhookEndpointArgs, 'input'>>;
  retryWebhookDelivery?: Resolver<contract.Maybe<ResolversTypes['WebhookDeliveryPayload']>, ParentType, ContextType, RequireFields<contract.MutationretryWebhookDeliveryArgs, 'input'>>;
  moveSandboxClock?: Resolver<contract.Maybe<ResolversTypes['MoveSandboxClockPayload']>, ParentType, ContextType, RequireFields<contract.MutationmoveSandboxClockArgs, 'input'>>;
  enrollCustomer?: Resolver<contract.Maybe<ResolversTypes['EnrollCustomerPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationenrollCustomerArgs, 'input'>>;
  unenrollCustomer?: Resolver<contract.Maybe<ResolversTypes['UnenrollMemberPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationunenrollCustomerArgs, 'input'>>;
  quoteForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerQuotePayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationquoteForCustomerArgs, 'input'>>;
  reserveForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerRedemptionPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationreserveForCustomerArgs, 'input'>>;
  commitForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerRedemptionPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationcommitForCustomerArgs, 'input'>>;
  releaseForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerRedemptionPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationreleaseForCustomerArgs, 'input'>>;
  reverseForCustomer?: Resolver<contract.Maybe<ResolversTypes['CustomerReversalPayload']>, ParentType, ContextOfCustomer<ContextType>, RequireFields<contract.MutationreverseForCustomerArgs, 'input'>>;
  redeemInWidget?: Resolver<contract.Maybe<ResolversTypes['WidgetRedemptionPayload']>, ParentType, ContextOfWidget<ContextType>, RequireFields<contract.MutationredeemInWidgetArgs, 'input'>>;
};

export type Resolvers<ContextType = RequestContext> = {
  Long?: GraphQLScalarType;
  DateTime?: GraphQLScalarType;
  JSONObject?: GraphQLScalarType;
  EventAttributes?: GraphQLScalarType;
  SearchHit?: SearchHitResolvers<ContextType>;
  SearchResult?: SearchResultResolvers<ContextType>;
  Person?: PersonResolvers<ContextType>;
  PersonEnvironment?: PersonEnvironmentResolvers<ContextType>;
  PersonSession?: PersonSessionResolvers<ContextType>;
  PersonSessionResult?: PersonSessionResultResolvers<ContextType>;
  PersonSessionList?: PersonSessionListResolvers<ContextType>;
  EndPersonSessionPayload?: EndPersonSessionPayloadResolvers<ContextType>;
  Program?: ProgramResolvers<ContextType>;
  ProgramTier?: ProgramTierResolvers<ContextType>;
  ProgramPage?: ProgramPageResolvers<ContextType>;
  ProgramVersion?: ProgramVersionResolvers<ContextType>;
  ProgramVersionPage?: ProgramVersionPageResolvers<ContextType>;
  ProgramVersionResult?: ProgramVersionResultResolvers<ContextType>;
  ProgramChange?: ProgramChangeResolvers<ContextType>;
  ProgramDiffResult?: ProgramDiffResultResolvers<ContextType>;
  DocumentProblem?: DocumentProblemResolvers<ContextType>;
  PublishProgramPayload?: PublishProgramPayloadResolvers<ContextType>;
  TokenIssuer?: TokenIssuerResolvers<ContextType>;
  TokenIssuerPage?: TokenIssuerPageResolvers<ContextType>;
  TokenIssuerResult?: TokenIssuerResultResolvers<ContextType>;
  TokenIssuerPayload?: TokenIssuerPayloadResolvers<ContextType>;
  CheckTokenResult?: CheckTokenResultResolvers<ContextType>;
  TokenFinding?: TokenFindingResolvers<ContextType>;
  FinanceSection?: FinanceSectionResolvers<ContextType>;
  FinanceSectionsResult?: FinanceSectionsResultResolvers<ContextType>;
  FinanceApproval?: FinanceApprovalResolvers<ContextType>;
  ApproveFinancePayload?: ApproveFinancePayloadResolvers<ContextType>;
  Member?: MemberResolvers<ContextType>;
  Consent?: ConsentResolvers<ContextType>;
  ProgramProfile?: ProgramProfileResolvers<ContextType>;
  NextTier?: NextTierResolvers<ContextType>;
  ChallengeProgress?: ChallengeProgressResolvers<ContextType>;
  OpenChoice?: OpenChoiceResolvers<ContextType>;
  OpenHold?: OpenHoldResolvers<ContextType>;
  Lot?: LotResolvers<ContextType>;
  AccountBalance?: AccountBalanceResolvers<ContextType>;
  NextExpiry?: NextExpiryResolvers<ContextType>;
  MemberResult?: MemberResultResolvers<ContextType>;
  ListedMember?: ListedMemberResolvers<ContextType>;
  ListedProfile?: ListedProfileResolvers<ContextType>;
  MemberPage?: MemberPageResolvers<ContextType>;
  CreateMemberPayload?: CreateMemberPayloadResolvers<ContextType>;
  UpdateMemberPayload?: UpdateMemberPayloadResolvers<ContextType>;
  EnrollMemberPayload?: EnrollMemberPayloadResolvers<ContextType>;
  UnenrollMemberPayload?: UnenrollMemberPayloadResolvers<ContextType>;
  EnrollmentState?: EnrollmentStateResolvers<ContextType>;
  MemberReference?: MemberReferenceResolvers<ContextType>;
  TagMemberPayload?: TagMemberPayloadResolvers<ContextType>;
  MemberStatusPayload?: MemberStatusPayloadResolvers<ContextType>;
  MemberIdentity?: MemberIdentityResolvers<ContextType>;
  ListMembersPayload?: ListMembersPayloadResolvers<ContextType>;
  PurchaseEarnPayload?: PurchaseEarnPayloadResolvers<ContextType>;
  Award?: AwardResolvers<ContextType>;
  CampaignAward?: CampaignAwardResolvers<ContextType>;
  ReferralAward?: ReferralAwardResolvers<ContextType>;
  CouponResult?: CouponResultResolvers<ContextType>;
  RuleDecision?: RuleDecisionResolvers<ContextType>;
  EarnedLine?: EarnedLineResolvers<ContextType>;
  PurchasePreview?: PurchasePreviewResolvers<ContextType>;
  CouponCode?: CouponCodeResolvers<ContextType>;
  CouponCodeResult?: CouponCodeResultResolvers<ContextType>;
  CodePool?: CodePoolResolvers<ContextType>;
  CodePoolsResult?: CodePoolsResultResolvers<ContextType>;
  GenerateCouponCodesPayload?: GenerateCouponCodesPayloadResolvers<ContextType>;
  AssignCouponCodePayload?: AssignCouponCodePayloadResolvers<ContextType>;
  RecordReturnPayload?: RecordReturnPayloadResolvers<ContextType>;
  Return?: ReturnResolvers<ContextType>;
  ReferralClawback?: ReferralClawbackResolvers<ContextType>;
  RedemptionQuotePayload?: RedemptionQuotePayloadResolvers<ContextType>;
  RedemptionQuote?: RedemptionQuoteResolvers<ContextType>;
  RedemptionPayload?: RedemptionPayloadResolvers<ContextType>;
  Reservation?: ReservationResolvers<ContextType>;
  RedemptionDiscount?: RedemptionDiscountResolvers<ContextType>;
  RedemptionResult?: RedemptionResultResolvers<ContextType>;
  RedemptionPage?: RedemptionPageResolvers<ContextType>;
  DisputePayload?: DisputePayloadResolvers<ContextType>;
  Dispute?: DisputeResolvers<ContextType>;
  AdjustmentPayload?: AdjustmentPayloadResolvers<ContextType>;
  Adjustment?: AdjustmentResolvers<ContextType>;
  ListedAdjustment?: ListedAdjustmentResolvers<ContextType>;
  AdjustmentPage?: AdjustmentPageResolvers<ContextType>;
  MemberMergePayload?: MemberMergePayloadResolvers<ContextType>;
  MemberMerge?: MemberMergeResolvers<ContextType>;
  MergedProgram?: MergedProgramResolvers<ContextType>;
  ListedMemberMerge?: ListedMemberMergeResolvers<ContextType>;
  MemberMergePage?: MemberMergePageResolvers<ContextType>;
  MemberMergeResult?: MemberMergeResultResolvers<ContextType>;
  RecordCustomEventPayload?: RecordCustomEventPayloadResolvers<ContextType>;
  ChallengeAward?: ChallengeAwardResolvers<ContextType>;
  ClaimChoiceBenefitPayload?: ClaimChoiceBenefitPayloadResolvers<ContextType>;
  ChoiceClaim?: ChoiceClaimResolvers<ContextType>;
  EvaluateOffersResult?: EvaluateOffersResultResolvers<ContextType>;
  OfferEffect?: OfferEffectResolvers<ContextType>;
  OfferLine?: OfferLineResolvers<ContextType>;
  OfferRejection?: OfferRejectionResolvers<ContextType>;
  OfferCoupon?: OfferCouponResolvers<ContextType>;
  Transaction?: TransactionResolvers<ContextType>;
  LedgerEntry?: LedgerEntryResolvers<ContextType>;
  PurchaseEvaluation?: PurchaseEvaluationResolvers<ContextType>;
  TransactionResult?: TransactionResultResolvers<ContextType>;
  TransactionPage?: TransactionPageResolvers<ContextType>;
  TransactionEntryPage?: TransactionEntryPageResolvers<ContextType>;
  Page?: PageResolvers<ContextType>;
  CampaignReport?: CampaignReportResolvers<ContextType>;
  CampaignCapUse?: CampaignCapUseResolvers<ContextType>;
  CampaignComparison?: CampaignComparisonResolvers<ContextType>;
  GroupMeans?: GroupMeansResolvers<ContextType>;
  LedgerSummary?: LedgerSummaryResolvers<ContextType>;
  TransactionCounts?: TransactionCountsResolvers<ContextType>;
  PointMovements?: PointMovementsResolvers<ContextType>;
  BalanceTotals?: BalanceTotalsResolvers<ContextType>;
  RedemptionCounts?: RedemptionCountsResolvers<ContextType>;
  DeliveryCounts?: DeliveryCountsResolvers<ContextType>;
  LedgerClose?: LedgerCloseResolvers<ContextType>;
  Period?: PeriodResolvers<ContextType>;
  CloseControl?: CloseControlResolvers<ContextType>;
  CloseApproval?: CloseApprovalResolvers<ContextType>;
  CloseTotals?: CloseTotalsResolvers<ContextType>;
  AccountTotal?: AccountTotalResolvers<ContextType>;
  RollForwardLine?: RollForwardLineResolvers<ContextType>;
  JournalLine?: JournalLineResolvers<ContextType>;
  LiabilityCohort?: LiabilityCohortResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
  CreateWebhookEndpointPayload?: CreateWebhookEndpointPayloadResolvers<ContextType>;
  WebhookEndpointPayload?: WebhookEndpointPayloadResolvers<ContextType>;
  RotateWebhookSecretPayload?: RotateWebhookSecretPayloadResolvers<ContextType>;
  ReplayWebhookEndpointPayload?: ReplayWebhookEndpointPayloadResolvers<ContextType>;
  WebhookDeliveryPayload?: WebhookDeliveryPayloadResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  WebhookEndpointResult?: WebhookEndpointResultResolvers<ContextType>;
  WebhookEndpointPage?: WebhookEndpointPageResolvers<ContextType>;
  WebhookDeliveryResult?: WebhookDeliveryResultResolvers<ContextType>;
  WebhookDeliveryPage?: WebhookDeliveryPageResolvers<ContextType>;
  WebhookMessage?: WebhookMessageResolvers<ContextType>;
  EventBalances?: EventBalancesResolvers<ContextType>;
  MemberEvent?: MemberEventResolvers<ContextType>;
  MemberStateEvent?: MemberStateEventResolvers<ContextType>;
  ProfileEvent?: ProfileEventResolvers<ContextType>;
  RedemptionEvent?: RedemptionEventResolvers<ContextType>;
  AdjustmentEvent?: AdjustmentEventResolvers<ContextType>;
  ExchangeEvent?: ExchangeEventResolvers<ContextType>;
  PointsEarnedEvent?: PointsEarnedEventResolvers<ContextType>;
  PointsExpiredEvent?: PointsExpiredEventResolvers<ContextType>;
  PointsClawedBackEvent?: PointsClawedBackEventResolvers<ContextType>;
  PointsExpiringEvent?: PointsExpiringEventResolvers<ContextType>;
  MemberEnrolledEvent?: MemberEnrolledEventResolvers<ContextType>;
  MemberUnenrolledEvent?: MemberUnenrolledEventResolvers<ContextType>;
  MemberCreatedEvent?: MemberCreatedEventResolvers<ContextType>;
  MemberUpdatedEvent?: MemberUpdatedEventResolvers<ContextType>;
  MemberSuspendedEvent?: MemberSuspendedEventResolvers<ContextType>;
  MemberConsentChangedEvent?: MemberConsentChangedEventResolvers<ContextType>;
  MemberErasedEvent?: MemberErasedEventResolvers<ContextType>;
  MemberMergedEvent?: MemberMergedEventResolvers<ContextType>;
  MemberUnmergedEvent?: MemberUnmergedEventResolvers<ContextType>;
  TierChangedEvent?: TierChangedEventResolvers<ContextType>;
  ChoiceGrantedEvent?: ChoiceGrantedEventResolvers<ContextType>;
  RedemptionReservedEvent?: RedemptionReservedEventResolvers<ContextType>;
  RedemptionCommittedEvent?: RedemptionCommittedEventResolvers<ContextType>;
  RedemptionReleasedEvent?: RedemptionReleasedEventResolvers<ContextType>;
  RedemptionExpiredEvent?: RedemptionExpiredEventResolvers<ContextType>;
  RedemptionReversedEvent?: RedemptionReversedEventResolvers<ContextType>;
  RedemptionFulfillmentUpdatedEvent?: RedemptionFulfillmentUpdatedEventResolvers<ContextType>;
  RedemptionDisputeOpenedEvent?: RedemptionDisputeOpenedEventResolvers<ContextType>;
  RedemptionDisputeResolvedEvent?: RedemptionDisputeResolvedEventResolvers<ContextType>;
  RedemptionDisputeRejectedEvent?: RedemptionDisputeRejectedEventResolvers<ContextType>;
  AdjustmentRequestedEvent?: AdjustmentRequestedEventResolvers<ContextType>;
  AdjustmentPostedEvent?: AdjustmentPostedEventResolvers<ContextType>;
  AdjustmentRejectedEvent?: AdjustmentRejectedEventResolvers<ContextType>;
  AdjustmentReversedEvent?: AdjustmentReversedEventResolvers<ContextType>;
  ExchangeSettledEvent?: ExchangeSettledEventResolvers<ContextType>;
  ExchangeReversedEvent?: ExchangeReversedEventResolvers<ContextType>;
  FeedEpochStartedEvent?: FeedEpochStartedEventResolvers<ContextType>;
  ProgramPublishedEvent?: ProgramPublishedEventResolvers<ContextType>;
  CampaignCapReachedEvent?: CampaignCapReachedEventResolvers<ContextType>;
  ImportCompletedEvent?: ImportCompletedEventResolvers<ContextType>;
  FeedEvent?: FeedEventResolvers<ContextType>;
  EventFeedPage?: EventFeedPageResolvers<ContextType>;
  Operation?: OperationResolvers<ContextType>;
  OperationProgress?: OperationProgressResolvers<ContextType>;
  OperationError?: OperationErrorResolvers<ContextType>;
  OperationResult?: OperationResultResolvers<ContextType>;
  OperationPage?: OperationPageResolvers<ContextType>;
  AuditEvent?: AuditEventResolvers<ContextType>;
  AuditActor?: AuditActorResolvers<ContextType>;
  AuditSeal?: AuditSealResolvers<ContextType>;
  AuditEventPage?: AuditEventPageResolvers<ContextType>;
  Environment?: EnvironmentResolvers<ContextType>;
  EnvironmentResult?: EnvironmentResultResolvers<ContextType>;
  EnvironmentLockPayload?: EnvironmentLockPayloadResolvers<ContextType>;
  SandboxClock?: SandboxClockResolvers<ContextType>;
  SandboxClockResult?: SandboxClockResultResolvers<ContextType>;
  SandboxSweep?: SandboxSweepResolvers<ContextType>;
  MoveSandboxClockPayload?: MoveSandboxClockPayloadResolvers<ContextType>;
  CustomerMemberResult?: CustomerMemberResultResolvers<ContextType>;
  CustomerMember?: CustomerMemberResolvers<ContextType>;
  CustomerProgram?: CustomerProgramResolvers<ContextType>;
  CustomerTier?: CustomerTierResolvers<ContextType>;
  CustomerBalances?: CustomerBalancesResolvers<ContextType>;
  CustomerDetailsResult?: CustomerDetailsResultResolvers<ContextType>;
  CustomerDetails?: CustomerDetailsResolvers<ContextType>;
  CustomerChallenge?: CustomerChallengeResolvers<ContextType>;
  CustomerChoice?: CustomerChoiceResolvers<ContextType>;
  CustomerHold?: CustomerHoldResolvers<ContextType>;
  CustomerActivityPage?: CustomerActivityPageResolvers<ContextType>;
  CustomerActivity?: CustomerActivityResolvers<ContextType>;
  CustomerCatalogResult?: CustomerCatalogResultResolvers<ContextType>;
  CustomerReward?: CustomerRewardResolvers<ContextType>;
  CustomerPayment?: CustomerPaymentResolvers<ContextType>;
  ShareOfOrder?: ShareOfOrderResolvers<ContextType>;
  EnrollCustomerPayload?: EnrollCustomerPayloadResolvers<ContextType>;
  JoinedProgram?: JoinedProgramResolvers<ContextType>;
  CustomerPurchasePreview?: CustomerPurchasePreviewResolvers<ContextType>;
  CustomerQuotePayload?: CustomerQuotePayloadResolvers<ContextType>;
  CustomerQuote?: CustomerQuoteResolvers<ContextType>;
  CustomerRedemptionPayload?: CustomerRedemptionPayloadResolvers<ContextType>;
  CustomerReservation?: CustomerReservationResolvers<ContextType>;
  CustomerReversalPayload?: CustomerReversalPayloadResolvers<ContextType>;
  WidgetSessionResult?: WidgetSessionResultResolvers<ContextType>;
  WidgetDeployment?: WidgetDeploymentResolvers<ContextType>;
  WidgetVersion?: WidgetVersionResolvers<ContextType>;
  WidgetDeploymentPage?: WidgetDeploymentPageResolvers<ContextType>;
  WidgetDeploymentResult?: WidgetDeploymentResultResolvers<ContextType>;
  WidgetVersionPage?: WidgetVersionPageResolvers<ContextType>;
  WidgetVersionResult?: WidgetVersionResultResolvers<ContextType>;
  WidgetPreviewResult?: WidgetPreviewResultResolvers<ContextType>;
  PublishWidgetPayload?: PublishWidgetPayloadResolvers<ContextType>;
  WidgetRedemptionPayload?: WidgetRedemptionPayloadResolvers<ContextType>;
  WidgetRedemption?: WidgetRedemptionResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = RequestContext> = {
  scope?: scopeDirectiveResolver<any, any, ContextType>;
  refuses?: refusesDirectiveResolver<any, any, ContextType>;
  always?: alwaysDirectiveResolver<any, any, ContextType>;
  grants?: grantsDirectiveResolver<any, any, ContextType>;
  restOnly?: restOnlyDirectiveResolver<any, any, ContextType>;
  customer?: customerDirectiveResolver<any, any, ContextType>;
  person?: personDirectiveResolver<any, any, ContextType>;
  widget?: widgetDirectiveResolver<any, any, ContextType>;
  event?: eventDirectiveResolver<any, any, ContextType>;
  eventEnvelope?: eventEnvelopeDirectiveResolver<any, any, ContextType>;
  constraint?: constraintDirectiveResolver<any, any, ContextType>;
  httpStatus?: httpStatusDirectiveResolver<any, any, ContextType>;
};
