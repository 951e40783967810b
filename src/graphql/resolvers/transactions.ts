import type { TransactionSelection } from '../../queries/transactions.ts';
import { isRefusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';
import { type FieldPlace, isSelected } from '../selection.ts';

/** `limit` where it is null: what the SDL says of its absence. */
const DEFAULT_LIMIT = 50;

const notFound = refuse('transaction_not_found', 'This environment has no transaction of this id.');

export const transactionQueries: Required<
  Pick<QueryResolvers, 'transaction' | 'transactions' | 'transactionEntries'>
> = {
  transaction: async (_root, { id }, { queries, credential, requestId }, info) => {
    const selection = selectionOf(info, 'transaction');
    const transaction = await queries.transaction(credential.environmentId, id, selection);
    if (!transaction) throw refusalError(notFound, requestId);
    return { requestId, transaction };
  },
  transactions: async (_root, { filter, limit, cursor }, { queries, credential, requestId }, info) => {
    const listed = await queries.transactions(
      credential.environmentId,
      filter ?? {},
      limit ?? DEFAULT_LIMIT,
      cursor ?? null,
      selectionOf(info, 'data'),
    );
    if (isRefusal(listed)) throw refusalError(listed, requestId);
    return { requestId, ...listed };
  },
  transactionEntries: async (_root, { id, limit, cursor }, { queries, credential, requestId }) => {
    const listed = await queries.transactionEntries(
      credential.environmentId,
      id,
      limit ?? DEFAULT_LIMIT,
      cursor ?? null,
    );
    if (isRefusal(listed)) throw refusalError(listed, requestId);
    return { requestId, ...listed };
  },
};

/** @param field where the payload holds what is selected of transactions */
function selectionOf(place: FieldPlace, field: 'transaction' | 'data'): TransactionSelection {
  return {
    entries: isSelected(place, [field, 'entries']) || isSelected(place, [field, 'hasMoreEntries']),
    evaluation: isSelected(place, [field, 'evaluation']),
  };
}
