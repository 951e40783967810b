import { beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { atEnd } from '../support/fixture.ts';
import { earn, type Received, type Sent } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

const {
  create,
  endpoints,
  endpoint,
  patch,
  remove,
  rotate,
  test: sendTest,
  deliveries,
  delivery,
  retry,
} = webhookRequests;

let keys = 0;

const receiver = useReceiver();
const { database, world, client, shop } = useShop({
  members: ['ada'],
  settings: { webhookAllowPrivate: true },
});

atEnd(async () => expect([...receiver.faults, ...(await world.eventFaults())]).toEqual([]));

const newKey = (): string => `webhooks-${keys++}`;
const hook = { url: 'https://example.com/hook', eventTypes: ['points.earned'] };

async function made(environment: TestEnvironment, body: object = hook) {
  const answer = await client.send(create(environment, body, newKey()));
  expect(answer.status).toBe(201);
  return answer.body as unknown as { endpoint: ShownEndpoint; signingSecret: string };
}

const shownEndpoint = ({ body }: Received): ShownEndpoint => body.endpoint as ShownEndpoint;
const shownDelivery = ({ body }: Received): ShownDelivery => body.delivery as ShownDelivery;

describe('an endpoint from its creation to its end', () => {
  test('is tested, activated, receives what is signed with its secrets, and is deleted', async () => {
    const key = newKey();
    const asked = { url: `${receiver.url}/life`, eventTypes: ['points.earned'], description: 'Mirror' };
    const created = await client.send(create(shop, asked, key));
    expect(created).toMatchObject({
      status: 201,
      body: {
        endpoint: { ...asked, status: 'disabled', disabledReason: null, lastSequence: 0, verifiedAt: null },
        signingSecret: expect.stringMatching(/^whsec_/),
      },
    });
    const { id } = shownEndpoint(created);
    const secret = created.body.signingSecret as string;
    const replay = await client.send(create(shop, asked, key));
    expect(replay).toMatchObject({
      status: 200,
      replayed: true,
      body: { endpoint: { id }, signingSecret: null },
    });
    const mine = () => receiver.received.filter(({ path }) => path === '/life');

    const tested = await client.send(sendTest(shop, id, newKey()));
    expect(tested).toMatchObject({
      status: 202,
      body: { delivery: { endpointId: id, eventType: 'webhook.test', sequence: 1, status: 'pending' } },
    });
    await until(() => mine().length === 1, 'the test arrives');
    const [first] = mine();
    expect(first?.message).toMatchObject({ type: 'webhook.test', sequence: 1, data: {} });
    expect(first?.headers['webhook-id']).toBe(shownDelivery(tested).id);
    expect(() => new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).not.toThrow();
    await until(
      async () => shownEndpoint(await client.send(endpoint(shop, id))).verifiedAt !== null,
      'verified',
    );

    const activated = await client.send(patch(shop, id, { status: 'active' }, newKey()));
    expect(activated).toMatchObject({ status: 200, body: { endpoint: { status: 'active' } } });
    await client.send(earn(shop, purchase('life-1'), newKey()));
    await until(() => mine().length === 2, 'the purchase arrives');
    expect(mine()[1]?.message).toMatchObject({
      type: 'points.earned',
      sequence: 2,
      data: { externalCustomerId: 'ada', sourceReference: 'life-1' },
    });

    const rotated = await client.send(rotate(shop, id, { overlapSeconds: 60 }, newKey()));
    const next = rotated.body.signingSecret as string;
    expect(next).toMatch(/^whsec_/);
    expect(next).not.toBe(secret);
    await client.send(earn(shop, purchase('life-2'), newKey()));
    await until(() => mine().length === 3, 'the next purchase arrives');
    const third = mine()[2];
    for (const each of [secret, next]) {
      expect(() => new Webhook(each).verify(third?.body ?? '', third?.headers ?? {})).not.toThrow();
    }
    await client.send(rotate(shop, id, { overlapSeconds: 0 }, newKey()));
    await client.send(sendTest(shop, id, newKey()));
    await until(() => mine().length === 4, 'a test with the third secret');
    const fourth = mine()[3];
    for (const each of [secret, next]) {
      expect(() => new Webhook(each).verify(fourth?.body ?? '', fourth?.headers ?? {})).toThrow();
    }

    const disabled = await client.send(patch(shop, id, { status: 'disabled' }, newKey()));
    expect(disabled.body.endpoint).toMatchObject({ status: 'disabled', disabledReason: 'operator' });
    await client.send(earn(shop, purchase('life-3'), newKey()));
    const listed = `?endpointId=${id}&status=pending`;
    await until(async () => (await list(deliveries(shop, listed))).length === 1, 'a delivery that waits');
    const removed = await client.send(remove(shop, id, newKey()));
    expect(removed).toMatchObject({ status: 200, body: { endpoint: { id, status: 'disabled' } } });
    expect((await client.send(endpoint(shop, id))).code).toBe('endpoint_not_found');
    const [given] = await list(deliveries(shop, `?endpointId=${id}&status=dead_letter`));
    expect(given).toMatchObject({ sequence: 5, status: 'dead_letter', nextAttemptAt: null });
    expect((await client.send(retry(shop, given?.id ?? '', newKey()))).status).toBe(409);
    expect(mine()).toHaveLength(4);
    const audits = await database.adminPool.query<{ action: string; text: string }>(
      `select action, changes::text as text from audit_events where target_id = $1 order by at, id`,
      [id],
    );
    expect(audits.rows.map(({ action }) => action.replace('webhook_endpoint.', ''))).toEqual([
      ...['created', 'tested', 'updated', 'secret_rotated', 'secret_rotated', 'tested', 'updated', 'deleted'],
    ]);
    expect(audits.rows.some(({ text }) => text.includes('whsec_'))).toBe(false);
    const stored = await world.count(
      `select count(*)::integer as count from idempotency_keys where receipt::text like '%whsec_%'`,
    );
    expect(stored).toBe(0);
  });

  test('a delivery that failed is put in the queue again; one that was delivered is not', async () => {
    const { endpoint: made1 } = await made(shop, { ...hook, url: `${receiver.url}/retry` });
    receiver.answer = ({ path }, response) => response.writeHead(path === '/retry' ? 500 : 204).end();
    await client.send(patch(shop, made1.id, { status: 'active' }, newKey()));
    const { id } = shownDelivery(await client.send(sendTest(shop, made1.id, newKey())));
    const read = async () => shownDelivery(await client.send(delivery(shop, id)));
    await until(async () => (await read()).status === 'failed', 'failed');
    receiver.answer = (_received, response) => response.writeHead(204).end();
    const key = newKey();
    const again = await client.send(retry(shop, id, key));
    expect(again).toMatchObject({
      status: 200,
      body: { delivery: { id, status: 'pending', attemptCount: 1 } },
    });
    await until(async () => (await read()).status === 'delivered', 'delivered');
    expect((await client.send(retry(shop, id, key))).body).toEqual({
      ...again.body,
      requestId: expect.any(String),
    });
    expect(await client.send(retry(shop, id, newKey()))).toMatchObject({
      status: 409,
      code: 'invalid_delivery_state',
    });
    const whole = await client.send(delivery(shop, id));
    expect(whole.body.attempts).toEqual([
      {
        at: expect.any(String),
        durationMs: expect.any(Number),
        responseStatus: 500,
        error: expect.any(String),
      },
      { at: expect.any(String), durationMs: expect.any(Number), responseStatus: 204, error: null },
    ]);
    await client.send(remove(shop, made1.id, newKey()));
  });

  test('a receiver that answers 410 disables it', async () => {
    const { endpoint: gone } = await made(shop, { ...hook, url: `${receiver.url}/gone` });
    await client.send(patch(shop, gone.id, { status: 'active' }, newKey()));
    receiver.answer = (_received, response) => response.writeHead(410).end();
    await client.send(sendTest(shop, gone.id, newKey()));
    const read = async () => shownEndpoint(await client.send(endpoint(shop, gone.id)));
    await until(async () => (await read()).status === 'disabled', 'disabled');
    expect((await read()).disabledReason).toBe('gone');
    // Tests are sent while it is disabled: this one would be tried again all day.
    await client.send(sendTest(shop, gone.id, newKey()));
    const statuses = async () => {
      const listed = await client.send(deliveries(shop, `?endpointId=${gone.id}`));
      return (listed.body.data as unknown as { status: string }[]).map(({ status }) => status);
    };
    await until(async () => !(await statuses()).includes('pending'), 'both are answered');
    expect(await statuses()).toEqual(['dead_letter', 'dead_letter']);
    const audited = await world.count(
      `select count(*)::integer as count from audit_events
       where action = 'webhook_endpoint.disabled' and actor_type = 'system' and target_id = $1`,
      [gone.id],
    );
    expect(audited).toBe(1);
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await client.send(remove(shop, gone.id, newKey()));
  });

  test('a changed URL disables it, also where the same change activates it; the same URL does not', async () => {
    const { endpoint: moved } = await made(shop);
    await client.send(patch(shop, moved.id, { status: 'active' }, newKey()));
    const same = await client.send(patch(shop, moved.id, { url: hook.url, description: 'x' }, newKey()));
    expect(same.body.endpoint).toMatchObject({ status: 'active', description: 'x' });
    const other = { url: 'https://example.com/other', status: 'active' };
    const changed = await client.send(patch(shop, moved.id, other, newKey()));
    expect(changed.body.endpoint).toMatchObject({
      url: other.url,
      status: 'disabled',
      disabledReason: 'url_changed',
    });
    const back = await client.send(patch(shop, moved.id, { status: 'active', description: '' }, newKey()));
    expect(back.body.endpoint).toMatchObject({ status: 'active', disabledReason: null, description: null });
    await client.send(remove(shop, moved.id, newKey()));
  });
});

describe('lists', () => {
  test('endpoints come newest first and in pages; the 51st is refused, and a deleted one makes room', async () => {
    const full = await world.environment();
    const ids: string[] = [];
    for (let count = 0; count < 50; count++) ids.push((await made(full)).endpoint.id);
    const more = await client.send(create(full, hook, newKey()));
    expect(more).toMatchObject({ status: 409, code: 'endpoint_limit_reached' });
    const first = await client.send(endpoints(full, '?limit=30'));
    const { nextCursor } = first.body.page as { nextCursor: string };
    const second = await client.send(endpoints(full, `?limit=30&cursor=${nextCursor}`));
    expect(second.body.page).toEqual({ nextCursor: null, hasMore: false });
    const all = [first, second].flatMap(({ body }) => body.data as unknown as ShownEndpoint[]);
    expect(all.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await client.send(deliveries(full, `?cursor=${nextCursor}`))).toMatchObject({
      status: 422,
      code: 'invalid_cursor',
    });
    await client.send(remove(full, ids[20] ?? '', newKey()));
    await made(full);
  });

  test('deliveries come newest first, of all endpoints and of one, by type and status', async () => {
    const other = await world.environment();
    const [one, two] = [(await made(other)).endpoint.id, (await made(other)).endpoint.id];
    for (const id of [one, two, one, two, one]) await client.send(sendTest(other, id, newKey()));
    const pageOf = async (query: string) =>
      (await list(deliveries(other, query))).map((each) => each.sequence);
    expect(await pageOf('')).toEqual([3, 2, 2, 1, 1]);
    expect(await pageOf(`?endpointId=${one}`)).toEqual([3, 2, 1]);
    expect(await pageOf('?eventType=webhook.test')).toHaveLength(5);
    expect(await pageOf('?eventType=points.earned')).toEqual([]);
    expect(await pageOf('?status=delivered')).toEqual([]);
    expect(await pageOf('?endpointId=we_01jz8k2v9qf5sv4m1c7d3e0abc')).toEqual([]);
    for (const filter of ['', `endpointId=${two}&`]) {
      const first = await client.send(deliveries(other, `?${filter}limit=1`));
      const { nextCursor } = first.body.page as { nextCursor: string };
      const rest = await list(deliveries(other, `?${filter}cursor=${nextCursor}`));
      expect(rest).toHaveLength(filter ? 1 : 4);
    }
  });
});

describe('what is refused, with nothing written', () => {
  type Case = [status: number, code: string, what: string, sent: () => Sent];
  let id: string;
  let foreign: TestEnvironment;
  let locked: TestEnvironment;

  beforeAll(async () => {
    id = (await made(shop)).endpoint.id;
    foreign = await world.environment();
    locked = await world.environment('production');
    await world.lock(locked.id, true);
  });

  const types = (eventTypes: unknown) => () => create(shop, { ...hook, eventTypes }, newKey());
  const url = (text: unknown) => () => create(foreign, { ...hook, url: text }, newKey());
  const wrong = (change: object) => () => patch(shop, id, change, newKey());
  const many = ['points', 'redemption', 'adjustment'].flatMap((group) =>
    ['earned', 'reserved', 'released', 'expired', 'reversed', 'requested', 'rejected'].map(
      (kind) => `${group}.${kind}`,
    ),
  );
  const cases: Case[] = [
    [422, 'validation_failed', 'no event type', types([])],
    [422, 'validation_failed', '21 event types', types(many)],
    [422, 'validation_failed', 'an unknown event type', types(['points.lost'])],
    [422, 'validation_failed', 'a doubled event type', types(['points.earned', 'points.earned'])],
    [422, 'validation_failed', 'the type of tests', types(['webhook.test'])],
    [422, 'validation_failed', 'a type beside all types', types(['points.earned', '*'])],
    [422, 'validation_failed', 'all types twice', types(['*', '*'])],
    [422, 'validation_failed', 'no URL', url(undefined)],
    [422, 'validation_failed', 'an empty URL', url('')],
    [422, 'validation_failed', 'a path', url('/hook')],
    [422, 'validation_failed', 'a URL with a space', url('https://example.com/a b')],
    [422, 'validation_failed', 'a long URL', url(`https://example.com/${'a'.repeat(2_000)}`)],
    [422, 'url_not_public', 'ftp', url('ftp://example.com')],
    [422, 'validation_failed', 'a fragment', url('https://example.com/hook#part')],
    [422, 'validation_failed', 'an empty fragment', url('https://example.com/hook#')],
    [422, 'validation_failed', 'port 0', url('https://example.com:0/hook')],
    [422, 'url_not_public', 'credentials', url('https://user:secret@example.com')],
    [422, 'validation_failed', 'a number for a URL', url(5)],
    [422, 'validation_failed', 'an unknown property', () => create(shop, { ...hook, a: 1 }, newKey())],
    [422, 'validation_failed', 'PATCH with nothing', wrong({})],
    [422, 'validation_failed', 'PATCH with null', wrong({ description: null })],
    [422, 'validation_failed', 'PATCH with an unknown status', wrong({ status: 'paused' })],
    [
      422,
      'validation_failed',
      'PATCH with a doubled type',
      wrong({ eventTypes: ['points.earned', 'points.earned'] }),
    ],
    [422, 'url_not_public', 'PATCH with credentials', wrong({ url: 'https://a:b@example.com' })],
    [422, 'validation_failed', 'a test with a body', () => sendTest(shop, id, newKey(), { a: 1 })],
    [
      422,
      'validation_failed',
      'a long overlap',
      () => rotate(shop, id, { overlapSeconds: 604_801 }, newKey()),
    ],
    [422, 'validation_failed', 'an unknown status', () => deliveries(shop, '?status=lost')],
    [422, 'validation_failed', 'an unknown type', () => deliveries(shop, '?eventType=lost')],
    [422, 'invalid_cursor', 'a broken cursor', () => deliveries(shop, '?cursor=abc')],
    [404, 'endpoint_not_found', 'a foreign endpoint', () => endpoint(foreign, id)],
    [
      404,
      'endpoint_not_found',
      'PATCH of a foreign one',
      () => patch(foreign, id, { status: 'active' }, newKey()),
    ],
    [404, 'endpoint_not_found', 'a test of a foreign one', () => sendTest(foreign, id, newKey())],
    [404, 'endpoint_not_found', 'a new secret of a foreign one', () => rotate(foreign, id, {}, newKey())],
    [404, 'endpoint_not_found', 'the end of a foreign one', () => remove(foreign, id, newKey())],
    [404, 'endpoint_not_found', 'a malformed id', () => rotate(shop, 'nothing', {}, newKey())],
    [404, 'delivery_not_found', 'no delivery', () => delivery(shop, 'msg_01jz8k2v9qf5sv4m1c7d3e0abc')],
    [404, 'delivery_not_found', 'a retry of none', () => retry(shop, 'nothing', newKey())],
    [409, 'production_locked', 'a lock', () => create(locked, hook, newKey())],
    [409, 'production_locked', 'a lock, for a test', () => sendTest(locked, id, newKey())],
  ];

  test.each(cases)('%d %s: %s', async (status, code, _what, sent) => {
    const before = await world.countRows();
    const answer = await client.send(sent());
    expect(answer).toMatchObject({ status, code });
    expect(await world.countRows()).toEqual(before);
  });

  test('private addresses and http in Production, whatever the server allows in Sandbox', async () => {
    const production = await world.environment('production');
    const before = await world.countRows();
    for (const text of [
      ...['http://example.com', 'https://127.0.0.1', 'https://2130706433', 'https://0x7f.1', 'https://[::1]'],
      ...['https://localhost', 'https://10.0.0.1', 'https://169.254.169.254', 'https://[::ffff:10.0.0.1]'],
    ]) {
      const answer = await client.send(create(production, { ...hook, url: text }, newKey()));
      expect([text, answer.status, answer.code]).toEqual([text, 422, 'url_not_public']);
    }
    expect(await world.countRows()).toEqual(before);
  });

  test('scopes: reading opens the reads alone, writing opens both', async () => {
    const reader = { ...shop, ...(await world.key(shop.id, ['webhooks:read'])) };
    const author = { ...shop, ...(await world.key(shop.id, ['webhooks:write'])) };
    const neither = { ...shop, ...(await world.key(shop.id, ['members:write'])) };
    for (const sent of [endpoints, deliveries]) {
      expect((await client.send(sent(reader))).status).toBe(200);
      expect((await client.send(sent(author))).status).toBe(200);
      expect((await client.send(sent(neither))).status).toBe(403);
    }
    expect((await client.send(patch(reader, id, { description: 'a' }, newKey()))).status).toBe(403);
    expect((await client.send(patch(author, id, { description: 'a' }, newKey()))).status).toBe(200);
  });

  test('a mutation without an Idempotency-Key', async () => {
    for (const sent of [
      patch(shop, id, { description: 'a' }, ''),
      sendTest(shop, id, ''),
      remove(shop, id, ''),
    ]) {
      const answer = await client.send(sent);
      expect(answer).toMatchObject({ status: 400, code: 'idempotency_key_required' });
    }
  });
});

const purchase = (sourceReference: string) => ({
  externalCustomerId: 'ada',
  sourceReference,
  amountMinor: 1000,
});

async function list(sent: Sent): Promise<ShownDelivery[]> {
  return (await client.send(sent)).body.data as unknown as ShownDelivery[];
}
