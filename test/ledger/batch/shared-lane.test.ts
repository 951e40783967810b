import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Counter, type Shop } from '../../support/ledger/counter.ts';
import { program } from '../../support/rules/fixtures.ts';

// Two batches that lock the same counter would run one after the other, and hold their members' locks meanwhile.

const MEMBERS = Array.from({ length: 24 }, (_, index) => `customer-${index}`);
const campaign = {
  ...{ id: 'gift', match: 'all' as const, conditions: [], award: { bonusPoints: 5 } },
};

let counter: Counter;

beforeAll(async () => {
  counter = await Counter.open();
});
afterAll(() => counter.close());

/** The sizes of the batches of purchases that are submitted at once, of one member each. */
async function batchesOf(shop: Shop): Promise<number[]> {
  const sizes: number[] = [];
  const writer = counter.writer({ onBatch: (commands) => sizes.push(commands) });
  await shop.addMembers(writer, MEMBERS);
  sizes.length = 0;
  const outcomes = await Promise.all(MEMBERS.map((customer) => writer.submit(shop.earn(customer))));
  expect(outcomes.every((outcome) => 'receipt' in outcome)).toBe(true);
  return sizes;
}

test('purchases that count towards one total cap share a batch', async () => {
  const capped = program({ campaigns: [{ ...campaign, caps: { totalPoints: 1_000 } }] });
  expect(await batchesOf(await counter.environment(capped))).toEqual([MEMBERS.length]);
});

test('others are divided among the lanes', async () => {
  const sizes = await batchesOf(await counter.environment(program({ campaigns: [campaign] })));
  expect(sizes.length).toBe(2);
  expect(sizes[0]).toBeLessThan(MEMBERS.length);
});
