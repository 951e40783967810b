import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Connections } from '../../src/db/pool.ts';
import type { Statement } from '../../src/db/statement.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { readTransaction } from '../../src/queries/transactions/transactions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import {
  addMembers,
  Client,
  graphql,
  type Received,
  readMember,
  rest,
  type Sent,
} from '../support/surfaces/client.ts';
import { plantTransactions } from '../support/surfaces/ledger-rows.ts';
import { createWorld, programId, type TestEnvironment, type World } from '../support/surfaces/world.ts';

/** Of what the attack is made of: so many transactions with so many postings each. */
const HEAVY = 100;
const POSTINGS_OF_EACH = 1_500;

let database: TestDatabase;
let world: World;
let server: ServerProcess;
let client: Client;
/** Transactions of all sizes. */
let shop: TestEnvironment;
/** Heavy ones alone. */
let heavy: TestEnvironment;
/** One with the postings of its place in `sizes`, oldest first. */
let planted: string[];
const sizes = [
  1, 0, 2, 99, 100, 101, 350, 3, 1, 100, 1_500, 1, 40, 100, 100, 100, 100, 100, 100, 1, 0, 700, 2,
];

const at = (second: number): string =>
  new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000).toISOString();

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  heavy = await world.environment();
  server = await spawnServer(databaseSettings(database));
  client = new Client(server.url);
  await addMembers(client, shop, ['ada']);
  await addMembers(client, heavy, ['bob']);
  planted = await plantTransactions(
    database,
    shop,
    sizes.map((postings, index) => ({
      externalCustomerId: 'ada',
      programId,
      createdAt: at(index),
      postings,
    })),
  );
  const burden = {
    externalCustomerId: 'bob',
    programId,
    eventType: 'points.expired',
    postings: POSTINGS_OF_EACH,
  };
  await plantTransactions(
    database,
    heavy,
    Array.from({ length: HEAVY }, (_, index) => ({ ...burden, createdAt: at(index) })),
  );
  await database.adminPool.query('analyze');
});

afterAll(async () => {
  client.close();
  await server.end('SIGTERM');
  await database.drop();
});

interface Shown {
  id: string;
  points: number;
  entries: { direction: string; points: number }[];
  hasMoreEntries: boolean;
  evaluation: { ruleDecisions: object[] } | null;
}

interface Page<Item> {
  data: Item[];
  page: { nextCursor: string | null; hasMore: boolean };
}

async function page<Item>(path: string, environment = shop): Promise<Page<Item> & { bytes: number }> {
  const { status, text } = await client.send(rest(environment, 'GET', path));
  if (status !== 200) throw new Error(`${status} ${text}`);
  return { ...(JSON.parse(text) as Page<Item>), bytes: text.length };
}

/** All pages of a list. @throws where `hasMore` and `nextCursor` differ, or a page of more is empty */
async function allPages<Item>(path: string, environment = shop): Promise<Item[][]> {
  const pages: Item[][] = [];
  for (let cursor = ''; ; ) {
    const next = await page<Item>(`${path}${cursor}`, environment);
    pages.push(next.data);
    expect(next.page.hasMore).toBe(next.page.nextCursor !== null);
    if (next.page.nextCursor === null) return pages;
    expect(next.data.length).toBeGreaterThan(0);
    cursor = `&cursor=${encodeURIComponent(next.page.nextCursor)}`;
  }
}

/** Debit and credit of 1 point, of 2 points, and so on. */
const entriesUpTo = (postings: number) =>
  Array.from({ length: postings * 2 }, (_, index) => ({
    account: index % 2 ? 'member.available' : 'program.issuance',
    direction: index % 2 ? 'credit' : 'debit',
    points: Math.floor(index / 2) + 1,
    lotId: null,
  }));

describe('pages of transactions', () => {
  test('whatever the limit, every transaction once, in order, with its first 200 entries', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 200 }), async (limit) => {
        const pages = await allPages<Shown>(`/transactions?limit=${limit}`);
        const seen = pages.flat().toReversed();
        expect(seen.map(({ id }) => id)).toEqual(planted);
        expect(seen.map(({ hasMoreEntries }) => hasMoreEntries)).toEqual(sizes.map((size) => size > 100));
        seen.forEach(({ entries }, index) => {
          expect(entries).toEqual(entriesUpTo(Math.min(sizes[index] ?? 0, 100)));
        });
        for (const { length } of pages) expect(length).toBeLessThanOrEqual(limit);
        for (const shown of pages) {
          const entries = shown.flatMap((transaction) => transaction.entries);
          expect(entries.length).toBeLessThanOrEqual(2_000);
        }
      }),
      { numRuns: 12, examples: [[1], [2], [200]] },
    );
  });

  test('a page ends at 1,000 postings, and says that there is more', async () => {
    const first = await page<Shown>('/transactions?limit=200', heavy);
    expect({ data: first.data.length, hasMore: first.page.hasMore }).toEqual({ data: 9, hasMore: true });
    expect(first.bytes).toBeLessThan(300_000);
    expect((await allPages<Shown>('/transactions?limit=200', heavy)).flat()).toHaveLength(HEAVY);
  });

  test('heavy receipts end a page by their bytes; the first transaction is always given', async () => {
    const branch = await world.environment();
    await addMembers(client, branch, ['ada']);
    const decision = { kind: 'earn_rule', id: 'r', matched: false, reason: 'x'.repeat(1_000), points: 0 };
    const receiptOf = (decisions: number) => ({
      award: { points: 1, basePoints: 1, campaignPoints: 0 },
      evaluationMode: 'receipt_time_current_configuration',
      evaluationAt: at(0),
      configurationVersion: 1,
      loyaltyUnitPrecision: 0,
      ruleDecisions: Array.from({ length: decisions }, () => decision),
    });
    const weights = [300, 300, 1_200, 1, 1, 300, 300, 300, 300, 300];
    const ids = await plantTransactions(
      database,
      branch,
      weights.map((decisions, index) => ({
        externalCustomerId: 'ada',
        programId,
        eventType: 'purchase.completed',
        createdAt: at(index),
        receipt: receiptOf(decisions),
      })),
    );
    const pages = await allPages<Shown>('/transactions?limit=200', branch);
    expect(pages.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.toReversed());
    expect(pages.flat().map(({ evaluation }) => evaluation?.ruleDecisions.length)).toEqual(
      weights.toReversed(),
    );
    // Who does not select the evaluations has no bytes of them to be held to.
    const bare = await client.send(graphql(branch, '{ transactions(limit: 200) { data { id } } }'));
    expect(bare.body.data?.transactions?.data).toHaveLength(weights.length);
  });

  test.each<[string, number]>([
    ['{ transactions(limit: 200) { data { id points } page { hasMore } } }', HEAVY],
    ['{ transactions(limit: 200) { data { id entries { points } } page { hasMore } } }', 9],
    ['{ transactions(limit: 200) { data { id hasMoreEntries } page { hasMore } } }', 9],
    [
      '{ transactions(limit: 200) { ...P } } fragment P on TransactionPage { data { e: entries { points } } }',
      9,
    ],
  ])('entries count where they are selected: %s', async (query, length) => {
    const { body } = await client.send(graphql(heavy, query));
    expect(body.data?.transactions?.data).toHaveLength(length);
  });
});

test('what is not selected is not read', async () => {
  const asked: string[] = [];
  const { adminPool } = database;
  const spying: Connections = {
    query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>> {
      asked.push(statement.text);
      return adminPool.query<Row>(statement);
    },
    connect: () => adminPool.connect(),
  };
  const [, , id = ''] = planted;
  await readTransaction(spying, shop.id, id, { entries: false, evaluation: false });
  expect(asked.join()).not.toMatch(/postings|t\.receipt/);
  await readTransaction(spying, shop.id, id, { entries: true, evaluation: true });
  expect(asked.join()).toMatch(/t\.receipt[\s\S]*from postings/);
});

describe('the entries of one transaction', () => {
  test('whatever the limit, every entry once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.nat({ max: sizes.length - 1 }),
        async (limit, index) => {
          const size = sizes[index] ?? 0;
          fc.pre(size * 2 < limit * 60);
          const pages = await allPages(`/transactions/${planted[index]}/entries?limit=${limit}`);
          expect(pages.flat()).toEqual(entriesUpTo(size));
          for (const { length } of pages.slice(0, -1)) expect(length).toBe(limit);
        },
      ),
      {
        numRuns: 25,
        examples: [
          [1, 2],
          [3, 3],
          [200, 4],
          [199, 5],
          [200, 10],
          [1, 1],
        ],
      },
    );
  });

  const code = async (path: string, environment = shop): Promise<unknown[]> => {
    const answer = await client.send(rest(environment, 'GET', path));
    return [answer.status, answer.code];
  };

  test('of no transaction, or one of another environment: 404', async () => {
    const [id] = planted;
    expect(await code(`/transactions/${toTypeId('txn', newUuid())}/entries`)).toEqual([
      404,
      'transaction_not_found',
    ]);
    expect(await code('/transactions/x/entries')).toEqual([404, 'transaction_not_found']);
    expect(await code(`/transactions/${id}/entries`, heavy)).toEqual([404, 'transaction_not_found']);
    expect(await code(`/transactions/${id}/entries?limit=201`)).toEqual([422, 'validation_failed']);
  });

  test('a cursor is worth nothing at another transaction, list or environment', async () => {
    const [a, b] = [planted[10], planted[6]];
    const cursorOf = async (path: string): Promise<string> => (await page(path)).page.nextCursor ?? '';
    const cursor = await cursorOf(`/transactions/${a}/entries?limit=3`);
    const ofList = await cursorOf('/transactions?limit=3');
    expect(await code(`/transactions/${a}/entries?cursor=${cursor}`)).toEqual([200, null]);
    for (const [path, environment] of [
      [`/transactions/${b}/entries?cursor=${cursor}`, shop],
      [`/transactions?cursor=${cursor}`, shop],
      [`/transactions/${a}/entries?cursor=${ofList}`, shop],
      [`/transactions/${a}/entries?cursor=${cursor}`, heavy],
      [`/transactions/${a}/entries?cursor=garbage`, shop],
    ] as const) {
      expect(await code(path, environment)).toEqual([422, 'invalid_cursor']);
    }
  });

  test('the scope is transactions:read, and GraphQL has no such field', async () => {
    const { key } = await world.key(shop.id, ['members:read']);
    expect(await code(`/transactions/${planted[0]}/entries`, { ...shop, key })).toEqual([
      403,
      'insufficient_scope',
    ]);
    const { code: refused } = await client.send(
      graphql(shop, `{ transactionEntries(id: "${planted[0]}") { requestId } }`),
    );
    expect(refused).toBe('graphql_validation_failed');
  });
});

test('while one environment reads what is heavy, another one is answered, and the server is ready', async () => {
  const [id] = planted;
  const before = await residentBytes();
  let attacking = true;
  const attackers = Array.from({ length: 16 }, async () => {
    const answers: Received[] = [];
    while (attacking) answers.push(await client.send(rest(heavy, 'GET', '/transactions?limit=200')));
    return answers;
  });
  const took: number[] = [];
  // /readyz says no after two seconds, which a machine that does much else takes now and then: mostly it has to say
  // yes.
  let ready = 0;
  const readyz: Sent = { method: 'GET', path: '/readyz' };
  const other = new Client(server.url, 1);
  for (let round = 0; round < 15; round++) {
    for (const sent of [readMember(shop, 'ada'), rest(shop, 'GET', `/transactions/${id}`), readyz]) {
      const begun = performance.now();
      const { status } = await other.send(sent);
      if (sent !== readyz) expect(status).toBe(200);
      else if (status === 200) ready += 1;
      took.push(performance.now() - begun);
    }
  }
  attacking = false;
  expect(ready).toBeGreaterThanOrEqual(10);
  const answers = (await Promise.all(attackers)).flat();
  other.close();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Math.max(...answers.map(({ text }) => text.length))).toBeLessThan(300_000);
  // Unbounded, one of these answers alone took 400 MB, and others waited for seconds.
  expect((await residentBytes()) - before).toBeLessThan(240_000_000);
  expect(took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)]).toBeLessThan(3_000);
});

async function residentBytes(): Promise<number> {
  const { text } = await client.send({ method: 'GET', path: '/metrics' });
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}
