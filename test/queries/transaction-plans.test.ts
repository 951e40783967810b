import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import { LIST_READS } from '../../src/db/planner-settings.ts';
import { UNPREPARED } from '../../src/db/statement.ts';
import { listActivity } from '../../src/queries/customers/activity.ts';
import { findSettledSurfaces, findSurfaces } from '../../src/queries/customers/surface-reader.ts';
import { purchaseSnapshots } from '../../src/queries/purchase-snapshot.ts';
import { findOwners } from '../../src/queries/shared/resource-owners.ts';
import {
  listTransactions,
  type TransactionCriteria,
} from '../../src/queries/transactions/transaction-statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createWorld, programId, type TestEnvironment } from '../support/surfaces/world.ts';

const ROWS = 30_000;

let database: TestDatabase;
let shop: TestEnvironment;
let client: PoolClient;

beforeAll(async () => {
  database = await createTestDatabase();
  const world = createWorld(database);
  shop = await world.environment();
  await world.publish(shop.id, (yaml) => yaml.replace('id: coffee-club', 'id: tea-club'));
  client = await database.adminPool.connect();
  for (const [setting, value] of Object.entries({ ...LIST_READS, plan_cache_mode: 'force_generic_plan' })) {
    await client.query('select set_config($1, $2, false)', [setting, value]);
  }
  await client.query(
    `insert into members select $1, md5('m' || i)::uuid, 'c' || i, null, 'active', 'unverified', 'granted', 'v1',
        clock_timestamp(), clock_timestamp()
      from generate_series(0, 999) i`,
    [shop.id],
  );
  await client.query(
    `insert into program_profiles (environment_id, program_id, member_id, enrolled, tier, enrolled_at)
      select environment_id, p, id, true, 'bronze', clock_timestamp()
      from members cross join unnest(array['${programId}', 'tea-club']) p`,
  );
  await client.query(
    `insert into transactions
      select $1, md5('t' || i)::uuid, case when i % 1000 = 7 then 'tea-club' else $2 end, md5('m' || i % 1000)::uuid,
        case when i % 7 = 0 then 'order.returned' when i % 11 = 0 then 'points.expired' else 'purchase.completed' end,
        'order-' || i, case when i % 500 = 3 then 'reversed' else 'committed' end, 1, at, at, null, null, '{}'
      from generate_series(1, ${ROWS}) i cross join lateral (
        select timestamptz '2026-01-01' + i * interval '1 minute' as at
      ) made`,
    [shop.id, programId],
  );
  await client.query(
    `insert into limit_counters (environment_id, program_id, member_id, limit_id, period_start, points)
      select environment_id, $1, id, 'spring', '2026-01-05', 1 from members`,
    [programId],
  );
  await client.query(
    `insert into shared_counters (environment_id, program_id, counter_id, taken)
      select $1, $2, 'coupon:' || i, 1 from generate_series(1, 1000) i`,
    [shop.id, programId],
  );
  await client.query('analyze');
});

afterAll(async () => {
  client.release();
  await database.drop();
});

const nothing: TransactionCriteria = {
  sourceReference: null,
  programId: null,
  externalCustomerId: null,
  eventType: null,
  state: null,
  from: null,
  to: null,
};

const window = { from: new Date('2026-01-05T00:00:00Z'), to: new Date('2026-01-10T00:00:00Z') };
const after = { at: '2026-01-09 00:00:00+00', id: '01900000-0000-7000-8000-000000000000' };

test.each<[string, Partial<TransactionCriteria>]>([
  ['by_time', {}],
  ['by_time', { state: 'committed' }],
  ['by_time', { eventType: 'purchase.completed' }],
  ['by_program', { programId: 'tea-club' }],
  ['by_program', { programId: 'no-club' }],
  ['by_member', { externalCustomerId: 'c1' }],
  ['by_member', { externalCustomerId: 'c1', programId }],
  ['by_member', { externalCustomerId: 'c1', eventType: 'order.returned' }],
  ['by_member', { externalCustomerId: 'c1', state: 'reversed' }],
  ['by_reference', { sourceReference: 'order-1' }],
  ['by_reference', { sourceReference: 'order-1', programId, externalCustomerId: 'c1', state: 'committed' }],
  ['by_event_type', { eventType: 'order.returned' }],
  ['by_event_type', { eventType: 'points.expired', programId }],
  ['reversed', { state: 'reversed' }],
  ['reversed', { state: 'reversed', eventType: 'purchase.completed' }],
])('transactions_%s finds %j', async (index, criteria) => {
  for (const more of [{}, window]) {
    for (const position of [null, after]) {
      const asked = { ...nothing, ...criteria, ...more };
      const { text, values } = listTransactions(shop.id, asked, position, 50);
      const plan = await genericPlan(text, values);
      expect(plan).toMatch(new RegExp(`using transactions_${index} on transactions`));
      // Indexes return rows in the order of time, and those of one time are sorted; only rows found by reference are
      // sorted as a whole, and they are few.
      expect(sortsAll(plan)).toBe(index === 'by_reference');
      expect(plan).not.toMatch(/Seq Scan on transactions/);
    }
  }
});

test('what customers and widgets are shown is found by the member, with its newest transactions first', async () => {
  const subjects = [{ memberId: '01900000-0000-7000-8000-000000000000', programId }];
  const filter = { externalCustomerId: 'c1', programId };
  for (const { text, values } of [
    findSurfaces(shop.id, subjects),
    findSettledSurfaces(shop.id, subjects),
    listActivity(shop.id, filter, null, 20),
    listActivity(shop.id, filter, [after.at, after.id], 20),
    listActivity(shop.id, { ...filter, programId: null }, null, 20),
  ]) {
    const plan = await genericPlan(text, values);
    expect(plan).toMatch(/using transactions_by_member on transactions/);
    expect(sortsAll(plan)).toBe(false);
    expect(plan).not.toMatch(/Seq Scan on (transactions|members|program_profiles)/);
  }
});

test('the rewards of an order that goes back are found by its reference', async () => {
  const { text, values } = findOwners(shop.id, 'order', ['order-1', 'order-2']);
  const plan = await genericPlan(text, values);
  expect(plan).toMatch(/using transactions_by_reference on transactions/);
  expect(plan).not.toMatch(/Seq Scan on (transactions|members)/);
});

test('what purchases would be decided on is found by its keys, for each of those that are read together', async () => {
  const keys = {
    programId,
    externalCustomerId: 'c7',
    referralCode: null,
    counterIds: ['campaign:x'],
    codeHash: shop.id,
  };
  const wanted = Array.from({ length: 50 }, () => ({ ...keys, at: window.from }));
  const { text, values } = purchaseSnapshots(shop.id, wanted);
  const plan = await genericPlan(text, values);
  for (const table of ['members', 'program_profiles', 'limit_counters', 'shared_counters']) {
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan using \\w+ on ${table}`));
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  }
});

test('prepared statements that differ have names that differ, within 63 characters; few of them are prepared', () => {
  const texts = new Map<string, string>();
  const all = new Set<string>();
  const choices = <T>(value: T): (T | null)[] => [null, value];
  for (const sourceReference of choices('r'))
    for (const programId of choices('p'))
      for (const externalCustomerId of choices('c'))
        for (const eventType of [null, 'purchase.completed', 'order.returned'])
          for (const state of [null, 'committed', 'reversed'] as const)
            for (const from of choices(window.from))
              for (const to of choices(window.to))
                for (const position of choices(after)) {
                  const asked = {
                    sourceReference,
                    programId,
                    externalCustomerId,
                    eventType,
                    state,
                    from,
                    to,
                  };
                  const { name, text, values } = listTransactions(shop.id, asked, position, 50);
                  expect(name.length).toBeLessThan(64);
                  all.add(text);
                  if (name !== UNPREPARED) {
                    expect(texts.get(name) ?? text).toBe(text);
                    texts.set(name, text);
                  }
                  expect(text.match(/\$\d+/g)?.length).toBeGreaterThanOrEqual(values.length);
                }
  expect(all.size).toBeGreaterThan(200);
  // A session keeps each prepared statement with its plan.
  expect(texts.size).toBeLessThan(60);
  // The lists that clients read most: everything, of a member, of a program, and their next pages.
  for (const shape of ['', 'a', 'm', 'ma', 'p', 'pa', 'r'])
    expect(texts.has(`list_transactions_${shape}`)).toBe(true);
});

/** Whether all transactions that are found are sorted, and not those of one time after those of another. */
function sortsAll(plan: string): boolean {
  const sorts = plan.matchAll(/Sort Key: (?:t|transactions|found)\..*\n(.*)/g);
  return [...sorts].some(([, next = '']) => !/Presorted Key: \w+\.created_at/.test(next));
}

/** The generic plan, for any values, that a prepared statement gets after a few executions. */
async function genericPlan(text: string, values: readonly unknown[]): Promise<string> {
  const literals = values.map((value) => client.escapeLiteral(String(value)));
  await client.query(`prepare asked as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute asked(${literals.join()})`);
  await client.query('deallocate asked');
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}
