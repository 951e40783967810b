import { commitRedemption } from '../../commands/commit-redemption.ts';
import { quoteRedemption } from '../../commands/quote-redemption.ts';
import { disputeReceipt, reservationReceipt } from '../../commands/redemption-receipt.ts';
import { releaseRedemption } from '../../commands/release-redemption.ts';
import { reserveRedemption } from '../../commands/reserve-redemption.ts';
import { reverseRedemption } from '../../commands/reverse-redemption.ts';
import { updateFulfillment } from '../../commands/update-fulfillment.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { answer, callerOf, found } from './answer.ts';
import { namedQuote, namedReservation } from './named.ts';

const notFound = refuse('reservation_not_found', 'This environment has no reservation of this id.');

export const redemptionQueries: Required<Pick<QueryResolvers, 'redemption'>> = {
  redemption: async (_root, { reservationId }, context) => {
    const { queries, credential, requestId } = context;
    const view = await found(context, queries.redemption(credential.environmentId, reservationId));
    if (!view) throw refusalError(notFound, requestId);
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
  quoteRedemption: (_root, { input }, context) => answer(context, quoteRedemption(input, callerOf(context))),
  reserveRedemption: async (_root, { input }, context) =>
    answer(context, reserveRedemption(input, await namedQuote(input, context), callerOf(context))),
  commitRedemption: async (_root, { input }, context) =>
    answer(context, commitRedemption(input, await namedReservation(input, context), callerOf(context))),
  releaseRedemption: async (_root, { input }, context) =>
    answer(context, releaseRedemption(input, await namedReservation(input, context), callerOf(context))),
  reverseRedemption: async (_root, { input }, context) =>
    answer(context, reverseRedemption(input, await namedReservation(input, context), callerOf(context))),
  updateFulfillment: async (_root, { input }, context) =>
    answer(context, updateFulfillment(input, await namedReservation(input, context), callerOf(context))),
};
