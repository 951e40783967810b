import { approveSections } from '../../admin/programs/approve-sections.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { orThrow } from './shared/submit-command.ts';

export const financeQueries: Required<Pick<QueryResolvers, 'financeSections'>> = {
  financeSections: async (_root, { programId, configurationVersion }, context) => {
    const { queries, credential, requestId } = context;
    const sections = await orThrow(
      context,
      queries.financeSections(credential.environmentId, programId, configurationVersion),
    );
    return { requestId, ...sections };
  },
};

export const financeMutations: Required<Pick<MutationResolvers, 'approveFinance'>> = {
  approveFinance: (_root, { input }, context) =>
    manage(context, (administrator, environmentId) => approveSections(administrator, environmentId, input)),
};
