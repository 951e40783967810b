import type { TransactionSelection } from '../../queries/transactions/transactions.ts';
import { transactionNotFound } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import { type FieldSelection, isSelected } from '../execution/selection.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

export const transactionQueries: Required<
  Pick<QueryResolvers, 'transaction' | 'transactions' | 'transactionEntries'>
> = {
  transaction: async (_root, { id }, context, info) => {
    const { queries, credential, requestId } = context;
    const selection = selectionOf(info, 'transaction');
    const transaction = await orThrow(context, queries.transaction(credential.environmentId, id, selection));
    if (!transaction) throw refusalError(transactionNotFound, requestId);
    return { requestId, transaction };
  },
  transactions: async (_root, { filter, limit, cursor }, context, info) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.transactions(
        credential.environmentId,
        filter ?? {},
        pageOf({ limit, cursor }),
        selectionOf(info, 'data'),
      ),
    );
    return { requestId, ...listed };
  },
  transactionEntries: async (_root, { id, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.transactionEntries(credential.environmentId, id, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
};

/** @param field the field of the payload that contains the transaction, or the list of them */
function selectionOf(info: FieldSelection, field: 'transaction' | 'data'): TransactionSelection {
  return {
    entries: isSelected(info, [field, 'entries']) || isSelected(info, [field, 'hasMoreEntries']),
    evaluation: isSelected(info, [field, 'evaluation']) || isSelected(info, [field, 'evaluationUnreadable']),
  };
}
