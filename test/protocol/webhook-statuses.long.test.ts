import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { routes } from '../../rest-adapter/routes.ts';
import { beginEpochNow } from '../../src/admin/shared/begin-epoch-now.ts';
import { fromTypeId } from '../../src/ids.ts';
import { startOperation } from '../../src/operations/operation.ts';
import { databaseSettings, spawnServer, startTestServer } from '../support/server.ts';
import { Client, type Credentials, rest, type Sent } from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { addEndpoint } from '../support/webhooks/endpoints.ts';
import { type WebhookIds, webhookOperations } from '../support/webhooks/operations.ts';
import type { Receiver } from '../support/webhooks/receiver.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

jest.setTimeout(240_000);

interface Operation {
  /** Method and path below /api/v1. */
  name: string;
  /** The error code for a resource of another environment; null where the operation names none. */
  foreign: string | null;
  send(credentials: Credentials): Sent;
}

/** What openapi.json says of an operation, as far as it is read here. */
interface Documented {
  responses: Record<string, { content: { 'application/json': { examples?: Record<string, unknown> } } }>;
}

const PATHS = /^\w+ \/(?:webhook-|events-feed|operations|audit-events)/;
const { paths }: { paths: Record<string, Record<string, Documented>> } = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
);

let shop: TestEnvironment;
let other: TestEnvironment;
let locked: TestEnvironment;
let ids: WebhookIds;
let operationId: string;
let keys = 0;

const reading = (path: string, foreign: string | null, query = ''): Operation => ({
  name: `GET ${path}`,
  foreign,
  send: (by) => rest(by, 'GET', path.replace('{id}', operationId) + query),
});
const operations: Operation[] = [
  ...webhookOperations(() => ids),
  reading('/operations', null),
  reading('/operations/{id}', 'operation_not_found'),
  reading('/audit-events', null),
];
const mutations = operations.filter(({ name }) => !name.startsWith('GET '));
const reads = operations.filter(({ name }) => name.startsWith('GET '));

/** What each operation was seen to answer, as `409 production_locked`; only the status where it was done. */
const seen = new Map(operations.map(({ name }) => [name, new Set<string>()]));

const receiver = useReceiver();
const { database, world, client } = useServer({
  settings: { webhookAllowPrivate: true, logLevel: 'silent' },
});

beforeAll(async () => {
  [shop, other, locked] = [
    await world.environment(),
    await world.environment(),
    await world.environment('production'),
  ];
  receiver.answer = failing;
  await world.lock(locked.id, true);
  const about = { environmentId: shop.id, type: 'import', total: 1, input: {} } as const;
  operationId = (await startOperation(database.adminPool, about)).requestId;
  ids = await newIds();
});

const failing: Receiver['answer'] = (_received, response) => response.writeHead(500).end();
const newKey = (): string => `statuses-${keys++}`;

/** An active endpoint, and a delivery to it that has failed. */
async function newIds(): Promise<WebhookIds> {
  const made = await client.send(
    webhookRequests.create(shop, { url: receiver.url, eventTypes: ['points.earned'] }, newKey()),
  );
  const { id: endpointId } = made.body.endpoint as { id: string };
  const tested = await client.send(webhookRequests.test(shop, endpointId, newKey()));
  const { id: deliveryId } = tested.body.delivery as { id: string };
  await client.send(webhookRequests.patch(shop, endpointId, { status: 'active' }, newKey()));
  await untilStatus(deliveryId, 'failed');
  return { endpointId, deliveryId };
}

async function untilStatus(deliveryId: string, status: string): Promise<void> {
  const read = async () => (await client.send(webhookRequests.delivery(shop, deliveryId))).body.delivery;
  await until(async () => ((await read()) as { status: string }).status === status, status);
}

/** Sends a request, and notes what was answered. */
async function expectAnswer(
  name: string,
  sent: Sent,
  status: number,
  code: string | null = null,
  by = client,
): Promise<void> {
  const answer = await by.send(sent);
  expect([name, answer.status, answer.code]).toEqual([name, status, code]);
  if (code !== null) {
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error?.requestId).toBe(answer.headers['x-request-id']);
  }
  if (status === 429 || status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  seen.get(name)?.add(code === null ? `${status}` : `${status} ${code}`);
}

const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});

test('every operation of webhooks, operations and the audit trail is gone through', () => {
  const named = routes.map(({ method, path }) => `${method} ${path}`).filter((name) => PATHS.test(name));
  expect(operations.map(({ name }) => name).toSorted()).toEqual(named.toSorted());
});

describe.each(operations)('$name', ({ name, foreign, send }) => {
  test('who is nobody, has no scope for it, or is of another environment', async () => {
    await expectAnswer(name, send({ ...shop, key: 'svc_test_none' }), 401, 'unauthorized');
    const { key } = await world.key(shop.id, ['members:read']);
    await expectAnswer(name, send({ ...shop, key }), 403, 'insufficient_scope');
    if (foreign !== null) await expectAnswer(name, send(other), 404, foreign);
  });
});

describe.each(reads)('$name', ({ name, send }) => {
  test('is answered, and refuses what it does not know', async () => {
    await expectAnswer(name, send(shop), 200);
    const sent = send(shop);
    await expectAnswer(name, { ...sent, path: `${sent.path}?colour=red` }, 422, 'validation_failed');
  });
});

describe.each(mutations)('$name', ({ name, send }) => {
  test('is refused where the request is none', async () => {
    const { 'idempotency-key': _key, ...headers } = send(shop).headers ?? {};
    await expectAnswer(name, { ...send(shop), body: '{' }, 400, 'invalid_json');
    await expectAnswer(name, { ...send(shop), headers }, 400, 'idempotency_key_required');
    const long = { ...send(shop), body: '{}'.padEnd(131_073) };
    await expectAnswer(name, long, 413, 'payload_too_large');
    const plain = withHeaders({ ...send(shop), body: '{}' }, { 'content-type': 'text/plain' });
    await expectAnswer(name, plain, 415, 'unsupported_media_type');
    await expectAnswer(name, { ...send(shop), body: '{"colour":"red"}' }, 422, 'validation_failed');
  });

  test('is done once under its key, which takes no other input, and not while Production is locked', async () => {
    ids = await newIds();
    const fresh = routes.find(({ method, path }) => `${method} ${path}` === name)?.status.fresh ?? 0;
    const sent = send(shop);
    await expectAnswer(name, sent, fresh);
    await expectAnswer(name, sent, 200);
    ids = await newIds();
    const another =
      name === 'POST /webhook-endpoints'
        ? { body: sent.body?.toString().replace('[', '["tier.changed",') }
        : {};
    const key = String(sent.headers?.['idempotency-key']);
    const reused = withHeaders({ ...send(shop), ...another } as Sent, { 'idempotency-key': key });
    await expectAnswer(name, reused, 409, 'idempotency_key_reused');
    await expectAnswer(name, send(locked), 409, 'production_locked');
  });
});

describe('what only some of them answer', () => {
  test('a cursor of no list, and a window that is none', async () => {
    for (const { name, send } of reads.filter(({ name: each }) => !each.endsWith('}'))) {
      const { path, ...sent } = send(shop);
      const cursor = name === 'GET /events-feed' ? 'after' : 'cursor';
      await expectAnswer(name, { ...sent, path: `${path}?${cursor}=abc` }, 422, 'invalid_cursor');
    }
    const audit = reading('/audit-events', null, '?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z');
    await expectAnswer(audit.name, audit.send(shop), 422, 'invalid_window');
  });

  test('a place of the feed in an older epoch, beyond what was kept of it', async () => {
    const forked = await world.environment();
    await world.administrator.prisma.$transaction((transaction) =>
      beginEpochNow(transaction, forked.id, null),
    );
    const path = '?afterPosition=3&epoch=1';
    await expectAnswer('GET /events-feed', webhookRequests.feed(forked, path), 409, 'feed_forked');
  });

  test('an endpoint beyond the last one, and one whose URL is not public', async () => {
    const full = await world.environment();
    for (let count = 0; count < 50; count++)
      await addEndpoint(database.adminPool, full.id, ['points.earned']);
    const hook = { url: 'https://example.com', eventTypes: ['points.earned'] };
    const create = 'POST /webhook-endpoints';
    await expectAnswer(create, webhookRequests.create(full, hook, newKey()), 409, 'endpoint_limit_reached');
    const url = 'https://ada:secret@example.com';
    await expectAnswer(
      create,
      webhookRequests.create(shop, { ...hook, url }, newKey()),
      422,
      'url_not_public',
    );
    const patch = webhookRequests.patch(shop, ids.endpointId, { url }, newKey());
    await expectAnswer('PATCH /webhook-endpoints/{endpointId}', patch, 422, 'url_not_public');
  });

  test('a retry of what did not fail, and retries and replays to an endpoint that is disabled', async () => {
    const name = 'POST /webhook-deliveries/{deliveryId}/retry';
    const { endpointId, deliveryId } = await newIds();
    const again = () => webhookRequests.retry(shop, deliveryId, newKey());
    await client.send(webhookRequests.patch(shop, endpointId, { status: 'disabled' }, newKey()));
    await expectAnswer(name, again(), 409, 'endpoint_disabled');
    const replay = webhookRequests.replay(shop, endpointId, { sinceSequence: 0 }, newKey());
    const ofReplays = 'POST /webhook-endpoints/{endpointId}/replay';
    await expectAnswer(ofReplays, replay, 409, 'endpoint_disabled');
    await client.send(webhookRequests.patch(shop, endpointId, { status: 'active' }, newKey()));
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await expectAnswer(name, again(), 200);
    await untilStatus(deliveryId, 'delivered');
    receiver.answer = failing;
    await expectAnswer(name, again(), 409, 'invalid_delivery_state');
    // Two that another server does.
    await database.adminPool.query(
      `insert into operations (environment_id, id, type, status, input, created_at, started_at, lease_until)
       select $1, gen_random_uuid(), 'webhook_replay', 'running', json_build_object('endpointId', $2::text),
         now(), now(), now() + interval '1 minute'
       from generate_series(1, 2)`,
      [shop.id, fromTypeId('we', endpointId)],
    );
    const third = webhookRequests.replay(shop, endpointId, { sinceSequence: 0 }, newKey());
    await expectAnswer(ofReplays, third, 409, 'replay_limit_reached');
    await database.adminPool.query(`delete from operations where input ->> 'endpointId' = $1`, [
      fromTypeId('we', endpointId),
    ]);
  });
});

describe('what only a server in need answers', () => {
  test('429 beyond the limit', async () => {
    const limited = await startTestServer(database, { rateLimitPerMinute: 1, logLevel: 'silent' });
    const its = new Client(limited.url);
    const { key } = await world.key(shop.id);
    await its.send(webhookRequests.endpoints({ ...shop, key }));
    for (const { name, send } of operations) {
      await expectAnswer(name, send({ ...shop, key }), 429, 'rate_limited', its);
    }
    its.close();
    await limited.close();
  });

  test('503 while the database takes no connections, and nothing is done', async () => {
    const { adminPool, name: databaseName } = database;
    const secrets = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    const cutOff = await spawnServer({ ...databaseSettings(database), ...secrets, LOG_LEVEL: 'silent' });
    const its = new Client(cutOff.url);
    ids = await newIds();
    const before = await world.countRows();
    await adminPool.query(`alter database ${databaseName} connection limit 0`);
    try {
      await adminPool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and usename <> current_user`,
      );
      for (const { name, send } of operations) await expectAnswer(name, send(shop), 503, 'unavailable', its);
    } finally {
      await adminPool.query(`alter database ${databaseName} connection limit -1`);
      its.close();
      await cutOff.end('SIGTERM');
    }
    expect(await world.countRows()).toEqual(before);
  });

  test('500 where something is broken', async () => {
    await database.adminPool.query(
      'revoke select on webhook_endpoints, webhook_deliveries, events, operations, audit_events from rewards_app',
    );
    for (const { name, send } of operations) await expectAnswer(name, send(shop), 500, 'internal_error');
  });
});

/** What other tests show: refusals where too much waits, and replays of receipts that were damaged in the database. */
const ELSEWHERE = ['503 overloaded', '500 receipt_unreadable', '403 cross_site_request'];

test('every other status and code that openapi.json has of them was answered', () => {
  for (const { name } of operations) {
    const [method = '', path = ''] = name.split(' ');
    const responses = paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {};
    const documented = Object.entries(responses).flatMap(([status, { content }]) => {
      const codes = Object.keys(content['application/json'].examples ?? {});
      return codes.length > 0 ? codes.map((code) => `${status} ${code}`) : [status];
    });
    const expected = documented.filter((answer) => !ELSEWHERE.includes(answer));
    expect([name, [...(seen.get(name) ?? [])].toSorted()]).toEqual([name, expected.toSorted()]);
  }
});
