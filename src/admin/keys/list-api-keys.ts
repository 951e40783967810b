import type { ApiKey, PrismaClient } from '../../../generated/prisma/client.ts';
import type { Refusal } from '../../refusal.ts';
import { unknownEnvironment } from '../shared/find-environment.ts';
import { databaseTime } from '../shared/write-trail.ts';

/** A key without its secret and without the hashes of its secrets. */
export interface ApiKeyListing {
  /** UUID. */
  keyId: string;
  principal: string;
  scopes: string[];
  status: 'active' | 'expired' | 'revoked';
  /** When the secret from before the last rotation stops working; null where it does not work now. */
  previousValidUntil: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
}

/**
 * Every key that the environment ever had, oldest first.
 * @param environmentId UUID
 * @returns a refusal for an unknown environment
 */
export async function listApiKeys(
  prisma: PrismaClient,
  environmentId: string,
): Promise<{ keys: ApiKeyListing[] } | Refusal<'environment_not_found'>> {
  const environment = await prisma.environment.findUnique({
    where: { id: environmentId },
    select: { apiKeys: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!environment) return unknownEnvironment(environmentId);
  const now = await databaseTime(prisma);
  return {
    keys: environment.apiKeys.map((key) => {
      const status = statusOf(key, now);
      const { previousValidUntil: until } = key;
      return {
        keyId: key.id,
        principal: key.principal,
        scopes: key.scopes,
        status,
        // Once the key is revoked or expired, its previous secret does not work either, even within the overlap.
        previousValidUntil: status === 'active' && until && until > now ? until : null,
        expiresAt: key.expiresAt,
        revokedAt: key.revokedAt,
        lastUsedAt: key.lastUsedAt,
        createdAt: key.createdAt,
      };
    }),
  };
}

function statusOf({ revokedAt, expiresAt }: ApiKey, now: Date): ApiKeyListing['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}
