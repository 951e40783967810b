import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

const notFound = refuse('operation_not_found', 'This environment has no operation of this id.');

export const operationQueries: Required<Pick<QueryResolvers, 'operation' | 'operations'>> = {
  operation: async (_root, { id }, context) => {
    const { queries, credential, requestId } = context;
    const operation = await orThrow(context, queries.operation(credential.environmentId, id));
    if (!operation) throw refusalError(notFound, requestId);
    return { requestId, operation };
  },
  operations: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.operations(credential.environmentId, filter ?? {}, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
};
