import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer } from '../../support/server.ts';
import { addMembers, Client, createMember, type Received, rest } from '../../support/surfaces/client.ts';
import { addTestWidget, widgetDocument } from '../../support/surfaces/widgets.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';
import { until } from '../../support/until.ts';

const WIDGET_FILE = new URL('../../../demo/coffee-widget.yaml', import.meta.url);
const MISSING = 'wdg_01jz8n2m4nf6pr8s0t2v4w6xyz';

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let yaml: string;
let requests = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  server = await startTestServer(database);
  client = new Client(server.url);
  yaml = await readFile(WIDGET_FILE, 'utf8');
});

afterAll(async () => {
  client.close();
  await server.close();
  await world.administrator.prisma.$disconnect();
  await database.drop();
});

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

interface Publishing {
  source?: string;
  query?: string;
  headers?: Record<string, string | undefined>;
  through?: Client;
}

function publish(
  shop: Credentials,
  { source = yaml, query = '', headers = {}, through = client }: Publishing = {},
) {
  const all: Record<string, string | undefined> = {
    authorization: `Bearer ${shop.key}`,
    'x-environment': shop.environmentId,
    'content-type': 'application/yaml',
    'idempotency-key': `widget-${++requests}`,
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return through.send({ method: 'POST', path: `/api/v1/widgets${query}`, headers: sent, body: source });
}

const read = (shop: Credentials, path = '') => client.send(rest(shop, 'GET', `/widgets${path}`));
const codeOf = ({ status, code }: Received) => `${status} ${code}`;
const idOf = ({ body }: Received) => String(body.deploymentId);

/** The demo's document for pages of another site. */
const forSite = (origin: string) => yaml.replace('http://127.0.0.1:4000', origin);

/** The origin that pages of a deployment are allowed to call from, where a page asks. */
async function allowed(deploymentId: string, origin: string): Promise<unknown> {
  const answer = await client.send({
    method: 'GET',
    path: `/api/v1/widgets/${deploymentId}/surface`,
    headers: { origin },
  });
  return answer.headers['access-control-allow-origin'];
}

describe('a document', () => {
  test('is published as YAML or JSON, and read as it was published', async () => {
    const shop = await world.environment();
    const made = await publish(shop);
    expect(made).toMatchObject({
      status: 201,
      body: {
        deploymentId: expect.stringMatching(/^wdg_/),
        version: { version: 1, programId: 'coffee-club', publishedBy: 'tests' },
        problems: [],
      },
    });
    const id = idOf(made);
    const first = await read(shop, `/${id}/versions/1`);
    expect(first.body).toMatchObject({ deploymentId: id, version: made.body.version });
    const json = { ...(first.body.document as object), redemption: 'commit' };
    const headers = { 'content-type': 'application/json' };
    const next = await publish(shop, { source: JSON.stringify(json), headers });
    expect({ status: next.status, id: idOf(next), version: next.body.version }).toMatchObject({
      ...{ status: 201, id },
      version: { version: 2 },
    });
    const newest = await read(shop, `/${id}`);
    expect(newest.body).toMatchObject({
      deployment: { id, documentId: 'coffee-widget', newest: next.body.version },
      document: json,
    });
    expect((await read(shop, `/${id}/versions`)).body.data).toEqual([next.body.version, made.body.version]);
    const page = await read(shop, `/${id}/versions?limit=1`);
    const { nextCursor } = page.body.page as unknown as { nextCursor: string };
    expect((await read(shop, `/${id}/versions?limit=1&cursor=${nextCursor}`)).body.data).toEqual([
      made.body.version,
    ]);

    const same = await publish(shop, { source: JSON.stringify(json), headers });
    expect({ status: same.status, version: same.body.version }).toEqual({
      status: 200,
      version: next.body.version,
    });
    const other = await publish(shop, { source: yaml.replace('id: coffee-widget', 'id: other') });
    expect((await read(shop)).body.data).toMatchObject([
      { id: idOf(other), documentId: 'other' },
      newest.body.deployment as object,
    ]);
    const listed = await read(shop, '?limit=1');
    const { nextCursor: after } = listed.body.page as unknown as { nextCursor: string };
    expect((await read(shop, `?limit=1&cursor=${after}`)).body.data).toEqual([newest.body.deployment]);
    const { rows } = await database.adminPool.query(
      `select actor_type, actor_id, request_id, target_id, changes ->> 'version' as version
       from audit_events where environment_id = $1 and action = 'widget.published' order by at, id limit 1`,
      [shop.id],
    );
    expect(rows).toEqual([
      {
        ...{ actor_type: 'api_key', actor_id: 'tests', target_id: id, version: '1' },
        request_id: made.body.requestId,
      },
    ]);
    expect(await world.failedControls()).toEqual([]);
  });

  test('is served at once, to pages of its origins alone', async () => {
    const shop = await world.environment();
    const id = idOf(await publish(shop, { source: forSite('https://before.example') }));
    const isAllowed = (origin: string) => async () => (await allowed(id, origin)) === origin;
    await until(isAllowed('https://before.example'), 'the first site is allowed');
    const begun = performance.now();
    await publish(shop, { source: forSite('https://after.example') });
    await until(isAllowed('https://after.example'), 'the second site is allowed');
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await allowed(id, 'https://before.example')).toBeUndefined();
    const surface = await client.send({ method: 'GET', path: `/api/v1/widgets/${id}/surface` });
    expect(surface.body.surface).toMatchObject({ id: `${id}:2` });
    // No page may call what takes a server key.
    const page = await client.send({
      method: 'OPTIONS',
      path: `/api/v1/widgets/${id}/preview`,
      headers: { origin: 'https://after.example', 'access-control-request-method': 'GET' },
    });
    expect(Object.keys(page.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('is previewed for visitors and for a member, in every version', async () => {
    const shop = await world.environment();
    await addMembers(client, shop, ['ada']);
    const id = idOf(await publish(shop));
    await publish(shop, { source: yaml.replace('Your points', 'Your beans') });
    const preview = async (query: string, as: Credentials = shop) => read(as, `/${id}/preview${query}`);
    const shown = await preview('');
    expect(shown.body.surface).toMatchObject({
      surface: { id: `${id}:2` },
      context: { personalized: false },
      components: expect.arrayContaining([expect.objectContaining({ label: 'Your beans' })]),
    });
    const served = await client.send({ method: 'GET', path: `/api/v1/widgets/${id}/surface` });
    expect(shown.body.surface).toEqual(served.body);
    expect((await preview('?version=1')).body.surface).toMatchObject({ surface: { id: `${id}:1` } });
    const ada = await preview('?externalCustomerId=ada');
    expect(ada.body.surface).toMatchObject({ context: { personalized: true } });
    const publisher = { ...shop, ...(await world.key(shop.id, ['widgets:publish'])) };
    expect((await preview('', publisher)).status).toBe(200);
    const codes = [
      await preview('?externalCustomerId=ada', publisher),
      await preview('?externalCustomerId=nobody'),
      await preview('?version=3'),
      await preview('?version=0'),
    ];
    expect(codes.map(codeOf)).toEqual([
      '403 insufficient_scope',
      '404 member_not_found',
      '404 version_not_found',
      '422 validation_failed',
    ]);
  });
});

describe('a dry run', () => {
  test('lists the problems with their lines, and publishes nothing', async () => {
    const shop = await world.environment();
    const dryRun = { query: '?dryRun=true', headers: { 'idempotency-key': undefined } };
    const before = await world.countRows();
    const source = yaml
      .replace('program: coffee-club', 'program: tea-club')
      .replace('localhost:4000', 'localhost:4000/path');
    const wrong = await publish(shop, { ...dryRun, source });
    const lineOf = (text: string) => source.split('\n').findIndex((line) => line.includes(text)) + 1;
    expect({ status: wrong.status, body: wrong.body }).toMatchObject({
      status: 200,
      body: {
        ...{ deploymentId: null, version: null },
        problems: [
          { path: 'program', line: lineOf('tea-club'), message: expect.stringMatching(/^is unknown/) },
          { path: 'origins[1]', line: lineOf('/path') },
        ],
      },
    });
    expect((await publish(shop, dryRun)).body).toMatchObject({
      deploymentId: null,
      version: null,
      problems: [],
    });
    expect(await world.countRows()).toEqual(before);
    const id = idOf(await publish(shop));
    expect((await publish(shop, dryRun)).body).toMatchObject({
      deploymentId: id,
      version: null,
      problems: [],
    });
  });
});

describe('a publication is refused', () => {
  test('without the scope, with another version, of another environment, in a locked one', async () => {
    const shop = await world.environment('production');
    const other = await world.environment();
    const poor = { ...shop, ...(await world.key(shop.id, ['programs:publish', 'widgets:session'])) };
    const id = idOf(await publish(shop));
    const paths = ['', `/${id}`, `/${id}/versions`, `/${id}/versions/1`, `/${id}/preview`];
    const denied = [await publish(poor), ...(await Promise.all(paths.map((path) => read(poor, path))))];
    expect(denied.map(codeOf)).toEqual(Array(6).fill('403 insufficient_scope'));
    const hidden = [id, MISSING, 'x'].flatMap((one) =>
      paths.slice(1).map((path) => read(other, path.replace(id, one))),
    );
    expect((await Promise.all(hidden)).map(codeOf)).toEqual(Array(12).fill('404 deployment_not_found'));
    expect((await read(other)).body.data).toEqual([]);
    const codes = [
      await read(shop, '?cursor=x'),
      await read(shop, `/${id}/versions?cursor=x`),
      await read(shop, `/${id}/versions/2`),
      await publish(shop, { source: forSite('https://new.example'), headers: { 'if-match': '"7"' } }),
      await publish(shop, { source: 'id: [' }),
      await publish(shop, { headers: { 'idempotency-key': undefined } }),
      await publish(shop, { headers: { 'content-type': 'text/plain' } }),
      await publish(shop, { source: `${yaml}${'# x'.repeat(90_000)}` }),
    ];
    expect(codes.map(codeOf)).toEqual([
      ...['422 invalid_cursor', '422 invalid_cursor', '404 version_not_found', '412 version_conflict'],
      ...['422 validation_failed', '400 idempotency_key_required', '415 unsupported_media_type'],
      '413 payload_too_large',
    ]);
    const unknown = await publish(shop, {
      source: yaml.replace('program: coffee-club', 'program: tea-club'),
    });
    expect(unknown.body.error).toMatchObject({
      code: 'validation_failed',
      details: [
        { path: 'program', message: expect.stringMatching(/^is unknown.*\(line \d+, column \d+\)$/) },
      ],
    });
    const bare = await startTestServer({ serverUrl: database.serverUrl });
    const through = new Client(bare.url);
    expect(codeOf(await publish(shop, { through }))).toBe('503 management_unavailable');
    through.close();
    await bare.close();
    await world.lock(shop.id, true);
    expect(codeOf(await publish(shop, { source: forSite('https://new.example') }))).toBe(
      '409 production_locked',
    );
    expect((await read(shop, `/${id}/preview`)).status).toBe(200);
  });

  test('a preview is refused where there is nothing to show', async () => {
    const shop = await world.environment();
    const id = await addTestWidget(world, shop.id);
    await client.send(createMember(shop, 'carol'));
    expect(codeOf(await read(shop, `/${id}/preview?externalCustomerId=carol`))).toBe(
      '409 enrollment_required',
    );
    // A program whose first version takes effect tomorrow.
    const effectiveAt = new Date(Date.now() + 86_400_000).toISOString();
    const shown = await read(shop, `/${id}`);
    expect(shown.body.document).toEqual(widgetDocument());
    const program = await client.send(rest(shop, 'GET', '/programs/coffee-club/versions/1'));
    const document = { ...(program.body.document as object), id: 'tomorrow' };
    const later = await client.send(
      rest(shop, 'POST', `/programs/tomorrow/versions?effectiveAt=${effectiveAt}`, document, 'later'),
    );
    expect(later.status).toBe(201);
    const tomorrow = await addTestWidget(world, shop.id, { id: 'tomorrow', program: 'tomorrow' });
    expect(codeOf(await read(shop, `/${tomorrow}/preview`))).toBe('404 program_not_found');
  });
});

describe('many at once', () => {
  test('under one key publish once, and those that know one version win once', async () => {
    const shop = await world.environment();
    const headers = { 'idempotency-key': 'one-key' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => publish(shop, { headers })));
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.version))).size).toBe(1);
    expect((await publish(shop, { source: forSite('https://a.example'), headers })).code).toBe(
      'idempotency_key_reused',
    );
    const rivals = await Promise.all(
      Array.from({ length: 6 }, (_, nth) =>
        publish(shop, { source: forSite(`https://site-${nth}.example`), headers: { 'if-match': '"1"' } }),
      ),
    );
    expect(rivals.filter(({ status }) => status === 201)).toHaveLength(1);
    const lost = rivals.filter(({ status }) => status !== 201);
    expect(lost.map(({ status, body }) => `${status} ${body.error?.message}`)).toEqual(
      Array(5).fill(
        '412 coffee-widget was expected to be at version 1; its newest version is 2. Read it, and send the document again.',
      ),
    );
  });
});
