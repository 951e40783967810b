import { documents } from '../../../rest-adapter/generated/documents.ts';
import { newUuid } from '../../../src/ids.ts';
import { graphql, rest, type Sent } from './client.ts';
import { programId, type TestEnvironment } from './world.ts';

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

interface GovernedOperation {
  name: string;
  /** The error code for a resource of another environment. */
  foreign: string;
  send: (credentials: Credentials) => Sent;
}

const request = {
  programId,
  externalCustomerId: 'ada',
  direction: 'credit',
  points: 1,
  reason: 'r',
  evidence: { ticket: '1' },
};

/**
 * The operations of adjustments and reports over REST and GraphQL.
 * @param adjustmentId id of an adjustment of the environment
 * @param ownProgramId a program that no other environment has
 */
export function governedOperations(
  adjustmentId: () => string,
  mergeId: () => string,
  ownProgramId: string,
): GovernedOperation[] {
  const decided = (['approve', 'reject', 'reverse'] as const).flatMap((verb): GovernedOperation[] => {
    const about = { foreign: 'adjustment_not_found' };
    return [
      {
        ...about,
        name: `POST /adjustments/{adjustmentId}/${verb}`,
        send: (credentials) =>
          rest(credentials, 'POST', `/adjustments/${adjustmentId()}/${verb}`, { reason: 'r' }, newUuid()),
      },
      {
        ...about,
        name: `GraphQL ${verb}Adjustment`,
        send: (credentials) =>
          graphql(credentials, documents[`${verb}Adjustment`], {
            input: { adjustmentId: adjustmentId(), reason: 'r', idempotencyKey: newUuid() },
          }),
      },
    ];
  });
  const window = {
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date().toISOString(),
  };
  const query = new URLSearchParams({ programId: ownProgramId, ...window });
  const report = { foreign: 'program_not_found' };
  const merge = { intoExternalCustomerId: 'bob', reason: 'r', evidence: { ticket: 1 } };
  const merges = (['approve', 'reject', 'unmerge/approve', 'unmerge/reject'] as const).map(
    (verb): GovernedOperation => ({
      name: `POST /member-merges/{mergeId}/${verb}`,
      foreign: 'merge_not_found',
      send: (credentials) =>
        rest(credentials, 'POST', `/member-merges/${mergeId()}/${verb}`, { reason: 'r' }, newUuid()),
    }),
  );
  return [
    ...decided,
    ...merges,
    {
      name: 'POST /member-merges/{mergeId}/unmerge',
      foreign: 'merge_not_found',
      send: (credentials) =>
        rest(credentials, 'POST', `/member-merges/${mergeId()}/unmerge`, { reason: 'r' }, newUuid()),
    },
    {
      name: 'POST /members/{externalId}/merge',
      foreign: 'member_not_found',
      send: (credentials) => rest(credentials, 'POST', '/members/ada/merge', merge, newUuid()),
    },
    {
      name: 'POST /adjustments',
      foreign: 'member_not_found',
      send: (credentials) => rest(credentials, 'POST', '/adjustments', request, newUuid()),
    },
    {
      name: 'GraphQL requestAdjustment',
      foreign: 'member_not_found',
      send: (credentials) =>
        graphql(credentials, documents.requestAdjustment, {
          input: { ...request, idempotencyKey: newUuid() },
        }),
    },
    {
      ...report,
      name: 'GET /analytics/ledger-summary',
      send: (credentials) => rest(credentials, 'GET', `/analytics/ledger-summary?${query}`),
    },
    {
      ...report,
      name: 'GET /reports/ledger-close',
      send: (credentials) => rest(credentials, 'GET', `/reports/ledger-close?${query}`),
    },
    {
      ...report,
      name: 'GET /campaigns/{campaignId}/report',
      send: (credentials) =>
        rest(credentials, 'GET', `/campaigns/big-basket/report?programId=${ownProgramId}`),
    },
    {
      ...report,
      name: 'GraphQL ledgerSummary',
      send: (credentials) =>
        graphql(credentials, documents.ledgerSummary, { programId: ownProgramId, ...window }),
    },
    {
      ...report,
      name: 'GraphQL ledgerClose',
      send: (credentials) =>
        graphql(credentials, documents.ledgerClose, { programId: ownProgramId, ...window }),
    },
  ];
}
