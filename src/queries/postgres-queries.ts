import type { Pool } from 'pg';
import type { UnreadableReceipt } from '../ledger/receipts/stored-receipt.ts';
import { ProgramCatalog } from '../programs/published/program-catalog.ts';
import { listOfAdjustments } from './adjustments.ts';
import { listOfAuditEvents } from './audit/audit-events.ts';
import { readCouponCode } from './coupon-codes.ts';
import { listOfActivity } from './customers/activity.ts';
import { readCatalog, readTakenRewards } from './customers/catalog.ts';
import { customerView } from './customers/member.ts';
import { readAnonymousSurface, surfaceOf } from './customers/read-surface.ts';
import { SurfaceReader } from './customers/surface-reader.ts';
import { readOffers } from './evaluate-offers.ts';
import { readFeed } from './events-feed.ts';
import { listOfMembers } from './member-list.ts';
import { listOfMemberMerges, readMemberMerge } from './member-merges.ts';
import { MemberReader } from './member-reader.ts';
import { listOfOperations, readOperation } from './operations.ts';
import { listOfPrograms, listOfProgramVersions } from './programs.ts';
import { PurchaseSnapshots } from './purchase-snapshot.ts';
import type { Queries } from './queries.ts';
import { listOfRedemptions } from './redemption-list.ts';
import { readRedemption } from './redemptions.ts';
import { readCampaignReport } from './reports/campaign-report.ts';
import { findLedgerClose } from './reports/ledger-close/find-ledger-close.ts';
import { readLedgerSummary } from './reports/ledger-summary.ts';
import { readSandboxClock } from './sandbox-clock.ts';
import { ProgramReader } from './shared/current-programs.ts';
import { Cursors } from './shared/cursors.ts';
import type { ListAccess } from './shared/listed.ts';
import { readMemberDetails } from './shared/member-details.ts';
import { ReadPool } from './shared/read-pool.ts';
import type { Replica, ReportReads } from './shared/replica.ts';
import { findMergeNames, findReferrer, ResourceOwners } from './shared/resource-owners.ts';
import { listOfEntries } from './transactions/transaction-entries.ts';
import { listOfTransactions, readTransaction } from './transactions/transactions.ts';
import { listOfDeliveries, listOfEndpoints, readDelivery, readEndpoint } from './webhooks.ts';

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
  const reads = new ReadPool(pool);
  const elsewhere = reportReads(reads, replica);
  const programs = new ProgramReader(reads, catalog);
  const members = new MemberReader(reads, programs);
  const snapshots = new PurchaseSnapshots(reads, programs);
  const owners = new ResourceOwners(reads);
  const lists = listAccess(reads);
  const findMember: Queries['member'] = (environmentId, externalCustomerId) =>
    members.find(environmentId, externalCustomerId);
  return {
    member: findMember,
    memberDetails: (environmentId, externalCustomerId) =>
      readMemberDetails(reads.of(environmentId), catalog, environmentId, externalCustomerId),
    evaluateOffers: (environmentId, input) =>
      readOffers({ connections: reads.of(environmentId), programs, findMember }, environmentId, input),
    couponCode: async (environmentId, input) =>
      readCouponCode(reads.of(environmentId), environmentId, input, await programs.read(environmentId)),
    purchaseSnapshot: (environmentId, wanted) => snapshots.find(environmentId, wanted),
    owner: (environmentId, reference) => owners.find(environmentId, reference),
    mergeNames: (environmentId, id) => findMergeNames(reads.of(environmentId), environmentId, id),
    referrer: (environmentId, programId, code) =>
      findReferrer(reads.of(environmentId), environmentId, programId, code),
    redemption: (environmentId, reservationId) =>
      readRedemption(reads.of(environmentId), environmentId, reservationId),
    transaction: (environmentId, id, selection) =>
      readTransaction(reads.of(environmentId), environmentId, id, { ...selection, onUnreadable }),
    transactions: (environmentId, filter, limit, cursor, selection) =>
      listOfTransactions(
        lists(environmentId),
        filter,
        { limit, cursor },
        {
          ...selection,
          onUnreadable,
        },
      ),
    transactionEntries: (environmentId, id, limit, cursor) =>
      listOfEntries(lists(environmentId), id, { limit, cursor }),
    ledgerSummary: (environmentId, query) =>
      readLedgerSummary(reads.of(environmentId), environmentId, query, elsewhere(environmentId)),
    campaignReport: async (environmentId, query) => {
      const current = await programs.read(environmentId);
      return elsewhere(environmentId)((reading) =>
        readCampaignReport(reading, environmentId, query, current),
      );
    },
    ledgerClose: (environmentId, query) =>
      findLedgerClose(reads.of(environmentId), environmentId, query, elsewhere(environmentId)),
    ...webhookReads(reads, lists),
    operation: (environmentId, id) => readOperation(reads.of(environmentId), environmentId, id),
    operations: (environmentId, filter, limit, cursor) =>
      listOfOperations(lists(environmentId), filter, { limit, cursor }),
    auditEvents: (environmentId, filter, limit, cursor) =>
      listOfAuditEvents(lists(environmentId), filter, { limit, cursor }),
    ...listReads(reads, lists, programs),
    sandboxClock: (environmentId) => readSandboxClock(reads.of(environmentId), environmentId),
    ...customerReads(reads, { catalog, lists, programs, findMember }),
  };
}

/** What the lists of each environment are read with. */
function listAccess(reads: ReadPool): (environmentId: string) => ListAccess {
  const cursors = new Cursors(reads);
  return (environmentId) => ({ connections: reads.of(environmentId), cursors, environmentId });
}

/** How the reports of an environment are read: on the replica where there is one. */
function reportReads(reads: ReadPool, replica: Replica | null): (environmentId: string) => ReportReads {
  if (!replica) return (environmentId) => (work) => work(reads.of(environmentId));
  const own = new ReadPool(replica.pool);
  return (environmentId) => (work) => replica.read(reads.of(environmentId), own.of(environmentId), work);
}

/** The lists of members, redemptions, adjustments, merges and programs. */
function listReads(
  reads: ReadPool,
  lists: (environmentId: string) => ListAccess,
  programs: ProgramReader,
): Pick<
  Queries,
  'members' | 'redemptions' | 'adjustments' | 'memberMerges' | 'memberMerge' | 'programs' | 'programVersions'
> {
  return {
    members: (environmentId, filter, limit, cursor) =>
      listOfMembers(lists(environmentId), filter, { limit, cursor }),
    redemptions: (environmentId, filter, limit, cursor) =>
      listOfRedemptions(lists(environmentId), filter, { limit, cursor }),
    adjustments: (environmentId, filter, limit, cursor) =>
      listOfAdjustments(lists(environmentId), filter, { limit, cursor }),
    memberMerges: (environmentId, filter, limit, cursor) =>
      listOfMemberMerges(lists(environmentId), filter, { limit, cursor }),
    memberMerge: (environmentId, id) => readMemberMerge(reads.of(environmentId), environmentId, id),
    programs: async (environmentId, limit, cursor) =>
      listOfPrograms(lists(environmentId), await programs.read(environmentId), { limit, cursor }),
    programVersions: (environmentId, programId, limit, cursor) =>
      listOfProgramVersions(lists(environmentId), programId, { limit, cursor }),
  };
}

/** The reads of webhooks and of the feed of events. */
function webhookReads(
  reads: ReadPool,
  lists: (environmentId: string) => ListAccess,
): Pick<
  Queries,
  'webhookEndpoint' | 'webhookEndpoints' | 'webhookDelivery' | 'webhookDeliveries' | 'eventsFeed'
> {
  return {
    webhookEndpoint: (environmentId, endpointId) =>
      readEndpoint(reads.of(environmentId), environmentId, endpointId),
    webhookEndpoints: (environmentId, limit, cursor) =>
      listOfEndpoints(lists(environmentId), { limit, cursor }),
    webhookDelivery: (environmentId, deliveryId) =>
      readDelivery(reads.of(environmentId), environmentId, deliveryId),
    webhookDeliveries: (environmentId, filter, limit, cursor) =>
      listOfDeliveries(lists(environmentId), filter, { limit, cursor }),
    eventsFeed: (environmentId, types, limit, after) => readFeed(lists(environmentId), types, limit, after),
  };
}

/** The reads for customers and for widgets. */
function customerReads(
  reads: ReadPool,
  {
    catalog,
    lists,
    programs,
    findMember,
  }: {
    catalog: ProgramCatalog;
    lists: (environmentId: string) => ListAccess;
    programs: ProgramReader;
    findMember: Queries['member'];
  },
): Pick<Queries, 'customerMember' | 'customerActivity' | 'customerCatalog' | 'surface'> {
  const surfaces = new SurfaceReader(reads, catalog);
  return {
    customerMember: async (environmentId, externalCustomerId) => {
      const [view, current] = await Promise.all([
        findMember(environmentId, externalCustomerId),
        programs.read(environmentId),
      ]);
      return view && customerView(view, current);
    },
    customerActivity: (environmentId, filter, limit, cursor) =>
      listOfActivity(lists(environmentId), filter, { limit, cursor }),
    customerCatalog: async (environmentId, externalCustomerId, programId) => {
      const [current, view] = await Promise.all([
        programs.read(environmentId),
        findMember(environmentId, externalCustomerId),
      ]);
      return readCatalog(current, view, programId, () =>
        readTakenRewards(reads.of(environmentId), environmentId, programId),
      );
    },
    surface: async (environmentId, deployment, memberId) => {
      if (memberId === null) {
        const current = await programs.read(environmentId);
        return readAnonymousSurface(reads.of(environmentId), current, deployment);
      }
      const { programId } = deployment;
      return surfaceOf(deployment, await surfaces.find(environmentId, { memberId, programId }));
    },
  };
}
