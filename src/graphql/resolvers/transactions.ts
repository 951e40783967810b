import { isRefusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';

/** `limit` where it is null: what the SDL says of its absence. */
const DEFAULT_LIMIT = 50;

const notFound = refuse('transaction_not_found', 'This environment has no transaction of this id.');

export const transactionQueries: Required<Pick<QueryResolvers, 'transaction' | 'transactions'>> = {
  transaction: async (_root, { id }, { queries, credential, requestId }) => {
    const transaction = await queries.transaction(credential.environmentId, id);
    if (!transaction) throw refusalError(notFound, requestId);
    return { requestId, transaction };
  },
  transactions: async (_root, { filter, limit, cursor }, { queries, credential, requestId }) => {
    const listed = await queries.transactions(
      credential.environmentId,
      filter ?? {},
      limit ?? DEFAULT_LIMIT,
      cursor ?? null,
    );
    if (isRefusal(listed)) throw refusalError(listed, requestId);
    return { requestId, ...listed };
  },
};
