import { beforeAll, describe, expect, test } from '@jest/globals';
import { customerRoutes } from '../../../rest-adapter/routes/customers.ts';
import {
  type Body,
  createMember,
  earn,
  type Received,
  readMember,
  redeem,
} from '../../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../../support/surfaces/customers.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import { programId } from '../../support/surfaces/world.ts';

const { database, world, client, shop } = useShop({
  kind: 'production',
  program: (yaml) =>
    yaml.replace(
      'rewards:\n',
      `rewards:
  - { id: cup, name: Cup, description: Blue., points: 10, imageUrl: "https://cdn.example/cup.jpg" }
  - { id: straw, name: Straw, points: 5, customerReversal: immediate }
  - { id: rare, name: Rare, points: 5, inventory: 1 }
  - { id: car, name: Car, points: 900000 }
  - { id: later, name: Later, points: 5, availableFrom: "2999-01-01T00:00:00Z" }
  - { id: never, name: Never, points: 5, eligibility: { match: all, conditions: [{ field: profile.tier, operator: equals, value: gold }] } }
`,
    ),
  members: ['ada', 'grace'],
  settings: { customerRateLimitPerMinute: 1_000_000 },
});
const key = makeKey('ES256', 'one');

beforeAll(async () => {
  await addTestIssuer(world, shop.id, [key]);
  for (const customer of ['ada', 'grace']) {
    const purchase = {
      externalCustomerId: customer,
      amountMinor: 90_000,
      sourceReference: `rich ${customer}`,
    };
    const earned = await client.send(earn(shop, purchase, `rich-${customer}`));
    expect(earned).toMatchObject({ status: 201, code: null });
  }
});

let keys = 0;

/** Sends a request of a customer; a mutation under a key of its own, unless one is given. */
function as(
  customer: string,
  method: string,
  path: string,
  body?: object,
  {
    idempotencyKey = `key ${keys++}`.replace(' ', '-'),
    claims = {},
  }: { idempotencyKey?: string; claims?: object } = {},
): Promise<Received> {
  return client.send(loyalty(shop, customerToken(key, customer, claims), method, path, body, idempotencyKey));
}

const consent = { consentStatus: 'opted_in', noticeVersion: 'v1', evidence: { source: 'app' } };

async function reserved(customer: string, rewardId = 'cup'): Promise<string> {
  const quoted = await as(customer, 'POST', '/redemptions/quote', { programId, rewardId });
  expect(quoted).toMatchObject({ status: 201, code: null });
  const held = await as(customer, 'POST', '/redemptions/reserve', { quoteId: idOf(quoted.body.quote) });
  expect(held).toMatchObject({ status: 201, code: null });
  return idOf(held.body.reservation);
}

async function committed(customer: string, rewardId?: string): Promise<string> {
  const id = await reserved(customer, rewardId);
  const body = { authorizationReference: `auth ${id}` };
  const claims = { authorization_reference: `auth ${id}` };
  const done = await as(customer, 'POST', `/redemptions/${id}/commit`, body, { claims });
  expect({ status: done.status, reservation: done.body.reservation }).toEqual({
    status: 200,
    reservation: { id, state: 'committed' },
  });
  return id;
}

function idOf(value: unknown): string {
  return (value as { id: string }).id;
}

async function availableOf(customer: string): Promise<number> {
  const { body } = await as(customer, 'GET', '/member');
  const [program] = body.programs as { balances: { available: number } }[];
  return program?.balances.available ?? 0;
}

describe('GET /member', () => {
  test('shows the customer and its programs, and nothing of the merchant', async () => {
    const { status, body, headers } = await as('ada', 'GET', '/member');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['ratelimit-policy']).toBe('"default";q=1000000;w=60');
    expect(body).toEqual({
      requestId: headers['x-request-id'],
      member: { displayName: null, status: 'active' },
      programs: [
        {
          programId,
          name: expect.any(String),
          unitName: 'points',
          tier: { id: expect.any(String), name: expect.any(String) },
          nextTier: expect.any(String),
          nextTierAt: expect.any(Number),
          qualificationPoints: expect.any(Number),
          balances: { available: expect.any(Number), pending: 0, reserved: 0 },
          nextExpiry: expect.anything(),
        },
      ],
    });
  });

  test('has no programs without an enrollment, and is 404 for who is no member', async () => {
    await client.send(createMember(shop, 'idle'));
    const idle = await as('idle', 'GET', '/member');
    expect({ status: idle.status, programs: idle.body.programs }).toEqual({ status: 200, programs: [] });
    const nobody = await as('nobody', 'GET', '/member');
    expect(nobody).toMatchObject({ status: 404, code: 'member_not_found' });
  });
});

describe('enrollment', () => {
  const path = `/programs/${programId}/enrollment`;

  test('makes a verified member of a customer who is none, and replays', async () => {
    const idempotencyKey = 'enroll-new';
    const first = await as('new', 'PUT', path, consent, { idempotencyKey });
    expect(first).toMatchObject({ status: 201, code: null });
    expect(first.text).not.toMatch(/"(id|externalCustomerId|member)":/);
    expect(first.body.program).toMatchObject({ programId, status: 'enrolled' });
    const again = await as('new', 'PUT', path, consent, { idempotencyKey });
    expect({ status: again.status, replayed: again.replayed, program: again.body.program }).toEqual({
      status: 200,
      replayed: true,
      program: first.body.program,
    });
    const { member } = (await client.send(readMember(shop, 'new'))).body as { member?: object };
    expect(member).toMatchObject({ identityStatus: 'verified', consentStatus: 'granted', status: 'active' });
    const { rows } = await database.adminPool.query(
      `select action, actor_type, actor_id from audit_events where request_id = $1 order by action`,
      [first.body.requestId],
    );
    const actor = { actor_type: 'customer', actor_id: expect.stringMatching(/^iss_[0-9a-z]{26}$/) };
    expect(rows).toEqual([
      { action: 'member.created', ...actor },
      { action: 'member.enrolled', ...actor },
    ]);
  });

  test('that fails makes no member', async () => {
    const failed = await as('ghost', 'PUT', '/programs/other/enrollment', consent);
    expect(failed).toMatchObject({ status: 404, code: 'program_not_found' });
    expect((await as('ghost', 'GET', '/member')).status).toBe(404);
  });

  test('of one new customer 20 times at once makes one member', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        as('crowd', 'PUT', path, consent, { idempotencyKey: `crowd-${index}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  });

  test('ends with zero balances alone', async () => {
    const leave = { noticeVersion: 'v1', evidence: { source: 'app' }, reason: 'moved' };
    const refused = await as('ada', 'DELETE', path, leave);
    expect(refused).toMatchObject({ status: 409, code: 'balance_not_zero' });
    await as('leaver', 'PUT', path, consent);
    const left = await as('leaver', 'DELETE', path, leave);
    expect({ status: left.status, body: left.body }).toEqual({
      status: 200,
      body: { requestId: left.body.requestId, program: { programId, status: 'unenrolled' } },
    });
    expect((await as('leaver', 'GET', '/member')).body.programs).toEqual([]);
  });
});

describe('GET /activity', () => {
  test('adds up to the available balance, through every page', async () => {
    const id = await committed('ada', 'straw');
    await as('ada', 'POST', `/redemptions/${id}/reverse`, { reason: 'broken' });
    await as('ada', 'POST', `/redemptions/${await reserved('ada')}/release`, {});
    await reserved('ada');
    for (const query of ['', `&programId=${programId}`]) {
      let [sum, cursor, pages] = [0, '', 0];
      do {
        const page: Body = (
          await as('ada', 'GET', `/activity?limit=2${query}${cursor && `&cursor=${cursor}`}`)
        ).body;
        const data = page.data as unknown as { id: string; points: number }[];
        for (const item of data) {
          expect(Object.keys(item)).toEqual(['id', 'type', 'points', 'postedAt', 'programId', 'description']);
          expect(item.id).toMatch(/^act_[0-9a-z]{26}$/);
          sum += item.points;
        }
        cursor = (page.page as { nextCursor: string | null }).nextCursor ?? '';
        pages += 1;
      } while (cursor !== '');
      expect(sum).toBe(await availableOf('ada'));
      expect(pages).toBeGreaterThan(2);
    }
  });

  test("refuses another customer's cursor, and limits out of 1 to 50", async () => {
    const { body } = await as('ada', 'GET', '/activity?limit=1');
    const { nextCursor } = body.page as { nextCursor: string };
    // Neither the id of a transaction nor its instant can be read from it.
    expect(Buffer.from(nextCursor, 'base64url').toString('latin1')).not.toMatch(
      /[0-9a-f]{8}-[0-9a-f]{4}-|\d{4}-\d\d-\d\d/,
    );
    const foreign = await as('grace', 'GET', `/activity?limit=1&cursor=${nextCursor}`);
    expect(foreign).toMatchObject({ status: 422, code: 'invalid_cursor' });
    for (const limit of ['0', '51', 'x']) {
      expect((await as('ada', 'GET', `/activity?limit=${limit}`)).status).toBe(422);
    }
  });

  test('is empty for who is no member, and for an unknown program', async () => {
    for (const [who, path] of [
      ['nobody', '/activity'],
      ['ada', '/activity?programId=other'],
    ] as const) {
      const { status, body } = await as(who, 'GET', path);
      expect({ status, data: body.data, page: body.page }).toEqual({
        status: 200,
        data: [],
        page: { nextCursor: null, hasMore: false },
      });
    }
  });
});

describe('GET /catalog', () => {
  const path = `/catalog?programId=${programId}`;

  async function rewards(customer: string): Promise<Map<string, Record<string, unknown>>> {
    const { status, body } = await as(customer, 'GET', path);
    expect(status).toBe(200);
    const data = body.data as unknown as Record<string, unknown>[];
    return new Map(data.map((reward) => [String(reward.id), reward]));
  }

  test('shows what may be shown, and why it cannot be had', async () => {
    const shown = await rewards('grace');
    expect(shown.get('cup')).toEqual({
      id: 'cup',
      name: 'Cup',
      description: 'Blue.',
      imageUrl: 'https://cdn.example/cup.jpg',
      pointsCost: 10,
      available: true,
      eligible: true,
      eligibilityReason: null,
      pointsNeeded: 0,
      redeemable: true,
      payWithPoints: null,
    });
    expect(shown.get('car')).toMatchObject({
      eligible: true,
      pointsNeeded: 900_000 - (await availableOf('grace')),
      redeemable: false,
    });
    expect(shown.get('never')).toMatchObject({
      eligible: false,
      eligibilityReason: 'not_eligible',
      redeemable: false,
    });
    expect(shown.has('later')).toBe(false);
  });

  test('shows who is not enrolled what there is, and nothing to redeem', async () => {
    for (const reward of (await rewards('nobody')).values()) {
      expect(reward).toMatchObject({
        eligible: false,
        eligibilityReason: 'enrollment_required',
        pointsNeeded: null,
        redeemable: false,
      });
    }
  });

  test('shows what is sold out as not available', async () => {
    expect((await rewards('grace')).get('rare')).toMatchObject({ available: true, redeemable: true });
    await reserved('ada', 'rare');
    expect((await rewards('grace')).get('rare')).toMatchObject({ available: false, redeemable: false });
  });

  test('is of one program, which has to be named', async () => {
    expect((await as('ada', 'GET', '/catalog')).status).toBe(422);
    const unknown = await as('ada', 'GET', '/catalog?programId=other');
    expect(unknown).toMatchObject({ status: 404, code: 'program_not_found' });
  });
});

describe('redemptions', () => {
  test('are quoted and reserved with what a customer needs to know, and no more', async () => {
    const quoted = await as('ada', 'POST', '/redemptions/quote', { programId, rewardId: 'cup' });
    expect(quoted.body).toEqual({
      requestId: quoted.body.requestId,
      quote: {
        id: expect.stringMatching(/^quo_/),
        points: 10,
        expiresAt: expect.any(String),
        discountMinor: null,
      },
    });
    const held = await as('ada', 'POST', '/redemptions/reserve', { quoteId: idOf(quoted.body.quote) });
    expect(held.body).toEqual({
      requestId: held.body.requestId,
      reservation: { id: expect.stringMatching(/^rsv_/), state: 'reserved' },
    });
  });

  test('are committed with the authorization of the checkout alone', async () => {
    const id = await reserved('ada');
    const path = `/redemptions/${id}/commit`;
    const body = { authorizationReference: 'auth-1' };
    for (const claims of [{}, { authorization_reference: 'auth-2' }, { authorization_reference: 'AUTH-1' }]) {
      const refused = await as('ada', 'POST', path, body, { claims });
      expect(refused).toMatchObject({ status: 403, code: 'authorization_required' });
    }
    const claims = { authorization_reference: 'auth-1' };
    const sent = { claims, idempotencyKey: 'commit-1' };
    expect((await as('ada', 'POST', path, body, sent)).body.reservation).toEqual({ id, state: 'committed' });
    const again = await as('ada', 'POST', path, body, sent);
    expect(again).toMatchObject({ status: 200, replayed: true });
    const without = await as('ada', 'POST', path, body, { idempotencyKey: 'commit-1' });
    expect(without).toMatchObject({ status: 403, code: 'authorization_required' });
  });

  test('are released, with or without a reason', async () => {
    for (const body of [{}, { reason: 'changed my mind' }, undefined]) {
      const id = await reserved('ada');
      const released = await as('ada', 'POST', `/redemptions/${id}/release`, body);
      expect({ status: released.status, reservation: released.body.reservation }).toEqual({
        status: 200,
        reservation: { id, state: 'released' },
      });
    }
  });

  test('are disputed with 202, or reversed at once where the reward lets customers do so', async () => {
    const cup = await committed('ada', 'cup');
    const sent = { idempotencyKey: 'dispute-1' };
    const opened = await as('ada', 'POST', `/redemptions/${cup}/reverse`, { reason: 'broken' }, sent);
    expect({ status: opened.status, body: opened.body }).toEqual({
      status: 202,
      body: { requestId: opened.body.requestId, reservation: { id: cup, state: 'committed' } },
    });
    const again = await as('ada', 'POST', `/redemptions/${cup}/reverse`, { reason: 'broken' }, sent);
    expect(again).toMatchObject({ status: 200, replayed: true });
    const straw = await committed('ada', 'straw');
    const before = await availableOf('ada');
    const reversed = await as('ada', 'POST', `/redemptions/${straw}/reverse`, { reason: 'broken' });
    expect({ status: reversed.status, reservation: reversed.body.reservation }).toEqual({
      status: 200,
      reservation: { id: straw, state: 'reversed' },
    });
    expect(await availableOf('ada')).toBe(before + 5);
  });

  test("never answer with another customer's receipt under one key", async () => {
    const body = { programId, rewardId: 'cup' };
    const sent = { idempotencyKey: 'shared' };
    expect((await as('ada', 'POST', '/redemptions/quote', body, sent)).status).toBe(201);
    const other = await as('grace', 'POST', '/redemptions/quote', body, sent);
    expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    expect(other.text).not.toContain('quo_');
  });

  test('need a key', async () => {
    const sent = loyalty(shop, customerToken(key, 'ada'), 'POST', '/redemptions/quote', {
      programId,
      rewardId: 'cup',
    });
    const { status, code } = await client.send(sent);
    expect({ status, code }).toEqual({ status: 400, code: 'idempotency_key_required' });
  });
});

test('while Production is locked, only reads, releases and unenrollments go on', async () => {
  const [id, own] = [await reserved('ada'), `/programs/${programId}/enrollment`];
  await as('locked', 'PUT', own, consent);
  await world.lock(shop.id, true);
  try {
    const quote = await as('ada', 'POST', '/redemptions/quote', { programId, rewardId: 'cup' });
    expect(quote).toMatchObject({ status: 409, code: 'production_locked' });
    expect((await as('ada', 'GET', '/member')).status).toBe(200);
    expect((await as('ada', 'POST', `/redemptions/${id}/release`, {})).status).toBe(200);
    const leave = { noticeVersion: 'v1', evidence: { source: 'app' }, reason: 'moved' };
    expect((await as('locked', 'DELETE', own, leave)).status).toBe(200);
  } finally {
    await world.lock(shop.id, false);
  }
});

describe('a request that names a customer', () => {
  const bodies: Readonly<Record<string, object>> = {
    enrollCustomer: consent,
    unenrollCustomer: { noticeVersion: 'v1', evidence: { source: 'app' }, reason: 'moved' },
    previewForCustomer: { programId, channel: 'app', amountMinor: 500 },
    quoteForCustomer: { programId, rewardId: 'cup' },
    reserveForCustomer: { quoteId: 'quo_01h455vb4pex5vsknk084sn02q' },
    commitForCustomer: { authorizationReference: 'a' },
    releaseForCustomer: {},
    reverseForCustomer: { reason: 'r' },
  };
  const names = ['externalCustomerId', 'externalId', 'customerId', 'memberId', 'member', 'sub'];

  test.each(customerRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is refused with the name: %s',
    async (_name, { method, path, operation }) => {
      const at = path.replace('{programId}', programId).replace(/\{\w+\}/, 'rsv_01h455vb4pex5vsknk084sn02q');
      const body = bodies[operation];
      for (const name of names) {
        const query = `${at}?${operation === 'customerCatalog' ? `programId=${programId}&` : ''}${name}=ada`;
        const answers = [await as('ada', method, query, body)];
        if (body) answers.push(await as('ada', method, at, { ...body, [name]: 'ada' }));
        for (const { status, body: answer } of answers) {
          expect({ status, path: answer.error?.details?.[0]?.path }).toEqual({ status: 422, path: name });
        }
      }
    },
  );
});

test("customer A's token with every id of customer B is answered as if there were none", async () => {
  const quoteId = idOf(
    (await as('grace', 'POST', '/redemptions/quote', { programId, rewardId: 'cup' })).body.quote,
  );
  const held = await reserved('grace');
  const spent = await committed('grace');
  const merchants = await redeem(client, shop, { externalCustomerId: 'grace' }, 'by-merchant');
  const before = await world.countRows();
  const authorization = { authorizationReference: 'auth' };
  const claims = { authorization_reference: 'auth' };
  const ids = [quoteId, held, spent, merchants];
  for (const id of ids) {
    const answers = [
      await as('ada', 'POST', '/redemptions/reserve', { quoteId: id }),
      await as('ada', 'POST', `/redemptions/${id}/commit`, authorization),
      await as('ada', 'POST', `/redemptions/${id}/commit`, authorization, { claims }),
      await as('ada', 'POST', `/redemptions/${id}/release`, {}),
      await as('ada', 'POST', `/redemptions/${id}/reverse`, { reason: 'r' }),
    ];
    const unknown = await as('ada', 'POST', '/redemptions/rsv_01h455vb4pex5vsknk084sn02q/release', {});
    for (const { status, code, body, text } of answers) {
      expect({ status, code }).toEqual({
        status: 404,
        code: expect.stringMatching(/^(quote|reservation)_not_found$/),
      });
      if (code === unknown.code) expect(body.error?.message).toBe(unknown.body.error?.message);
      expect(text).not.toMatch(/grace|quo_|rsv_|txn_|mem_/);
    }
  }
  expect(await world.countRows()).toEqual(before);
});

test('fields for customers are served by no other interface', async () => {
  const { key: apiKey, environmentId } = shop;
  const headers = { authorization: `Bearer ${apiKey}`, 'x-environment': environmentId };
  for (const { method, path } of customerRoutes.filter(
    ({ path: each }) => !each.startsWith('/redemptions'),
  )) {
    const sent = { method, path: `/api/v1${path.replace('{programId}', programId)}`, headers };
    expect((await client.send(sent)).status).toBe(404);
  }
  const body = JSON.stringify({ query: '{ customerMember { requestId } }' });
  const sent = { ...headers, 'content-type': 'application/json' };
  const asked = await client.send({ method: 'POST', path: '/api/graphql', headers: sent, body });
  expect(asked).toMatchObject({ status: 400, code: 'graphql_validation_failed' });
  const sdl = await client.send({ method: 'GET', path: '/api/graphql/schema.graphql' });
  expect(sdl.text).not.toMatch(/directive @customer|customerMember|CustomerReward/);
  const byKey = await client.send({ method: 'GET', path: '/loyalty/v1/member', headers });
  expect(byKey).toMatchObject({ status: 401, code: 'unauthorized' });
});

test("a key with which customer B reserved its quote gives customer A, with the same quote, nothing of B's", async () => {
  const quoted = await as('grace', 'POST', '/redemptions/quote', { programId, rewardId: 'cup' });
  const [body, sent] = [{ quoteId: idOf(quoted.body.quote) }, { idempotencyKey: 'reserve-of-grace' }];
  expect((await as('grace', 'POST', '/redemptions/reserve', body, sent)).status).toBe(201);
  const other = await as('ada', 'POST', '/redemptions/reserve', body, sent);
  expect(other).toMatchObject({ status: 409, code: 'idempotency_key_reused', replayed: false });
  expect(other.text).not.toMatch(/rsv_|quo_|grace/);
});

test('the books are in order after all this', async () => {
  expect(await world.failedControls()).toEqual([]);
});
