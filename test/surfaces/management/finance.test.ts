import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../src/auth/scopes.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { Client, type Received, rest } from '../../support/surfaces/client.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

const PATH = `/programs/${programId}/versions`;

/** The environment with a key of another principal than the publisher of its program. */
async function asSigner(shop: TestEnvironment, scopes: readonly Scope[] = ['finance:approve']) {
  return { ...shop, ...(await world.key(shop.id, scopes, null, 'grace')) };
}

const read = (shop: TestEnvironment, version: number | string = 1) =>
  client.send(rest(shop, 'GET', `${PATH}/${version}/finance`));

function approve(
  shop: TestEnvironment,
  body: object = { sections: ['finance', 'journal'] },
  { version = 1 as number | string, path = PATH, key = `approve-${++keys}` as string | undefined } = {},
): Promise<Received> {
  return client.send(rest(shop, 'POST', `${path}/${version}/finance/approve`, body, key));
}

const signed = (shop: TestEnvironment) =>
  world.count('select count(*)::integer from finance_approvals where environment_id = $1', [shop.id]);

interface Section {
  section: string;
  approval: { approvedBy: string; version: number } | null;
}

describe('sections', () => {
  test('are read as published, and with the approval once another principal gave it', async () => {
    const shop = await world.environment();
    const signer = await asSigner(shop);
    const before = await read(signer);
    expect(before.status).toBe(200);
    expect(before.body).toMatchObject({
      ...{ programId, configurationVersion: 1, publishedBy: 'tests' },
      sections: [
        {
          section: 'finance',
          content: { valuation: { amountMinor: { numerator: 1, denominator: 1 } } },
          ...{ missingAccounts: [], approval: null },
        },
        {
          section: 'journal',
          content: { accounts: { liability: '2410 Loyalty liability' } },
          approval: null,
        },
      ],
    });
    const made = await approve(signer, { sections: ['journal'] });
    expect(made.status).toBe(200);
    const [, journal] = before.body.sections as { sectionHash: string }[];
    const approval = {
      ...{ section: 'journal', sectionHash: journal?.sectionHash, version: 1, approvedBy: 'grace' },
      approvedAt: expect.any(String),
    };
    expect(made.body).toMatchObject({
      ...{ programId, configurationVersion: 1 },
      approvals: [{ ...approval, approved: true }],
    });
    const after = (await read(signer)).body.sections as Section[];
    expect(after.map((one) => one.approval)).toEqual([null, approval]);
    const close = await client.send(rest(shop, 'GET', `/reports/ledger-close?programId=${programId}`));
    expect(close.body.approvals).toEqual([approval]);
  });

  test('keep the approval of another version with the same content, and say whose it is', async () => {
    const shop = await world.environment();
    const signer = await asSigner(shop);
    await approve(signer, { sections: ['finance'] });
    await world.publish(shop.id, (yaml) => yaml.replace('threshold: 1000', 'threshold: 900'));
    const [finance] = (await read(signer, 2)).body.sections as Section[];
    expect(finance?.approval).toMatchObject({ approvedBy: 'grace', version: 1 });
    const other = { ...shop, ...(await world.key(shop.id, ['finance:approve'], null, 'heidi')) };
    const again = await approve(other, { sections: ['finance', 'journal'] }, { version: 2 });
    expect(again.body.approvals).toMatchObject([
      { section: 'finance', version: 1, approvedBy: 'grace', approved: false },
      { section: 'journal', version: 2, approvedBy: 'heidi', approved: true },
    ]);
  });

  test('are approved once under a key, also where many ask at once', async () => {
    const shop = await world.environment();
    const signer = await asSigner(shop);
    const asked = Array.from({ length: 8 }, () => approve(signer, undefined, { key: 'one' }));
    const answers = await Promise.all(asked);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.approvals))).size).toBe(1);
    expect(await signed(shop)).toBe(2);
    const { rows } = await database.adminPool.query(
      `select actor_type, actor_id, target_id from audit_events
       where environment_id = $1 and action = 'finance.approved'`,
      [shop.id],
    );
    expect(rows).toEqual([{ actor_type: 'api_key', actor_id: 'grace', target_id: programId }]);
    const other = await approve(signer, { sections: ['finance'] }, { key: 'one' });
    expect(`${other.status} ${other.code}`).toBe('409 idempotency_key_reused');
    expect(await world.failedControls()).toEqual([]);
  });
});

describe('an approval is refused', () => {
  test('for whoever published the content, in whichever version', async () => {
    const shop = await world.environment();
    await world.publish(shop.id, (yaml) => yaml.replace('threshold: 1000', 'threshold: 900'));
    const answers = await Promise.all([approve(shop), approve(shop, undefined, { version: 2 })]);
    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(2).fill('409 self_approval_forbidden'),
    );
    expect(await signed(shop)).toBe(0);
  });

  test('without scope, key, version or section, with another environment, and while it is locked', async () => {
    const shop = await world.environment('production');
    const signer = await asSigner(shop);
    const codes = async (...sent: Promise<Received>[]) =>
      (await Promise.all(sent)).map(({ status, code }) => `${status} ${code}`);
    const writer = { ...shop, ...(await world.key(shop.id, ['programs:write'], null, 'grace')) };
    expect(await codes(approve(writer), read(writer))).toEqual(Array(2).fill('403 insufficient_scope'));
    expect(await codes(approve(signer, undefined, { version: 7 }), read(signer, 7))).toEqual(
      Array(2).fill('404 version_not_found'),
    );
    const tea = await client.send(rest(signer, 'GET', '/programs/tea-club/versions/1/finance'));
    expect(tea.code).toBe('program_not_found');
    expect(await codes(approve(signer, undefined, { path: '/programs/tea-club/versions' }))).toEqual([
      '404 program_not_found',
    ]);
    expect(
      await codes(
        approve(signer, { sections: [] }),
        approve(signer, { sections: ['tiers'] }),
        approve(signer, {}),
        approve(signer, undefined, { version: 'newest' }),
        read(signer, 0),
      ),
    ).toEqual(Array(5).fill('422 validation_failed'));
    const bare = rest(signer, 'POST', `${PATH}/1/finance/approve`, { sections: ['finance'] });
    expect((await client.send(bare)).code).toBe('idempotency_key_required');
    const other = await world.environment();
    expect((await approve({ ...signer, environmentId: other.environmentId })).status).toBe(401);
    await world.lock(shop.id, true);
    expect(await codes(approve(signer))).toEqual(['409 production_locked']);
    expect(await signed(shop)).toBe(0);
  });

  test('as a whole where the version lacks one of the sections', async () => {
    const shop = await world.environment();
    await world.publish(shop.id, (yaml) => yaml.replace(/^journal:\n( .*\n)+/m, ''));
    const signer = await asSigner(shop);
    const { status, code } = await approve(signer, undefined, { version: 2 });
    expect(`${status} ${code}`).toBe('404 section_not_found');
    expect(await signed(shop)).toBe(0);
    expect((await read(signer, 2)).body.sections).toMatchObject([{ section: 'finance' }]);
  });

  test('where there is no login for management', async () => {
    const bare = await startTestServer({ serverUrl: database.serverUrl });
    const own = new Client(bare.url);
    const signer = await asSigner(await world.environment());
    try {
      const sent = rest(signer, 'POST', `${PATH}/1/finance/approve`, { sections: ['finance'] }, 'none');
      const { status, code } = await own.send(sent);
      expect(`${status} ${code}`).toBe('503 management_unavailable');
    } finally {
      own.close();
      await bare.close();
    }
  });
});
