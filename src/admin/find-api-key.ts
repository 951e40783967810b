import type { ApiKey, PrismaClient } from '../db/generated/client.ts';
import { toTypeId } from '../ids.ts';
import { type AdminRefusal, refuseAdmin } from './admin-change.ts';

/** The key with this UUID and the kind of its environment; the UUID alone is unique, as nobody chooses it. */
export async function findApiKey(
  prisma: PrismaClient,
  keyId: string,
): Promise<(ApiKey & { environment: { kind: string } }) | AdminRefusal> {
  const key = await prisma.apiKey.findFirst({
    where: { id: keyId },
    include: { environment: { select: { kind: true } } },
  });
  if (key) return key;
  return refuseAdmin(
    `There is no key ${toTypeId('key', keyId)}. The keys of an environment: rewards key list --env ENVIRONMENT`,
  );
}
