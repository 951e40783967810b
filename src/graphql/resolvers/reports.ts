import type { QueryResolvers } from '../generated/resolver-types.ts';
import { orThrow } from './shared/submit-command.ts';

export const reportQueries: Required<
  Pick<QueryResolvers, 'ledgerSummary' | 'ledgerClose' | 'campaignReport'>
> = {
  ledgerSummary: async (_root, { programId, from, to }, context) => {
    const { queries, credential, requestId } = context;
    const query = { programId: programId ?? null, from: new Date(from), to: new Date(to) };
    const summary = await orThrow(context, queries.ledgerSummary(credential.environmentId, query));
    return { requestId, ...summary };
  },
  campaignReport: async (_root, query, context) => {
    const { queries, credential, requestId } = context;
    const report = await orThrow(context, queries.campaignReport(credential.environmentId, query));
    return { requestId, ...report };
  },
  ledgerClose: async (_root, { programId, from, to }, context) => {
    const { queries, credential, requestId } = context;
    const query = { programId, from: from ? new Date(from) : null, to: to ? new Date(to) : null };
    const report = await orThrow(context, queries.ledgerClose(credential.environmentId, query));
    return { requestId, ...report };
  },
};
