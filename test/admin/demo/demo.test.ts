import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Demo, ensureDemo } from '../../../src/admin/demo/demo.ts';
import { readDemoIssuerKey } from '../../../src/admin/demo/demo-issuer.ts';
import { revokeApiKey } from '../../../src/admin/keys/revoke-api-key.ts';
import { parseKey } from '../../../src/auth/api-key.ts';
import { SCOPES } from '../../../src/auth/scopes.ts';
import { fromTypeId } from '../../../src/ids.ts';
import { createLanePool } from '../../../src/ledger/batch/lane-pool.ts';
import { Writer } from '../../../src/ledger/batch/writer.ts';
import { verifyLedger } from '../../../src/ledger/controls/verify.ts';
import { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';
import { fixture } from '../../support/fixture.ts';
import { useAdministrator } from '../../support/use-administrator.ts';
import { useDatabase } from '../../support/use-database.ts';

let dataDir: string;
let first: Demo;

const { database } = useDatabase();
const administrator = useAdministrator(database);
const lanePool = fixture(
  'the lane pool',
  () => createLanePool({ url: database.serverUrl, size: 2 }),
  (opened) => opened.end(),
);
const writer = fixture(
  'the writer',
  () => new Writer({ pool: lanePool, catalog: new ProgramCatalog() }),
  (opened) => opened.close(),
);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rewards-demo-'));
  first = await ensure();
});

function ensure(baseUrl = 'http://127.0.0.1:4000'): Promise<Demo> {
  return ensureDemo({ administrator, door: writer, dataDir, baseUrl });
}

async function recorded(): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo;
}

async function rowCounts() {
  const tables = [
    'tenants',
    'environments',
    'api_keys',
    'program_versions',
    'members',
    'transactions',
    'audit_events',
  ];
  const counts = tables.map((table) => `(select count(*)::integer from ${table}) as ${table}`);
  return (await database.adminPool.query(`select ${counts.join(', ')}`)).rows[0];
}

test('both environments have the program, a key with every scope, and one of another principal', async () => {
  expect(first).toMatchObject({ baseUrl: 'http://127.0.0.1:4000', programId: 'coffee-club' });
  for (const kind of ['sandbox', 'production'] as const) {
    const environmentId = fromTypeId('env', first[kind].environmentId) ?? '';
    expect(await administrator.prisma.environment.findUnique({ where: { id: environmentId } })).toMatchObject(
      {
        kind,
        locked: false,
      },
    );
    const [holder, approver] = await Promise.all(
      [first[kind].apiKey, first[kind].approverKey].map((key) =>
        administrator.prisma.apiKey.findUniqueOrThrow({
          where: { environmentId_id: { environmentId, id: parseKey(key)?.keyId ?? '' } },
        }),
      ),
    );
    expect(holder?.scopes.toSorted()).toEqual([...SCOPES].sort());
    expect(approver?.scopes).toEqual(
      expect.arrayContaining([
        'adjustments:approve',
        'redemptions:reverse',
        'members:read',
        'analytics:read',
      ]),
    );
    expect(approver?.scopes).not.toContain('adjustments:write');
    expect(approver?.principal).not.toBe(holder?.principal);
    expect(await administrator.prisma.member.count({ where: { environmentId } })).toBe(3);
  }
});

test('demo.json holds it all, for its owner alone', async () => {
  expect(await recorded()).toEqual(first);
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
});

test('a second run uses everything again', async () => {
  const before = await rowCounts();
  expect(await ensure()).toEqual(first);
  expect(await rowCounts()).toEqual(before);
  const client = await database.adminPool.connect();
  const controls = await verifyLedger(client).finally(() => client.release());
  expect(controls.filter((control) => !control.passed)).toEqual([]);
});

test('another address is written to demo.json, with the same keys', async () => {
  const moved = await ensure('http://127.0.0.1:5000');
  expect(moved).toEqual({ ...first, baseUrl: 'http://127.0.0.1:5000' });
  expect(await recorded()).toEqual(moved);
});

test('a server whose port is not known yet gets a demo too', async () => {
  expect(await ensure('http://127.0.0.1:0')).toEqual({ ...first, baseUrl: 'http://127.0.0.1:0' });
});

describe('only what was lost is created again', () => {
  test('a revoked key', async () => {
    await revokeApiKey(administrator, parseKey(first.sandbox.apiKey)?.keyId ?? '');
    const second = await ensure();
    expect(second.sandbox.apiKey).not.toBe(first.sandbox.apiKey);
    expect(second.sandbox.approverKey).toBe(first.sandbox.approverKey);
    expect(second.production).toEqual(first.production);
    expect(await recorded()).toEqual(second);
  });

  test.each([
    ['missing', () => rm(join(dataDir, 'demo.json'))],
    ['broken', () => writeFile(join(dataDir, 'demo.json'), '{"sandbox":')],
  ])('a demo.json that is %s', async (_what, lose) => {
    await lose();
    const second = await ensure();
    expect(second.sandbox.environmentId).toBe(first.sandbox.environmentId);
    expect(parseKey(second.sandbox.apiKey)).not.toBeNull();
    expect(await recorded()).toEqual(second);
  });
});

test('a demo that somebody has locked and published in is left as it is', async () => {
  const environmentId = fromTypeId('env', first.production.environmentId) ?? '';
  await administrator.prisma.environment.update({ where: { id: environmentId }, data: { locked: true } });
  expect(await ensure()).toEqual(first);
  expect(await administrator.prisma.environment.findUnique({ where: { id: environmentId } })).toMatchObject({
    locked: true,
  });
});

test('a demo whose receipts were damaged in the database is used again', async () => {
  await database.adminPool.query(
    `update transactions set receipt = '{"template": "gone", "values": []}' ` +
      `where source_reference = 'demo-customer-ada-1'`,
  );
  const before = await rowCounts();
  expect(await ensure()).toEqual(first);
  expect(await rowCounts()).toEqual(before);
});

test('the issuer of the demo has its key in the directory, and stays until the key is lost', async () => {
  const issuers = () =>
    administrator.prisma.tokenIssuer.findMany({ where: { removedAt: null }, orderBy: { id: 'asc' } });
  const file = join(dataDir, 'demo-issuer.json');
  const [before, key] = [await issuers(), await readDemoIssuerKey(dataDir)];
  expect(before).toHaveLength(2);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  // What is stored cannot sign.
  expect(JSON.stringify(before)).not.toContain(key?.d);
  await ensure();
  expect(await issuers()).toEqual(before);
  await rm(file);
  await ensure();
  const after = await issuers();
  expect(after).toHaveLength(2);
  expect(after).not.toEqual(before);
});
