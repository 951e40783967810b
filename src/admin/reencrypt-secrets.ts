import type { Prisma } from '../../generated/prisma/client.ts';
import type { SecretBox } from '../auth/secret-box.ts';
import { toTypeId } from '../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { listEnvironments } from './environments/list-environments.ts';
import { type Administrator, changeEnvironment } from './shared/admin-change.ts';

export interface Reencrypted {
  /** How many secrets were encrypted with another key, and are now with the first one. */
  secrets: number;
  /** Ids of the endpoints (`we_…`) and issuers (`iss_…`) with a secret that no key opens. They are left as they are. */
  unopened: string[];
}

interface SealedRow {
  id: string;
  secret: Uint8Array;
  previous_secret: Uint8Array | null;
}

/**
 * Encrypts the signing secrets of an environment's endpoints, and the secrets of its issuers of tokens, with the first
 * key, so that the other keys can be removed. The secrets stay the same: receivers and issuers notice nothing. Deleted
 * endpoints and removed issuers are left alone: their secrets are not needed again.
 * @param environmentId UUID
 * @returns in the audit trail as `environment.secrets_reencrypted`, where there was anything to do
 */
async function reencryptSecrets(
  administrator: Administrator,
  environmentId: string,
  secrets: SecretBox,
): Promise<Reencrypted | Refusal<AdministrationCode>> {
  return changeEnvironment<Reencrypted>(administrator, environmentId, async (transaction) => {
    const rows = await transaction.$queryRaw<SealedRow[]>`
      select id, secret, previous_secret from webhook_endpoints
      where environment_id = ${environmentId}::uuid and deleted_at is null
      order by id
      for update`;
    const result: Reencrypted = { secrets: 0, unopened: [] };
    for (const row of rows) {
      const sealed = [row.secret, row.previous_secret].map((each) => each && Buffer.from(each));
      const stale = sealed.filter((each) => each && !secrets.isCurrent(each));
      if (stale.some((each) => each && !secrets.has(each))) result.unopened.push(toTypeId('we', row.id));
      const [secret, previous] = sealed.map((each) =>
        each && secrets.has(each) ? secrets.seal(secrets.open(each, row.id), row.id) : each,
      );
      const changed = stale.filter((each) => each && secrets.has(each)).length;
      if (changed === 0) continue;
      result.secrets += changed;
      await transaction.$executeRaw`
        update webhook_endpoints set secret = ${secret}, previous_secret = ${previous}
        where environment_id = ${environmentId}::uuid and id = ${row.id}::uuid`;
    }
    await reencryptIssuers(transaction, environmentId, secrets, result);
    return { result, audit: result.secrets === 0 ? null : auditOf(environmentId, result) };
  });
}

/** Encrypts the secrets of issuers. @param result changed: what was done is added */
async function reencryptIssuers(
  transaction: Prisma.TransactionClient,
  environmentId: string,
  secrets: SecretBox,
  result: Reencrypted,
): Promise<void> {
  const issuers = await transaction.tokenIssuer.findMany({
    where: { environmentId, removedAt: null, sealedSecret: { not: null } },
    orderBy: { id: 'asc' },
  });
  for (const { id, sealedSecret } of issuers) {
    const sealed = Buffer.from(sealedSecret ?? []);
    if (secrets.isCurrent(sealed)) continue;
    if (!secrets.has(sealed)) {
      result.unopened.push(toTypeId('iss', id));
      continue;
    }
    await transaction.tokenIssuer.update({
      where: { environmentId_id: { environmentId, id } },
      data: { sealedSecret: Buffer.from(secrets.seal(secrets.open(sealed, id), id)) },
    });
    result.secrets += 1;
  }
}

function auditOf(environmentId: string, { secrets }: Reencrypted) {
  return {
    action: 'environment.secrets_reencrypted',
    targetType: 'environment',
    targetId: toTypeId('env', environmentId),
    changes: { secrets },
  };
}

/** Encrypts the secrets of every environment, one after the other. @see reencryptSecrets */
export async function reencryptAllSecrets(
  administrator: Administrator,
  secrets: SecretBox,
): Promise<Reencrypted> {
  const all: Reencrypted = { secrets: 0, unopened: [] };
  for (const { environmentId } of await listEnvironments(administrator.prisma)) {
    const done = await reencryptSecrets(administrator, environmentId, secrets);
    if (isRefusal(done)) throw new Error(done.message);
    all.secrets += done.secrets;
    all.unopened.push(...done.unopened);
  }
  return all;
}
