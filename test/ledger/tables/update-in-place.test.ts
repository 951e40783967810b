import { beforeAll, expect, test } from '@jest/globals';
import type { PoolClient } from 'pg';
import type { Statement } from '../../../src/db/statement.ts';
import { flushStatements } from '../../../src/ledger/batch/flush-batch.ts';
import { fetchesFor } from '../../../src/ledger/batch/load-plan.ts';
import { retryCauseOf } from '../../../src/ledger/batch/sqlstate.ts';
import { WorkingSet } from '../../../src/ledger/batch/working-set.ts';
import { type AnyLookUpKey, TABLES } from '../../../src/ledger/tables/all-tables.ts';
import type { LotRecord } from '../../../src/ledger/tables/lot-rows.ts';
import { atEnd, fixture } from '../../support/fixture.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { countLockWaits } from '../../support/lock-waits.ts';
import { program } from '../../support/rules/fixtures.ts';
import { until } from '../../support/until.ts';

// Rows that a batch has found are updated in their places, in the columns that change.

let client: PoolClient;
let memberId: string;

const counter = useCounter();
const shop = fixture('the shop', () => counter.environment());

beforeAll(async () => {
  const writer = counter.writer();
  await shop.addMembers(writer, ['c1']);
  for (let lot = 0; lot < 3; lot += 1) await writer.submit(shop.earn('c1'));
  memberId = await counter.value('select id from members where environment_id = $1', [shop.id]);
  client = await counter.database.adminPool.connect();
});

atEnd(() => client.release());

/** A batch that has found the member's profile and lots. */
async function found(): Promise<WorkingSet> {
  const working = new WorkingSet(
    { id: shop.id, kind: 'production', locked: false, revision: 1 },
    new Map(),
    () => '',
  );
  const wanted: AnyLookUpKey[] = [
    { kind: 'profile', programId: program().id, externalCustomerId: 'c1' },
    { kind: 'spending', memberId, programId: program().id, points: Number.MAX_SAFE_INTEGER },
  ];
  for (const fetch of fetchesFor(wanted)) {
    const { rows } = await client.query<object>(fetch.lookUp.statement(shop.id, fetch.keys));
    working.fill(fetch, rows);
  }
  return working;
}

const lotsOf = (working: WorkingSet): LotRecord[] => working.rows.lots.filter(() => true);

async function flush(working: WorkingSet): Promise<string[]> {
  const statements = flushStatements(working);
  for (const statement of statements) await client.query(statement);
  return statements.map(({ name }) => name);
}

const stored = (columns: string): Promise<object[]> =>
  client
    .query<object>(`select ${columns} from lots where environment_id = '${shop.id}' order by id`)
    .then(({ rows }) => rows);

test('only the rows that change, only in the columns that do, and the place is not part of a record', async () => {
  await client.query('begin');
  const working = await found();
  const [first, second] = lotsOf(working) as [LotRecord, LotRecord];
  expect(Object.keys(first).sort()).toEqual(TABLES.lots.columns.map(({ property }) => property).sort());
  working.rows.lots.update({ ...first, available: first.available - 4, reserved: 4 });
  working.rows.lots.update({ ...second, available: 0, reserved: second.available });
  expect(await flush(working)).toEqual(['update_lots_in_place_0']);
  const expected = lotsOf(working).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(await stored('id, available, reserved, claimed')).toEqual(
    expected.map(({ id, available, reserved, claimed }) => ({ id, available, reserved, claimed })),
  );
  await client.query('rollback');
});

test('all columns, where another one changes in any row', async () => {
  await client.query('begin');
  const working = await found();
  const [first, second] = lotsOf(working) as [LotRecord, LotRecord];
  working.rows.lots.update({ ...first, available: first.available - 4, reserved: 4 });
  working.rows.lots.update({ ...second, expiresAt: new Date('2030-01-01') });
  expect(await flush(working)).toEqual(['update_lots_in_place_1']);
  const rows = await stored(`id, reserved, expires_at = '2030-01-01' as moved`);
  expect(rows).toContainEqual({ id: first.id, reserved: 4, moved: null });
  expect(rows).toContainEqual({ id: second.id, reserved: 0, moved: true });
  await client.query('rollback');
});

test('an equal instant is no change', async () => {
  const working = await found();
  const [profile] = working.rows.profiles.filter(() => true);
  if (!profile?.firstPurchaseAt) throw new Error('the member has bought something');
  const firstPurchaseAt = new Date(profile.firstPurchaseAt);
  working.rows.profiles.update({ ...profile, available: 1, firstPurchaseAt });
  expect(flushStatements(working).map(({ name }) => name)).toEqual(['update_program_profiles_in_place_0']);
  working.rows.profiles.update({ ...profile, purchaseCount: 9 });
  expect(flushStatements(working).map(({ name }) => name)).toEqual(['update_program_profiles_in_place_1']);
  working.rows.profiles.update({ ...profile, tier: 'gold' });
  expect(flushStatements(working).map(({ name }) => name)).toEqual(['update_program_profiles_in_place_2']);
});

test('a row whose place no look-up has given is updated by its key', async () => {
  const working = await found();
  const [first] = lotsOf(working) as [LotRecord];
  const other = { ...first, id: '00000000-0000-7000-8000-000000000009' };
  working.rows.lots.load(other);
  working.rows.lots.update({ ...first, claimed: 1 });
  working.rows.lots.update({ ...other, claimed: 1 });
  expect(flushStatements(working).map(({ name }) => name)).toEqual(['update_lots_in_place_1', 'update_lots']);
});

// Whoever changes a row has to hold the lock that guards it. Who does not must not make the change of a batch
// disappear.
test('a row that somebody else has moved meanwhile fails the batch', async () => {
  const { adminPool } = counter.database;
  const take = (points: number): Promise<unknown> =>
    adminPool.query('update lots set available = available - $3 where environment_id = $1 and id = $2', [
      ...[shop.id, first.id],
      points,
    ]);
  const working = await found();
  const [first] = lotsOf(working) as [LotRecord];
  working.rows.lots.update({ ...first, available: first.available - 4, reserved: 4 });
  const [statement] = flushStatements(working) as [Statement];
  await take(1);
  const error = await client.query(statement).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    message: expect.stringContaining('a row is not where the batch has found it: 0 of 1 are updated'),
  });
  expect(retryCauseOf(error)).toBe('moved_row');
  const { id, available } = first;
  expect(await stored('id, available, reserved')).toContainEqual({
    id,
    available: available - 1,
    reserved: 0,
  });
  await take(-1);
});

test('a profile that was changed while the batch waited for its lock is updated where it is then', async () => {
  const other = await counter.database.adminPool.connect();
  try {
    await other.query('begin');
    await other.query('update program_profiles set purchase_count = 40 where environment_id = $1', [shop.id]);
    await client.query('begin');
    const loading = found();
    await until(async () => (await countLockWaits(counter.database.adminPool)) > 0, 'a wait for the profile');
    await other.query('commit');
    const working = await loading;
    const [profile] = working.rows.profiles.filter(() => true);
    if (!profile) throw new Error('the profile was not found');
    expect(profile.purchaseCount).toBe(40);
    working.rows.profiles.update({ ...profile, available: profile.available + 1 });
    await flush(working);
    await client.query('commit');
    const row = 'select available from program_profiles where environment_id = $1';
    expect(await counter.value(row, [shop.id])).toBe(profile.available + 1);
  } finally {
    other.release();
  }
});
