import { beforeAll, describe, expect, test } from '@jest/globals';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import type { Offer } from '../../src/programs/document/offer-document.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { program } from '../support/rules/fixtures.ts';
import { amount, line, offer, percent, when } from '../support/rules/offer-fixtures.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  createMember,
  earn,
  headersOf,
  type Received,
  rest,
  unenroll,
} from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

const HOUR_MS = 3_600_000;

const items = [{ ...line('espresso', 2495), lineReference: 'line-1' }, line('mug', 899, 2, 'mugs')];

const offers: Offer[] = [
  offer('for-all', percent(1000), { priority: 9 }),
  offer('regulars', amount(100), { audiences: ['regulars'] }),
  offer('silver', amount(10), { conditions: [when('profile.tier', 'equals', 'silver')] }),
  offer('coded', amount(1000), { couponCodes: ['ONCE', 'TWICE-EACH'] }),
];

const coffee: Partial<ProgramDocument> = {
  offers,
  audiences: [{ id: 'regulars', match: 'all', conditions: [when('history.purchaseCount', 'gte', 1)] }],
  coupons: [
    { code: 'ONCE', limits: { total: 1 } },
    { code: 'TWICE-EACH', limits: { perMember: 2 } },
  ],
};

async function publish(
  document: Partial<ProgramDocument>,
  effectiveFrom: Date | null = null,
  environmentId = shop.id,
): Promise<void> {
  const change = { environmentId, document: program(document), effectiveFrom };
  const outcome = await publishProgram(world.administrator, change);
  if ('refused' in outcome) throw new Error(JSON.stringify(outcome));
}

const { database, world, client, shop } = useShop({ twins: true });

beforeAll(async () => {
  await publish(coffee);
  await publish({
    id: 'tea-club',
    offers: [
      offer('tea-only', amount(1), { priority: 5 }),
      offer('everywhere', amount(5), { scope: 'environment', priority: 10 }),
    ],
  });
  await addMembers(client, shop, ['ada', 'gone', 'suspended', 'new']);
  await client.send(createMember(shop, 'stranger'));
  for (const externalCustomerId of ['ada', 'gone', 'suspended']) {
    const bought = await client.send(
      // Above silver's threshold.
      earn(
        shop,
        { externalCustomerId, amountMinor: 200_000, sourceReference: `order-${externalCustomerId}` },
        `buy-${externalCustomerId}`,
      ),
    );
    if (bought.status !== 201) throw new Error(bought.text);
  }
  await database.adminPool.query(
    `update program_profiles set available = 0
     where member_id in (select id from members where external_customer_id = 'gone')`,
  );
  await client.send(unenroll(shop, 'gone'));
  await database.adminPool.query(
    `update members set status = 'suspended' where external_customer_id = 'suspended'`,
  );
});

const evaluate = (body: object, by: TestEnvironment = shop): Promise<Received> =>
  client.send(rest(by, 'POST', '/offers/evaluate', body));

/** The offers that apply, in order. */
async function applied(body: object, by: TestEnvironment = shop): Promise<string[]> {
  const { status, text, body: answer } = await evaluate({ programId, items, ...body }, by);
  if (status !== 200) throw new Error(text);
  return (answer.effects as { offerId: string }[]).map(({ offerId }) => offerId);
}

describe('the answer', () => {
  test('is the evaluation, whole, without a key', async () => {
    const { status, headers, body } = await evaluate({
      programId,
      items,
      couponCode: 'nothing',
      explain: true,
    });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['idempotent-replayed']).toBeUndefined();
    expect(body).toEqual({
      requestId: expect.stringMatching(/^req_/),
      subtotalMinor: 4293,
      discountMinor: 434,
      totalMinor: 3859,
      effects: [
        {
          offerId: 'everywhere',
          name: 'Offer everywhere',
          programId: 'tea-club',
          policy: 'stack',
          kind: 'amount',
          discountMinor: 5,
          explanation: '0.05 USD off all 2 lines that came to 42.93 USD: 0.05 USD off.',
          // 2.91 and 2.09 cents.
          lines: [
            { index: 0, lineReference: 'line-1', sku: 'espresso', discountMinor: 3 },
            { index: 1, lineReference: null, sku: 'mug', discountMinor: 2 },
          ],
        },
        {
          offerId: 'for-all',
          name: 'Offer for-all',
          programId,
          policy: 'stack',
          kind: 'percent',
          discountMinor: 429,
          explanation: '10 percent off all 2 lines that came to 42.88 USD: 4.29 USD off.',
          lines: [
            { index: 0, lineReference: 'line-1', sku: 'espresso', discountMinor: 249 },
            { index: 1, lineReference: null, sku: 'mug', discountMinor: 180 },
          ],
        },
      ],
      notApplied: [
        { offerId: 'coded', programId, reason: 'It needs another coupon code.' },
        {
          offerId: 'regulars',
          programId,
          reason: 'It is for some members alone, and the customer is not known.',
        },
        { offerId: 'silver', programId, reason: 'Does not hold: profile.tier equals "silver".' },
      ],
      coupon: { code: 'nothing', valid: false },
    });
    expect((await evaluate({ programId, items })).body.notApplied).toEqual([]);
  });

  test('is the same each time but for its id, and nothing is written', async () => {
    const body = { programId, items, externalCustomerId: 'ada', couponCode: 'ONCE' };
    const before = await world.countRows();
    const counters = 'select coalesce(sum(taken), 0) from shared_counters';
    const taken = await world.count(counters);
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const sent = rest(shop, 'POST', '/offers/evaluate', body);
        return (await client.send({ ...sent, headers: { ...sent.headers, 'x-request-id': 'same' } })).text;
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"coupon":{"code":"ONCE","valid":true}');
    expect(await world.countRows()).toEqual(before);
    expect(await world.count(counters)).toBe(taken);
  });

  test('takes no notice of an idempotency key', async () => {
    const send = (body: object) => client.send(rest(shop, 'POST', '/offers/evaluate', body, 'one-key'));
    const [one, other] = [await send({ items }), await send({ items: items.slice(1) })];
    expect({ one: one.status, other: other.status }).toEqual({ one: 200, other: 200 });
    expect({ one: one.body.subtotalMinor, other: other.body.subtotalMinor }).toEqual({
      one: 4293,
      other: 1798,
    });
  });

  test('has no coupon where no code came, or null', async () => {
    expect((await evaluate({ items })).body.coupon).toBeNull();
    expect((await evaluate({ items, couponCode: null, programId: null })).body.coupon).toBeNull();
  });
});

describe('what it is evaluated under', () => {
  test('without a program only offers of the environment', async () => {
    expect(await applied({ programId: null })).toEqual(['everywhere']);
  });

  test('another program has its own', async () => {
    expect(await applied({ programId: 'tea-club' })).toEqual(['everywhere', 'tea-only']);
  });

  test.each([
    ['a member', 'ada', ['everywhere', 'for-all', 'regulars', 'silver']],
    ['one who has bought nothing', 'new', ['everywhere', 'for-all']],
    ['one who is not enrolled', 'stranger', ['everywhere', 'for-all']],
    ['one who has left', 'gone', ['everywhere', 'for-all']],
    ['one who is suspended', 'suspended', ['everywhere', 'for-all']],
    ['nobody whom we know', 'nobody', ['everywhere', 'for-all']],
  ])('%s', async (_who, externalCustomerId, expected) => {
    expect(await applied({ externalCustomerId })).toEqual(expected);
  });

  test('every field of the request', async () => {
    const context = await world.environment();
    const fields: [string, object, string][] = [
      ['channel', { channel: 'app' }, 'context.channel'],
      ['market', { market: 'app' }, 'context.market'],
      ['store', { store: 'app' }, 'context.store'],
      ['tags', { tags: ['other', 'app'] }, 'context.tags'],
      ['line-tags', { items: [{ ...items[0], tags: ['app'] }] }, 'items.tags'],
      ['line-attributes', { items: [{ ...items[0], attributes: { kind: 'app' } }] }, 'items.attributes.kind'],
      ['line-reference', { items: [{ ...items[0], lineReference: 'app' }] }, 'items.lineReference'],
      ['sku', { items: [{ ...items[0], sku: 'app' }] }, 'items.sku'],
      ['category', { items: [{ ...items[0], category: 'app' }] }, 'items.category'],
    ];
    const all = fields.map(([id, , field]) =>
      offer(id, amount(1), { conditions: [when(field, 'equals', 'app')] }),
    );
    await publish({ offers: all }, null, context.id);
    expect(await applied({}, context)).toEqual([]);
    for (const [id, body] of fields) expect(await applied(body, context)).toEqual([id]);
  });

  test('a coupon that is used up, by all or by the member, opens nothing', async () => {
    const uses = async (couponCode: string, externalCustomerId?: string): Promise<unknown> =>
      (await evaluate({ programId, items, couponCode, externalCustomerId: externalCustomerId ?? null })).body
        .coupon;
    expect(await uses('ONCE')).toEqual({ code: 'ONCE', valid: true });
    expect(await uses('TWICE-EACH', 'ada')).toEqual({ code: 'TWICE-EACH', valid: true });
    expect(await uses(' ONCE ')).toEqual({ code: 'ONCE', valid: true });
    expect(await applied({ couponCode: 'ONCE\n' })).toContain('coded');
    for (const typed of ['', '  ', '\u0007', '🎁', 'x'.repeat(200)]) {
      expect(await uses(typed)).toEqual({ code: typed.trim(), valid: false });
    }
    expect((await evaluate({ programId, items, couponCode: 'x'.repeat(201) })).status).toBe(422);
    for (const [couponCode, order] of [
      ['ONCE', 1],
      ['TWICE-EACH', 2],
      ['TWICE-EACH', 3],
    ] as const) {
      const purchase = {
        externalCustomerId: 'ada',
        amountMinor: 100,
        sourceReference: `coded-${order}`,
        couponCode,
      };
      const bought = await client.send(earn(shop, purchase, `buy-coded-${order}`));
      expect(bought.body.coupon).toEqual({ code: couponCode, valid: true, redeemed: true });
    }
    expect(await uses('ONCE')).toEqual({ code: 'ONCE', valid: false });
    expect(await uses('TWICE-EACH', 'ada')).toEqual({ code: 'TWICE-EACH', valid: false });
    expect(await uses('TWICE-EACH', 'new')).toEqual({ code: 'TWICE-EACH', valid: true });
    expect(await applied({ couponCode: 'TWICE-EACH' })).toContain('coded');
    expect(await applied({ couponCode: 'ONCE' })).not.toContain('coded');
  });

  test('what is published is seen by the next request, and what is yet to come is not', async () => {
    const fresh = await world.environment();
    expect(await applied({}, fresh)).not.toContain('round-0');
    for (let round = 0; round < 5; round++) {
      await publish({ offers: [offer(`round-${round}`, amount(1))] }, null, fresh.id);
      expect(await applied({}, fresh)).toEqual([`round-${round}`]);
    }
    await publish({ offers: [offer('to-come', amount(1))] }, new Date(Date.now() + HOUR_MS), fresh.id);
    expect(await applied({}, fresh)).toEqual(['round-4']);
    const hour = { action: 'advance', seconds: HOUR_MS / 1_000 };
    expect((await client.send(rest(fresh, 'POST', '/sandbox/clock', hour, 'hour'))).status).toBe(200);
    expect(await applied({}, fresh)).toEqual(['to-come']);
  });

  test('a locked Production environment answers', async () => {
    const locked = await world.environment('production');
    await publish({ offers: [offer('it', amount(1))] }, null, locked.id);
    await world.lock(locked.id, true);
    expect(await applied({}, locked)).toEqual(['it']);
  });
});

describe('statuses', () => {
  const post = (body: string | Buffer, headers: object = {}, by: TestEnvironment = shop): Promise<Received> =>
    client.send({
      method: 'POST',
      path: '/api/v1/offers/evaluate',
      headers: { ...headersOf(by), ...headers },
      body,
    });
  const good = JSON.stringify({ programId, items });

  test.each<[number, string, () => Promise<Received>]>([
    [400, 'invalid_json', () => post('{')],
    [400, 'invalid_json', () => post('[]')],
    [401, 'unauthorized', () => post(good, { authorization: 'Bearer svc_test_none' })],
    [404, 'program_not_found', () => evaluate({ items, programId: 'no-club' })],
    [413, 'payload_too_large', () => post(good.padEnd(131_073))],
    [415, 'unsupported_media_type', () => post(good, { 'content-type': 'text/plain' })],
    [422, 'currency_mismatch', () => evaluate({ items, programId, currency: 'EUR' })],
  ])('%i %s', async (status, code, send) => {
    const answer = await send();
    expect(answer).toMatchObject({ status, code });
  });

  test.each<[string, object]>([
    ['items', {}],
    ['items', { items: [] }],
    ['items', { items: null }],
    ['items[0].sku', { items: [{ unitPriceMinor: 1 }] }],
    ['items[0].sku', { items: [{ sku: null, unitPriceMinor: 1 }] }],
    ['items[0].sku', { items: [{ sku: '', unitPriceMinor: 1 }] }],
    ['items[1].unitPriceMinor', { items: [items[0], { sku: 'a' }] }],
    ['items[0].unitPriceMinor', { items: [{ sku: 'a', unitPriceMinor: 0 }] }],
    ['items[0].unitPriceMinor', { items: [{ sku: 'a', unitPriceMinor: -1 }] }],
    ['items[0].unitPriceMinor', { items: [{ sku: 'a', unitPriceMinor: 1.5 }] }],
    ['items[0].quantity', { items: [{ sku: 'a', unitPriceMinor: 1, quantity: 0 }] }],
    ['channel', { items, channel: 'post' }],
    ['idempotencyKey', { items, idempotencyKey: 'x' }],
    ['items', { items: Array.from({ length: 10 }, () => ({ ...line('a', 10 ** 12, 10 ** 6) })) }],
  ])('422 for %s: %j', async (path, body) => {
    const answer = await evaluate({ programId, ...body });
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.body.error?.details?.map((detail) => detail.path)).toContain(path);
  });

  test('403 without one of the two scopes; either opens it', async () => {
    const withScope = async (...scopes: Parameters<World['key']>[1] & object): Promise<Received> =>
      evaluate({ programId, items }, { ...shop, ...(await world.key(shop.id, scopes)) });
    expect((await withScope('offers:evaluate')).status).toBe(200);
    expect((await withScope('events:write')).status).toBe(200);
    const refused = await withScope('members:read', 'transactions:read');
    expect(refused).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  test('404 while the program is not in effect yet', async () => {
    await publish({ id: 'next-club', offers }, new Date(Date.now() + HOUR_MS));
    expect((await evaluate({ items, programId: 'next-club' })).code).toBe('program_not_found');
  });

  test('405 for a GET, and 404 of another environment’s program', async () => {
    expect((await client.send(rest(shop, 'GET', '/offers/evaluate'))).status).toBe(405);
    const other = await world.environment();
    expect((await evaluate({ items, programId: 'tea-club' }, other)).code).toBe('program_not_found');
  });

  test('429 beyond the limit', async () => {
    const limited = await startTestServer(database, { rateLimitPerMinute: 1 });
    const one = new Client(limited.url);
    const sent = rest(shop, 'POST', '/offers/evaluate', { items });
    expect((await one.send(sent)).status).toBe(200);
    const refused = await one.send(sent);
    expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    one.close();
    await limited.close();
  });
});
