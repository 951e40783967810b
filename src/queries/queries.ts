import type {
  AdjustmentFilter,
  AuditEvent,
  AuditEventFilter,
  CampaignReport,
  CouponCodeInput,
  CustomerActivity,
  CustomerReward,
  EvaluateOffersInput,
  FeedEvent,
  LedgerEntry,
  LedgerSummary,
  ListedMember,
  MemberFilter,
  MemberMergeFilter,
  Operation,
  OperationFilter,
  Program,
  ProgramVersion,
  RedemptionFilter,
  SandboxClock,
  Transaction,
  TransactionFilter,
  WebhookDeliveryFilter,
} from '../contract/generated/types.ts';
import type { ResourceOwner } from '../ledger/resource-owner.ts';
import type { DeliveryRecord } from '../ledger/tables/webhook-deliveries.ts';
import type { EndpointRecord } from '../ledger/tables/webhook-endpoints.ts';
import type { Refusal } from '../refusal.ts';
import type { OfferEvaluation } from '../rules/offers/cart.ts';
import type { Surface } from '../widget/surface.ts';
import type { WidgetDeployment } from '../widget/widget-document.ts';
import type { ListedAdjustment } from './adjustments.ts';
import type { CouponCodeFound } from './coupon-codes.ts';
import type { ActivityFilter } from './customers/activity.ts';
import type { CustomerView } from './customers/member.ts';
import type { FeedPlace } from './events-feed.ts';
import type { ListedMerge } from './member-merges.ts';
import type { PurchaseSnapshot, WantedSnapshot } from './purchase-snapshot.ts';
import type { ListedRedemption } from './redemption-list.ts';
import type { RedemptionView } from './redemptions.ts';
import type { CampaignQuery } from './reports/campaign-report.ts';
import type { CloseQuery } from './reports/ledger-close/find-ledger-close.ts';
import type { CloseReport } from './reports/ledger-close/report.ts';
import type { SummaryQuery } from './reports/ledger-summary.ts';
import type { Listed } from './shared/listed.ts';
import type { MemberDetails } from './shared/member-details.ts';
import type { MemberView } from './shared/member-view.ts';
import type { ResourceReference } from './shared/resource-owners.ts';
import type { TransactionSelection } from './transactions/transactions.ts';
import type { DeliveryView } from './webhooks.ts';

/** Every read of the service. Each read sees one environment at one instant. */
export interface Queries {
  /** @returns null where the environment has no such member. */
  member(environmentId: string, externalCustomerId: string): Promise<MemberView | null>;
  /** A member with what its profiles have and are on the way to. @returns null where the environment has no such member */
  memberDetails(environmentId: string, externalCustomerId: string): Promise<MemberDetails | null>;
  /**
   * Lists members: newest first, or in the order of what a prefix is of. A page may have fewer than `limit`, or none,
   * although more follows; so may those of redemptions and of adjustments.
   * @param limit 1 to 200
   * @returns refusals: `validation_failed` for a tier without its program, `invalid_cursor`
   */
  members(
    environmentId: string,
    filter: MemberFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<ListedMember> | Refusal>;
  /** Lists redemptions, newest first. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  redemptions(
    environmentId: string,
    filter: RedemptionFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<ListedRedemption> | Refusal>;
  /** Lists adjustments, newest first. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  adjustments(
    environmentId: string,
    filter: AdjustmentFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<ListedAdjustment> | Refusal>;
  /** Lists merges of two accounts, newest first. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  memberMerges(
    environmentId: string,
    filter: MemberMergeFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<ListedMerge> | Refusal>;
  /** @param id UUID. @returns null where the environment has no such merge */
  memberMerge(environmentId: string, id: string): Promise<ListedMerge | null>;
  /** Lists the published programs, by their ids. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  programs(environmentId: string, limit: number, cursor: string | null): Promise<Listed<Program> | Refusal>;
  /**
   * Lists the versions of a program, newest first.
   * @param limit 1 to 200
   * @returns refusals: `program_not_found`, `invalid_cursor`
   */
  programVersions(
    environmentId: string,
    programId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<ProgramVersion> | Refusal>;
  /**
   * Says which offers apply to a cart.
   * @returns refusals: `program_not_found`, `currency_mismatch`, `validation_failed`
   */
  evaluateOffers(environmentId: string, input: EvaluateOffersInput): Promise<OfferEvaluation | Refusal>;
  /** @returns null where no pool of the program has the code; refusal: `program_not_found` */
  couponCode(environmentId: string, input: CouponCodeInput): Promise<CouponCodeFound | null | Refusal>;
  /** What a purchase would be decided on, at one instant; nothing is locked or written. */
  purchaseSnapshot(environmentId: string, wanted: WantedSnapshot): Promise<PurchaseSnapshot>;
  /** Finds the owner of a resource. @returns null where the environment has no such resource */
  owner(environmentId: string, reference: ResourceReference): Promise<ResourceOwner | null>;
  /**
   * Finds the names of the two members of a merge.
   * @param id UUID
   * @returns null where the environment has no such merge
   */
  mergeNames(environmentId: string, id: string): Promise<{ source: string; target: string } | null>;
  /**
   * Finds the member who has a referral code in a program.
   * @param code in its canonical spelling
   * @returns the member's externalCustomerId; null where nobody has the code
   */
  referrer(environmentId: string, programId: string, code: string): Promise<string | null>;
  /**
   * @param reservationId the public id, as a client sends it. @returns null where the environment has no such
   * reservation
   */
  redemption(environmentId: string, reservationId: string): Promise<RedemptionView | null>;
  /** @param id the public id, as a client sends it. @returns null where the environment has no such transaction */
  transaction(
    environmentId: string,
    id: string,
    selection: TransactionSelection,
  ): Promise<Transaction | null>;
  /**
   * Lists transactions, newest first. A page may have fewer than `limit` where its postings or receipts are large.
   * @param limit 1 to 200
   * @returns refusals: `invalid_window`, `invalid_cursor`
   */
  transactions(
    environmentId: string,
    filter: TransactionFilter,
    limit: number,
    cursor: string | null,
    selection: TransactionSelection,
  ): Promise<Listed<Transaction> | Refusal>;
  /**
   * Lists the entries of one transaction.
   * @param id the public id, as a client sends it
   * @param limit 1 to 200
   * @returns refusals: `transaction_not_found`, `invalid_cursor`
   */
  transactionEntries(
    environmentId: string,
    id: string,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<LedgerEntry> | Refusal>;
  /** Totals over a window of at most 90 days. @returns refusals: `program_not_found`, `invalid_window` */
  ledgerSummary(
    environmentId: string,
    query: SummaryQuery,
  ): Promise<Omit<LedgerSummary, 'requestId'> | Refusal>;
  /** What a campaign has given. @returns refusal: `program_not_found` */
  campaignReport(
    environmentId: string,
    query: CampaignQuery,
  ): Promise<Omit<CampaignReport, 'requestId'> | Refusal>;
  /** The close report of one program. @returns refusals: `program_not_found`, `invalid_window` */
  ledgerClose(environmentId: string, query: CloseQuery): Promise<CloseReport | Refusal>;
  /** @param endpointId the public id, as a client sends it. @returns null where it is unknown or deleted */
  webhookEndpoint(environmentId: string, endpointId: string): Promise<EndpointRecord | null>;
  /** Lists endpoints, newest first. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  webhookEndpoints(
    environmentId: string,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<EndpointRecord> | Refusal>;
  /** @param deliveryId the public id, as a client sends it. @returns null where the environment has no such delivery */
  webhookDelivery(environmentId: string, deliveryId: string): Promise<DeliveryView | null>;
  /** Lists deliveries, newest first. @param limit 1 to 200. @returns refusal: `invalid_cursor` */
  webhookDeliveries(
    environmentId: string,
    filter: WebhookDeliveryFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<DeliveryRecord> | Refusal>;
  /**
   * Reads events in the order of commits, oldest first. A page may have few events or none, although more follows.
   * @param types null for all
   * @param limit 1 to 200
   * @param after where to begin
   * @returns refusals: `validation_failed`, `invalid_cursor`, `feed_forked`
   */
  eventsFeed(
    environmentId: string,
    types: readonly string[] | null,
    limit: number,
    after: FeedPlace,
  ): Promise<Listed<FeedEvent> | Refusal>;
  /** @param id the public id, as a client sends it. @returns null where the environment has no such operation */
  operation(environmentId: string, id: string): Promise<Operation | null>;
  /**
   * Lists long-running operations, newest first.
   * @param limit 1 to 200
   * @returns refusals: `invalid_cursor`
   */
  operations(
    environmentId: string,
    filter: OperationFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<Operation> | Refusal>;
  /**
   * Lists the audit trail, newest first. A page may have fewer than `limit`, or none, although more follows.
   * @param limit 1 to 200
   * @returns refusals: `invalid_window`, `invalid_cursor`
   */
  auditEvents(
    environmentId: string,
    filter: AuditEventFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<AuditEvent> | Refusal>;
  /** What the clock of a Sandbox shows. @returns refusal: `sandbox_required` */
  sandboxClock(environmentId: string): Promise<SandboxClock | Refusal>;
  /** A member as it sees itself. @returns null where the environment has no such member */
  customerMember(environmentId: string, externalCustomerId: string): Promise<CustomerView | null>;
  /**
   * Lists what changed a customer's available points, newest first. A page may have fewer than `limit`.
   * @param limit 1 to 50
   * @returns refusal: `invalid_cursor`
   */
  customerActivity(
    environmentId: string,
    filter: ActivityFilter,
    limit: number,
    cursor: string | null,
  ): Promise<Listed<CustomerActivity> | Refusal>;
  /** The rewards of a program that a customer is shown. @returns refusal: `program_not_found` */
  customerCatalog(
    environmentId: string,
    externalCustomerId: string,
    programId: string,
  ): Promise<CustomerReward[] | Refusal>;
  /**
   * What a widget shows of its program: to a member, or to nobody in particular.
   * @param memberId UUID; null for nobody
   * @returns refusals: `program_not_found` while no version of the program is in effect, `enrollment_required`
   */
  surface(
    environmentId: string,
    deployment: WidgetDeployment,
    memberId: string | null,
  ): Promise<Surface | Refusal>;
}
