import type { Environment, Prisma } from '../../../generated/prisma/client.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { webhookSettings } from '../../auth/webhook-settings.ts';
import { newUuid, toTypeId } from '../../ids.ts';
import { type AdministrationCode, isRefusal, type Refusal, refuse } from '../../refusal.ts';
import { type Administrator, changeEnvironment } from '../shared/admin-change.ts';
import { findEnvironment, lockEnvironmentRow } from '../shared/find-environment.ts';
import { environmentNow } from '../shared/write-trail.ts';

/** How many there are of each thing that was copied. */
export interface Clone {
  programs: number;
  versions: number;
  issuers: number;
  deployments: number;
  endpoints: number;
}

/** What is copied, from the environment into another. */
interface Copy {
  environmentId: string;
  to: string;
  /** The present of the target. */
  now: Date;
  secrets: SecretBox | null;
}

/**
 * Copies how an environment is set up into an empty Sandbox of the same tenant: programs with all of their versions,
 * issuers of tokens, widget deployments with all of their versions, and webhook endpoints, disabled and with new
 * signing secrets. Issuers and deployments get ids of their own. Members, keys and signatures of finance sections are
 * not copied.
 * @param from UUID, as is `to`
 * @param secrets encrypts the secrets of issuers and endpoints; null where there is no key for that
 * @returns refusals: `environment_not_found`, `sandbox_required`, `environment_conflict` (another tenant, or not
 *   empty), `secrets_key_required`
 */
export async function cloneEnvironment(
  administrator: Administrator,
  { from, to }: { from: string; to: string },
  secrets: SecretBox | null,
): Promise<Clone | Refusal<AdministrationCode>> {
  return changeEnvironment<Clone>(administrator, to, async (transaction) => {
    const source = await findEnvironment(transaction, from);
    if (isRefusal(source)) return source;
    const target = await findEnvironment(transaction, to);
    if (isRefusal(target)) return target;
    const refusal =
      (await targetFault(transaction, source, target)) ??
      (secrets ? null : await secretsFault(transaction, from));
    if (refusal) return refusal;
    const copy: Copy = { environmentId: from, to, now: await environmentNow(transaction, to), secrets };
    const clone: Clone = {
      ...(await copyPrograms(transaction, copy)),
      deployments: await copyDeployments(transaction, copy),
      issuers: await copyIssuers(transaction, copy),
      endpoints: await copyEndpoints(transaction, copy),
    };
    await countRevision(transaction, to);
    return {
      result: clone,
      audit: {
        action: 'environment.cloned',
        targetType: 'environment',
        targetId: toTypeId('env', to),
        changes: { from: toTypeId('env', from), ...clone },
      },
    };
  });
}

async function targetFault(
  transaction: Prisma.TransactionClient,
  source: Environment,
  { id: environmentId, kind, tenantId }: Environment,
): Promise<Refusal<AdministrationCode> | null> {
  const target = toTypeId('env', environmentId);
  if (kind !== 'sandbox') {
    return refuse('sandbox_required', `Only into a Sandbox can be copied, and ${target} is Production.`);
  }
  if (tenantId !== source.tenantId) {
    return refuse('environment_conflict', 'The two environments are of different tenants.');
  }
  // Whoever clones at the same time waits here, and finds what this one has copied.
  await lockEnvironmentRow(transaction, environmentId);
  const [filled] = await transaction.$queryRaw<{ what: string }[]>`
    select what from (values
      ('programs', exists (select from programs where environment_id = ${environmentId}::uuid)),
      ('members', exists (select from members where environment_id = ${environmentId}::uuid)),
      ('issuers', exists (select from token_issuers where environment_id = ${environmentId}::uuid)),
      ('webhook endpoints', exists (select from webhook_endpoints where environment_id = ${environmentId}::uuid)))
      as kinds (what, filled)
    where filled limit 1`;
  return filled
    ? refuse('environment_conflict', `${target} is not empty: it has ${filled.what}. Nothing was copied.`)
    : null;
}

async function secretsFault(
  transaction: Prisma.TransactionClient,
  environmentId: string,
): Promise<Refusal<AdministrationCode> | null> {
  const [row] = await transaction.$queryRaw<[{ secrets: boolean }]>`
    select exists (select from token_issuers
        where environment_id = ${environmentId}::uuid and removed_at is null and sealed_secret is not null)
      or exists (select from webhook_endpoints where environment_id = ${environmentId}::uuid and deleted_at is null)
      as secrets`;
  return row.secrets
    ? refuse('secrets_key_required', 'There are secrets to encrypt: set SECRETS_KEY as for the server.')
    : null;
}

async function copyPrograms(
  transaction: Prisma.TransactionClient,
  { environmentId, to }: Copy,
): Promise<Pick<Clone, 'programs' | 'versions'>> {
  const programs = await transaction.$executeRaw`
    insert into programs (environment_id, id, created_at)
    select ${to}::uuid, id, created_at from programs where environment_id = ${environmentId}::uuid`;
  const versions = await transaction.$executeRaw`
    insert into program_versions (environment_id, program_id, version, document, document_hash, effective_from,
      published_at, published_by)
    select ${to}::uuid, program_id, version, document, document_hash, effective_from, published_at, published_by
    from program_versions where environment_id = ${environmentId}::uuid`;
  return { programs, versions };
}

async function copyDeployments(
  transaction: Prisma.TransactionClient,
  { environmentId, to }: Copy,
): Promise<number> {
  const deployments = await transaction.$queryRaw<{ id: string }[]>`
    select id from widget_deployments where environment_id = ${environmentId}::uuid order by id`;
  for (const { id } of deployments) {
    // Pages name a deployment without its environment, so that its id has to be its own.
    const copy = newUuid();
    await transaction.$executeRaw`
      insert into widget_deployments (environment_id, id, document_key, created_at)
      select ${to}::uuid, ${copy}::uuid, document_key, created_at from widget_deployments
      where environment_id = ${environmentId}::uuid and id = ${id}::uuid`;
    await transaction.$executeRaw`
      insert into widget_deployment_versions (environment_id, deployment_id, version, program_id, document,
        document_hash, published_at, published_by)
      select ${to}::uuid, ${copy}::uuid, version, program_id, document, document_hash, published_at, published_by
      from widget_deployment_versions where environment_id = ${environmentId}::uuid and deployment_id = ${id}::uuid`;
  }
  return deployments.length;
}

/** Copies the issuers that are not removed. A secret is bound to its issuer, and so encrypted anew. */
async function copyIssuers(
  transaction: Prisma.TransactionClient,
  { environmentId, to, secrets }: Copy,
): Promise<number> {
  const issuers = await transaction.$queryRaw<{ id: string; sealed: Uint8Array | null }[]>`
    select id, sealed_secret as sealed from token_issuers
    where environment_id = ${environmentId}::uuid and removed_at is null order by id`;
  for (const { id, sealed } of issuers) {
    const copy = newUuid();
    const secret = sealed && secrets ? secrets.seal(secrets.open(Buffer.from(sealed), id), copy) : null;
    await transaction.$executeRaw`
      insert into token_issuers (environment_id, id, issuer, audience, jwks_url, keys, sealed_secret, origins)
      select ${to}::uuid, ${copy}::uuid, issuer, audience, jwks_url, keys, ${secret}, origins
      from token_issuers where environment_id = ${environmentId}::uuid and id = ${id}::uuid`;
  }
  return issuers.length;
}

/**
 * Copies the endpoints that are not deleted, disabled, each with a secret that nobody knows yet: it has to be rotated.
 */
async function copyEndpoints(
  transaction: Prisma.TransactionClient,
  { environmentId, to, now, secrets }: Copy,
): Promise<number> {
  const endpoints = await transaction.$queryRaw<{ id: string }[]>`
    select id from webhook_endpoints where environment_id = ${environmentId}::uuid and deleted_at is null order by id`;
  for (const { id } of endpoints) {
    const copy = newUuid();
    const secret = webhookSettings(secrets, false).newSecret(copy);
    if (!secret) throw new Error('no key encrypts the secrets of endpoints');
    await transaction.$executeRaw`
      insert into webhook_endpoints (environment_id, id, place, url, event_types, description, status, disabled_reason,
        secret, created_at, updated_at)
      select ${to}::uuid, ${copy}::uuid, place, url, event_types, description, 'disabled', null,
        ${secret.sealed}, ${now}, ${now}
      from webhook_endpoints where environment_id = ${environmentId}::uuid and id = ${id}::uuid`;
  }
  return endpoints.length;
}

/** Makes servers read the documents of an environment. */
async function countRevision(transaction: Prisma.TransactionClient, environmentId: string): Promise<void> {
  await transaction.environment.update({
    where: { id: environmentId },
    data: { revision: { increment: 1 } },
  });
}
