import { readReferralCode } from '../../commands/shared/referral-code.ts';
import { type Refusal, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { QueryResolvers } from '../generated/resolver-types.ts';
import { orThrow } from './shared/submit-command.ts';

export const searchQueries: Required<Pick<QueryResolvers, 'search'>> = {
  search: async (_root, { q }, context) => {
    const { queries, credential, requestId, searches } = context;
    const { allowed, limit, resetSeconds } = await searches.take(credential.keyId);
    if (!allowed) throw refusalError(tooMany(limit, resetSeconds), requestId);
    const { environmentId, scopes } = credential;
    const wanted = { text: q, referralCode: readReferralCode(q), scopes };
    return { requestId, data: await orThrow(context, queries.search(environmentId, wanted)) };
  },
};

function tooMany(limit: number, retryAfterSeconds: number): Refusal {
  const message = `More than ${limit} searches in a minute: wait as Retry-After says.`;
  return { ...refuse('rate_limited', message), retryAfterSeconds };
}
