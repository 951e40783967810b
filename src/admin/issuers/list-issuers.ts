import type { PrismaClient } from '../../../generated/prisma/client.ts';
import type { Refusal } from '../../refusal.ts';
import { unknownEnvironment } from '../shared/find-environment.ts';

/** An issuer of customers' tokens, without its keys and its secret. */
export interface IssuerListing {
  /** UUID. */
  issuerId: string;
  issuer: string;
  audience: string;
  /** Where its keys come from. */
  keys: 'jwks' | 'keys' | 'hs256';
  jwksUrl: string | null;
  origins: string[];
  createdAt: Date;
  removedAt: Date | null;
}

/**
 * Every issuer that the environment ever had, oldest first.
 * @param environmentId UUID
 * @returns a refusal for an unknown environment
 */
export async function listIssuers(
  prisma: PrismaClient,
  environmentId: string,
): Promise<{ issuers: IssuerListing[] } | Refusal<'environment_not_found'>> {
  const environment = await prisma.environment.findUnique({
    where: { id: environmentId },
    select: {
      tokenIssuers: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], omit: { sealedSecret: true } },
    },
  });
  if (!environment) return unknownEnvironment(environmentId);
  return {
    issuers: environment.tokenIssuers.map(
      ({ id, issuer, audience, keys, jwksUrl, origins, createdAt, removedAt }) => ({
        ...{ issuerId: id, issuer, audience, jwksUrl, origins, createdAt, removedAt },
        keys: jwksUrl !== null ? 'jwks' : keys !== null ? 'keys' : 'hs256',
      }),
    ),
  };
}
