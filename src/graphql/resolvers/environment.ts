import { lockEnvironmentOnce } from '../../admin/environments/lock-environment.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { orThrow } from './shared/submit-command.ts';

export const environmentQueries: Required<Pick<QueryResolvers, 'environment'>> = {
  environment: async (_root, _arguments, context) => {
    const { queries, credential, requestId } = context;
    return { requestId, environment: await orThrow(context, queries.environment(credential.environmentId)) };
  },
};

export const environmentMutations: Required<
  Pick<MutationResolvers, 'lockEnvironment' | 'unlockEnvironment'>
> = {
  lockEnvironment: (_root, { input }, context) =>
    manage(context, (administrator, environmentId) =>
      lockEnvironmentOnce(administrator, environmentId, true, input),
    ),
  unlockEnvironment: (_root, { input }, context) =>
    manage(context, (administrator, environmentId) =>
      lockEnvironmentOnce(administrator, environmentId, false, input),
    ),
};
