import { readFile } from 'node:fs/promises';
import { createEnvironment } from '../../../src/admin/environments/create-environment.ts';
import { createTenant } from '../../../src/admin/environments/create-tenant.ts';
import { lockEnvironment } from '../../../src/admin/environments/lock-environment.ts';
import { issueApiKey } from '../../../src/admin/keys/issue-api-key.ts';
import { publishProgram } from '../../../src/admin/programs/publish-program.ts';
import { type Administrator, operator } from '../../../src/admin/shared/admin-change.ts';
import { EVERY_SCOPE, type Scope } from '../../../src/auth/scopes.ts';
import type { Pool } from '../../../src/db/pool.ts';
import { createPrisma } from '../../../src/db/prisma.ts';
import { toTypeId } from '../../../src/ids.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { testCluster } from '../cluster.ts';
import type { TestDatabase } from '../database.ts';
import { failedControls } from '../ledger/failed-controls.ts';
import { validateStored } from '../webhooks/validate-event.ts';
import { PROGRAM_FILE, parsedProgram } from './program.ts';

export const programId = 'coffee-club';

/** Tables that a running server fills by itself, after the answer to a request. */
const BY_ITSELF: ReadonlySet<string> = new Set([
  ...['event_positions', 'feed_epochs'],
  ...['webhook_attempts', 'webhook_leases'],
]);

/** An environment with the published program, and a key with every scope. */
export interface TestEnvironment {
  /** UUID. */
  id: string;
  environmentId: string;
  tenantId: string;
  /** UUID of the key. */
  keyId: string;
  key: string;
}

/** Changes and reads a test database through the administration and SQL. */
export interface World {
  administrator: Administrator;
  tenant(): Promise<string>;
  /** @param tenantId UUID; a new tenant where it is left out */
  environment(kind?: 'sandbox' | 'production', tenantId?: string): Promise<TestEnvironment>;
  key(
    environmentId: string,
    scopes?: readonly Scope[],
    expiresAt?: Date | null,
    principal?: string,
  ): Promise<{ keyId: string; key: string }>;
  /** @param change applied to the text of demo/coffee-club.yaml */
  publish(environmentId: string, change?: (yaml: string) => string): Promise<void>;
  lock(environmentId: string, locked: boolean): Promise<void>;
  /** The number of rows of every table that requests write: equal counts show that nothing was added or removed. */
  countRows(): Promise<Record<string, number>>;
  /** The number that a statement returns. */
  count(sql: string, values?: unknown[]): Promise<number>;
  /** Ids of the ledger's controls that have failed; empty where the ledger is consistent. */
  failedControls(): Promise<string[]>;
  /** Where stored events are not as the contract says; empty where all are. */
  eventFaults(): Promise<string[]>;
}

export function createWorld({
  adminPool,
  twins = false,
}: Pick<TestDatabase, 'adminPool'> & { twins?: boolean }): World {
  const administrator: Administrator = { prisma: createPrisma(adminPool), actor: operator('tests') };
  let counting: string | null = null;
  const world: World = {
    administrator,
    tenant: async () => (await createTenant(administrator, 'Tenant')).tenantId,
    async environment(kind = 'sandbox', tenantId) {
      const owner = tenantId ?? (await world.tenant());
      const { environmentId: id } = granted(
        await createEnvironment(administrator, { tenantId: owner, kind, name: kind }),
      );
      await world.publish(id);
      return { id, environmentId: toTypeId('env', id), tenantId: owner, ...(await world.key(id)) };
    },
    key: async (environmentId, scopes = EVERY_SCOPE, expiresAt = null, principal = 'tests') =>
      granted(await issueApiKey(administrator, { environmentId, principal, scopes, expiresAt })),
    async publish(environmentId, change) {
      const document = change
        ? parsedOnce(change(await readFile(PROGRAM_FILE, 'utf8')))
        : testCluster().program;
      granted(await publishProgram(administrator, { environmentId, document, effectiveFrom: null }));
    },
    lock: async (environmentId, locked) => {
      granted(await lockEnvironment(administrator, environmentId, locked));
    },
    async countRows() {
      // One prepared statement: some tests count all tables before and after each of hundreds of requests.
      counting ??= await countingStatement(adminPool);
      const counted = await adminPool.query<{ name: string; rows: number }>({
        name: 'count_rows',
        text: counting,
      });
      return Object.fromEntries(counted.rows.map(({ name, rows: count }) => [name, count]));
    },
    async count(sql, values = []) {
      const { rows } = await adminPool.query<Record<string, number | null>>(sql, values);
      return Object.values(rows[0] ?? {})[0] ?? 0;
    },
    failedControls: () => failedControls({ adminPool, twins }),
    eventFaults: () => validateStored(adminPool),
  };
  return world;
}

/** Counts the rows of every table that requests write. */
async function countingStatement(adminPool: Pool): Promise<string> {
  const { rows } = await adminPool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows
    .filter(({ name }) => !BY_ITSELF.has(name))
    .map(({ name }) => `select '${name}' as name, count(*) as rows from "${name}"`)
    .join(' union all ');
}

/** Documents by their text: many environments of a test file have the same. */
const parsedDocuments = new Map<string, ProgramDocument>();

function parsedOnce(yaml: string): ProgramDocument {
  const cached = parsedDocuments.get(yaml);
  if (cached) return cached;
  const parsed = parsedProgram(yaml);
  parsedDocuments.set(yaml, parsed);
  return parsed;
}

function granted<T extends object>(outcome: T): Exclude<T, { refused: true }> {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome as Exclude<T, { refused: true }>;
}
