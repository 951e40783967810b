import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Scope } from '../../../src/auth/scopes.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { Client, type Received } from '../../support/surfaces/client.ts';
import { PROGRAM_FILE } from '../../support/surfaces/program.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let yaml: string;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
  yaml = await readFile(PROGRAM_FILE, 'utf8');
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

interface Publishing {
  source?: string;
  query?: string;
  headers?: Record<string, string | undefined>;
  path?: string;
}

const PATH = `/api/v1/programs/${programId}/versions`;

function publish(
  shop: TestEnvironment,
  { source = yaml, query = '', headers = {}, path = PATH }: Publishing = {},
) {
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${shop.key}`,
    'x-environment': shop.environmentId,
    'content-type': 'application/yaml',
    'idempotency-key': `publish-${++keys}`,
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return client.send({ method: 'POST', path: path + query, headers: sent, body: source });
}

function read(shop: TestEnvironment, path: string): Promise<Received> {
  const headers = { authorization: `Bearer ${shop.key}`, 'x-environment': shop.environmentId };
  return client.send({ method: 'GET', path: `${PATH}${path}`, headers });
}

/** The demo's document with another threshold of silver. */
const changed = (threshold: number) => yaml.replace(/threshold: 1000\b/, `threshold: ${threshold}`);

describe('a document', () => {
  test('is published as YAML or JSON, and read as it was published', async () => {
    const shop = await world.environment();
    const made = await publish(shop, { source: changed(900), query: '?note=Easier%20silver' });
    expect(made.status).toBe(201);
    expect(made.body.version).toMatchObject({
      configurationVersion: 2,
      publishedBy: 'tests',
      note: 'Easier silver',
    });
    expect(made.body.changes).toEqual([
      { section: 'tiers', id: 'silver', change: 'changed', path: 'threshold', before: '1000', after: '900' },
    ]);
    const shown = await read(shop, '/2');
    expect(shown.body.version).toEqual(made.body.version);
    const json = { ...(shown.body.document as object), name: 'Coffee friends' };
    const again = await publish(shop, {
      source: JSON.stringify(json),
      headers: { 'content-type': 'application/json' },
    });
    expect({ status: again.status, version: again.body.version }).toMatchObject({
      status: 201,
      version: { configurationVersion: 3, note: null },
    });
    const diff = await read(shop, '/3/diff?from=1');
    expect(diff.body).toMatchObject({ from: 1, to: 3 });
    expect((diff.body.changes as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      '',
      'threshold',
    ]);
    expect((await read(shop, '/3/diff')).body.changes).toHaveLength(1);
    expect((await read(shop, '?limit=2')).body.data).toEqual([again.body.version, made.body.version]);
  });

  test('that is the newest version is no other one', async () => {
    const shop = await world.environment();
    const same = await publish(shop);
    expect({ status: same.status, version: same.body.version, changes: same.body.changes }).toMatchObject({
      status: 200,
      version: { configurationVersion: 1 },
      changes: [],
    });
  });

  test('takes effect when it says, and purchases follow it', async () => {
    const shop = await world.environment();
    const effectiveAt = new Date(Date.now() + 86_400_000).toISOString();
    const { body } = await publish(shop, { source: changed(900), query: `?effectiveAt=${effectiveAt}` });
    expect(body.version).toMatchObject({ configurationVersion: 2, effectiveFrom: effectiveAt });
    const listed = await client.send({
      method: 'GET',
      path: '/api/v1/programs',
      headers: { authorization: `Bearer ${shop.key}`, 'x-environment': shop.environmentId },
    });
    expect(listed.body.data).toMatchObject([{ configurationVersion: 1, newestVersion: 2 }]);
  });

  test('is audited with its principal and announced as an event', async () => {
    const shop = await world.environment();
    const made = await publish(shop, { source: changed(900) });
    const { rows } = await database.adminPool.query(
      `select actor_type, actor_id, request_id, changes ->> 'version' as version
       from audit_events where environment_id = $1 and action = 'program.published' and actor_type = 'api_key'`,
      [shop.id],
    );
    expect(rows).toEqual([
      { actor_type: 'api_key', actor_id: 'tests', request_id: made.body.requestId, version: '2' },
    ]);
    expect(
      await world.count(
        `select count(*)::integer from events where environment_id = $1 and type = 'program.published'`,
        [shop.id],
      ),
    ).toBe(2);
    expect(await world.failedControls()).toEqual([]);
    expect(await world.eventFaults()).toEqual([]);
  });
});

describe('a dry run', () => {
  test('lists the problems with their lines, and publishes nothing', async () => {
    const shop = await world.environment();
    const key = await world.key(shop.id, ['programs:write']);
    const writer = { ...shop, ...key };
    const dryRun = { query: '?dryRun=true', headers: { 'idempotency-key': undefined } };
    const before = await world.countRows();
    const wrong = await publish(writer, {
      ...dryRun,
      source: changed(900).replace('currency: USD', 'currency: dollars'),
    });
    expect({ status: wrong.status, version: wrong.body.version }).toEqual({ status: 200, version: null });
    const line = yaml.split('\n').findIndex((text) => text.startsWith('currency:')) + 1;
    expect(wrong.body.problems).toMatchObject([{ path: 'currency', line, column: expect.any(Number) }]);
    const right = await publish(writer, { ...dryRun, source: changed(900) });
    expect(right.body).toMatchObject({ problems: [], changes: [{ path: 'threshold', after: '900' }] });
    const other = await publish(writer, { ...dryRun, path: '/api/v1/programs/tea-club/versions' });
    expect(other.body.problems).toMatchObject([
      { path: 'id', message: 'is the document of coffee-club, not of tea-club' },
    ]);
    const euro = await publish(writer, { ...dryRun, source: yaml.replace('currency: USD', 'currency: EUR') });
    expect(euro.body.problems).toMatchObject([{ path: '', message: expect.stringMatching(/EUR/) }]);
    expect(await world.countRows()).toEqual(before);
  });
});

describe('a publication is refused', () => {
  test('without the scope, with another version, with another input under its key, in a locked environment', async () => {
    const shop = await world.environment('production');
    const as = async (...scopes: Scope[]) => ({ ...shop, ...(await world.key(shop.id, scopes)) });
    const codes = async (...sent: Promise<Received>[]) =>
      (await Promise.all(sent)).map(({ status, code }) => `${status} ${code}`);
    expect(await codes(publish(await as('programs:write')), publish(await as('members:write')))).toEqual([
      '403 insufficient_scope',
      '403 insufficient_scope',
    ]);
    expect(await codes(publish(shop, { source: changed(900), headers: { 'if-match': '"7"' } }))).toEqual([
      '412 version_conflict',
    ]);
    expect(await codes(publish(shop, { headers: { 'if-match': 'W/"1"' } }))).toEqual([
      '422 validation_failed',
    ]);
    expect(await codes(publish(shop, { headers: { 'idempotency-key': undefined } }))).toEqual([
      '400 idempotency_key_required',
    ]);
    expect(await codes(publish(shop, { headers: { 'content-type': 'text/plain' } }))).toEqual([
      '415 unsupported_media_type',
    ]);
    expect(await codes(publish(shop, { source: `${yaml}${'# x'.repeat(90_000)}` }))).toEqual([
      '413 payload_too_large',
    ]);
    expect(await codes(publish(shop, { source: '' }), publish(shop, { query: '?effectiveAt=soon' }))).toEqual(
      ['422 validation_failed', '422 validation_failed'],
    );
    expect(await codes(publish(shop, { source: yaml.replace('currency: USD', 'currency: EUR') }))).toEqual([
      '409 program_conflict',
    ]);
    expect(await codes(read(shop, '/9'), read(shop, '/0'), read(shop, '/1x'), read(shop, '/9/diff'))).toEqual(
      ['404 version_not_found', '422 validation_failed', '422 validation_failed', '404 version_not_found'],
    );
    await world.lock(shop.id, true);
    expect(await codes(publish(shop, { source: changed(900) }))).toEqual(['409 production_locked']);
  });

  test('with the problems of its document', async () => {
    const shop = await world.environment();
    const { status, body } = await publish(shop, { source: 'id: coffee-club\nname: [' });
    expect(status).toBe(422);
    expect(body.error?.details?.[0]?.message).toMatch(/line 2/);
  });

  test('where there is no login for management', async () => {
    const bare = await startTestServer({ serverUrl: database.serverUrl });
    const shop = await world.environment();
    const own = new Client(bare.url);
    try {
      const headers = {
        authorization: `Bearer ${shop.key}`,
        'x-environment': shop.environmentId,
        'content-type': 'application/yaml',
        'idempotency-key': 'none',
      };
      const answer = await own.send({ method: 'POST', path: PATH, headers, body: yaml });
      expect({ status: answer.status, code: answer.code }).toEqual({
        status: 503,
        code: 'management_unavailable',
      });
    } finally {
      own.close();
      await bare.close();
    }
  });
});

describe('many at once', () => {
  test('under one key publish once, and all hear of the same version', async () => {
    const shop = await world.environment();
    const headers = { 'idempotency-key': 'one-key' };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => publish(shop, { source: changed(800), headers })),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.version))).size).toBe(1);
    expect((await publish(shop, { source: changed(700), headers })).code).toBe('idempotency_key_reused');
  });

  test('that know one version: one wins, the others hear which one stands', async () => {
    const shop = await world.environment();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        publish(shop, { source: changed(500 + nth), headers: { 'if-match': '"1"' } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const lost = answers.filter(({ status }) => status !== 201);
    expect(lost.map(({ status, body }) => `${status} ${body.error?.message}`)).toEqual(
      Array(7).fill(
        '412 coffee-club was expected to be at version 1; its newest version is 2. Read it, and send the document again.',
      ),
    );
  });
});
