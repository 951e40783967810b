import { type Refusal, refuse } from '../refusal.ts';
import type { Queries } from './queries.ts';

/** The reads of the service, each of which may also be refused as `overloaded`. */
export type BoundedQueries = {
  [Read in keyof Queries]: (
    ...args: Parameters<Queries[Read]>
  ) => Promise<Awaited<ReturnType<Queries[Read]>> | Refusal>;
};

/** The highest number of reads of one environment that wait or run in a process at the same time. */
const MOST_READS = 1_000;

const overloaded = refuse(
  'overloaded',
  'Too many reads of this environment are waiting. Nothing was done: send it again after Retry-After.',
);

/**
 * Refuses a read where `most` reads of its environment wait or run already. Nothing has been done for the read then.
 * @param most the limit for each environment
 */
export function boundQueries(queries: Queries, most = MOST_READS): BoundedQueries {
  const underWay = new Map<string, number>();

  function bound<Rest extends unknown[], Result>(
    read: (environmentId: string, ...rest: Rest) => Promise<Result>,
  ): (environmentId: string, ...rest: Rest) => Promise<Result | Refusal> {
    return async (environmentId, ...rest) => {
      const before = underWay.get(environmentId) ?? 0;
      if (before >= most) return overloaded;
      underWay.set(environmentId, before + 1);
      try {
        return await read(environmentId, ...rest);
      } finally {
        const left = (underWay.get(environmentId) ?? 0) - 1;
        if (left > 0) underWay.set(environmentId, left);
        else underWay.delete(environmentId);
      }
    };
  }

  return {
    member: bound(queries.member),
    memberDetails: bound(queries.memberDetails),
    members: bound(queries.members),
    redemptions: bound(queries.redemptions),
    adjustments: bound(queries.adjustments),
    memberMerges: bound(queries.memberMerges),
    memberMerge: bound(queries.memberMerge),
    programs: bound(queries.programs),
    programVersions: bound(queries.programVersions),
    evaluateOffers: bound(queries.evaluateOffers),
    couponCode: bound(queries.couponCode),
    purchaseSnapshot: bound(queries.purchaseSnapshot),
    owner: bound(queries.owner),
    mergeNames: bound(queries.mergeNames),
    referrer: bound(queries.referrer),
    redemption: bound(queries.redemption),
    transaction: bound(queries.transaction),
    transactions: bound(queries.transactions),
    transactionEntries: bound(queries.transactionEntries),
    ledgerSummary: bound(queries.ledgerSummary),
    campaignReport: bound(queries.campaignReport),
    ledgerClose: bound(queries.ledgerClose),
    webhookEndpoint: bound(queries.webhookEndpoint),
    webhookEndpoints: bound(queries.webhookEndpoints),
    webhookDelivery: bound(queries.webhookDelivery),
    webhookDeliveries: bound(queries.webhookDeliveries),
    eventsFeed: bound(queries.eventsFeed),
    operation: bound(queries.operation),
    operations: bound(queries.operations),
    auditEvents: bound(queries.auditEvents),
    sandboxClock: bound(queries.sandboxClock),
    customerMember: bound(queries.customerMember),
    customerActivity: bound(queries.customerActivity),
    customerCatalog: bound(queries.customerCatalog),
    surface: bound(queries.surface),
  };
}
