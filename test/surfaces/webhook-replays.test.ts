import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fromTypeId } from '../../src/ids.ts';
import { startTestServer } from '../support/server.ts';
import { Client, earn, type Received, rest, type Sent } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { type ShownDelivery, type ShownEndpoint, webhookRequests } from '../support/webhooks/requests.ts';
import { useReceiver } from '../support/webhooks/use-receiver.ts';

const { create, patch, remove, test: sendTest, deliveries, delivery, retry, replay } = webhookRequests;

jest.setTimeout(240_000);

let keys = 0;

const receiver = useReceiver();
const { database, world, client, shop } = useShop({
  members: ['ada'],
  settings: { webhookAllowPrivate: true },
});

const newKey = (): string => `replays-${keys++}`;

interface ShownOperation {
  id: string;
  type: string;
  status: string;
  progress: { done: number; total: number | null };
  startedAt: string | null;
  finishedAt: string | null;
  result: object | null;
  error: { code: string } | null;
}

const shownOperation = ({ body }: Received): ShownOperation => body.operation as unknown as ShownOperation;

/** A new endpoint, which is active unless told otherwise. */
async function made(path: string, environment = shop, status = 'active'): Promise<string> {
  const asked = { url: receiver.url + path, eventTypes: ['points.earned'] };
  const answer = await client.send(create(environment, asked, newKey()));
  const { id } = answer.body.endpoint as unknown as ShownEndpoint;
  if (status === 'active') await client.send(patch(environment, id, { status }, newKey()));
  return id;
}

async function ended(id: string): Promise<ShownOperation> {
  const read = async () => shownOperation(await client.send(rest(shop, 'GET', `/operations/${id}`)));
  await until(async () => (await read()).finishedAt !== null, 'the replay ends');
  return read();
}

/** Deliveries that were delivered, without a body: they are not sent again. */
async function addDelivered(endpointId: string, count: number): Promise<void> {
  const uuid = fromTypeId('we', endpointId);
  await database.adminPool.query(
    `insert into webhook_deliveries
       (environment_id, id, endpoint_id, sequence, event_id, event_type, status, attempt_count, created_at, delivered_at)
     select $1, gen_random_uuid(), $2, number, gen_random_uuid(), 'points.earned', 'delivered', 1, now(), now()
     from generate_series(1, $3::integer) as number`,
    [shop.id, uuid, count],
  );
  await database.adminPool.query('update webhook_endpoints set last_sequence = $2 where id = $1', [
    uuid,
    count,
  ]);
}

async function list(sent: Sent): Promise<ShownDelivery[]> {
  return (await client.send(sent)).body.data as unknown as ShownDelivery[];
}

const received = (path: string) => receiver.received.filter((each) => each.path === path);

async function buy(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const key = newKey();
    await client.send(
      earn(shop, { externalCustomerId: 'ada', sourceReference: key, amountMinor: 1000 }, key),
    );
  }
}

describe('a replay', () => {
  test('sends what came after a sequence again, with the same ids and bodies, as an operation', async () => {
    const id = await made('/again');
    await buy(6);
    await until(() => received('/again').length === 6, 'six deliveries');
    await until(
      async () => (await list(deliveries(shop, `?endpointId=${id}&status=delivered`))).length === 6,
      'recorded',
    );
    const key = newKey();
    const asked = await client.send(replay(shop, id, { sinceSequence: 2 }, key));
    expect({ status: asked.status, operation: asked.body.operation }).toEqual({
      status: 202,
      operation: {
        ...{ id: expect.stringMatching(/^op_/), type: 'webhook_replay', status: 'queued' },
        ...{ progress: { done: 0, total: 4 }, createdAt: expect.any(String), startedAt: null },
        ...{ finishedAt: null, result: null, error: null },
      },
    });
    const operation = await ended(shownOperation(asked).id);
    expect(operation).toMatchObject({
      status: 'succeeded',
      progress: { done: 4, total: 4 },
      result: { sentAgain: 4 },
      error: null,
    });
    await until(() => received('/again').length === 10, 'four of them again');
    const sent = (from: number, to?: number) =>
      received('/again')
        .slice(from, to)
        .map(({ headers, body, message }) => [message.sequence, headers['webhook-id'], body] as const)
        .toSorted(([a], [b]) => a - b);
    expect(sent(6)).toEqual(sent(0, 6).slice(2));
    await until(
      async () => (await list(deliveries(shop, `?endpointId=${id}&status=delivered`))).length === 6,
      'delivered again',
    );
    const [newest] = await list(deliveries(shop, `?endpointId=${id}&limit=1`));
    expect(newest).toMatchObject({ sequence: 6, status: 'delivered', attemptCount: 2 });

    const repeated = await client.send(replay(shop, id, { sinceSequence: 2 }, key));
    expect({
      status: repeated.status,
      replayed: repeated.replayed,
      operation: repeated.body.operation,
    }).toEqual({ status: 200, replayed: true, operation: asked.body.operation });
    const reused = await client.send(replay(shop, id, { sinceSequence: 3 }, key));
    expect(reused).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    const audits = await database.adminPool.query(
      `select changes, actor_type, target_id from audit_events where action = 'webhook_endpoint.replayed'`,
    );
    expect(audits.rows).toEqual([
      {
        actor_type: 'api_key',
        target_id: id,
        changes: { operationId: operation.id, sinceSequence: 2, untilSequence: 6 },
      },
    ]);
    expect(received('/again')).toHaveLength(10);
  });

  test('asked for many times at once, on two servers, begins twice; the others are refused', async () => {
    const id = await made('/many');
    // The replays take turns and more than four seconds: an endpoint gets 500 deliveries again a second.
    await addDelivered(id, 1_200);
    const second = await startTestServer(database, { webhookAllowPrivate: true });
    const other = new Client(second.url);
    try {
      const asked = Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? client : other).send(replay(shop, id, { sinceSequence: 0 }, newKey())),
      );
      const answers = await Promise.all(asked);
      const begun = answers.filter(({ status }) => status === 202).map((answer) => shownOperation(answer).id);
      expect(begun).toHaveLength(2);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused.map(({ code }) => code)).toEqual(Array(8).fill('replay_limit_reached'));
      for (const operationId of begun) expect(refused[0]?.body.error?.message).toContain(operationId);
      // One of another endpoint is not kept from beginning.
      const elsewhere = await client.send(replay(shop, await made('/few'), { sinceSequence: 0 }, newKey()));
      expect(elsewhere.status).toBe(202);
      for (const operationId of begun)
        expect(await ended(operationId)).toMatchObject({ status: 'succeeded' });
      const later = await client.send(replay(shop, id, { sinceSequence: 1_199 }, newKey()));
      expect(later.status).toBe(202);
    } finally {
      await client.send(remove(shop, id, newKey()));
      other.close();
      await second.close();
    }
  });

  test('after the last sequence sends nothing, and succeeds', async () => {
    const id = await made('/none');
    for (const sinceSequence of [0, 7, Number.MAX_SAFE_INTEGER]) {
      const asked = await client.send(replay(shop, id, { sinceSequence }, newKey()));
      expect(await ended(shownOperation(asked).id)).toMatchObject({
        status: 'succeeded',
        progress: { done: 0, total: 0 },
        result: { sentAgain: 0 },
      });
    }
    expect(received('/none')).toEqual([]);
  });

  test('puts what was given up and what waits for its next attempt in the queue again, too', async () => {
    const id = await made('/lost');
    receiver.answer = ({ path }, response) => response.writeHead(path === '/lost' ? 500 : 204).end();
    await buy(3);
    await until(
      async () => (await list(deliveries(shop, `?endpointId=${id}&status=failed`))).length === 3,
      'all have failed',
    );
    const [third] = await list(deliveries(shop, `?endpointId=${id}&limit=1`));
    await database.adminPool.query(
      `update webhook_deliveries set status = 'dead_letter', next_attempt_at = null, failures = 10
       where environment_id = $1 and sequence = 3
         and endpoint_id = (select id from webhook_endpoints where url = $2)`,
      [shop.id, `${receiver.url}/lost`],
    );
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await client.send(replay(shop, id, { sinceSequence: 0 }, newKey()));
    await until(
      async () => (await list(deliveries(shop, `?endpointId=${id}&status=delivered`))).length === 3,
      'delivered',
    );
    expect(third?.sequence).toBe(3);
  });
});

describe('what is refused, with nothing written', () => {
  let id: string;
  let disabled: string;
  let deleted: string;
  let delivered: string;
  let foreign: TestEnvironment;
  let locked: TestEnvironment;

  beforeAll(async () => {
    id = await made('/refused');
    disabled = await made('/refused', shop, 'disabled');
    deleted = await made('/refused');
    await client.send(remove(shop, deleted, newKey()));
    const tested = await client.send(sendTest(shop, id, newKey()));
    delivered = (tested.body.delivery as unknown as ShownDelivery).id;
    const read = async () =>
      (await client.send(delivery(shop, delivered))).body.delivery as unknown as ShownDelivery;
    await until(async () => (await read()).status === 'delivered', 'delivered');
    foreign = await world.environment();
    locked = await world.environment('production');
    await world.lock(locked.id, true);
  });

  const since = { sinceSequence: 0 };
  const wrong = (body: object) => () => replay(shop, id, body, newKey());
  const cases: [status: number, code: string, what: string, sent: () => Sent][] = [
    [422, 'validation_failed', 'no sequence', wrong({})],
    [422, 'validation_failed', 'a negative sequence', wrong({ sinceSequence: -1 })],
    [422, 'validation_failed', 'a fraction', wrong({ sinceSequence: 1.5 })],
    [422, 'validation_failed', 'a sequence as text', wrong({ sinceSequence: '0' })],
    [422, 'validation_failed', 'null', wrong({ sinceSequence: null })],
    [422, 'validation_failed', 'an unsafe integer', wrong({ sinceSequence: 2 ** 53 })],
    [422, 'validation_failed', 'an unknown property', wrong({ ...since, untilSequence: 5 })],
    [400, 'idempotency_key_required', 'no key', () => replay(shop, id, since, '')],
    [409, 'endpoint_disabled', 'a disabled endpoint', () => replay(shop, disabled, since, newKey())],
    [404, 'endpoint_not_found', 'a deleted endpoint', () => replay(shop, deleted, since, newKey())],
    [404, 'endpoint_not_found', 'a foreign endpoint', () => replay(foreign, id, since, newKey())],
    [404, 'endpoint_not_found', 'a malformed id', () => replay(shop, 'nothing', since, newKey())],
    [404, 'endpoint_not_found', 'another id', () => replay(shop, delivered, since, newKey())],
    [409, 'production_locked', 'a lock', () => replay(locked, id, since, newKey())],
    [409, 'invalid_delivery_state', 'a retry of a delivered one', () => retry(shop, delivered, newKey())],
    [404, 'delivery_not_found', 'a foreign delivery', () => retry(foreign, delivered, newKey())],
    [
      422,
      'validation_failed',
      'a retry with properties',
      () => retry(shop, delivered, newKey(), { force: true }),
    ],
    [422, 'validation_failed', 'a test with properties', () => sendTest(shop, id, newKey(), { a: 1 })],
    [400, 'invalid_json', 'a test with a list', () => sendTest(shop, id, newKey(), [])],
    [404, 'endpoint_not_found', 'a test of a deleted one', () => sendTest(shop, deleted, newKey())],
    [
      404,
      'endpoint_not_found',
      'PATCH of a deleted one',
      () => patch(shop, deleted, { status: 'active' }, newKey()),
    ],
    [404, 'endpoint_not_found', 'the second end of one', () => remove(shop, deleted, newKey())],
  ];

  test.each(cases)('%d %s: %s', async (status, code, _what, sent) => {
    const before = await world.countRows();
    const answer = await client.send(sent());
    expect(answer).toMatchObject({ status, code });
    expect(await world.countRows()).toEqual(before);
  });

  test('a replay by who may only read', async () => {
    const reader = { ...shop, ...(await world.key(shop.id, ['webhooks:read', 'operations:read'])) };
    const answer = await client.send(replay(reader, id, since, newKey()));
    expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });
});
