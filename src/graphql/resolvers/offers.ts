import type { QueryResolvers } from '../generated/resolver-types.ts';
import { found } from './shared/submit-command.ts';

export const offerQueries: Required<Pick<QueryResolvers, 'evaluateOffers'>> = {
  evaluateOffers: async (_root, { input }, context) => {
    const { queries, credential, requestId } = context;
    const evaluation = await found(context, queries.evaluateOffers(credential.environmentId, input));
    return { requestId, ...evaluation };
  },
};
