import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Transaction } from '../../src/contract/generated/types.ts';
import { fromTypeId, newUuid, toTypeId } from '../../src/ids.ts';
import { atEnd, fixture } from '../support/fixture.ts';
import { addMembers, earn, graphql, type Received, rest } from '../support/surfaces/client.ts';
import { type PlantedTransaction, plantTransactions } from '../support/surfaces/ledger-rows.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

/** Ids of what is planted in `shop`, by what is special about each. */
const id: Record<string, string> = {};

const OTHER_PROGRAM = 'tea-club';

const { database, world, client, shop } = useShop({
  twins: true,
  program: (yaml) => yaml.replace('id: coffee-club', `id: ${OTHER_PROGRAM}`),
  members: ['ada', 'grace', 'idle'],
});
const sibling = fixture('the sibling shop', () => world.environment());

beforeAll(async () => {
  await addMembers(client, sibling, ['ada']);
  const consent = { consentStatus: 'opted_in', noticeVersion: 'v1', evidence: { source: 'test' } };
  await client.send(rest(shop, 'PUT', `/members/ada/programs/${OTHER_PROGRAM}`, consent, 'tea'));
  await plant('returned', { eventType: 'order.returned', sourceReference: 'order-1', createdAt: day(5) });
  await plant('held', { eventType: 'redemption.reserved', sourceReference: 'cart-1', createdAt: day(4) });
  await plant('adjusted', { eventType: 'adjustment.posted', state: 'reversed', createdAt: day(3) });
  await plant('undone', {
    eventType: 'adjustment.reversed',
    createdAt: day(2),
    reversalOf: fromTypeId('txn', id.adjusted ?? '') ?? '',
  });
  await plant('tea', { eventType: 'points.expired', programId: OTHER_PROGRAM, createdAt: day(1) });
  await plant('graceful', { externalCustomerId: 'grace', createdAt: '2025-01-01T00:00:00.123456Z' });
  await database.adminPool.query('update transactions set reversed_by = $1 where id = $2', [
    fromTypeId('txn', id.undone ?? ''),
    fromTypeId('txn', id.adjusted ?? ''),
  ]);
  const bought = await client.send(
    earn(shop, { externalCustomerId: 'ada', amountMinor: 1250, sourceReference: 'order-1' }, 'buy'),
  );
  id.bought = bought.body.id ?? '';
});

atEnd(async () => expect(await world.eventFaults()).toEqual([]));

/** Noon of so many days before the test's purchases. */
function day(before: number): string {
  return new Date(Date.now() - before * 86_400_000).toISOString();
}

async function plant(name: string, row: Partial<PlantedTransaction> & { createdAt: string }): Promise<void> {
  const [made = ''] = await plantTransactions(database, shop, [
    { externalCustomerId: 'ada', programId, ...row },
  ]);
  id[name] = made;
}

const FIELDS = `id type eventType programId externalCustomerId sourceReference state points occurredAt createdAt
  reversalOf reversedBy entries { account direction points lotId } hasMoreEntries
  evaluation { award { points basePoints campaignPoints } evaluationMode evaluationAt configurationVersion
    loyaltyUnitPrecision ruleDecisions { kind id matched reason points lines { index lineReference valueMinor points } }
    lines { index lineReference valueMinor points } }
  evaluationUnreadable`;

type Query = Record<string, string | number>;

const viaRest = (query: Query, from: TestEnvironment = shop): Promise<Received> => {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return client.send(rest(from, 'GET', `/transactions?${text}`));
};

const viaGraphql = ({ limit, cursor, ...filter }: Query, from: TestEnvironment = shop): Promise<Received> =>
  client.send(
    graphql(
      from,
      `query ($filter: TransactionFilter, $limit: Int, $cursor: String) {
        transactions(filter: $filter, limit: $limit, cursor: $cursor) {
          requestId data { ${FIELDS} } page { nextCursor hasMore }
        }
      }`,
      { filter, limit, cursor },
    ),
  );

interface PageBody {
  data: { id: string; createdAt: string }[];
  page: { nextCursor: string | null; hasMore: boolean };
}

function pageOf({ status, body, text }: Received): PageBody {
  const page = (body.errors ? null : (body.data as { transactions?: PageBody })?.transactions) ?? body;
  if (status !== 200 || !('page' in page)) throw new Error(`${status} ${text}`);
  return page as PageBody;
}

/** The same list through both doors; they must agree on all but the cursor and the request. */
async function both(query: Query): Promise<PageBody> {
  const [restPage, graphqlPage] = [pageOf(await viaRest(query)), pageOf(await viaGraphql(query))];
  expect(graphqlPage.data).toEqual(restPage.data);
  expect(graphqlPage.page).toEqual(restPage.page);
  return restPage;
}

describe('one transaction', () => {
  test('a purchase: entries, lot, evaluation, and nothing of its evidence', async () => {
    const { status, body } = await client.send(rest(shop, 'GET', `/transactions/${id.bought}`));
    expect(status).toBe(200);
    const lotId = expect.stringMatching(/^lot_[0-9a-z]{26}$/);
    const lines = [{ index: null, lineReference: null, valueMinor: 1250, points: 12 }];
    expect(body).toEqual({
      requestId: expect.stringMatching(/^req_/),
      transaction: {
        id: id.bought,
        type: 'purchase',
        eventType: 'purchase.completed',
        programId,
        externalCustomerId: 'ada',
        sourceReference: 'order-1',
        state: 'committed',
        points: 12,
        occurredAt: expect.stringMatching(/Z$/),
        createdAt: expect.stringMatching(/Z$/),
        reversalOf: null,
        reversedBy: null,
        entries: [
          { account: 'program.issuance', direction: 'debit', points: 12, lotId },
          { account: 'member.available', direction: 'credit', points: 12, lotId },
        ],
        hasMoreEntries: false,
        evaluation: {
          award: { points: 12, basePoints: 12, campaignPoints: 0 },
          evaluationMode: 'receipt_time_current_configuration',
          evaluationAt: expect.stringMatching(/Z$/),
          configurationVersion: 1,
          loyaltyUnitPrecision: 0,
          ruleDecisions: expect.arrayContaining([
            { kind: 'earn_rule', id: 'base', matched: true, reason: null, points: 12, lines },
          ]),
          lines,
        },
        evaluationUnreadable: false,
      },
    });
    const asked = `query ($id: ID!) { transaction(id: $id) { requestId transaction { ${FIELDS} } } }`;
    const same = await client.send(graphql(shop, asked, { id: id.bought }));
    expect(same.body.data?.transaction?.transaction).toEqual(body.transaction);
  });

  test('a purchase whose receipt was damaged: its page is answered, and it alone says so', async () => {
    const own = await world.environment();
    await addMembers(client, own, ['hurt']);
    for (const reference of ['hurt-1', 'hurt-2']) {
      const purchase = { externalCustomerId: 'hurt', amountMinor: 1250, sourceReference: reference };
      expect((await client.send(earn(own, purchase, reference))).status).toBe(201);
    }
    await database.adminPool.query(
      `update transactions set receipt = '{"template": "gone", "values": []}' where source_reference = 'hurt-1'`,
    );
    const { data } = pageOf(await viaRest({}, own)) as unknown as { data: Transaction[] };
    expect(pageOf(await viaGraphql({}, own)).data).toEqual(data);
    expect(
      data.map((one) => [
        one.sourceReference,
        one.points,
        one.evaluation?.award.points,
        one.evaluationUnreadable,
      ]),
    ).toEqual([
      ['hurt-2', 12, 12, false],
      ['hurt-1', 12, undefined, true],
    ]);
    const hurt = data[1]?.id;
    const alone = await client.send(rest(own, 'GET', `/transactions/${hurt}`));
    expect({
      status: alone.status,
      evaluationUnreadable: (alone.body.transaction as Transaction).evaluationUnreadable,
    }).toEqual({ status: 200, evaluationUnreadable: true });
    const asked = 'query ($id: ID!) { transaction(id: $id) { transaction { evaluationUnreadable } } }';
    const { body } = await client.send(graphql(own, asked, { id: hurt }));
    expect({ errors: body.errors, data: body.data }).toEqual({
      errors: undefined,
      data: { transaction: { transaction: { evaluationUnreadable: true } } },
    });
    // A repeated key is told that it was done, over REST and GraphQL alike.
    const input = { externalCustomerId: 'hurt', amountMinor: 1250, sourceReference: 'hurt-1' };
    const again = await client.send(earn(own, input, 'hurt-1'));
    expect(again).toMatchObject({
      status: 500,
      code: 'receipt_unreadable',
      body: { error: { message: expect.stringContaining('is not done again') } },
    });
    const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';
    const sent = { ...input, programId, channel: 'web', idempotencyKey: 'hurt-1' };
    const overGraphql = await client.send(graphql(own, mutation, { input: sent }));
    const message = overGraphql.body.errors?.[0]?.message;
    expect({ status: overGraphql.status, code: overGraphql.code, message }).toEqual({
      ...{ status: 500, code: 'receipt_unreadable', message: again.body.error?.message },
    });
    const metrics = await client.send({ method: 'GET', path: '/metrics' });
    expect(metrics.text).toMatch(/^rewards_unreadable_receipts_total [1-9]/m);
  });

  test('links of a reversal, both ways', async () => {
    const read = async (name: string) =>
      (await client.send(rest(shop, 'GET', `/transactions/${id[name]}`))).body.transaction;
    expect(await read('adjusted')).toMatchObject({
      type: 'adjustment',
      state: 'reversed',
      reversalOf: null,
      reversedBy: id.undone,
      evaluation: null,
    });
    expect(await read('undone')).toMatchObject({
      state: 'committed',
      reversalOf: id.adjusted,
      reversedBy: null,
    });
  });

  test.each<[string, () => string]>([
    ['an unknown id', () => toTypeId('txn', newUuid())],
    ['another prefix', () => toTypeId('mem', fromTypeId('txn', id.bought ?? '') ?? '')],
    ['a UUID', () => newUuid()],
    ['no id at all', () => 'x'],
  ])('%s is not found, through both doors', async (_name, unknown) => {
    const asked = `query ($id: ID!) { transaction(id: $id) { requestId } }`;
    const found = await client.send(rest(shop, 'GET', `/transactions/${unknown()}`));
    expect(found).toMatchObject({ status: 404, code: 'transaction_not_found' });
    const same = await client.send(graphql(shop, asked, { id: unknown() }));
    expect(same).toMatchObject({ status: 200, code: 'transaction_not_found' });
    expect(same.body.errors?.[0]?.extensions.httpStatus).toBe(404);
  });

  test('another environment does not find it', async () => {
    const foreign = await client.send(rest(sibling, 'GET', `/transactions/${id.bought}`));
    expect(foreign).toMatchObject({ status: 404, code: 'transaction_not_found' });
  });
});

describe('filters, through both doors', () => {
  test.each<[Query, string[]]>([
    [{}, ['bought', 'tea', 'undone', 'adjusted', 'held', 'returned', 'graceful']],
    [{ sourceReference: 'order-1' }, ['bought', 'returned']],
    [{ sourceReference: 'order-1', eventType: 'order.returned' }, ['returned']],
    [{ programId: OTHER_PROGRAM }, ['tea']],
    [{ programId, externalCustomerId: 'grace' }, ['graceful']],
    [{ externalCustomerId: 'ada', state: 'committed' }, ['bought', 'tea', 'undone', 'held', 'returned']],
    [{ eventType: 'purchase.completed' }, ['bought']],
    [{ eventType: 'redemption.reserved' }, ['held']],
    [{ eventType: 'challenge.awarded' }, []],
    [{ state: 'reversed' }, ['adjusted']],
    [{ state: 'reversed', eventType: 'adjustment.posted', programId }, ['adjusted']],
    [{ state: 'reversed', eventType: 'purchase.completed' }, []],
    [{ externalCustomerId: 'idle' }, []],
    [{ externalCustomerId: 'nobody' }, []],
    [{ programId: 'no-club' }, []],
    [{ sourceReference: 'no order' }, []],
  ])('%j', async (query, names) => {
    const page = await both(query);
    expect(page.data.map((row) => row.id)).toEqual(names.map((name) => id[name]));
    expect(page.page).toEqual({ nextCursor: null, hasMore: false });
  });

  test('a window is half-open, to the millisecond that clients can say', async () => {
    const { createdAt = '' } =
      (await both({ externalCustomerId: 'ada', eventType: 'points.expired' })).data[0] ?? {};
    const next = new Date(Date.parse(createdAt) + 1).toISOString();
    const ids = async (query: Query) => (await both(query)).data.map((row) => row.id);
    expect(await ids({ from: createdAt, to: next })).toEqual([id.tea]);
    expect(await ids({ from: next, eventType: 'points.expired' })).toEqual([]);
    expect(await ids({ to: createdAt, eventType: 'points.expired' })).toEqual([]);
    expect(await ids({ to: '2025-06-01T00:00:00Z' })).toEqual([id.graceful]);
    expect(await ids({ from: createdAt, to: '2999-01-01T00:00:00Z' }).catch(String)).toMatch(
      'invalid_window',
    );
  });

  test.each<[string, Query]>([
    ['empty', { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
    ['reversed', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
    ['too long', { from: '2025-01-01T00:00:00Z', to: '2026-01-02T00:00:00.001Z' }],
    ['in the future', { from: '2999-01-01T00:00:00Z' }],
  ])('a window that is %s is refused', async (_name, query) => {
    for (const answer of [await viaRest(query), await viaGraphql(query)]) {
      expect(answer.code).toBe('invalid_window');
    }
    expect((await viaRest(query)).status).toBe(422);
  });

  test('366 days are allowed, and one open end', async () => {
    await both({ from: '2025-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' });
    await both({ from: '2020-01-01T00:00:00Z' });
  });
});

describe('pages', () => {
  test('hasMore is exact at the end of a page and of the list', async () => {
    const six = await both({ limit: 6 });
    expect(six.data).toHaveLength(6);
    expect(six.page).toEqual({ nextCursor: expect.any(String), hasMore: true });
    const last = await both({ limit: 6, cursor: six.page.nextCursor ?? '' });
    expect(last.data.map((row) => row.id)).toEqual([id.graceful]);
    expect(last.page).toEqual({ nextCursor: null, hasMore: false });
    expect((await both({ limit: 7 })).page.hasMore).toBe(false);
  });

  test('a cursor goes on through the other door, and under another limit', async () => {
    const first = pageOf(await viaRest({ limit: 1 }));
    const second = pageOf(await viaGraphql({ limit: 2, cursor: first.page.nextCursor ?? '' }));
    expect(second.data.map((row) => row.id)).toEqual([id.tea, id.undone]);
  });

  test('a cursor that is not of this list is refused', async () => {
    const query = { limit: 1, externalCustomerId: 'ada' };
    const cursor = pageOf(await viaRest(query)).page.nextCursor ?? '';
    expect((await viaRest({ ...query, cursor })).status).toBe(200);
    const bytes = Buffer.from(cursor, 'base64url');
    const flipped = (at: number): string => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy.toString('base64url');
    };
    const wrong: [Query, TestEnvironment?][] = [
      [{ ...query, cursor: 'garbage' }],
      [{ ...query, cursor: `${cursor}A` }],
      [{ ...query, cursor: `${cursor}=` }],
      [{ ...query, cursor: cursor.slice(0, -4) }],
      [{ ...query, cursor: flipped(0) }],
      [{ ...query, cursor: flipped(40) }],
      [{ ...query, cursor: flipped(bytes.length - 2) }],
      [{ limit: 1, cursor }],
      [{ limit: 1, externalCustomerId: 'grace', cursor }],
      [{ limit: 1, externalCustomerId: 'ada', state: 'committed', cursor }],
      [{ limit: 1, externalCustomerId: 'ada', to: '2026-01-01T00:00:00Z', cursor }],
      [{ ...query, cursor }, sibling],
    ];
    for (const [tampered, environment] of wrong) {
      for (const answer of [await viaRest(tampered, environment), await viaGraphql(tampered, environment)]) {
        expect([tampered, answer.code]).toEqual([tampered, 'invalid_cursor']);
      }
    }
    expect((await viaRest({ ...query, cursor: 'garbage' })).status).toBe(422);
  });

  test('rows of one instant, and of one microsecond after another, are all shown once', async () => {
    const quiet = await world.environment();
    await addMembers(client, quiet, ['ada']);
    const planted = await plantTransactions(
      database,
      quiet,
      Array.from({ length: 20 }, (_, index) => ({
        externalCustomerId: 'ada',
        programId,
        createdAt: `2026-01-01T00:00:00.00000${Math.floor(index / 4)}Z`,
      })),
    );
    expect(await allIds(quiet, 3)).toEqual(planted.toReversed());
  });

  test('500 rows are shown once each while new ones are written', async () => {
    const busy = await world.environment();
    await addMembers(client, busy, ['ada']);
    const planted = await plantTransactions(
      database,
      busy,
      Array.from({ length: 500 }, (_, index) => ({
        externalCustomerId: 'ada',
        programId,
        createdAt: new Date(Date.parse('2026-01-01T00:00:00Z') + Math.floor(index / 3)).toISOString(),
      })),
    );
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) {
        const order = { externalCustomerId: 'ada', amountMinor: 100, sourceReference: `busy-${written}` };
        expect((await client.send(earn(busy, order, `busy-${written}`))).status).toBe(201);
        written += 1;
      }
    })();
    const seen = await allIds(busy, 17, async () => {
      // At least one is written between two pages, however fast those are.
      for (const before = written; written === before; ) await sleep(1);
    });
    writing = false;
    await writer;
    expect(written).toBeGreaterThan(500 / 17);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((one) => planted.includes(one))).toEqual(planted.toReversed());
  });

  async function allIds(
    environment: TestEnvironment,
    limit: number,
    between: () => Promise<void> = async () => {},
  ): Promise<string[]> {
    const ids: string[] = [];
    let query: Query = { limit };
    for (;;) {
      const { data, page } = pageOf(await viaRest(query, environment));
      ids.push(...data.map((row) => row.id));
      if (page.nextCursor === null) {
        expect(page.hasMore).toBe(false);
        return ids;
      }
      query = { limit, cursor: page.nextCursor };
      await between();
    }
  }
});

describe('what may be asked', () => {
  test.each<[Query, string]>([
    [{ limit: 0 }, 'limit'],
    [{ limit: 201 }, 'limit'],
    [{ eventType: 'purchase' }, 'filter.eventType'],
    [{ programId: ' ' }, 'filter.programId'],
  ])('%j is refused, by its path at each door', async (query, path) => {
    const [restAnswer, graphqlAnswer] = [await viaRest(query), await viaGraphql(query)];
    expect(restAnswer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(restAnswer.body.error?.details?.[0]?.path).toBe(path.replace('filter.', ''));
    expect(graphqlAnswer.code).toBe('validation_failed');
    expect(graphqlAnswer.body.errors?.[0]?.extensions.details?.[0]?.path).toBe(path);
  });

  test('whatever stands in a query string is answered, never with a 5xx', async () => {
    const names = ['sourceReference', 'programId', 'externalCustomerId', 'eventType', 'state', 'from', 'to'];
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 250 }),
      fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', 'null', '1e3', '-0', '%', '\ud800'),
      fc.integer().map(String),
    );
    const pair = fc.tuple(fc.constantFrom(...names, 'limit', 'cursor'), value, fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { maxLength: 4 }), async (pairs) => {
        const query = pairs.map(([name, text, encoded]) =>
          encoded ? `${name}=${encodeURIComponent(text.toWellFormed())}` : `${name}=${bare(text)}`,
        );
        const { status, code } = await client.send(rest(shop, 'GET', `/transactions?${query.join('&')}`));
        expect([200, 422]).toContain(status);
        expect([null, 'validation_failed', 'invalid_window', 'invalid_cursor']).toContain(code);
      }),
      { numRuns: 300 },
    );
  });

  test('the oldest instants are compared to the millisecond', async () => {
    const ids = (await both({ from: '0001-01-01T00:00:00Z', externalCustomerId: 'grace' })).data;
    expect(ids.map((row) => row.id)).toEqual([id.graceful]);
  });

  test('the scope is transactions:read', async () => {
    const { key } = await world.key(shop.id, ['members:read']);
    const answer = await client.send(rest({ ...shop, key }, 'GET', '/transactions'));
    expect(answer).toMatchObject({ status: 403, code: 'insufficient_scope' });
    const reader = { ...shop, ...(await world.key(shop.id, ['transactions:read'])) };
    expect((await viaRest({}, reader)).status).toBe(200);
  });
});

/** What may stand in a request line unencoded. */
function bare(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]|[#&]/g, '');
}
