import { commitRedemption } from '../../commands/redemptions/commit-redemption.ts';
import { quoteRedemption } from '../../commands/redemptions/quote-redemption.ts';
import { disputeReceipt, reservationReceipt } from '../../commands/redemptions/redemption-receipt.ts';
import { releaseRedemption } from '../../commands/redemptions/release-redemption.ts';
import { reserveRedemption } from '../../commands/redemptions/reserve-redemption.ts';
import { reverseRedemption } from '../../commands/redemptions/reverse-redemption.ts';
import { updateFulfillment } from '../../commands/redemptions/update-fulfillment.ts';
import { reservationNotFound } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { findReservation, submitOnOwned } from './shared/owned-resources.ts';
import { pageOf } from './shared/page-of.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const redemptionQueries: Required<Pick<QueryResolvers, 'redemption' | 'redemptions'>> = {
  redemptions: async (_root, { filter, limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const { data, page } = await orThrow(
      context,
      queries.redemptions(credential.environmentId, filter ?? {}, pageOf({ limit, cursor })),
    );
    const receipts = data.map(({ reservation, externalCustomerId }) =>
      reservationReceipt(reservation, externalCustomerId),
    );
    return { requestId, data: receipts, page };
  },
  redemption: async (_root, { reservationId }, context) => {
    const { queries, credential, requestId } = context;
    const view = await orThrow(context, queries.redemption(credential.environmentId, reservationId));
    if (!view) throw refusalError(reservationNotFound, requestId);
    return {
      requestId,
      reservation: reservationReceipt(view.reservation, view.externalCustomerId),
      disputes: view.disputes.map(disputeReceipt),
    };
  },
};

export const redemptionMutations: Required<
  Pick<
    MutationResolvers,
    | 'quoteRedemption'
    | 'reserveRedemption'
    | 'commitRedemption'
    | 'releaseRedemption'
    | 'reverseRedemption'
    | 'updateFulfillment'
  >
> = {
  quoteRedemption: async (_root, { input }, context) => {
    const { recentOwners, credential } = context;
    const answer = await submitCommand(context, quoteRedemption(input, callerOf(context)));
    if (!answer.idempotent) recentOwners.remember('quote', credential.environmentId, answer.quote);
    return answer;
  },
  reserveRedemption: async (_root, { input }, context) => {
    const { recentOwners, credential } = context;
    const answer = await submitOnOwned('quote', input.quoteId, context, (quote) =>
      reserveRedemption(input, quote, callerOf(context)),
    );
    if (!answer.idempotent) {
      recentOwners.remember('reservation', credential.environmentId, answer.reservation);
    }
    return answer;
  },
  commitRedemption: (_root, { input }, context) =>
    submitOnOwned('reservation', input.reservationId, context, (reservation) =>
      commitRedemption(input, reservation, callerOf(context)),
    ),
  releaseRedemption: (_root, { input }, context) =>
    submitOnOwned('reservation', input.reservationId, context, (reservation) =>
      releaseRedemption(input, reservation, callerOf(context)),
    ),
  reverseRedemption: async (_root, { input }, context) =>
    submitCommand(
      context,
      reverseRedemption(input, await findReservation(input, context), callerOf(context)),
    ),
  updateFulfillment: async (_root, { input }, context) =>
    submitCommand(
      context,
      updateFulfillment(input, await findReservation(input, context), callerOf(context)),
    ),
};
