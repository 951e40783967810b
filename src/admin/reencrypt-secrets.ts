import type { SecretBox } from '../auth/secret-box.ts';
import { toTypeId } from '../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal } from '../refusal.ts';
import { type Administrator, changeEnvironment } from './admin-change.ts';
import { listEnvironments } from './list-environments.ts';

export interface Reencrypted {
  /** How many secrets were encrypted with another key, and are now with the first one. */
  secrets: number;
  /** UUIDs of endpoints with a secret that no key opens. They are left as they are. */
  unopened: string[];
}

interface SealedRow {
  id: string;
  secret: Uint8Array;
  previous_secret: Uint8Array | null;
}

/**
 * Encrypts the signing secrets of an environment's endpoints with the first key, so that the other keys can be removed. The
 * secrets stay the same, and so do the receivers. Deleted endpoints are left alone: their secrets are not needed again.
 * @param environmentId UUID
 * @returns in the audit trail as `environment.secrets_reencrypted`, where there was anything to do
 */
export async function reencryptSecrets(
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
      if (stale.some((each) => each && !secrets.has(each))) result.unopened.push(row.id);
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
    return { result, audit: result.secrets === 0 ? null : auditOf(environmentId, result) };
  });
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
