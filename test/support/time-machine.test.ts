import { describe, expect, test } from '@jest/globals';
import { fixture } from './fixture.ts';
import { useCounter } from './ledger/use-counter.ts';
import { install } from './time-machine.ts';

const DAY_MS = 86_400_000;

const counter = useCounter();
const time = fixture('the time machine', () => install(counter.database.adminUrl));

describe('the time machine', () => {
  test('is in the present until it travels', async () => {
    expect(Math.abs((await time.now()).getTime() - Date.now())).toBeLessThan(5_000);
  });

  test('moves the time of the writer on its open connections', async () => {
    const shop = await counter.environment();
    const writer = counter.writer();
    await writer.submit(shop.createMember('ann'));
    await time.travel(40 * DAY_MS);
    await writer.submit(shop.createMember('bob'));
    await time.travelTo(new Date('2032-02-29T12:00:00Z'));
    await writer.submit(shop.createMember('cat'));

    const { rows } = await counter.database.adminPool.query<{ created_at: Date }>(
      'select created_at from members where environment_id = $1 order by external_customer_id',
      [shop.id],
    );
    const [ann, bob, cat] = rows.map((row) => row.created_at.getTime()) as [number, number, number];
    expect(Math.abs(bob - ann - 40 * DAY_MS)).toBeLessThan(5_000);
    expect(new Date(cat).toISOString()).toMatch(/^2032-02-29T12:00:0/);
  });

  test('does not change the schema that new tables are created in', async () => {
    expect(await counter.value('select current_schema()')).toBe('public');
  });
});
