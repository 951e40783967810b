import { publishWidgetSource } from '../../admin/widgets/publish-widget-source.ts';
import { memberNotFound, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

export const widgetDeploymentQueries: Required<
  Pick<
    QueryResolvers,
    'widgetDeployments' | 'widgetDeployment' | 'widgetVersions' | 'widgetVersion' | 'widgetPreview'
  >
> = {
  widgetDeployments: async (_root, { limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.widgetDeployments(credential.environmentId, pageOf({ limit, cursor }));
    return { requestId, ...(await orThrow(context, reading)) };
  },
  widgetDeployment: async (_root, { deploymentId }, context) => {
    const { deployment, version, document } = await findVersion(context, deploymentId, null);
    const { requestId } = context;
    return { requestId, deployment: { ...deployment, newest: version }, document: { ...document } };
  },
  widgetVersions: async (_root, { deploymentId, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.widgetVersions(credential.environmentId, deploymentId, pageOf({ limit, cursor }));
    return { requestId, ...(await orThrow(context, reading)) };
  },
  widgetVersion: async (_root, { deploymentId, version: wanted }, context) => {
    const { version, document } = await findVersion(context, deploymentId, wanted);
    return { requestId: context.requestId, deploymentId, version, document: { ...document } };
  },
  widgetPreview: async (_root, { deploymentId, version: wanted, externalCustomerId }, context) => {
    const { queries, credential, requestId } = context;
    const { environmentId } = credential;
    const memberId = externalCustomerId ? await findMember(context, externalCustomerId) : null;
    const { version, document } = await findVersion(context, deploymentId, wanted ?? null);
    const { version: number, programId } = version;
    const shown = { environmentId, deploymentId, version: number, programId, document };
    const surface = await orThrow(context, queries.surface(environmentId, shown, memberId));
    return { requestId, surface: { ...surface } };
  },
};

export const widgetDeploymentMutations: Required<Pick<MutationResolvers, 'publishWidget'>> = {
  publishWidget: (_root, { input }, context) =>
    manage(context, (administrator, environmentId) =>
      publishWidgetSource(administrator, environmentId, input),
    ),
};

const noMembers = refuse(
  'insufficient_scope',
  'What a widget shows to a member needs a key with the scope members:read too. Leave out externalCustomerId for ' +
    'what it shows to visitors.',
);

function findVersion(context: RequestContext, deploymentId: string, version: number | null) {
  const { queries, credential } = context;
  return orThrow(context, queries.widgetVersion(credential.environmentId, deploymentId, version));
}

/** @returns the member's UUID */
async function findMember(context: RequestContext, externalCustomerId: string): Promise<string> {
  const { queries, credential, requestId } = context;
  if (!credential.scopes.has('members:read')) throw refusalError(noMembers, requestId);
  const view = await orThrow(context, queries.member(credential.environmentId, externalCustomerId));
  if (!view) throw refusalError(memberNotFound, requestId);
  return view.member.id;
}
