import { isRefusal } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';

export const offerQueries: Required<Pick<QueryResolvers, 'evaluateOffers'>> = {
  evaluateOffers: async (_root, { input }, { queries, credential, requestId }) => {
    const evaluation = await queries.evaluateOffers(credential.environmentId, input);
    if (isRefusal(evaluation)) throw refusalError(evaluation, requestId);
    // Most offers do not apply to most carts: why not is said to those who ask.
    return { requestId, ...evaluation, notApplied: input.explain ? evaluation.notApplied : [] };
  },
};
