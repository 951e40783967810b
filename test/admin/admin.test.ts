import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createEnvironment } from '../../src/admin/environments/create-environment.ts';
import { createTenant } from '../../src/admin/environments/create-tenant.ts';
import { listEnvironments } from '../../src/admin/environments/list-environments.ts';
import { lockEnvironment } from '../../src/admin/environments/lock-environment.ts';
import { issueApiKey } from '../../src/admin/keys/issue-api-key.ts';
import { listApiKeys } from '../../src/admin/keys/list-api-keys.ts';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { rotateApiKey } from '../../src/admin/keys/rotate-api-key.ts';
import { type Administrator, operator } from '../../src/admin/shared/admin-change.ts';
import { ADMIN_CHANNEL } from '../../src/auth/admin-notices.ts';
import { parseKey, secretMatches } from '../../src/auth/api-key.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { isRefusal, type Refusal, type RefusalCode } from '../../src/refusal.ts';
import { fixture } from '../support/fixture.ts';
import { useAdministrator } from '../support/use-administrator.ts';
import { useDatabase } from '../support/use-database.ts';

let heard: string[] = [];

const { database } = useDatabase();
const administrator = useAdministrator(database);
const listener = fixture(
  'the listener',
  () => new pg.Client({ connectionString: database.adminUrl }),
  (opened) => opened.end(),
);

beforeAll(async () => {
  listener.on('error', () => undefined);
  await listener.connect();
  listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
  await listener.query(`listen ${ADMIN_CHANNEL}`);
});

let tenantId: string;
let sandbox: string;
let production: string;

beforeEach(async () => {
  tenantId = (await createTenant(administrator, 'Beans & Co')).tenantId;
  sandbox = expectDone(
    await createEnvironment(administrator, { tenantId, kind: 'sandbox', name: 'S' }),
  ).environmentId;
  production = expectDone(
    await createEnvironment(administrator, { tenantId, kind: 'production', name: 'P' }),
  ).environmentId;
  await notices();
});

function expectDone<T extends object>(outcome: T | Refusal<RefusalCode>): T {
  if (isRefusal(outcome)) throw new Error(`refused: ${outcome.message}`);
  return outcome;
}

/** The environments announced since the last call. */
async function notices(): Promise<string[]> {
  // Postgres delivers pending notifications before it completes the listener's own statement.
  await listener.query('select 1');
  const since = heard;
  heard = [];
  return since;
}

async function auditOf(environmentId: string) {
  const { rows } = await database.adminPool.query<{
    action: string;
    target_id: string;
    actor_type: string;
    actor_id: string;
    changes: object;
  }>(
    'select action, target_id, actor_type, actor_id, changes from audit_events where environment_id = $1 order by id',
    [environmentId],
  );
  return rows;
}

async function storedKey(keyId: string) {
  return administrator.prisma.apiKey.findFirstOrThrow({ where: { id: keyId } });
}

describe('environments', () => {
  test('belong to an existing tenant', async () => {
    const unknown = newUuid();
    const outcome = await createEnvironment(administrator, { tenantId: unknown, kind: 'sandbox', name: 'S' });
    expect(outcome).toMatchObject({
      refused: true,
      message: expect.stringContaining(toTypeId('ten', unknown)),
    });
    expect(await notices()).toEqual([]);
  });

  test('are listed with their published programs', async () => {
    await administrator.prisma.program.create({ data: { environmentId: sandbox, id: 'coffee-club' } });
    const listed = await listEnvironments(administrator.prisma);
    expect(listed.find((one) => one.environmentId === sandbox)).toMatchObject({
      tenantId,
      tenantName: 'Beans & Co',
      kind: 'sandbox',
      locked: false,
      programIds: ['coffee-club'],
    });
    expect(listed.find((one) => one.environmentId === production)?.programIds).toEqual([]);
  });

  test('are locked and unlocked once, with audit and notice, and no document is read again', async () => {
    const revision = async () =>
      Number(
        (await administrator.prisma.environment.findUniqueOrThrow({ where: { id: production } })).revision,
      );
    const before = await revision();
    expect(await lockEnvironment(administrator, production, true)).toEqual({ locked: true, changed: true });
    expect(await lockEnvironment(administrator, production, true)).toEqual({ locked: true, changed: false });
    expect(await lockEnvironment(administrator, production, false)).toEqual({ locked: false, changed: true });
    expect(await revision()).toBe(before);
    expect(await notices()).toEqual([production, production]);
    expect((await auditOf(production)).map((event) => event.action)).toEqual([
      'environment.created',
      'environment.locked',
      'environment.unlocked',
    ]);
  });

  test('of the Sandbox kind, and unknown ones, are not locked', async () => {
    expect(await lockEnvironment(administrator, sandbox, true)).toMatchObject({ refused: true });
    expect(await lockEnvironment(administrator, newUuid(), true)).toMatchObject({ refused: true });
    expect(await notices()).toEqual([]);
  });
});

describe('names', () => {
  const issue = (principal: string) =>
    issueApiKey(administrator, {
      environmentId: sandbox,
      principal,
      scopes: ['members:read'],
      expiresAt: null,
    });

  test('two spellings that look the same are one principal', async () => {
    const [one, other] = [
      expectDone(await issue(' Jose\u0301 ')).keyId,
      expectDone(await issue('Jos\u00e9')).keyId,
    ];
    expect((await storedKey(one)).principal).toBe('Jos\u00e9');
    expect((await storedKey(other)).principal).toBe('Jos\u00e9');
  });

  test('an invalid name is refused for principals, environments and tenants', async () => {
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(201)]) {
      expect(await issue(name)).toMatchObject({ refused: true });
      expect(await createEnvironment(administrator, { tenantId, kind: 'sandbox', name })).toMatchObject({
        refused: true,
      });
      await expect(createTenant(administrator, name)).rejects.toThrow(RangeError);
    }
  });
});

describe('keys', () => {
  const scopes = ['events:write', 'members:read'] as const;

  test('are issued with a secret of which only the hash is stored', async () => {
    const { keyId, key } = expectDone(
      await issueApiKey(administrator, {
        environmentId: production,
        principal: 'shop',
        scopes,
        expiresAt: null,
      }),
    );
    const parsed = parseKey(key);
    expect(parsed).toMatchObject({ environmentKind: 'production', keyId });
    const stored = await storedKey(keyId);
    expect(stored).toMatchObject({ environmentId: production, principal: 'shop', scopes: [...scopes] });
    expect(secretMatches(stored.secretHash, null, null, new Date(), parsed?.secret ?? '')).toBe(true);
    const [, issued] = await auditOf(production);
    expect(issued).toMatchObject({
      action: 'api_key.issued',
      target_id: toTypeId('key', keyId),
      actor_type: 'operator',
      actor_id: 'ada',
    });
    expect(JSON.stringify(issued)).not.toContain(parsed?.secret);
    expect(await notices()).toEqual([production]);
  });

  test('are not issued for an unknown environment, nor with an expiry that has passed', async () => {
    const wanted = { principal: 'shop', scopes, expiresAt: null };
    expect(await issueApiKey(administrator, { ...wanted, environmentId: newUuid() })).toMatchObject({
      refused: true,
    });
    const expiresAt = new Date(Date.now() - 1);
    expect(await issueApiKey(administrator, { ...wanted, environmentId: sandbox, expiresAt })).toMatchObject({
      refused: true,
    });
    expect(expectDone(await listApiKeys(administrator.prisma, sandbox)).keys).toEqual([]);
  });

  test('are rotated: the new secret works at once, the old one for the overlap', async () => {
    const first = expectDone(
      await issueApiKey(administrator, {
        environmentId: sandbox,
        principal: 'shop',
        scopes,
        expiresAt: null,
      }),
    );
    const second = expectDone(await rotateApiKey(administrator, first.keyId, 3600));
    expect(second.keyId).toBe(first.keyId);
    const stored = await storedKey(first.keyId);
    const works = (key: string, at: Date): boolean =>
      secretMatches(
        stored.secretHash,
        stored.previousSecretHash,
        stored.previousValidUntil,
        at,
        parseKey(key)?.secret ?? '',
      );
    const now = new Date();
    const afterwards = new Date(now.getTime() + 3_601_000);
    expect({ second: works(second.key, now), first: works(first.key, now) }).toEqual({
      second: true,
      first: true,
    });
    const later = { second: works(second.key, afterwards), first: works(first.key, afterwards) };
    expect(later).toEqual({ second: true, first: false });
    expect((await auditOf(sandbox)).at(-1)?.action).toBe('api_key.rotated');
  });

  test('rotated without an overlap no longer accept the old secret', async () => {
    const first = expectDone(
      await issueApiKey(administrator, {
        environmentId: sandbox,
        principal: 'shop',
        scopes,
        expiresAt: null,
      }),
    );
    expect(expectDone(await rotateApiKey(administrator, first.keyId, 0)).previousValidUntil).toBeNull();
    expect(await storedKey(first.keyId)).toMatchObject({
      previousSecretHash: null,
      previousValidUntil: null,
    });
  });

  test('rotated by two at once end with one of the two new secrets and the other as the previous one', async () => {
    const first = expectDone(
      await issueApiKey(administrator, {
        environmentId: sandbox,
        principal: 'shop',
        scopes,
        expiresAt: null,
      }),
    );
    const rotated = await Promise.all([
      rotateApiKey(administrator, first.keyId, 60),
      rotateApiKey(administrator, first.keyId, 60),
    ]);
    const stored = await storedKey(first.keyId);
    for (const { key } of rotated.map(expectDone)) {
      const { secretHash, previousSecretHash, previousValidUntil } = stored;
      const secret = parseKey(key)?.secret ?? '';
      expect(secretMatches(secretHash, previousSecretHash, previousValidUntil, new Date(), secret)).toBe(
        true,
      );
    }
  });

  test('are revoked for good', async () => {
    const { keyId } = expectDone(
      await issueApiKey(administrator, {
        environmentId: sandbox,
        principal: 'shop',
        scopes,
        expiresAt: null,
      }),
    );
    await notices();
    expect(await revokeApiKey(administrator, keyId)).toMatchObject({ changed: true });
    expect(await notices()).toEqual([sandbox]);
    expect(await revokeApiKey(administrator, keyId)).toMatchObject({ changed: false });
    expect(await notices()).toEqual([]);
    expect(await rotateApiKey(administrator, keyId, 60)).toMatchObject({ refused: true });
    const { keys } = expectDone(await listApiKeys(administrator.prisma, sandbox));
    expect(keys).toMatchObject([{ keyId, status: 'revoked', principal: 'shop' }]);
    expect(JSON.stringify(keys)).not.toContain('secret');
  });

  test('that were never issued are unknown', async () => {
    expect(await revokeApiKey(administrator, newUuid())).toMatchObject({ refused: true });
    expect(await rotateApiKey(administrator, newUuid(), 0)).toMatchObject({ refused: true });
  });
});

test('a change that fails leaves neither audit event nor notice', async () => {
  const broken: Administrator = { ...administrator, actor: operator('\u0000') };
  await expect(lockEnvironment(broken, production, true)).rejects.toThrow();
  expect(await administrator.prisma.environment.findUnique({ where: { id: production } })).toMatchObject({
    locked: false,
  });
  expect(await notices()).toEqual([]);
});
