import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { httpStatusOf } from '../../rest-adapter/generated/error-codes.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { atEnd } from '../support/fixture.ts';
import { startTestServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  earn,
  graphql,
  hold,
  onReservation,
  type Received,
  readMember,
  redeem,
  rest,
  returnOrder,
  type Sent,
  unenroll,
} from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';

let shop: TestEnvironment;
let other: TestEnvironment;
let locked: TestEnvironment;
/** A key without the scope for returns. */
let reader: TestEnvironment;

const items = [
  { lineReference: 'beans', quantity: 3, unitPriceMinor: 267 },
  { lineReference: 'mug', quantity: 1, unitPriceMinor: 1199 },
];

const { database, world, client } = useServer();

beforeAll(async () => {
  [shop, other, locked] = [
    await world.environment(),
    await world.environment(),
    await world.environment('production'),
  ];
  reader = { ...shop, ...(await world.key(shop.id, ['members:read', 'transactions:read'])) };
  for (const environment of [shop, other, locked]) await addMembers(client, environment, ['ada', 'grace']);
  await addMembers(client, shop, ['leaver', 'one', 'two', 'three', 'racer', 'rival']);
  const cheap = (yaml: string): string => yaml.replace('points: 150', 'points: 20');
  await world.publish(shop.id, cheap);
  await world.publish(shop.id, (yaml) =>
    cheap(yaml)
      .replace('id: coffee-club', 'id: strict-club')
      .replace('onShortfall: record', 'onShortfall: refuse'),
  );
  const consent = { consentStatus: 'opted_in', noticeVersion: 'v1', evidence: { source: 'test' } };
  await client.send(rest(shop, 'PUT', '/members/ada/programs/strict-club', consent, 'strict'));
  await buy('o-1', { items });
  await buy('o-2');
  await buy('strict', { programId: 'strict-club' });
  await spend('ada', { programId: 'strict-club' });
  await client.send(
    earn(locked, { externalCustomerId: 'ada', sourceReference: 'o-1', amountMinor: 2000 }, 'o-1'),
  );
  await client.send(returnOrder(locked, whole('o-1', 500), 'before'));
  await world.lock(locked.id, true);
});

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

/** An order of 20 dollars and 20 points. */
async function buy(sourceReference: string, change: object = {}): Promise<void> {
  const purchase = { externalCustomerId: 'ada', sourceReference, amountMinor: 2000, ...change };
  const { status, text } = await client.send(
    earn(shop, purchase, `buy ${sourceReference}`.replaceAll(' ', '-')),
  );
  if (status !== 201) throw new Error(text);
}

/** Redeems the 20 points of an order. */
async function spend(externalCustomerId: string, change: object = {}): Promise<void> {
  await redeem(client, shop, { externalCustomerId, ...change }, `spend-${externalCustomerId}`);
}

function whole(
  sourceReference: string,
  returnAmountMinor = 2000,
  returnReference = `back ${sourceReference}`,
) {
  return { sourceReference, returnReference, returnAmountMinor };
}

type Case = [status: number, code: string | null, what: string, sent: () => Sent];

const first = whole('o-1', 500, 'r-1');
const withHeader = (sent: Sent, name: string, value?: string): Sent => {
  const { [name]: _old, ...headers } = sent.headers ?? {};
  return { ...sent, headers: value === undefined ? headers : { ...headers, [name]: value } };
};
const good = (credentials = shop): Sent => returnOrder(credentials, first, 'edge');

const cases: Case[] = [
  [201, null, 'a new return', () => returnOrder(shop, first, 'k-1')],
  [200, null, 'the same again', () => returnOrder(shop, first, 'k-1')],
  [
    200,
    null,
    'the same return under another key',
    () => returnOrder(shop, { ...first, returnAmountMinor: 9 }, 'k-2'),
  ],
  [400, 'invalid_json', 'no JSON', () => ({ ...good(), body: '{' })],
  [400, 'idempotency_key_required', 'no key', () => withHeader(good(), 'idempotency-key')],
  [401, 'unauthorized', 'a wrong credential', () => good({ ...shop, key: 'svc_test_none' })],
  [401, 'unauthorized', 'no environment', () => withHeader(good(), 'x-environment')],
  [401, 'unauthorized', "another environment's credential", () => good({ ...shop, key: other.key })],
  [403, 'insufficient_scope', 'a key without the scope', () => good(reader)],
  [404, 'order_not_found', 'no such order', () => returnOrder(shop, whole('none'), 'k-3')],
  [404, 'order_not_found', 'an order of another environment', () => returnOrder(other, first, 'k-3')],
  [409, 'production_locked', 'a lock', () => returnOrder(locked, whole('o-1', 1, 'during'), 'k-4')],
  [409, 'production_locked', 'a lock, before the order', () => returnOrder(locked, whole('none'), 'k-4')],
  [200, null, 'a replay under a lock', () => returnOrder(locked, whole('o-1', 500), 'before')],
  [409, 'return_exceeds_remaining', 'too much', () => returnOrder(shop, whole('o-1', 1501, 'r-2'), 'k-5')],
  [409, 'points_not_recoverable', 'spent points', () => returnOrder(shop, whole('strict', 100), 'k-6')],
  [
    409,
    'return_reference_conflict',
    'a taken reference',
    () => returnOrder(shop, { ...first, sourceReference: 'o-2' }, 'k-7'),
  ],
  [
    409,
    'idempotency_key_reused',
    'another body',
    () => returnOrder(shop, { ...first, returnAmountMinor: 1 }, 'k-1'),
  ],
  [
    413,
    'payload_too_large',
    'a body one byte too long',
    () => ({ ...good(), body: String(good().body).padEnd(131_073) }),
  ],
  [415, 'unsupported_media_type', 'another type', () => withHeader(good(), 'content-type', 'text/plain')],
  [
    422,
    'validation_failed',
    'an invalid sourceReference',
    () => returnOrder(shop, { ...first, sourceReference: ' ' }, 'k-8'),
  ],
  [
    422,
    'validation_failed',
    'an invalid returnReference',
    () => returnOrder(shop, { ...first, returnReference: '' }, 'k-8'),
  ],
  [
    422,
    'validation_failed',
    'an amount of zero',
    () => returnOrder(shop, { ...first, returnAmountMinor: 0 }, 'k-8'),
  ],
  [
    422,
    'validation_failed',
    'a negative amount',
    () => returnOrder(shop, { ...first, returnAmountMinor: -1 }, 'k-8'),
  ],
  [422, 'validation_failed', 'an unknown field', () => returnOrder(shop, { ...first, colour: 'red' }, 'k-8')],
  [
    422,
    'return_form_invalid',
    'both forms',
    () => returnOrder(shop, { ...first, items: [{ lineReference: 'mug', quantity: 1 }] }, 'k-8'),
  ],
  [
    422,
    'return_form_invalid',
    'neither form',
    () => returnOrder(shop, { ...first, returnAmountMinor: undefined }, 'k-8'),
  ],
  [
    422,
    'return_form_invalid',
    'neither form, before the order',
    () => returnOrder(shop, { sourceReference: 'none', returnReference: 'x', items: [] }, 'k-8'),
  ],
  [
    422,
    'unknown_line',
    'an unknown line',
    () =>
      returnOrder(
        shop,
        { sourceReference: 'o-1', returnReference: 'x', items: [{ lineReference: 'tea', quantity: 1 }] },
        'k-9',
      ),
  ],
];

describe('POST /returns', () => {
  test.each(cases)('%i %s: %s', async (status, code, _what, sent) => {
    const before = await world.countRows();
    const answer = await client.send(sent());
    expect(answer).toMatchObject({ status, code });
    if (code === null) {
      expect(answer.body).toMatchObject({
        id: expect.stringMatching(/^txn_/),
        status: 'committed',
        requestId: answer.headers['x-request-id'],
        return: { returnAmountMinor: 500, pointsClawedBack: 5, orderStatus: 'partially_returned' },
      });
      expect(answer.replayed).toBe(status === 200);
      return;
    }
    expect(httpStatusOf[code as keyof typeof httpStatusOf]).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.body.error?.requestId).toBe(answer.headers['x-request-id']);
    expect(await world.countRows()).toEqual(before);
  });

  test('429 beyond the limit, and 500 where something is broken: nothing is stored, the same key succeeds later', async () => {
    const narrow = await startTestServer(database, { rateLimitPerMinute: 2, logLevel: 'silent' });
    const hasty = new Client(narrow.url);
    try {
      await buy('o-429');
      const sent = returnOrder({ ...shop, ...(await world.key(shop.id)) }, whole('o-429'), 'later');
      await database.adminPool.query('revoke insert on returns from rewards_app');
      const broken = [await hasty.send(sent), await hasty.send(sent)];
      await database.adminPool.query('grant insert on returns to rewards_app');
      expect(broken.map(({ status, code }) => [status, code])).toEqual(
        Array(2).fill([500, 'internal_error']),
      );
      const refused = await hasty.send(sent);
      expect(refused).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
      expect((await client.send(sent)).status).toBe(201);
    } finally {
      hasty.close();
      await narrow.close();
    }
  });
});

async function balanceOf(externalCustomerId: string): Promise<unknown> {
  const { body } = await client.send(readMember(shop, externalCustomerId));
  const [program] = body.programs as { balances: { available: number }[] }[];
  return program?.balances[0]?.available;
}

describe('the points', () => {
  const splits: [who: string, returns: object[]][] = [
    ['one', [{ returnAmountMinor: 267 }, { returnAmountMinor: 267 }, { returnAmountMinor: 267 }]],
    ['two', [1, 1, 1].map((quantity) => ({ items: [{ lineReference: 'beans', quantity }] }))],
    ['three', [{ returnAmountMinor: 1 }, { returnAmountMinor: 799 }, { returnAmountMinor: 1 }]],
  ];
  test.each(splits)('8 points in three returns are 8, however split (%s)', async (who, returns) => {
    const order = `eight ${who}`;
    await buy(order, { externalCustomerId: who, amountMinor: 801, items: items.slice(0, 1) });
    expect(await balanceOf(who)).toBe(8);
    const taken: unknown[] = [];
    for (const [index, form] of returns.entries()) {
      const body = { sourceReference: order, returnReference: `${order} ${index}`, ...form };
      const answer = await client.send(returnOrder(shop, body, `eight-${who}-${index}`));
      expect(answer.status).toBe(201);
      taken.push((answer.body.return as { pointsClawedBack: number }).pointsClawedBack);
    }
    expect(taken.reduce((sum: number, points) => sum + Number(points), 0)).toBe(8);
    expect(await balanceOf(who)).toBe(0);
  });

  test('of a member who has left are a shortfall', async () => {
    await buy('left', { externalCustomerId: 'leaver' });
    await spend('leaver');
    expect((await client.send(unenroll(shop, 'leaver'))).status).toBe(200);
    const answer = await client.send(returnOrder(shop, whole('left'), 'left'));
    expect({ status: answer.status, return: answer.body.return }).toEqual({
      status: 201,
      return: {
        sourceReference: 'left',
        returnReference: 'back left',
        returnAmountMinor: 2000,
        pointsClawedBack: 0,
        shortfall: 20,
        orderStatus: 'returned',
        referral: null,
      },
    });
  });

  test('the row of an order survives the way through the database, names of the language and all', async () => {
    const line = [{ lineReference: '__proto__', quantity: 2, unitPriceMinor: 1000 }];
    await buy('proto', { items: line });
    const one = [{ lineReference: '__proto__', quantity: 1 }];
    const statuses = [];
    for (const index of [1, 2, 3]) {
      const body = { sourceReference: 'proto', returnReference: `proto ${index}`, items: one };
      const { status, code } = await client.send(returnOrder(shop, body, `proto-${index}`));
      statuses.push([status, code]);
    }
    expect(statuses).toEqual([
      [201, null],
      [201, null],
      [409, 'return_exceeds_remaining'],
    ]);
  });
});

describe('races, through two servers', () => {
  let second: RunningServer;
  let rival: Client;

  beforeAll(async () => {
    second = await startTestServer(database);
    rival = new Client(second.url);
  });
  afterAll(async () => {
    rival.close();
    await second.close();
  });

  const race = (sends: Sent[]): Promise<Received[]> =>
    Promise.all(sends.map((sent, index) => (index % 2 ? rival : client).send(sent)));

  test('one return under ten keys acts once', async () => {
    await buy('race-1', { externalCustomerId: 'racer' });
    const answers = await race(
      Array.from({ length: 10 }, (_, index) => returnOrder(shop, whole('race-1', 1000), `race-1-${index}`)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await balanceOf('racer')).toBe(10);
  });

  test('thirty returns of a tenth each: ten succeed', async () => {
    await buy('race-2', { externalCustomerId: 'racer' });
    const answers = await race(
      Array.from({ length: 30 }, (_, index) =>
        returnOrder(shop, whole('race-2', 200, `tenth ${index}`), `race-2-${index}`),
      ),
    );
    const codes = answers.map(({ code }) => code ?? 'done').toSorted();
    expect(codes).toEqual([...Array(10).fill('done'), ...Array(20).fill('return_exceeds_remaining')]);
    expect(await balanceOf('racer')).toBe(10);
  });

  test("one reference for two members' orders: one wins, the other is refused", async () => {
    const codes: string[] = [];
    for (const round of [0, 1, 2, 3, 4, 5, 6, 7]) {
      await buy(`a-${round}`, { externalCustomerId: 'racer' });
      await buy(`b-${round}`, { externalCustomerId: 'rival' });
      const answers = await race(
        ['a', 'b'].map((which) =>
          returnOrder(shop, whole(`${which}-${round}`, 2000, `same ${round}`), `same-${which}-${round}`),
        ),
      );
      codes.push(
        answers
          .map(({ code }) => code ?? 'done')
          .toSorted()
          .join(' '),
      );
    }
    expect(new Set(codes)).toEqual(new Set(['done return_reference_conflict']));
  });

  test('a return against the release of the points that it wants: in either order all of them go back', async () => {
    await addMembers(client, shop, ['holder']);
    for (let round = 0; round < 12; round += 1) {
      const order = `held-${round}`;
      await buy(order, { externalCustomerId: 'holder' });
      const id = await hold(client, shop, { externalCustomerId: 'holder' }, order);
      const [back, released] = await race([
        returnOrder(shop, whole(order), order),
        onReservation(shop, id, 'release', { reason: 'race' }, order),
      ]);
      expect({ back: back?.status, released: released?.status }).toEqual({ back: 201, released: 200 });
      expect([
        { pointsClawedBack: 20, shortfall: 0 },
        { pointsClawedBack: 0, shortfall: 20 },
      ]).toContainEqual(pick(back?.body.return, 'pointsClawedBack', 'shortfall'));
      expect(await balanceOf('holder')).toBe(0);
    }
    expect(
      await world.count(
        `select count(*)::integer from lots l
         join orders o on o.environment_id = l.environment_id and o.transaction_id = l.transaction_id
         where o.source_reference like 'held-%' and (l.claimed > 0 or o.clawed_back <> 20)`,
      ),
    ).toBe(0);
  });

  test('GraphQL and REST share keys and references', async () => {
    await buy('shared', { externalCustomerId: 'rival' });
    const mutation =
      'mutation ($input: RecordReturnInput!) { recordReturn(input: $input) { id idempotent return { shortfall } } }';
    const made = await client.send(returnOrder(shop, whole('shared'), 'shared'));
    const input = { ...whole('shared'), idempotencyKey: 'shared' };
    const replayed = await rival.send(graphql(shop, mutation, { input }));
    expect(replayed.body.data?.recordReturn).toEqual({
      id: made.body.id,
      idempotent: true,
      return: { shortfall: 0 },
    });
    const refused = await rival.send(
      graphql(shop, mutation, { input: { ...input, idempotencyKey: 'g', returnReference: 'more' } }),
    );
    expect({ status: refused.status, extensions: refused.body.errors?.[0]?.extensions }).toEqual({
      status: 200,
      extensions: expect.objectContaining({ code: 'return_exceeds_remaining', httpStatus: 409 }),
    });
  });
});

function pick(value: unknown, ...names: string[]): object {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => names.includes(name)));
}

test('after all of this the books agree', async () => {
  expect(await world.failedControls()).toEqual([]);
});
