import { previewPurchase } from '../../commands/earning/preview-purchase.ts';
import { purchaseEarn } from '../../commands/earning/purchase-earn.ts';
import { readReferralCode, referralCodeOf } from '../../commands/shared/referral-code.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { previewOf } from './shared/preview.ts';
import { callerOf, orThrow, submitCommand } from './shared/submit-command.ts';

export const earningQueries: Required<Pick<QueryResolvers, 'previewPurchase'>> = {
  previewPurchase: async (_root, { input }, context) => {
    const { queries, couponGuesses, credential, requestId } = context;
    const { environmentId } = credential;
    const previewing = couponGuesses.guard({ environmentId, ...input }, () =>
      previewOf(queries, environmentId, input, previewPurchase),
    );
    const preview = await orThrow(context, previewing);
    return { requestId, ...preview };
  },
};

export const earningMutations: Required<Pick<MutationResolvers, 'purchaseEarn'>> = {
  purchaseEarn: async (_root, { input }, context) => {
    const code = referralCodeOf(input.context?.attributes);
    const { environmentId } = context.credential;
    const referrerId =
      code === null
        ? null
        : await orThrow(
            context,
            context.queries.referrer(environmentId, input.programId, readReferralCode(code)),
          );
    return submitCommand(context, purchaseEarn(input, callerOf(context), referrerId));
  },
};
