import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { parseKey, secretMatches } from '../../auth/api-key.ts';
import { READING_SCOPES, SCOPES, type Scope } from '../../auth/scopes.ts';
import { isOrigin } from '../../http/origin.ts';
import { fromTypeId, toTypeId } from '../../ids.ts';
import type { CommandDoor } from '../../ledger/command.ts';
import type { ProgramDocument } from '../../programs/document/program-document.ts';
import { parseProgram } from '../../programs/parse/parse-program.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../refusal.ts';
import { createEnvironment } from '../environments/create-environment.ts';
import { createTenant } from '../environments/create-tenant.ts';
import { issueApiKey } from '../keys/issue-api-key.ts';
import { publishProgram } from '../programs/publish-program.ts';
import type { Administrator } from '../shared/admin-change.ts';
import { ensureDemoIssuer, ensureDemoIssuerKey } from './demo-issuer.ts';
import { seedDemoMembers } from './demo-members.ts';
import { ensureDemoWidget } from './demo-widget.ts';

/** The id and the API keys of an environment of the demo. */
export interface DemoEnvironment {
  /** TypeID `env_…`. */
  environmentId: string;
  /** A key with every scope. */
  apiKey: string;
  /** A key of another principal, which may approve what `apiKey` requests. */
  approverKey: string;
  /** TypeID `wdg_…` of its widget deployment. */
  deploymentId: string;
}

/** The content of DATA_DIR/demo.json. */
export interface Demo {
  baseUrl: string;
  sandbox: DemoEnvironment;
  production: DemoEnvironment;
  programId: string;
}

export interface DemoOptions {
  administrator: Administrator;
  door: CommandDoor;
  /** The directory of demo.json. */
  dataDir: string;
  /** Address of the server, such as `http://127.0.0.1:4000`. */
  baseUrl: string;
}

type Kind = 'sandbox' | 'production';

const TENANT_NAME = 'Demo';
const PROGRAM_FILE = fileURLToPath(new URL('../../../demo/coffee-club.yaml', import.meta.url));
const APPROVER_SCOPES: readonly Scope[] = ['adjustments:approve', 'redemptions:reverse', ...READING_SCOPES];

/**
 * Creates the demo tenant with both environments, the program, keys, members and purchases, a widget, and an issuer of
 * customers' tokens whose key is in the data directory too; and writes demo.json. What exists from an earlier run is
 * used again. Keys that no longer work, or are missing in demo.json, are issued anew.
 */
export async function ensureDemo({ administrator, door, dataDir, baseUrl }: DemoOptions): Promise<Demo> {
  const file = join(dataDir, 'demo.json');
  // Before any key is issued: a key that could not be written to the file would be lost.
  await mkdir(dataDir, { recursive: true });
  const recorded = await readDemo(file);
  const document = await readProgram();
  const issuerKey = await ensureDemoIssuerKey(dataDir);
  const { origin } = new URL(baseUrl);
  // A server that was given port 0 listens on another one, which is not known yet.
  const origins = [origin, origin.replace('127.0.0.1', 'localhost')].filter(isOrigin);
  const tenantId = await ensureTenant(administrator, recorded);
  const ensure = async (kind: Kind): Promise<DemoEnvironment> => {
    const environmentId = await ensureEnvironment(administrator, tenantId, kind);
    await ensureProgram(administrator, environmentId, document);
    await seedDemoMembers(door, environmentId, document.id);
    await ensureDemoIssuer(administrator, environmentId, issuerKey, origins);
    const deploymentId = await ensureDemoWidget(administrator, environmentId, origins);
    const before = recorded?.[kind];
    const key = (text: string | undefined, principal: string, scopes: readonly Scope[]): Promise<string> =>
      ensureKey(administrator, environmentId, text, principal, scopes);
    return {
      environmentId: toTypeId('env', environmentId),
      apiKey: await key(before?.apiKey, 'demo-shop', SCOPES),
      approverKey: await key(before?.approverKey, 'demo-approver', APPROVER_SCOPES),
      deploymentId,
    };
  };
  const demo: Demo = {
    baseUrl,
    sandbox: await ensure('sandbox'),
    production: await ensure('production'),
    programId: document.id,
  };
  if (JSON.stringify(demo) !== JSON.stringify(recorded)) await writeDemo(file, demo);
  return demo;
}

async function ensureTenant({ prisma, ...who }: Administrator, recorded: Demo | null): Promise<string> {
  const environmentId = recorded ? fromTypeId('env', recorded.sandbox.environmentId) : null;
  const environment = environmentId
    ? await prisma.environment.findUnique({ where: { id: environmentId }, select: { tenantId: true } })
    : null;
  if (environment) return environment.tenantId;
  const named = await prisma.tenant.findFirst({
    where: { name: TENANT_NAME },
    orderBy: { createdAt: 'asc' },
  });
  return named?.id ?? (await createTenant({ prisma, ...who }, TENANT_NAME)).tenantId;
}

async function ensureEnvironment(
  administrator: Administrator,
  tenantId: string,
  kind: Kind,
): Promise<string> {
  const existing = await administrator.prisma.environment.findFirst({
    where: { tenantId, kind },
    orderBy: { createdAt: 'asc' },
  });
  if (existing) return existing.id;
  const name = kind === 'production' ? 'Production' : 'Sandbox';
  return done(await createEnvironment(administrator, { tenantId, kind, name })).environmentId;
}

/**
 * Publishes the demo program unless there is a program of its id: versions that somebody has published since are kept.
 */
async function ensureProgram(
  administrator: Administrator,
  environmentId: string,
  document: ProgramDocument,
): Promise<void> {
  const existing = await administrator.prisma.program.findUnique({
    where: { environmentId_id: { environmentId, id: document.id } },
  });
  if (!existing) done(await publishProgram(administrator, { environmentId, document, effectiveFrom: null }));
}

async function ensureKey(
  administrator: Administrator,
  environmentId: string,
  recorded: string | undefined,
  principal: string,
  scopes: readonly Scope[],
): Promise<string> {
  if (recorded !== undefined && (await works(administrator.prisma, environmentId, recorded, scopes)))
    return recorded;
  const issued = await issueApiKey(administrator, { environmentId, principal, scopes, expiresAt: null });
  return done(issued).key;
}

async function works(
  prisma: PrismaClient,
  environmentId: string,
  text: string,
  scopes: readonly Scope[],
): Promise<boolean> {
  const parsed = parseKey(text);
  if (!parsed) return false;
  const key = await prisma.apiKey.findUnique({
    where: { environmentId_id: { environmentId, id: parsed.keyId } },
  });
  if (!key || key.revokedAt || key.expiresAt) return false;
  // A key of an earlier release lacks the scopes that were added since.
  return (
    scopes.every((scope) => key.scopes.includes(scope)) &&
    secretMatches(key.secretHash, null, null, new Date(), parsed.secret)
  );
}

async function readProgram(): Promise<ProgramDocument> {
  const parsed = parseProgram(await readFile(PROGRAM_FILE, 'utf8'));
  if (parsed.ok) return parsed.document;
  const [problem] = parsed.problems;
  throw new Error(`${PROGRAM_FILE}:${problem?.line} ${problem?.path} ${problem?.message}`);
}

/** The demo.json of an earlier run; null where it is missing or unusable. */
async function readDemo(file: string): Promise<Demo | null> {
  try {
    const read = JSON.parse(await readFile(file, 'utf8')) as Partial<Demo>;
    return read.sandbox && read.production ? (read as Demo) : null;
  } catch {
    return null;
  }
}

/** Writes the file atomically and readable by its owner alone, because it contains working keys. */
async function writeDemo(file: string, demo: Demo): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(unfinished, 0o600);
  await rename(unfinished, file);
}

function done<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new Error(outcome.message);
  return outcome;
}
