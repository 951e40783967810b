import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { plainProgram } from '../../bench/seed.ts';
import { storedBytes } from '../../bench/stored-bytes.ts';
import { parseProgram } from '../../src/programs/parse/parse-program.ts';
import { isRefusal } from '../../src/refusal.ts';
import { useCounter } from '../support/ledger/use-counter.ts';

// What a purchase takes on disk, over all tables and indexes. docs/lab/benchmarks.md says how much it is in a large
// database. How full the pages of indexes are varies by some percent.

const MEMBERS = 250;
const AT_ONCE = 125;
const PURCHASES = 3_000;

const counter = useCounter();

test.each([
  ['earn rules, tiers and a limit', true, 2_205],
  ['the whole demo program', false, 2_405],
])('of a purchase under %s', async (_what, isPlain, most) => {
  const parsed = parseProgram(await readFile('demo/coffee-club.yaml', 'utf8'));
  if (!parsed.ok) throw new Error('the demo program is not valid');
  const shop = await counter.environment(isPlain ? plainProgram(parsed.document) : parsed.document);
  const writer = counter.writer();
  const customers = Array.from({ length: MEMBERS }, (_, index) => `customer-${index}`);
  await shop.addMembers(writer, customers);
  const before = await storedBytes(counter.database.adminPool);
  for (let first = 0; first < PURCHASES; first += AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => {
        const number = first + index;
        // Like the names that shops give: scattered.
        const name = `${Math.imul(number, 0x9e3779b1) >>> 0}`.padStart(10, '0');
        return writer.submit(
          shop.earn(customers[(number * 7) % MEMBERS] as string, {
            amountMinor: 100 + ((number * 37) % 900),
            currency: 'USD',
            idempotencyKey: `${name}-${number}`,
            sourceReference: `order-${name}-${number}`,
          }),
        );
      }),
    );
    expect(outcomes.filter(isRefusal)).toEqual([]);
  }
  const bytes = ((await storedBytes(counter.database.adminPool)) - before) / PURCHASES;
  expect(bytes).toBeGreaterThan(most / 2);
  expect(bytes).toBeLessThanOrEqual(most);
});
