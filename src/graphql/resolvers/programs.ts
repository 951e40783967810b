import { changeView, publishSource } from '../../admin/programs/publish-source.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

export const programQueries: Required<
  Pick<QueryResolvers, 'programs' | 'programVersions' | 'programVersion' | 'programDiff'>
> = {
  programs: async (_root, { limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.programs(credential.environmentId, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
  programVersions: async (_root, { programId, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const listed = await orThrow(
      context,
      queries.programVersions(credential.environmentId, programId, pageOf({ limit, cursor })),
    );
    return { requestId, ...listed };
  },
  programVersion: async (_root, { programId, configurationVersion }, context) => {
    const { queries, credential, requestId } = context;
    const version = await orThrow(
      context,
      queries.programVersion(credential.environmentId, programId, configurationVersion),
    );
    return { requestId, ...version };
  },
  programDiff: async (_root, { programId, configurationVersion: to, from }, context) => {
    const { queries, credential, requestId } = context;
    const versions = { from: from ?? Math.max(1, to - 1), to };
    const diff = await orThrow(context, queries.programDiff(credential.environmentId, programId, versions));
    return { requestId, ...diff, changes: diff.changes.map(changeView) };
  },
};

export const programMutations: Required<Pick<MutationResolvers, 'publishProgram'>> = {
  publishProgram: async (_root, { input }, context) => {
    const { credential, requestId } = context;
    if (!input.dryRun && !credential.scopes.has('programs:publish')) {
      throw refusalError(onlyDryRuns, requestId);
    }
    return manage(context, (administrator, environmentId) =>
      publishSource(administrator, environmentId, input),
    );
  },
};

const onlyDryRuns = refuse(
  'insufficient_scope',
  'This needs a key with the scope programs:publish; programs:write is enough for a dry run.',
);
