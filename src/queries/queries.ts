import type { Pool } from 'pg';
import type {
  AdjustmentFilter,
  AuditEventFilter,
  CouponCodeInput,
  EvaluateOffersInput,
  MemberFilter,
  MemberMergeFilter,
  OperationFilter,
  RedemptionFilter,
  TransactionFilter,
  WebhookDeliveryFilter,
} from '../contract/generated/types.ts';
import type { UnreadableReceipt } from '../ledger/receipts/stored-receipt.ts';
import { ProgramCatalog } from '../programs/published/program-catalog.ts';
import type { WidgetDeployment } from '../widget/widget-document.ts';
import { listOfAdjustments } from './adjustments.ts';
import { listOfAuditEvents } from './audit/audit-events.ts';
import { countCodePools, readCouponCode } from './coupon-codes.ts';
import { type ActivityFilter, listOfActivity } from './customers/activity.ts';
import { readCatalog, readRewardStocks } from './customers/catalog.ts';
import { customerView } from './customers/member.ts';
import { readAnonymousSurface, surfaceOf } from './customers/read-surface.ts';
import { readEnvironment } from './environment.ts';
import { readOffers } from './evaluate-offers.ts';
import { type FeedStart, readFeed } from './events-feed.ts';
import { listOfMembers } from './member-list.ts';
import { listOfMemberMerges, readMemberMerge } from './member-merges.ts';
import { listOfOperations, readOperation } from './operations.ts';
import { listOfPrograms, listOfProgramVersions, readProgramDiff, readProgramVersion } from './programs.ts';
import type { SnapshotRequest } from './purchase-snapshot.ts';
import { Reading, ReadSources } from './reading.ts';
import { listOfRedemptions } from './redemption-list.ts';
import { readRedemption } from './redemptions.ts';
import { type CampaignQuery, readCampaignReport } from './reports/campaign-report.ts';
import { readFinanceSections } from './reports/finance-sections.ts';
import { type CloseQuery, findLedgerClose } from './reports/ledger-close/find-ledger-close.ts';
import { readLedgerSummary, type SummaryQuery } from './reports/ledger-summary.ts';
import { readSandboxClock } from './sandbox-clock.ts';
import { type Search, search } from './search.ts';
import type { PageRequest } from './shared/listed.ts';
import { readMemberDetails } from './shared/member-details.ts';
import type { Replica } from './shared/replica.ts';
import { findMergeNames, findReferrer, type ResourceReference } from './shared/resource-owners.ts';
import { listOfTokenIssuers, readTokenIssuer } from './token-issuers.ts';
import { listOfEntries } from './transactions/transaction-entries.ts';
import {
  listOfTransactions,
  readTransaction,
  type TransactionSelection,
} from './transactions/transactions.ts';
import { listOfDeliveries, listOfEndpoints, readDelivery, readEndpoint } from './webhooks.ts';
import { listOfWidgetDeployments, listOfWidgetVersions, readWidgetVersion } from './widget-deployments.ts';

/**
 * Every read of the service. Each sees one environment at one instant. Callers give the parameters after the first one.
 * A page of a list has at most `limit` records, 1 to 200, and to 50 in lists for customers; it may have fewer, or none,
 * although more follows. Lists are newest first unless they say otherwise, and refuse a cursor as `invalid_cursor`.
 */
const READS = {
  /** @returns null where the environment has no such member */
  member: (at: Reading, externalCustomerId: string) => at.member(externalCustomerId),

  /** A member with what its profiles have and are on the way to. @returns null where there is no such member */
  memberDetails: ({ connections, environmentId, sources }: Reading, externalCustomerId: string) =>
    readMemberDetails(connections, sources.catalog, environmentId, externalCustomerId),

  /** In the order of what a prefix is of. @returns refusal: `validation_failed` for a tier without its program */
  members: ({ list }: Reading, filter: MemberFilter, page: PageRequest) => listOfMembers(list, filter, page),

  redemptions: ({ list }: Reading, filter: RedemptionFilter, page: PageRequest) =>
    listOfRedemptions(list, filter, page),

  adjustments: ({ list }: Reading, filter: AdjustmentFilter, page: PageRequest) =>
    listOfAdjustments(list, filter, page),

  /** Merges of two accounts. */
  memberMerges: ({ list }: Reading, filter: MemberMergeFilter, page: PageRequest) =>
    listOfMemberMerges(list, filter, page),

  /** @param id UUID. @returns null where the environment has no such merge */
  memberMerge: ({ connections, environmentId }: Reading, id: string) =>
    readMemberMerge(connections, environmentId, id),

  /** The published programs, by their ids. */
  programs: async (at: Reading, page: PageRequest) => listOfPrograms(at.list, await at.programs(), page),

  /** @returns refusal: `program_not_found` */
  programVersions: ({ list }: Reading, programId: string, page: PageRequest) =>
    listOfProgramVersions(list, programId, page),

  /** @returns refusals: `program_not_found`, `version_not_found` */
  programVersion: (
    { connections, environmentId }: Reading,
    programId: string,
    configurationVersion: number,
  ) => readProgramVersion(connections, environmentId, programId, configurationVersion),

  /** What two versions of a program differ in. @returns refusals: `program_not_found`, `version_not_found` */
  programDiff: (
    { connections, environmentId }: Reading,
    programId: string,
    versions: { from: number; to: number },
  ) => readProgramDiff(connections, environmentId, programId, versions),

  /** The sections that finance approves. @returns refusals: `program_not_found`, `version_not_found` */
  financeSections: (
    { connections, environmentId }: Reading,
    programId: string,
    configurationVersion: number,
  ) => readFinanceSections(connections, environmentId, programId, configurationVersion),

  /** What an environment is, whether it is locked, and what its clock shows. */
  environment: ({ connections, environmentId }: Reading) => readEnvironment(connections, environmentId),

  /** Which offers apply to a cart. @returns refusals: `program_not_found`, `currency_mismatch`, `validation_failed` */
  evaluateOffers: (at: Reading, input: EvaluateOffersInput) => readOffers(at, input),

  /** @returns null where no pool of the program has the code; refusal: `program_not_found` */
  couponCode: async (at: Reading, input: CouponCodeInput) =>
    readCouponCode(at.connections, at.environmentId, input, await at.programs()),

  /** The pools of a program with the numbers of their codes. @returns refusal: `program_not_found` */
  codePools: async (at: Reading, programId: string) =>
    countCodePools(at.connections, at.environmentId, programId, await at.programs()),

  /** What a purchase would be decided on, at one instant; nothing is locked or written. */
  purchaseSnapshot: ({ environmentId, sources }: Reading, request: SnapshotRequest) =>
    sources.snapshots.find(environmentId, request),

  /** The owner of a resource. @returns null where the environment has no such resource */
  owner: ({ environmentId, sources }: Reading, reference: ResourceReference) =>
    sources.owners.find(environmentId, reference),

  /** The names of the two members of a merge. @param id UUID. @returns null where the environment has no such merge */
  mergeNames: ({ connections, environmentId }: Reading, id: string) =>
    findMergeNames(connections, environmentId, id),

  /**
   * The member who has a referral code in a program.
   * @param code in its canonical spelling
   * @returns the member's externalCustomerId; null where nobody has the code
   */
  referrer: ({ connections, environmentId }: Reading, programId: string, code: string) =>
    findReferrer(connections, environmentId, programId, code),

  /** @param reservationId public id. @returns null where the environment has no such reservation */
  redemption: ({ connections, environmentId }: Reading, reservationId: string) =>
    readRedemption(connections, environmentId, reservationId),

  /** @param id public id. @returns null where the environment has no such transaction */
  transaction: (
    { connections, environmentId, sources }: Reading,
    id: string,
    selection: TransactionSelection,
  ) => readTransaction(connections, environmentId, id, { ...selection, onUnreadable: sources.onUnreadable }),

  /** @returns refusal: `invalid_window` */
  transactions: (
    { list, sources }: Reading,
    filter: TransactionFilter,
    page: PageRequest,
    selection: TransactionSelection,
  ) => listOfTransactions(list, filter, page, { ...selection, onUnreadable: sources.onUnreadable }),

  /** The entries of one transaction. @param id public id. @returns refusal: `transaction_not_found` */
  transactionEntries: ({ list }: Reading, id: string, page: PageRequest) => listOfEntries(list, id, page),

  /** Totals over a window of at most 90 days. @returns refusals: `program_not_found`, `invalid_window` */
  ledgerSummary: ({ connections, environmentId, reports }: Reading, query: SummaryQuery) =>
    readLedgerSummary(connections, environmentId, query, reports),

  /** What a campaign has given. @returns refusal: `program_not_found` */
  campaignReport: async (at: Reading, query: CampaignQuery) => {
    const programs = await at.programs();
    return at.reports((connections) => readCampaignReport(connections, at.environmentId, query, programs));
  },

  /** The close report of one program. @returns refusals: `program_not_found`, `invalid_window` */
  ledgerClose: ({ connections, environmentId, reports }: Reading, query: CloseQuery) =>
    findLedgerClose(connections, environmentId, query, reports),

  /** With its keys, which nobody is shown. @param issuerId public id. @returns null where there never was one */
  tokenIssuer: ({ connections, environmentId }: Reading, issuerId: string) =>
    readTokenIssuer(connections, environmentId, issuerId),

  /** Issuers of customers' tokens, removed ones too. */
  tokenIssuers: ({ list }: Reading, page: PageRequest) => listOfTokenIssuers(list, page),

  /** @param endpointId public id. @returns null where it is unknown or deleted */
  webhookEndpoint: ({ connections, environmentId }: Reading, endpointId: string) =>
    readEndpoint(connections, environmentId, endpointId),

  webhookEndpoints: ({ list }: Reading, page: PageRequest) => listOfEndpoints(list, page),

  /** @param deliveryId public id. @returns null where the environment has no such delivery */
  webhookDelivery: ({ connections, environmentId }: Reading, deliveryId: string) =>
    readDelivery(connections, environmentId, deliveryId),

  webhookDeliveries: ({ list }: Reading, filter: WebhookDeliveryFilter, page: PageRequest) =>
    listOfDeliveries(list, filter, page),

  /**
   * Events in the order of commits, oldest first.
   * @param types null for all
   * @param limit 1 to 200
   * @param after where to begin
   * @returns refusals: `validation_failed`, `invalid_cursor`, `feed_forked`
   */
  eventsFeed: ({ list }: Reading, types: readonly string[] | null, limit: number, after: FeedStart) =>
    readFeed(list, types, limit, after),

  /** @param id public id. @returns null where the environment has no such operation */
  operation: ({ connections, environmentId }: Reading, id: string) =>
    readOperation(connections, environmentId, id),

  /** Long-running operations. */
  operations: ({ list }: Reading, filter: OperationFilter, page: PageRequest) =>
    listOfOperations(list, filter, page),

  /** The audit trail. @returns refusal: `invalid_window` */
  auditEvents: ({ list }: Reading, filter: AuditEventFilter, page: PageRequest) =>
    listOfAuditEvents(list, filter, page),

  /** What the clock of a Sandbox shows. @returns refusal: `sandbox_required` */
  sandboxClock: ({ connections, environmentId }: Reading) => readSandboxClock(connections, environmentId),

  /** A member as it sees itself. @returns null where the environment has no such member */
  customerMember: async (at: Reading, externalCustomerId: string) => {
    const [view, programs] = await Promise.all([at.member(externalCustomerId), at.programs()]);
    return view && customerView(view, programs);
  },

  /** What a text names, of the kinds that the scopes open. */
  search: (at: Reading, wanted: Search) => search(at, wanted),

  /** What changed a customer's available points. */
  customerActivity: ({ list }: Reading, filter: ActivityFilter, page: PageRequest) =>
    listOfActivity(list, filter, page),

  /** The rewards of a program that a customer is shown. @returns refusal: `program_not_found` */
  customerCatalog: async (at: Reading, externalCustomerId: string, programId: string) => {
    const [programs, view] = await Promise.all([at.programs(), at.member(externalCustomerId)]);
    return readCatalog(programs, view, programId, () =>
      readRewardStocks(at.connections, at.environmentId, programId),
    );
  },

  /** Widget deployments, each with its newest version. */
  widgetDeployments: ({ list }: Reading, page: PageRequest) => listOfWidgetDeployments(list, page),

  /** @param deploymentId public id. @returns refusal: `deployment_not_found` */
  widgetVersions: ({ list }: Reading, deploymentId: string, page: PageRequest) =>
    listOfWidgetVersions(list, deploymentId, page),

  /** @param version null for the newest. @returns refusals: `deployment_not_found`, `version_not_found` */
  widgetVersion: ({ connections, environmentId }: Reading, deploymentId: string, version: number | null) =>
    readWidgetVersion(connections, environmentId, deploymentId, version),

  /**
   * What a widget shows of its program: to a member, or to nobody in particular.
   * @param memberId UUID; null for nobody
   * @returns refusals: `program_not_found` while no version of the program is in effect, `enrollment_required`
   */
  surface: async (at: Reading, deployment: WidgetDeployment, memberId: string | null) => {
    if (memberId === null) return readAnonymousSurface(at.connections, await at.programs(), deployment);
    const { programId } = deployment;
    return surfaceOf(deployment, await at.sources.surfaces.find(at.environmentId, { memberId, programId }));
  },
};

type Reads = typeof READS;

/** What a read gives, by its name: it takes the environment's id (UUID) first. */
export type Queries = {
  [Name in keyof Reads]: Reads[Name] extends (at: Reading, ...args: infer Args) => infer Result
    ? (environmentId: string, ...args: Args) => Result
    : never;
};

/**
 * The reads of the service on Postgres. Each read gets its connections from its environment's share of the pool.
 * @param catalog the catalog that the process has already, so that programs are not kept in memory twice
 * @param replica for reports; without one the primary has them too
 * @param onUnreadable called with each receipt of a transaction that cannot be read
 */
export function createQueries(
  pool: Pool,
  catalog = new ProgramCatalog(),
  replica: Replica | null = null,
  onUnreadable: (error: UnreadableReceipt) => void = () => {},
): Queries {
  const sources = new ReadSources(pool, catalog, replica, onUnreadable);
  // `Queries` says for each name what its function takes and gives.
  const reads = Object.entries(READS) as [string, (at: Reading, ...args: unknown[]) => unknown][];
  return Object.fromEntries(
    reads.map(([name, read]) => [
      name,
      (environmentId: string, ...args: unknown[]) => read(new Reading(sources, environmentId), ...args),
    ]),
  ) as Queries;
}
