import { readFile } from 'node:fs/promises';
import type { Administrator } from '../src/admin/admin-change.ts';
import { type AdminRefusal, isAdminRefusal } from '../src/admin/admin-change.ts';
import { createEnvironment } from '../src/admin/create-environment.ts';
import { createTenant } from '../src/admin/create-tenant.ts';
import { publishProgram } from '../src/admin/publish-program.ts';
import { issueKey } from '../src/auth/api-key.ts';
import type { Pool } from '../src/db/pool.ts';
import { newUuid } from '../src/ids.ts';
import { parseProgram } from '../src/programs/parse-program.ts';

const PROGRAM_FILE = new URL('../demo/coffee-club.yaml', import.meta.url);

/** Two environments with the demo's program and as many members: one for the service, one for the baseline. */
export interface Seed {
  programId: string;
  /** UUIDs. */
  environmentId: string;
  baselineEnvironmentId: string;
  apiKeys: string[];
}

/** Fills an empty database, by the administration's own commands where there are few rows, else by SQL. */
export async function seed(
  administrator: Administrator,
  pool: Pool,
  { members, keys }: { members: number; keys: number },
): Promise<Seed> {
  const parsed = parseProgram(await readFile(PROGRAM_FILE, 'utf8'));
  if (!parsed.ok) throw new Error('The demo program is not valid');
  const { document } = parsed;
  const { tenantId } = await createTenant(administrator, 'Benchmark');
  const make = async (name: string): Promise<string> => {
    const environment = { tenantId, kind: 'production' as const, name };
    const { environmentId } = done(await createEnvironment(administrator, environment));
    done(await publishProgram(administrator, { environmentId, document, effectiveFrom: null }));
    await addMembers(pool, environmentId, document.id, members);
    return environmentId;
  };
  const environmentId = await make('Service');
  const baselineEnvironmentId = await make('Baseline');
  const apiKeys = await addKeys(pool, environmentId, keys);
  // What autovacuum does of itself within a minute; doing it now keeps it out of the measurements.
  await pool.query('vacuum analyze');
  return { programId: document.id, environmentId, baselineEnvironmentId, apiKeys };
}

async function addMembers(
  pool: Pool,
  environmentId: string,
  programId: string,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, newUuid);
  await pool.query(
    `insert into members (environment_id, id, external_customer_id, status, identity_status, consent_status,
       notice_version, consent_at, created_at)
     select $1, id, 'customer-' || ordinal - 1, 'active', 'unverified', 'granted', '2026-01', now(), now()
     from unnest($2::uuid[]) with ordinality as wanted(id, ordinal)`,
    [environmentId, ids],
  );
  await pool.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
     select $1, $2, id, true, 'bronze', now() from unnest($3::uuid[]) as id`,
    [environmentId, programId, ids],
  );
}

async function addKeys(pool: Pool, environmentId: string, count: number): Promise<string[]> {
  const issued = Array.from({ length: count }, () => issueKey('production'));
  await pool.query(
    `insert into api_keys (environment_id, id, principal, scopes, secret_hash)
     select $1, id, 'bench', array['events:write', 'members:read'], decode(hash, 'hex')
     from unnest($2::uuid[], $3::text[]) as issued(id, hash)`,
    [
      environmentId,
      issued.map(({ keyId }) => keyId),
      issued.map(({ secretHash }) => secretHash.toString('hex')),
    ],
  );
  return issued.map(({ key }) => key);
}

function done<T extends object>(outcome: T | AdminRefusal): T {
  if (isAdminRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
