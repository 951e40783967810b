import type { QueryResolvers } from '../generated/resolver-types.ts';
import { pageOf } from './shared/page-of.ts';
import { found } from './shared/submit-command.ts';

export const programQueries: Required<Pick<QueryResolvers, 'programs' | 'programVersions'>> = {
  programs: async (_root, { limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await found(
      context,
      queries.programs(credential.environmentId, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
  programVersions: async (_root, { programId, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await found(
      context,
      queries.programVersions(credential.environmentId, programId, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
};
