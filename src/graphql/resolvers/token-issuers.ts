import { addIssuerOnce, removeIssuerOnce } from '../../admin/issuers/manage-issuers.ts';
import { checkToken } from '../../auth/customer/check-token.ts';
import { type StoredIssuer, tokenIssuerView } from '../../queries/token-issuers.ts';
import { issuerNotFound, refuse } from '../../refusal.ts';
import { refusalError } from '../errors/errors.ts';
import type { RequestContext } from '../execution/context.ts';
import type { MutationResolvers, QueryResolvers } from '../generated/resolver-types.ts';
import { manage } from './shared/manage.ts';
import { pageOf } from './shared/page-of.ts';
import { orThrow } from './shared/submit-command.ts';

export const tokenIssuerQueries: Required<
  Pick<QueryResolvers, 'tokenIssuers' | 'tokenIssuer' | 'checkToken'>
> = {
  tokenIssuers: async (_root, { limit, cursor }, context) => {
    const { queries, credential, requestId } = context;
    const reading = queries.tokenIssuers(credential.environmentId, pageOf({ limit, cursor }));
    return { requestId, ...(await orThrow(context, reading)) };
  },
  tokenIssuer: async (_root, { issuerId }, context) => ({
    requestId: context.requestId,
    issuer: tokenIssuerView(await findIssuer(context, issuerId)),
  }),
  checkToken: async (_root, { input }, context) => {
    const { requestId, management } = context;
    const issuer = await findIssuer(context, input.issuerId);
    if (issuer.removed_at !== null) return { requestId, accepted: false, findings: [removed] };
    return { requestId, ...(await checkToken(input.token, issuer, management.issuers)) };
  },
};

export const tokenIssuerMutations: Required<Pick<MutationResolvers, 'addTokenIssuer' | 'removeTokenIssuer'>> =
  {
    addTokenIssuer: (_root, { input }, context) => {
      const { issuers } = context.management;
      const lacksKey = typeof input.secret === 'string' && issuers.secrets === null;
      if (lacksKey) throw refusalError(noSecretsKey, context.requestId);
      return manage(context, (administrator, environmentId) =>
        addIssuerOnce(administrator, environmentId, input, issuers),
      );
    },
    removeTokenIssuer: (_root, { input }, context) =>
      manage(context, (administrator, environmentId) =>
        removeIssuerOnce(administrator, environmentId, input),
      ),
  };

const removed = { part: 'issuer', ok: false, message: 'was removed: none of its tokens is taken' };

const noSecretsKey = refuse(
  'unavailable',
  'This server keeps no secrets: its operator has to set SECRETS_KEY. Public keys, as jwksUrl, jwks or publicKey, need none.',
);

async function findIssuer(context: RequestContext, issuerId: string): Promise<StoredIssuer> {
  const { queries, credential, requestId } = context;
  const issuer = await orThrow(context, queries.tokenIssuer(credential.environmentId, issuerId));
  if (!issuer) throw refusalError(issuerNotFound, requestId);
  return issuer;
}
