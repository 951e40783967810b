import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { routes } from '../../rest-adapter/routes.ts';
import { merchantSurface } from '../../rest-adapter/surface.ts';
import { revokeApiKey } from '../../src/admin/keys/revoke-api-key.ts';
import { rotateApiKey } from '../../src/admin/keys/rotate-api-key.ts';
import { issueKey } from '../../src/auth/api-key.ts';
import { EVERY_SCOPE, type Scope } from '../../src/auth/scopes.ts';
import { createPublicSchema } from '../../src/graphql/schema/public-schema.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { leastOf } from '../support/least-of.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  choose,
  createMember,
  earn,
  engage,
  enroll,
  graphql,
  onReservation,
  quote,
  readMember,
  redeem,
  rest,
  returnOrder,
  type Sent,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { addTestIssuer, makeKey } from '../support/surfaces/customers.ts';
import { governedOperations } from '../support/surfaces/governed-operations.ts';
import { type ManagementIds, managementOperations } from '../support/surfaces/management-operations.ts';
import { type RedemptionIds, redemptionOperations } from '../support/surfaces/redemption-operations.ts';
import { scopesOf } from '../support/surfaces/scopes-of-operations.ts';
import { addTestWidget, session } from '../support/surfaces/widgets.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';
import { until } from '../support/until.ts';
import { type WebhookIds, webhookOperations } from '../support/webhooks/operations.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';

type Credentials = Pick<TestEnvironment, 'key' | 'environmentId'>;

interface Operation {
  name: string;
  /** How a subject of another environment is answered; null where the operation names none. */
  foreign: string | null;
  /** How an environment answers that has nothing to hide, where not with 201 or 200: the sibling is Production. */
  answers?: readonly number[];
  /** Scopes that are needed besides the one that opens it. */
  alsoNeeds?: readonly Scope[];
  send: (credentials: Credentials) => Sent;
}

const purchase = { externalCustomerId: 'ada', sourceReference: 'order-1', amountMinor: 1000 };
const memberQuery = 'query ($id: String!) { member(externalCustomerId: $id) { member { id displayName } } }';
const earnMutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';
const returnMutation = 'mutation ($input: RecordReturnInput!) { recordReturn(input: $input) { id } }';

/** A new return of a little of the order that `shop` has. */
function oneCent() {
  return { sourceReference: 'bought', returnReference: newUuid(), returnAmountMinor: 1 };
}

const transactionQuery = 'query ($id: ID!) { transaction(id: $id) { transaction { id } } }';
const transactionsQuery = '{ transactions { data { id } page { hasMore } } }';

/** Id of the purchase that `shop` has. */
let boughtId = '';
let operationId = '';
let deploymentId = '';

/** The quote, and the redemption with its dispute, that `shop` has. */
let redemption: RedemptionIds = { quoteId: '', reservationId: '', disputeId: '' };

/** The adjustment that `shop` has. */
let adjustmentId = '';

/** The merge that was asked for in `shop`. */
let mergeId = '';

/** The webhook endpoint, and the test of it, that `shop` has. */
let webhook: WebhookIds = { endpointId: '', deliveryId: '' };

/** The issuer and the widget that `shop` has, and its program. */
let managed: ManagementIds = { programId: 'own-club', issuerId: '', deploymentId: '' };

/** Every operation that is served, each with a request that would succeed for a good key of its environment. */
const operations: Operation[] = [
  ...redemptionOperations(() => redemption),
  ...governedOperations(
    () => adjustmentId,
    () => mergeId,
    'own-club',
  ),
  ...webhookOperations(() => webhook),
  {
    name: 'POST /members',
    foreign: null,
    send: (credentials) => createMember(credentials, 'new', newUuid()),
  },
  {
    name: 'PATCH /members/{externalId}',
    foreign: 'member_not_found',
    send: (credentials) => updateMember(credentials, 'ada', newUuid()),
  },
  ...(['PUT', 'DELETE'] as const).map(
    (method): Operation => ({
      name: `${method} /members/{externalId}/tags/{tag}`,
      foreign: 'member_not_found',
      send: (credentials) => rest(credentials, method, '/members/ada/tags/vip', {}, newUuid()),
    }),
  ),
  // Those who are no members of the environment are named in the answer.
  ...(['POST', 'DELETE'] as const).map(
    (method): Operation => ({
      name: `${method} /lists/{list}/members`,
      foreign: null,
      send: (credentials) =>
        rest(credentials, method, '/lists/spring/members', { externalCustomerIds: ['ada'] }, newUuid()),
    }),
  ),
  {
    name: 'PUT /members/{externalCustomerId}/programs/{programId}',
    foreign: 'member_not_found',
    send: (credentials) => enroll(credentials, 'ada', newUuid()),
  },
  {
    name: 'DELETE /members/{externalCustomerId}/programs/{programId}',
    foreign: 'member_not_found',
    send: (credentials) => unenroll(credentials, 'ada', newUuid()),
  },
  {
    name: 'GET /members/{externalId}',
    foreign: 'member_not_found',
    send: (credentials) => readMember(credentials, 'ada'),
  },
  {
    name: 'GET /sandbox/clock',
    foreign: null,
    answers: [200, 409],
    send: (credentials) => rest(credentials, 'GET', '/sandbox/clock'),
  },
  {
    name: 'POST /sandbox/clock',
    foreign: null,
    answers: [200, 409],
    send: (credentials) => rest(credentials, 'POST', '/sandbox/clock', { action: 'reset' }, newUuid()),
  },
  {
    name: 'GET /members/{externalId}/details',
    foreign: 'member_not_found',
    send: (credentials) => rest(credentials, 'GET', '/members/ada/details'),
  },
  {
    name: 'POST /events',
    foreign: 'member_not_found',
    send: (credentials) => earn(credentials, purchase, newUuid()),
  },
  {
    name: 'POST /returns',
    foreign: 'order_not_found',
    send: (credentials) => returnOrder(credentials, oneCent(), newUuid()),
  },
  {
    name: 'POST /coupon-codes/lookup',
    foreign: 'program_not_found',
    send: (credentials) => {
      const code = { programId: 'own-club', code: 'SUMMER-00000000' };
      return rest(credentials, 'POST', '/coupon-codes/lookup', code);
    },
  },
  {
    name: 'POST /coupon-codes/assign',
    foreign: 'program_not_found',
    send: (credentials) => {
      const code = { programId: 'own-club', code: 'SUMMER-00000000', externalCustomerId: 'ada' };
      return rest(credentials, 'POST', '/coupon-codes/assign', code, newUuid());
    },
  },
  {
    name: 'POST /offers/evaluate',
    foreign: 'program_not_found',
    send: (credentials) => {
      const cart = { programId: 'own-club', items: [{ sku: 'beans', unitPriceMinor: 100 }] };
      return rest(credentials, 'POST', '/offers/evaluate', cart);
    },
  },
  {
    name: 'POST /events/preview',
    foreign: 'program_not_found',
    send: (credentials) => {
      const purchase = {
        type: 'purchase.completed',
        programId: 'own-club',
        amountMinor: 100,
        channel: 'web',
      };
      return rest(credentials, 'POST', '/events/preview', purchase);
    },
  },
  {
    name: 'POST /custom-events',
    foreign: 'member_not_found',
    send: (credentials) => engage(credentials, { externalCustomerId: 'ada' }, newUuid()),
  },
  {
    name: 'POST /choice-benefits',
    foreign: 'member_not_found',
    send: (credentials) => choose(credentials, { externalCustomerId: 'ada' }, newUuid()),
  },
  {
    name: 'GET /members',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/members'),
  },
  {
    name: 'GET /redemptions',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/redemptions'),
  },
  {
    name: 'GET /adjustments',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/adjustments'),
  },
  {
    name: 'GET /member-merges',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/member-merges'),
  },
  {
    name: 'GET /member-merges/{mergeId}',
    foreign: 'merge_not_found',
    send: (credentials) => rest(credentials, 'GET', `/member-merges/${mergeId}`),
  },
  {
    name: 'GET /programs',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/programs'),
  },
  {
    name: 'GET /programs/{programId}/versions',
    foreign: 'program_not_found',
    send: (credentials) => rest(credentials, 'GET', '/programs/own-club/versions'),
  },
  {
    name: 'GET /transactions',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/transactions'),
  },
  {
    name: 'GET /transactions/{id}',
    foreign: 'transaction_not_found',
    send: (credentials) => rest(credentials, 'GET', `/transactions/${boughtId}`),
  },
  {
    name: 'GET /transactions/{id}/entries',
    foreign: 'transaction_not_found',
    send: (credentials) => rest(credentials, 'GET', `/transactions/${boughtId}/entries`),
  },
  {
    name: 'GET /operations',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', '/operations'),
  },
  {
    name: 'GET /operations/{id}',
    foreign: 'operation_not_found',
    send: (credentials) => rest(credentials, 'GET', `/operations/${operationId}`),
  },
  {
    name: 'POST /widgets/{deploymentId}/sessions',
    foreign: 'deployment_not_found',
    send: (credentials) => session(credentials, deploymentId),
  },
  {
    name: 'GET /audit-events',
    foreign: null,
    send: (credentials) => rest(credentials, 'GET', `/audit-events?targetId=${boughtId}`),
  },
  {
    name: 'GraphQL transaction',
    foreign: 'transaction_not_found',
    send: (credentials) => graphql(credentials, transactionQuery, { id: boughtId }),
  },
  {
    name: 'GraphQL transactions',
    foreign: null,
    send: (credentials) => graphql(credentials, transactionsQuery),
  },
  {
    name: 'GraphQL member',
    foreign: 'member_not_found',
    send: (credentials) => graphql(credentials, memberQuery, { id: 'ada' }),
  },
  {
    name: 'GraphQL purchaseEarn',
    foreign: 'member_not_found',
    send: (credentials) =>
      graphql(credentials, earnMutation, {
        input: { ...purchase, programId, channel: 'web', idempotencyKey: newUuid() },
      }),
  },
  {
    name: 'GraphQL recordReturn',
    foreign: 'order_not_found',
    send: (credentials) =>
      graphql(credentials, returnMutation, { input: { ...oneCent(), idempotencyKey: newUuid() } }),
  },
  ...managementOperations(() => managed),
];

let database: TestDatabase;
let world: World;
let server: RunningServer;
let client: Client;
let shop: TestEnvironment;
/** Another environment of the same tenant, and one of another tenant. */
let sibling: TestEnvironment;
let stranger: TestEnvironment;
/** Headers that are absent, or of another form, with what the answer says of them. */
let absent: Record<string, { headers: Record<string, string | undefined>; says: string }>;
/** What is there and no good key, by what is wrong with it. */
let refused: Record<string, Record<string, string | undefined>>;

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  sibling = await world.environment('production', shop.tenantId);
  stranger = await world.environment();
  await world.publish(shop.id, (yaml) => yaml.replace('id: coffee-club', 'id: own-club'));
  server = await startTestServer(database);
  client = new Client(server.url);
  await addMembers(client, shop, ['ada']);
  const bought = await client.send(earn(shop, { ...purchase, sourceReference: 'bought' }, 'bought'));
  boughtId = bought.body.id ?? '';
  const { rows } = await database.adminPool.query<{ id: string }>(
    `insert into operations (environment_id, id, type, status, input)
     values ($1, $2, 'import', 'queued', '{}') returning id`,
    [shop.id, newUuid()],
  );
  operationId = toTypeId('op', rows[0]?.id ?? '');
  deploymentId = await addTestWidget(world, shop.id);
  const issuerId = toTypeId('iss', await addTestIssuer(world, shop.id, [makeKey('EdDSA', 'one')]));
  managed = { ...managed, issuerId, deploymentId };
  redemption = await makeRedemption();
  const credit = { programId, direction: 'credit', points: 5, reason: 'r', evidence: { ticket: '1' } };
  const asked = await client.send(
    rest(shop, 'POST', '/adjustments', { ...credit, externalCustomerId: 'ada' }, 'adjust'),
  );
  adjustmentId = (asked.body.adjustment as { id: string }).id;
  await client.send(createMember(shop, 'bob', 'bob'));
  const into = { intoExternalCustomerId: 'bob', reason: 'r', evidence: { ticket: 1 } };
  const wanted = await client.send(rest(shop, 'POST', '/members/ada/merge', into, 'merge'));
  mergeId = (wanted.body.merge as { id: string }).id;
  const hook = { url: 'https://localhost.example', eventTypes: ['points.earned'] };
  const endpoint = await client.send(webhookRequests.create(shop, hook, 'hook'));
  const endpointId = (endpoint.body.endpoint as { id: string }).id;
  const tested = await client.send(webhookRequests.test(shop, endpointId, 'hook-test'));
  webhook = { endpointId, deliveryId: (tested.body.delivery as { id: string }).id };
  const revoked = await world.key(shop.id);
  await revokeApiKey(world.administrator, revoked.keyId);
  const rotated = await world.key(shop.id);
  await rotateApiKey(world.administrator, rotated.keyId, 0);
  const expired = await world.key(shop.id);
  await database.adminPool.query(`update api_keys set expires_at = now() where id = $1`, [expired.keyId]);
  const noBearer = 'The Authorization header is not of the form Bearer';
  absent = {
    'no key': { headers: { authorization: undefined }, says: 'There is no Authorization header' },
    'no environment': { headers: { 'x-environment': undefined }, says: 'There is no X-Environment header' },
    'an empty key': { headers: { authorization: 'Bearer ' }, says: noBearer },
    'a key in another scheme': { headers: { authorization: `Basic ${shop.key}` }, says: noBearer },
  };
  refused = {
    'a key that is none': bearer('svc_test_1_2'),
    'a wrong secret': bearer(`${shop.key.slice(0, -4)}AAAA`),
    'an unknown key': bearer(issueKey('sandbox').key),
    'a key of another environment': bearer(sibling.key),
    'the key for another environment': { 'x-environment': sibling.environmentId },
    'a key of another tenant': bearer(stranger.key),
    'an unknown environment': { 'x-environment': toTypeId('env', newUuid()) },
    'the environment as a UUID': { 'x-environment': shop.id },
    'a key that calls itself live': bearer(shop.key.replace('svc_test_', 'svc_live_')),
    'an expired key': bearer(expired.key),
    'a revoked key': bearer(revoked.key),
    'a secret from before a rotation': bearer(rotated.key),
  };
});

afterAll(async () => {
  client.close();
  await server.close();
  await database.drop();
});

/** A quote, and a committed redemption that is disputed. */
async function makeRedemption(): Promise<RedemptionIds> {
  const coffees = { ...purchase, sourceReference: 'for coffees', amountMinor: 100_000 };
  await client.send(earn(shop, coffees, 'for-coffees'));
  const ada = { externalCustomerId: 'ada' };
  const quoted = await client.send(quote(shop, ada, 'quote'));
  const reservationId = await redeem(client, shop, ada, 'redeem');
  const sent = onReservation(shop, reservationId, 'disputes', { reason: 'r' }, 'dispute');
  const opened = await client.send(sent);
  const idOf = (of: unknown): string => (of as { id: string }).id;
  return { quoteId: idOf(quoted.body.quote), reservationId, disputeId: idOf(opened.body.dispute) };
}

test('every operation that is served stands in the matrix', () => {
  const schema = createPublicSchema(
    buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')),
  );
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}).map((name) => `GraphQL ${name}`),
  );
  // What pages of widgets do has a session in place of a key (test/surfaces/widgets).
  // Nor has what is about whoever has signed in (test/surfaces/management/people.test.ts).
  const withKeys = routes.filter(
    ({ keyInBody, method, path }) =>
      !keyInBody && (merchantSurface.contracts[`${method} ${path}`]?.scopes.length ?? 0) > 0,
  );
  const served = [...withKeys.map(({ method, path }) => `${method} ${path}`), ...fields];
  expect(operations.map(({ name }) => name).toSorted()).toEqual(served.toSorted());
});

describe.each(operations)('$name', ({ name, foreign, answers, alsoNeeds = [], send }) => {
  const scopes = scopesOf(name);
  const isGraphql = name.startsWith('GraphQL');

  test('is 401 for what is absent, and says what', async () => {
    const before = await world.countRows();
    for (const [what, { headers, says }] of Object.entries(absent)) {
      const answer = await client.send(withHeaders(send(shop), headers));
      expect([what, answer.status, answer.code]).toEqual([what, 401, 'unauthorized']);
      expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
      expect(answer.headers.ratelimit).toBeUndefined();
      expect(answer.text).toContain(says);
      // Without the request's id, which is random and so may hold any letters.
      const text = answer.text.replace(/req_\w+/, '');
      for (const secret of ['ada', shop.key, shop.environmentId]) expect(text).not.toContain(secret);
    }
    expect(await world.countRows()).toEqual(before);
  });

  test('is 401 for everything that is no good key, always with the same words, and nothing happens', async () => {
    const before = await world.countRows();
    const texts = new Set<string>();
    for (const [what, change] of Object.entries(refused)) {
      const answer = await client.send(withHeaders(send(shop), change));
      expect([what, answer.status, answer.code]).toEqual([what, 401, 'unauthorized']);
      expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'cache-control': 'no-store' });
      expect(answer.headers.ratelimit).toBeUndefined();
      texts.add(answer.text.replaceAll(/req_[0-9a-z]{26}/g, ''));
    }
    expect(texts.size).toBe(1);
    const [text = ''] = texts;
    for (const secret of ['ada', 'svc_', 'env_', 'key_', shop.id]) expect(text).not.toContain(secret);
    expect(await world.countRows()).toEqual(before);
  });

  test('is 401 before anything else of the request is looked at', async () => {
    const sent = withHeaders(send(shop), {
      'x-environment': 'env',
      'content-type': 'text/plain',
      'idempotency-key': undefined,
    });
    const answer = await client.send({ ...sent, body: '{' });
    expect(answer).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test('is 403 for a key with every scope but its own, before its body is looked at', async () => {
    const before = await world.countRows();
    const { key } = await world.key(
      shop.id,
      EVERY_SCOPE.filter((each) => !scopes.includes(each)),
    );
    const sent = send({ ...shop, key });
    const answer = await client.send(sent);
    expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(answer.text).not.toMatch(/mem_|txn_|\bada\b|"(?:quo|rsv|dsp|adj)_/);
    if (!isGraphql) {
      const broken = await client.send({ ...withHeaders(sent, { 'content-type': 'text/plain' }), body: '{' });
      expect(broken).toMatchObject({ status: 403, code: 'insufficient_scope' });
    }
    expect(await world.countRows()).toEqual({
      ...before,
      api_keys: (before.api_keys ?? 0) + 1,
      audit_events: (before.audit_events ?? 0) + 1,
    });
  });

  test.each(['of the same tenant', 'of another tenant'])(
    'sees nothing of an environment %s',
    async (whose) => {
      const elsewhere = whose === 'of the same tenant' ? sibling : stranger;
      const before = await world.countRows();
      const sent = send(elsewhere);
      const answer = await client.send(sent);
      expect(answer.text).not.toContain(shop.environmentId);
      if (foreign === null) {
        const route = routes.find(({ method, path }) => `${method} ${path}` === name);
        expect(answers ?? [route?.status.fresh ?? 200]).toContain(answer.status);
        expect(answer.text).not.toContain(boughtId);
        return;
      }
      expect(answer.code).toBe(foreign);
      expect(answer.status).toBe(isGraphql ? 200 : 404);
      if (isGraphql) expect(answer.body.errors?.[0]?.extensions.httpStatus).toBe(404);
      expect(answer.text).not.toMatch(/mem_|txn_|Ada/);
      expect(await world.countRows()).toEqual(before);
    },
  );

  test.each(scopes)('is open to a key with the scope %s alone', async (scope) => {
    const { key } = await world.key(shop.id, [scope, ...alsoNeeds]);
    const answer = await client.send(send({ ...shop, key }));
    expect([401, 403]).not.toContain(answer.status);
    expect(['unauthorized', 'insufficient_scope']).not.toContain(answer.code);
  });
});

test('the scope of each field is checked where it stands, in fragments too, and the others are answered', async () => {
  const { key } = await world.key(shop.id, ['events:write']);
  const query = `query ($id: String!) { ...everything } fragment everything on Query { again: member(externalCustomerId: $id) { member { id } } __typename }`;
  const answer = await client.send(graphql({ ...shop, key }, query, { id: 'ada' }));
  expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(answer.body.data).toEqual({ again: null, __typename: 'Query' });
});

test('a key is refused within moments of its revocation, though it has just been used', async () => {
  const millisecondsUntilRefused = async () => {
    const { key, keyId } = await world.key(shop.id);
    const credentials = { ...shop, key };
    for (const send of [readMember(credentials, 'ada'), graphql(credentials, memberQuery, { id: 'ada' })]) {
      expect((await client.send(send)).status).toBe(200);
    }
    await revokeApiKey(world.administrator, keyId);
    const milliseconds = await millisecondsUntil401(credentials);
    for (const operation of operations) {
      expect((await client.send(operation.send(credentials))).status).toBe(401);
    }
    return milliseconds;
  };
  expect(await leastOf(5, 500, millisecondsUntilRefused)).toBeLessThan(500);
});

/** Long enough for two requests on a busy machine, and no longer than a test should wait. */
const OVERLAP_SECONDS = 5;

test('a rotation ends the old secret at once, or after the overlap; the new one works at once', async () => {
  const first = await world.key(shop.id);
  const old = { ...shop, key: first.key };
  expect((await client.send(readMember(old, 'ada'))).status).toBe(200);
  const overlapped = await rotateApiKey(world.administrator, first.keyId, OVERLAP_SECONDS);
  if (!('key' in overlapped)) throw new Error('refused');
  const next = { ...shop, key: overlapped.key };
  for (const each of [old, next]) expect((await client.send(readMember(each, 'ada'))).status).toBe(200);
  await millisecondsUntil401(old);
  // By the database's clock, whatever time the requests took.
  const isOver = 'select (clock_timestamp() >= previous_valid_until)::integer from api_keys where id = $1';
  expect(await world.count(isOver, [first.keyId])).toBe(1);
  expect((await client.send(readMember(next, 'ada'))).status).toBe(200);
  const millisecondsUntilReplaced = async () => {
    const { key, keyId } = await world.key(shop.id);
    expect((await client.send(readMember({ ...shop, key }, 'ada'))).status).toBe(200);
    await rotateApiKey(world.administrator, keyId, 0);
    return millisecondsUntil401({ ...shop, key });
  };
  expect(await leastOf(5, 500, millisecondsUntilReplaced)).toBeLessThan(500);
});

test('a key expires on the instant, though it is in use', async () => {
  const { key } = await world.key(shop.id, EVERY_SCOPE, new Date(Date.now() + 4_000));
  const credentials = { ...shop, key };
  expect((await client.send(readMember(credentials, 'ada'))).status).toBe(200);
  // Its instant is four seconds away; a look-up that is remembered is trusted for half a minute.
  expect(await millisecondsUntil401(credentials)).toBeLessThan(20_000);
});

test('the use of a key is written down', async () => {
  const { key, keyId } = await world.key(shop.id);
  await client.send(readMember({ ...shop, key }, 'ada'));
  await server.close();
  expect(
    await world.count('select count(*) from api_keys where id = $1 and last_used_at is not null', [keyId]),
  ).toBe(1);
  server = await startTestServer(database);
  client.close();
  client = new Client(server.url);
});

/** Asks until the answer is 401. */
async function millisecondsUntil401(credentials: Credentials): Promise<number> {
  const begun = performance.now();
  await until(async () => (await client.send(readMember(credentials, 'ada'))).status === 401, 'a refusal');
  return performance.now() - begun;
}

/** The request with some headers changed, and those of undefined left out. */
function withHeaders(sent: Sent, change: Record<string, string | undefined>): Sent {
  const headers = Object.entries({ ...sent.headers, ...change }).filter(([, value]) => value !== undefined);
  return { ...sent, headers: Object.fromEntries(headers) };
}

function bearer(key: string): { authorization: string } {
  return { authorization: `Bearer ${key}` };
}
