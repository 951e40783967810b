import { assignCouponCode, couponCodeView, unknownCode } from '../../commands/earning/assign-coupon-code.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { callerOf, found, submitCommand } from './shared/submit-command.ts';

export const couponQueries: Required<Pick<QueryResolvers, 'couponCode'>> = {
  couponCode: async (_root, { input }, context) => {
    const { queries, credential, requestId } = context;
    const view = await found(context, queries.couponCode(credential.environmentId, input));
    if (!view) throw refusalError(unknownCode, requestId);
    return { requestId, couponCode: couponCodeView(view.code, view.externalCustomerId) };
  },
};

export const couponMutations: Required<Pick<MutationResolvers, 'assignCouponCode'>> = {
  assignCouponCode: (_root, { input }, context) =>
    submitCommand(context, assignCouponCode(input, callerOf(context))),
};
