import { beforeAll, describe, expect, test } from '@jest/globals';
import { httpStatusOf } from '../../rest-adapter/generated/error-codes.ts';
import type { Config } from '../../src/config.ts';
import { fixture } from '../support/fixture.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestServer } from '../support/server.ts';
import {
  answerConsent,
  Client,
  createMember,
  earn,
  enroll,
  graphql,
  type Received,
  readMember,
  rest,
  type Sent,
  unenroll,
  updateMember,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

const { database, world, client, shop } = useShop({
  members: ['ada', 'rich', 'leaver', 'suspended', 'withdrawn', 'unenrolled'],
});
const locked = fixture('the locked shop', () => world.environment('production'));

beforeAll(async () => {
  await client.send(createMember(shop, 'stranger'));
  await client.send(earn(shop, purchase({ externalCustomerId: 'rich', sourceReference: 'rich' }), 'rich'));
  await client.send(unenroll(shop, 'unenrolled'));
  await database.adminPool.query(
    `update members set status = 'suspended' where external_customer_id = 'suspended'`,
  );
  await world.publish(shop.id, (yaml) =>
    yaml
      .replace('id: coffee-club', 'id: strict-club')
      .replace('points: 10000000', 'points: 5')
      .replace('onExceed: trim', 'onExceed: reject'),
  );
  const path = '/members/ada/programs/strict-club';
  const consent = { consentStatus: 'opted_in', noticeVersion: 'v1', evidence: { source: 'test' } };
  await client.send(rest(shop, 'PUT', path, consent, 'strict'));
  await world.lock(locked.id, true);
});

const purchase = (change: object = {}) => ({
  externalCustomerId: 'ada',
  sourceReference: 'order-1',
  amountMinor: 1000,
  ...change,
});

type Case = [status: number, code: string | null, what: string, sent: () => Sent];

const tooLarge = (sent: Sent): Sent => ({ ...sent, body: String(sent.body).padEnd(131_073) });
const ofType = (sent: Sent, type: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'content-type': type },
});
const withoutKey = (sent: Sent): Sent => {
  const { 'idempotency-key': _key, ...headers } = sent.headers ?? {};
  return { ...sent, headers };
};
const nobody = (): TestEnvironment => ({ ...shop, key: 'svc_test_none' });

/** Responses of every mutation before its own rules are evaluated. */
const edge = (send: (shop: TestEnvironment) => Sent, violation: string): Case[] => [
  [400, 'invalid_json', 'no JSON', () => ({ ...send(shop), body: '{' })],
  [400, 'idempotency_key_required', 'no key', () => withoutKey(send(shop))],
  [401, 'unauthorized', 'a wrong credential', () => send(nobody())],
  [413, 'payload_too_large', 'a body one byte too long', () => tooLarge(send(shop))],
  [415, 'unsupported_media_type', 'another type', () => ofType(send(shop), 'text/plain')],
  [422, violation, 'an unknown field', () => ({ ...send(shop), body: '{"colour":"red"}' })],
];

const operations: [name: string, cases: Case[]][] = [
  [
    'POST /members',
    [
      [201, null, 'a new member', () => createMember(shop, 'fresh')],
      [200, null, 'the same again', () => createMember(shop, 'fresh')],
      ...edge((credentials) => createMember(credentials, 'edge'), 'validation_failed'),
      [409, 'member_exists', 'another key', () => createMember(shop, 'fresh', 'other')],
      [409, 'idempotency_key_reused', 'another body', () => createMember(shop, 'other', 'create-fresh')],
      [409, 'production_locked', 'a lock', () => createMember(locked, 'fresh')],
      [
        422,
        'explicit_program_enrollment_required',
        'programs',
        () => rest(shop, 'POST', '/members', { programIds: [programId] }, 'programs'),
      ],
    ],
  ],
  [
    'PATCH /members/{externalId}',
    [
      [200, null, 'a new name', () => updateMember(shop, 'rich')],
      [200, null, 'the same again', () => updateMember(shop, 'rich')],
      [200, null, 'the name that it has', () => updateMember(shop, 'rich', 'same')],
      [200, null, 'a withdrawn consent', () => answerConsent(shop, 'withdrawn', 'opted_out')],
      [200, null, 'a suspended member', () => updateMember(shop, 'suspended')],
      ...edge((credentials) => updateMember(credentials, 'ada', 'edge'), 'validation_failed'),
      [404, 'member_not_found', 'nobody', () => updateMember(shop, 'nobody')],
      [409, 'idempotency_key_reused', 'another body', () => updateMember(shop, 'ada', 'update-rich')],
      [409, 'production_locked', 'a lock', () => updateMember(locked, 'ada')],
      [422, 'validation_failed', 'nothing', () => updateMember(shop, 'ada', 'nothing', {})],
      [422, 'validation_failed', 'null', () => updateMember(shop, 'ada', 'null', { displayName: null })],
    ],
  ],
  [
    'PUT enrollment',
    [
      [201, null, 'a new profile', () => enroll(shop, 'stranger')],
      [200, null, 'the same again', () => enroll(shop, 'stranger')],
      [200, null, 'another key', () => enroll(shop, 'stranger', 'renewed')],
      [200, null, 'one who had left', () => enroll(shop, 'unenrolled', 'back')],
      ...edge((credentials) => enroll(credentials, 'ada', 'edge'), 'validation_failed'),
      [404, 'member_not_found', 'nobody', () => enroll(shop, 'nobody')],
      [404, 'member_not_found', 'a suspended member', () => enroll(shop, 'suspended', 'new')],
      [404, 'member_not_found', 'a withdrawn identity', () => enroll(shop, 'withdrawn', 'new')],
      [404, 'program_not_found', 'an unknown program', () => elsewhere(enroll(shop, 'ada', 'p'))],
      [409, 'production_locked', 'a lock', () => enroll(locked, 'ada')],
    ],
  ],
  [
    'DELETE enrollment',
    [
      [200, null, 'a member without points', () => unenroll(shop, 'leaver')],
      [200, null, 'the same again', () => unenroll(shop, 'leaver')],
      [200, null, 'one who has left', () => unenroll(shop, 'leaver', 'again')],
      ...edge((credentials) => unenroll(credentials, 'ada', 'edge'), 'validation_failed'),
      [404, 'member_not_found', 'nobody', () => unenroll(shop, 'nobody')],
      [404, 'program_not_found', 'an unknown program', () => elsewhere(unenroll(shop, 'ada', 'p'))],
      [
        404,
        'profile_not_found',
        'never enrolled',
        () => elsewhere(unenroll(shop, 'rich', 'p'), 'strict-club'),
      ],
      [409, 'balance_not_zero', 'a member with points', () => unenroll(shop, 'rich')],
    ],
  ],
  [
    'GET /members/{externalId}',
    [
      [200, null, 'a member', () => readMember(shop, 'ada')],
      [401, 'unauthorized', 'a wrong credential', () => readMember(nobody(), 'ada')],
      [404, 'member_not_found', 'nobody', () => readMember(shop, 'nobody')],
      [422, 'validation_failed', 'an id that cannot be', () => readMember(shop, ' ')],
    ],
  ],
  [
    'POST /events',
    [
      [201, null, 'a new award', () => earn(shop, purchase(), 'e-1')],
      [200, null, 'the same again', () => earn(shop, purchase(), 'e-1')],
      ...edge((credentials) => earn(credentials, purchase(), 'edge'), 'invalid_event'),
      [
        404,
        'program_not_found',
        'an unknown program',
        () => earn(shop, purchase({ programId: 'tea' }), 'e-2'),
      ],
      [
        404,
        'member_not_found',
        'nobody',
        () => earn(shop, purchase({ externalCustomerId: 'nobody' }), 'e-3'),
      ],
      [
        404,
        'member_not_found',
        'a suspended member',
        () => earn(shop, purchase({ externalCustomerId: 'suspended' }), 'e-4'),
      ],
      [
        404,
        'member_not_found',
        'a withdrawn identity',
        () => earn(shop, purchase({ externalCustomerId: 'withdrawn' }), 'e-4'),
      ],
      [409, 'production_locked', 'a lock', () => earn(locked, purchase(), 'e-5')],
      [409, 'source_reference_conflict', 'a taken reference', () => earn(shop, purchase(), 'e-6')],
      [409, 'idempotency_key_reused', 'another body', () => earn(shop, purchase({ amountMinor: 1 }), 'e-1')],
      [
        409,
        'enrollment_required',
        'a member who has left',
        () => earn(shop, purchase({ externalCustomerId: 'leaver', sourceReference: 'o-2' }), 'e-7'),
      ],
      [
        409,
        'member_limit_reached',
        'a limit',
        () => earn(shop, purchase({ programId: 'strict-club', sourceReference: 'o-3' }), 'e-8'),
      ],
      [422, 'invalid_event', 'another event type', () => earn(shop, purchase({ type: 'order.made' }), 'e-9')],
      [
        422,
        'currency_mismatch',
        'another currency',
        () => earn(shop, purchase({ currency: 'EUR', sourceReference: 'o-4' }), 'e-10'),
      ],
    ],
  ],
];

describe.each(operations)('%s', (_name, cases) => {
  test.each(cases)('%i %s: %s', async (status, code, _what, sent) => {
    const answer = await client.send(sent());
    expect(answer).toMatchObject({ status, code });
    if (code === null) expect(answer.body.requestId).toMatch(/^req_/);
    else expectErrorBody(answer);
  });

  test('a request id of the client comes back, in the body too', async () => {
    for (const [status, , , send] of cases) {
      const sent = send();
      const answer = await client.send({ ...sent, headers: { ...sent.headers, 'x-request-id': 'trace-7' } });
      expect([status, answer.headers['x-request-id']]).toEqual([status, 'trace-7']);
      expect(answer.body.error?.requestId ?? answer.body.requestId).toBe('trace-7');
    }
  });
});

describe('paths and methods', () => {
  test.each([
    ['GET', '/api/v1/nothing', 404, 'not_found'],
    ['POST', '/api/v1/members/ada/programs', 404, 'not_found'],
    ['GET', '/nothing', 404, 'not_found'],
    ['POST', '/API/GRAPHQL', 404, 'not_found'],
    ['GET', '/api/v1/events', 405, 'method_not_allowed'],
    ['PATCH', '/api/v1/events', 405, 'method_not_allowed'],
    ['GET', '/api/graphql', 405, 'method_not_allowed'],
    ['PUT', '/api/graphql', 405, 'method_not_allowed'],
  ])('%s %s: %i', async (method, path, status, code) => {
    const answer = await client.send({ method, path, headers: rest(shop, 'GET', '').headers ?? {} });
    expect(answer).toMatchObject({ status, code });
    if (status !== 405) return;
    expect(answer.headers.allow).toBeTruthy();
    if (path.startsWith('/api/v1')) expect(answer.body.error?.message).toMatch(/: it takes POST\.$/);
  });
});

describe('what only a server in need answers', () => {
  test('429 beyond the limit, with when to come back; GraphQL too; another credential goes on', async () => {
    await withServer({ rateLimitPerMinute: 3 }, async (limited) => {
      const { key } = await world.key(shop.id);
      const other = await world.key(shop.id);
      const asked = [];
      for (let index = 0; index < 5; index += 1)
        asked.push(await limited.send(readMember({ ...shop, key }, 'ada')));
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429]);
      expect(asked.map(({ headers }) => String(headers.ratelimit).split(';')[1])).toEqual([
        'r=2',
        'r=1',
        'r=0',
        'r=0',
        'r=0',
      ]);
      const last = asked[4] as Received;
      expectErrorBody(last);
      expect(last.headers['ratelimit-policy']).toBe('"default";q=3;w=60');
      expect(Number(last.headers['retry-after'])).toBeGreaterThan(50);
      expect((await limited.send(createMember({ ...shop, key }, 'over'))).status).toBe(429);
      const query = '{ member(externalCustomerId: "ada") { requestId } }';
      const viaGraphql = await limited.send(graphql({ ...shop, key }, query));
      expect(viaGraphql).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number(viaGraphql.headers['retry-after'])).toBeGreaterThan(50);
      const twice =
        '{ a: member(externalCustomerId: "ada") { requestId } b: member(externalCustomerId: "ada") { requestId } }';
      const shared = { ...shop, key: other.key };
      expect((await limited.send(graphql(shared, twice))).status).toBe(200);
      const half = await limited.send(graphql(shared, twice));
      expect({ status: half.status, errors: half.body.errors?.length }).toEqual({ status: 200, errors: 1 });
    });
    expect(await world.count(`select count(*) from members where external_customer_id = 'over'`)).toBe(0);
  });

  test('503 beyond the queue, before anything is done, and the same key succeeds later', async () => {
    const holder = await database.adminPool.connect();
    await holder.query('begin');
    await holder.query('select from program_profiles for update');
    try {
      await withServer({ queueLimit: 1 }, async (busy) => {
        const first = busy.send(earn(shop, purchase({ sourceReference: 'q-1' }), 'q-1'));
        await untilWaiting();
        const second = await busy.send(earn(shop, purchase({ sourceReference: 'q-2' }), 'q-2'));
        expect({
          status: second.status,
          code: second.code,
          'retry-after': second.headers['retry-after'],
        }).toEqual({ status: 503, code: 'overloaded', 'retry-after': '1' });
        expectErrorBody(second);
        expect((await busy.send(readMember(shop, 'ada'))).status).toBe(200);
        await holder.query('rollback');
        expect((await first).status).toBe(201);
        expect((await busy.send(earn(shop, purchase({ sourceReference: 'q-2' }), 'q-2'))).status).toBe(201);
      });
    } finally {
      holder.release(true);
    }
  });

  test('500 where something is broken: no word of it leaves, nothing is stored, and the same key succeeds later', async () => {
    await withServer({ logLevel: 'silent' }, async (broken) => {
      const before = await world.countRows();
      await database.adminPool.query('revoke insert on audit_events from rewards_app');
      const sends: (() => Sent)[] = [
        () => earn(shop, purchase({ sourceReference: 'f-1' }), 'f-1'),
        () => createMember(shop, 'f-1'),
        () => updateMember(shop, 'ada', 'f-1', { displayName: 'Never' }),
        () => enroll(shop, 'rich', 'f-1'),
        () => unenroll(shop, 'leaver', 'f-1'),
      ];
      for (const send of sends) expectInternal(await broken.send(send()), 500);
      await database.adminPool.query('grant insert on audit_events to rewards_app');
      await database.adminPool.query('revoke select on members from rewards_app');
      expectInternal(await broken.send(readMember(shop, 'ada')), 500);
      const query = '{ member(externalCustomerId: "ada") { requestId } }';
      expectInternal(await broken.send(graphql(shop, query)), 500);
      await database.adminPool.query('grant select on members to rewards_app');
      expect(await world.countRows()).toEqual(before);
      const later = [];
      for (const send of sends) later.push((await broken.send(send())).status);
      expect(later).toEqual([201, 201, 200, 200, 200]);
    });
    expect(await world.failedControls()).toEqual([]);
  });
});

test('the table of statuses is that of the contract', () => {
  const provoked = operations.flatMap(([, cases]) => cases.filter(([, code]) => code !== null));
  for (const [status, code] of provoked) {
    expect([code, httpStatusOf[code as keyof typeof httpStatusOf]]).toEqual([code, status]);
  }
});

function expectErrorBody({ body, headers, status }: Received): void {
  expect(Object.keys(body)).toEqual(['error']);
  const { code, message, requestId, details, ...others } = body.error ?? {};
  expect(others).toEqual({});
  expect({ code, message }).toEqual({ code: expect.any(String), message: expect.any(String) });
  expect(requestId).toBe(headers['x-request-id']);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['cache-control']).toBe('no-store');
  if (status === 422 && details) {
    for (const detail of details) expect(Object.keys(detail).toSorted()).toEqual(['message', 'path']);
  }
}

function expectInternal(answer: Received, status: number): void {
  expect(answer).toMatchObject({ status, code: 'internal_error' });
  expect(answer.text).not.toMatch(/permission|denied|audit|select|insert|\.ts|42501/i);
}

/** The request, for another program than the demo's. */
function elsewhere(sent: Sent, program = 'tea-club'): Sent {
  return { ...sent, path: sent.path.replace(programId, program) };
}

async function withServer(settings: Partial<Config>, work: (client: Client) => Promise<void>): Promise<void> {
  const other = await startTestServer(database, settings);
  const its = new Client(other.url);
  try {
    await work(its);
  } finally {
    its.close();
    await other.close();
  }
}

/** Resolves when a session of the writer waits for a lock. */
async function untilWaiting(): Promise<void> {
  while ((await countLockWaits(database.adminPool)) === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
