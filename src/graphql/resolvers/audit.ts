import type { QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

export const auditQueries: Required<Pick<QueryResolvers, 'auditEvents'>> = {
  auditEvents: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.auditEvents(credential.environmentId, filter ?? {}, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
};
