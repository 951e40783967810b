import { redeemInWidget } from '../../commands/redemptions/redeem-in-widget.ts';
import { widgetActor } from '../../commands/shared/caller.ts';
import { receiptUnreadable } from '../../ledger/receipts/stored-receipt.ts';
import { notEnrolled } from '../../queries/customers/read-surface.ts';
import { isRefusal, memberNotFound, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { orThrow, submitCommand } from './shared/submit-command.ts';

const noDeployment = refuse('deployment_not_found', 'This environment has no widget deployment of this id.');

export const widgetQueries: Required<Pick<QueryResolvers, 'widgetSession'>> = {
  widgetSession: async (_root, { input }, context) => {
    const { credential, queries, requestId, widgets } = context;
    const { environmentId } = credential;
    const deployment = await widgets.directory.find(input.deploymentId);
    if (deployment?.environmentId !== environmentId) throw refusalError(noDeployment, requestId);
    const view = await orThrow(context, queries.member(environmentId, input.externalCustomerId));
    if (!view) throw refusalError(memberNotFound, requestId);
    const { programId } = deployment;
    if (!view.profiles.some((profile) => profile.programId === programId && profile.enrolled)) {
      throw refusalError(notEnrolled, requestId);
    }
    const { externalCustomerId, id: memberId } = view.member;
    const minted = await widgets.sessions.mint(deployment, {
      memberId,
      externalCustomerId,
      origin: input.origin,
    });
    if (isRefusal(minted)) throw refusalError(minted, requestId);
    return { requestId, token: minted.token, expiresAt: minted.expiresAt.toISOString() };
  },
};

export const widgetMutations: Required<Pick<MutationResolvers, 'redeemInWidget'>> = {
  redeemInWidget: async (_root, { input }, context) => {
    const { session, requestId } = context;
    const command = redeemInWidget(input, context, {
      environmentId: session.environmentId,
      actor: widgetActor(session),
      requestId,
    });
    const { redemption, ...receipt } = await submitCommand(context, command);
    // A stored receipt may have been damaged.
    if (!redemption) throw refusalError(receiptUnreadable, requestId);
    const expiresAt = redemption.state === 'reserved' ? (redemption.expiresAt ?? null) : null;
    return { ...receipt, redemption: { ...redemption, expiresAt } };
  },
};
