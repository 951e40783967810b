import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { atEnd } from '../support/fixture.ts';
import {
  addMembers,
  Client,
  earn,
  graphql,
  type Received,
  rest,
  type Sent,
} from '../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../support/surfaces/customers.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import { addTestWidget, openSession, redeemInWidget, session } from '../support/surfaces/widgets.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';

// An environment whose batches wait for a lock, until as many of its commands wait as may. What is sent then has a body
// that would be refused once it is read: an answer of 503 was given before.

const MOST_WAITING = 140;

let shop: TestEnvironment;
let neighbour: TestEnvironment;
let deploymentId: string;
let widgetToken: string;
let token: string;
let blocker: PoolClient;
let waiting: Promise<Received>[];
let sent = 0;

const { database, world, server, client } = useServer({
  settings: { queueLimit: MOST_WAITING },
  connections: MOST_WAITING + 20,
});

beforeAll(async () => {
  [shop, neighbour] = [await world.environment(), await world.environment()];
  const key = makeKey('ES256', 'one');
  await addTestIssuer(world, shop.id, [key]);
  token = customerToken(key, 'ada');
  deploymentId = await addTestWidget(world, shop.id);
  for (const environment of [shop, neighbour]) await addMembers(client, environment, ['ada']);
  widgetToken = await openSession(client, shop, deploymentId);
});

atEnd(async () => expect(await world.failedControls()).toEqual([]));

function purchase(of = shop): Sent {
  sent += 1;
  const sourceReference = `order-${sent}`;
  return earn(of, { externalCustomerId: 'ada', amountMinor: 1_000, sourceReference }, sourceReference);
}

const EARN = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';

function purchaseByGraphql(of: TestEnvironment): Sent {
  sent += 1;
  const input = {
    ...{ idempotencyKey: `n-${sent}`, programId: 'coffee-club', externalCustomerId: 'ada' },
    ...{ amountMinor: 1_000, channel: 'web', sourceReference: `n-${sent}` },
  };
  return graphql(of, EARN, { input });
}

/** How many commands wait or are in flight. */
async function waitingNow(): Promise<number> {
  return Number(/^rewards_writer_waiting_commands (\d+)$/m.exec(await server.metrics())?.[1]);
}

beforeEach(async () => {
  blocker = await database.adminPool.connect();
  await blocker.query('begin');
  await blocker.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [shop.id]);
  waiting = Array.from({ length: MOST_WAITING }, () => client.send(purchase()));
  await until(async () => (await waitingNow()) === MOST_WAITING, 'as many commands wait as may');
});

afterEach(async () => {
  await blocker.query('rollback');
  blocker.release();
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses).toEqual(Array(MOST_WAITING).fill(201));
  expect(await waitingNow()).toBe(0);
});

/** The same request with a body that no route takes. */
const unreadable = (request: Sent): Sent => ({ ...request, body: 'no JSON' });

const MUTATION = EARN.replace('id', 'id nothingLikeIt');

describe('a command is refused before it is read, or validated', () => {
  const doors: Record<string, () => Sent> = {
    'over GraphQL': () => graphql(shop, MUTATION, { input: {} }),
    'over REST': () => unreadable(purchase()),
    'of a customer': () => unreadable(loyalty(shop, token, 'POST', '/redemptions/quote', {}, 'key')),
    'of a page with a widget': () => unreadable(redeemInWidget(deploymentId, widgetToken, {})),
  };

  test.each(Object.entries(doors))('%s', async (_door, request) => {
    const { status, code, headers, body } = await client.send(request());
    expect({ status, code, 'retry-after': headers['retry-after'] }).toEqual({
      status: 503,
      code: 'overloaded',
      'retry-after': '1',
    });
    if (body.errors) {
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { httpStatus: 503 } }] });
      expect(body.errors).toHaveLength(1);
    }
  });
});

test('a document that was executed before is refused as a new one, before its variables are checked', async () => {
  expect((await client.send(purchaseByGraphql(neighbour))).body.errors).toBeUndefined();
  const { status, code } = await client.send(graphql(shop, EARN, { input: {} }));
  expect({ status, code }).toEqual({ status: 503, code: 'overloaded' });
});

describe('what is no command goes on', () => {
  const reads: Record<string, [status: number, request: () => Sent]> = {
    'a query over GraphQL': [
      200,
      () => graphql(shop, '{ member(externalCustomerId: "ada") { member { id } } }'),
    ],
    'a read over REST': [200, () => rest(shop, 'GET', '/members/ada')],
    'an evaluation of offers': [422, () => rest(shop, 'POST', '/offers/evaluate', {})],
    'a session of a widget': [201, () => session(shop, deploymentId)],
    'a read of a customer': [200, () => loyalty(shop, token, 'GET', '/member')],
    'a preview of a customer': [422, () => loyalty(shop, token, 'POST', '/purchases/preview', {})],
    'an unknown path': [404, () => rest(shop, 'POST', '/nothing', {})],
    'a method that a path does not take': [405, () => rest(shop, 'PATCH', '/events', {})],
  };

  test.each(Object.entries(reads))('%s', async (_read, [status, request]) => {
    expect((await client.send(request())).status).toBe(status);
  });

  test('commands of another environment, over GraphQL too', async () => {
    const answer = await client.send(purchaseByGraphql(neighbour));
    expect({ status: answer.status, errors: answer.body.errors }).toEqual({ status: 200, errors: undefined });
    expect((await client.send(purchase(neighbour))).status).toBe(201);
  });
});

test('a client that hangs up while its command waits takes no place for ever', async () => {
  const hasty = new Client(server.url, 8);
  const given = Array.from({ length: 8 }, () => hasty.send(purchase(neighbour)).catch(() => null));
  hasty.close();
  await Promise.all(given);
  await until(
    async () => (await waitingNow()) === MOST_WAITING,
    'the commands of those who hung up are done',
  );
});
