import type { ApiKey, PrismaClient } from '../../../generated/prisma/client.ts';
import { toTypeId } from '../../ids.ts';
import { type Refusal, refuse } from '../../refusal.ts';

/**
 * The key with this UUID and the kind of its environment. The UUID suffices: it is generated, so no two keys share one.
 */
export async function findApiKey(
  prisma: PrismaClient,
  keyId: string,
): Promise<(ApiKey & { environment: { kind: string } }) | Refusal<'key_not_found'>> {
  const key = await prisma.apiKey.findFirst({
    where: { id: keyId },
    include: { environment: { select: { kind: true } } },
  });
  if (key) return key;
  return refuse(
    'key_not_found',
    `There is no key ${toTypeId('key', keyId)}. The keys of an environment: rewards key list -e ENVIRONMENT`,
  );
}
