import { generateOnce } from '../../admin/coupons/generate-once.ts';
import { assignCouponCode, couponCodeView, unknownCode } from '../../commands/earning/assign-coupon-code.ts';
import { refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const couponQueries: Required<Pick<QueryResolvers, 'couponCode' | 'codePools'>> = {
  codePools: async (_root, { programId }, context) => {
    const { queries, credential, requestId } = context;
    const pools = await orThrow(context, queries.codePools(credential.environmentId, programId));
    return { requestId, programId, pools };
  },
  couponCode: async (_root, { input }, context) => {
    const { queries, credential, requestId } = context;
    const view = await orThrow(context, queries.couponCode(credential.environmentId, input));
    if (!view) throw refusalError(unknownCode, requestId);
    return { requestId, couponCode: couponCodeView(view.code, view.externalCustomerId) };
  },
};

export const couponMutations: Required<Pick<MutationResolvers, 'assignCouponCode' | 'generateCouponCodes'>> =
  {
    generateCouponCodes: async (_root, { input }, context) => {
      if (!context.credential.scopes.has('codes:write')) {
        throw refusalError(alsoCodesWrite, context.requestId);
      }
      return manage(context, (administrator, environmentId) =>
        generateOnce(administrator, environmentId, input),
      );
    },
    assignCouponCode: (_root, { input }, context) =>
      submitCommand(context, assignCouponCode(input, callerOf(context))),
  };

const alsoCodesWrite = refuse(
  'insufficient_scope',
  'This needs a key with the scopes codes:write and codes:reveal: it makes codes, and shows them.',
);
