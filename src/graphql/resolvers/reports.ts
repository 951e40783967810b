import type { QueryResolvers } from '../generated/resolver-types.ts';
import { found } from './shared/submit-command.ts';

export const reportQueries: Required<
  Pick<QueryResolvers, 'ledgerSummary' | 'ledgerClose' | 'campaignReport'>
> = {
  ledgerSummary: async (_root, { programId, from, to }, context) => {
    const { queries, credential, requestId } = context;
    const query = { programId: programId ?? null, from: new Date(from), to: new Date(to) };
    const summary = await found(context, queries.ledgerSummary(credential.environmentId, query));
    return { requestId, ...summary };
  },
  campaignReport: async (_root, asked, context) => {
    const { queries, credential, requestId } = context;
    const report = await found(context, queries.campaignReport(credential.environmentId, asked));
    return { requestId, ...report };
  },
  ledgerClose: async (_root, { programId, from, to }, context) => {
    const { queries, credential, requestId } = context;
    const query = { programId, from: from ? new Date(from) : null, to: to ? new Date(to) : null };
    const report = await found(context, queries.ledgerClose(credential.environmentId, query));
    return { requestId, ...report };
  },
};
