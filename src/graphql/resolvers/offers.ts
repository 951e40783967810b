import type { QueryResolvers } from '../generated/resolver-types.ts';
import { orThrow } from './shared/submit-command.ts';

export const offerQueries: Required<Pick<QueryResolvers, 'evaluateOffers'>> = {
  evaluateOffers: async (_root, { input }, context) => {
    const { queries, couponGuesses, credential, requestId } = context;
    const { environmentId } = credential;
    const evaluating = couponGuesses.guard({ environmentId, ...input }, () =>
      queries.evaluateOffers(environmentId, input),
    );
    const evaluation = await orThrow(context, evaluating);
    return { requestId, ...evaluation };
  },
};
