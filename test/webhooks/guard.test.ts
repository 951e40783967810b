import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Dispatcher } from 'undici';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { type AttemptResult, attempt } from '../../src/webhooks/attempt.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fixture } from '../support/fixture.ts';
import { startTestServer } from '../support/server.ts';
import { Client } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { Canary } from '../support/webhooks/canary.ts';
import { NameServer } from '../support/webhooks/name-server.ts';
import { PRIVATE_HOSTS } from '../support/webhooks/private-hosts.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';

// What may not be reached, over real sockets and a real name server. The canary listens on every address of this
// machine, at the port of every URL: a single connection to it is a failure.

const REFUSED = 'The address is not one of the public internet.';
/** Of a name of this host, which some resolvers do not know. */
const REFUSED_OR_UNKNOWN =
  /^The (?:address is not one of the public internet|name has no address|name could not be resolved)\.$/;
const hosts = Object.entries(PRIVATE_HOSTS);
/** Of a public network that nobody has: no machine answers there. */
const UNASSIGNED = '2d00::1';

const canary = fixture(
  'the canary',
  () => Canary.open(),
  (opened) => opened.close(),
);

beforeEach(() => {
  canary.connections = 0;
});

const never = new AbortController().signal;
const request = { headers: { 'content-type': 'application/json' }, body: '{}' };
const send = (url: string, agent: Dispatcher, stopping = never): Promise<AttemptResult> =>
  attempt({ ...request, url: new URL(url) }, agent, stopping);

test('there are more than 80 spellings', () => {
  expect(hosts.flatMap(([, each]) => each).length).toBeGreaterThan(100);
});

test('without the guard the canary would hear of it', async () => {
  const agent = createAgent({ connectionsPerOrigin: 8, allowPrivate: true, proxyUrl: null });
  for (const host of ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost']) {
    await send(`http://${host}:${canary.port}/`, agent);
  }
  await agent.destroy();
  expect(canary.connections).toBe(4);
});

describe('a connection', () => {
  test.each(hosts)('to %s is refused before it is made', async (_what, spellings) => {
    const agent = createAgent({ connectionsPerOrigin: 8, allowPrivate: false, proxyUrl: null });
    for (const scheme of ['http', 'https']) {
      for (const host of spellings) {
        const url = `${scheme}://${host}:${canary.port}/hook`;
        const { delivered, responseStatus, error } = await send(url, agent);
        const expected = /local/i.test(new URL(url).hostname)
          ? expect.stringMatching(REFUSED_OR_UNKNOWN)
          : REFUSED;
        expect({ url, delivered, responseStatus, error }).toEqual({
          ...{ url, delivered: false, responseStatus: null, error: expected },
        });
      }
    }
    await agent.destroy();
    expect(canary.connections).toBe(0);
  });

  test('to a name is refused where any of its addresses is not public', async () => {
    const names = await NameServer.open({
      'loopback.example': (type) => (type === 'A' ? ['127.0.0.1'] : []),
      'loopback6.example': (type) => (type === 'AAAA' ? ['::1'] : []),
      'any.example': (type) => (type === 'A' ? ['0.0.0.0'] : ['::']),
      'metadata.example': (type) => (type === 'A' ? ['169.254.169.254'] : []),
      'mapped.example': (type) => (type === 'AAAA' ? ['::ffff:7f00:1'] : []),
      'nat64.example': (type) => (type === 'AAAA' ? ['64:ff9b::7f00:1'] : []),
      'mixed.example': (type) => (type === 'A' ? ['127.0.0.1'] : [UNASSIGNED]),
      'last.example': (type) => (type === 'A' ? ['8.8.8.8', '127.0.0.1'] : []),
    });
    const agent = createAgent({
      ...{ connectionsPerOrigin: 8, allowPrivate: false, proxyUrl: null },
      nameServers: [names.address],
    });
    for (const name of [
      'loopback',
      'loopback6',
      'any',
      'metadata',
      'mapped',
      'nat64',
      'mixed',
      'last',
      'none',
    ]) {
      const url = `http://${name}.example:${canary.port}/`;
      const { error } = await send(url, agent);
      expect([name, error]).toEqual([name, name === 'none' ? 'The name has no address.' : REFUSED]);
    }
    await agent.destroy();
    names.close();
    expect(canary.connections).toBe(0);
  });

  test('goes to the addresses that were checked: a name that changes between two look-ups is looked up once', async () => {
    const names = await NameServer.open({
      'rebind.example': (type, asked) =>
        asked === 0 ? (type === 'AAAA' ? [UNASSIGNED] : []) : type === 'AAAA' ? ['::1'] : ['127.0.0.1'],
    });
    const agent = createAgent({
      ...{ connectionsPerOrigin: 8, allowPrivate: false, proxyUrl: null },
      nameServers: [names.address],
    });
    const url = `http://rebind.example:${canary.port}/`;
    const first = await send(url, agent, AbortSignal.timeout(1_000));
    expect(first).toMatchObject({ delivered: false, responseStatus: null });
    expect(names.questions.toSorted()).toEqual(['A rebind.example', 'AAAA rebind.example']);
    // The second attempt looks it up anew, and now it is private.
    const second = await send(url, agent);
    expect(second.error).toBe(REFUSED);
    await agent.destroy();
    names.close();
    expect(canary.connections).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect (%s)', async (status) => {
    const receiver = await Receiver.open();
    const agent = createAgent({ connectionsPerOrigin: 8, allowPrivate: true, proxyUrl: null });
    for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost']) {
      receiver.answer = (_received, response) =>
        response.writeHead(status, { location: `http://${host}:${canary.port}/` }).end();
      const result = await send(receiver.url, agent);
      expect(result).toMatchObject({ delivered: false, responseStatus: status });
    }
    expect(receiver.received).toHaveLength(4);
    await agent.destroy();
    await receiver.close();
    expect(canary.connections).toBe(0);
  });
});

describe('an endpoint', () => {
  let database: TestDatabase;
  let server: RunningServer;
  let client: Client;
  let sandbox: TestEnvironment;
  let production: TestEnvironment;

  beforeAll(async () => {
    database = await createTestDatabase();
    const world = createWorld(database);
    sandbox = await world.environment('sandbox');
    production = await world.environment('production');
    server = await startTestServer(database, { webhookAllowPrivate: true });
    client = new Client(server.url);
  });

  afterAll(async () => {
    client.close();
    await server.close();
    await database.drop();
  });

  let keys = 0;
  const newKey = (): string => `guard-${keys++}`;
  const create = (environment: TestEnvironment, url: string) =>
    client.send(webhookRequests.create(environment, { url, eventTypes: ['points.earned'] }, newKey()));

  test.each(hosts)('in Production cannot be %s, whatever Sandbox may', async (_what, spellings) => {
    for (const host of spellings) {
      const url = `https://${host}:${canary.port}/hook`;
      const { status, code } = await create(production, url);
      expect([url, status, code]).toEqual([url, 422, 'url_not_public']);
    }
  });

  test.each([
    ['no https', 'http://example.com/hook', 'url_not_public'],
    ['credentials', 'https://user:password@example.com/hook', 'url_not_public'],
    ['a user', 'https://user@127.0.0.1/hook', 'url_not_public'],
    ['another scheme', 'ftp://example.com/hook', 'url_not_public'],
    ['a file', 'file:///etc/passwd', 'url_not_public'],
    ['a zone', 'https://[fe80::1%25lo]/hook', 'validation_failed'],
    ['too many parts', 'https://127.0.0.0.1/hook', 'validation_failed'],
    ['no host', 'https://', 'validation_failed'],
    ['a space', 'https://example.com /hook', 'validation_failed'],
    ['a line break', 'https://127.0.0.1\n.example.com/hook', 'validation_failed'],
  ])('cannot have %s', async (_what, url, expected) => {
    const { status, code } = await create(production, url);
    expect({ status, code }).toEqual({ status: 422, code: expected });
  });

  test('may have a name that is private: each of its connections is refused', async () => {
    for (const name of ['metadata.google.internal', '127.0.0.1.example', 'no-such-name.invalid']) {
      expect((await create(production, `https://${name}/hook`)).status).toBe(201);
    }
  });

  test('that got into the database all the same is not connected to, also beside a Sandbox that may be private', async () => {
    const made = await create(production, 'https://example.com/hook');
    const { id } = made.body.endpoint as { id: string };
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost']) {
      await database.adminPool.query(
        `update webhook_endpoints set url = $1 where url like '%example.com%' or url like '%hooked'`,
        [`http://${host}:${canary.port}/hooked`],
      );
      const sent = await client.send(webhookRequests.test(production, id, newKey()));
      const { id: deliveryId } = sent.body.delivery as { id: string };
      let lastError: string | null = null;
      while (lastError === null) {
        const shown = await client.send(webhookRequests.delivery(production, deliveryId));
        lastError = (shown.body.delivery as { lastError: string | null }).lastError;
      }
      expect(lastError).toBe(REFUSED);
    }
    expect(canary.connections).toBe(0);
    // The same address is reached from Sandbox, where it is allowed.
    const allowed = await create(sandbox, `http://127.0.0.1:${canary.port}/hook`);
    const { id: allowedId } = allowed.body.endpoint as { id: string };
    await client.send(webhookRequests.test(sandbox, allowedId, newKey()));
    while (canary.connections === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
