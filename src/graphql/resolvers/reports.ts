import { isRefusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';

export const reportQueries: Required<Pick<QueryResolvers, 'ledgerSummary' | 'ledgerClose'>> = {
  ledgerSummary: async (_root, { programId, from, to }, { queries, credential, requestId }) => {
    const summary = await queries.ledgerSummary(credential.environmentId, {
      programId: programId ?? null,
      from: new Date(from),
      to: new Date(to),
    });
    if (isRefusal(summary)) throw refusalError(summary, requestId);
    return { requestId, ...summary };
  },
  ledgerClose: async (_root, { programId, from, to }, { queries, credential, requestId }) => {
    const report = await queries.ledgerClose(credential.environmentId, {
      programId,
      from: from ? new Date(from) : null,
      to: to ? new Date(to) : null,
    });
    if (isRefusal(report)) throw refusalError(report, requestId);
    return { requestId, ...report };
  },
};
