import { expect, test } from '@jest/globals';
import { useCounter } from './ledger/use-counter.ts';
import { environmentsWithoutTwins, twinOf } from './twin-environments.ts';

const counter = useCounter({ twins: true });

test('a twin has the same rows under the same ids, with the amounts doubled', async () => {
  const shop = await counter.environment();
  const writer = counter.writer();
  await shop.addMembers(writer, ['ann']);
  await writer.submit(shop.earn('ann'));
  await writer.submit(shop.earn('ann'));
  const { adminPool } = counter.database;
  const rowsOf = async (table: string, environmentId: string): Promise<Record<string, unknown>[]> =>
    (await adminPool.query(`select * from ${table} where environment_id = $1 order by 2, 3`, [environmentId]))
      .rows;
  const twin = twinOf(shop.id);
  expect(await environmentsWithoutTwins(adminPool)).toEqual([shop.id]);
  expect(await rowsOf('members', twin)).toEqual(
    (await rowsOf('members', shop.id)).map((row) => ({ ...row, environment_id: twin })),
  );
  for (const [table, amount] of [
    ['postings', 'amount'],
    ['program_profiles', 'available'],
    ['limit_counters', 'points'],
  ] as const) {
    const rows = await rowsOf(table, shop.id);
    const twins = await rowsOf(table, twin);
    expect(twins.map((row) => row[amount])).toEqual(rows.map((row) => Number(row[amount]) * 2));
    expect(twins.map(({ member_id }) => member_id)).toEqual(rows.map(({ member_id }) => member_id));
  }
  expect((await rowsOf('postings', twin)).length).toBe(2);
  await adminPool.query('delete from limit_counters where environment_id = $1', [shop.id]);
  expect(await rowsOf('limit_counters', twin)).toEqual([]);
});
