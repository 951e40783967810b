import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { purchaseEarn } from '../../../src/commands/earning/purchase-earn.ts';
import { recordReturn } from '../../../src/commands/returns/record-return.ts';
import { newUuid } from '../../../src/ids.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { codeOf } from '../../support/commands/desk.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter, useWriter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const MOST = Number.MAX_SAFE_INTEGER;

const counter = useCounter();
const writer = useWriter(counter);

/** An environment with the member `ann`. */
async function openShop(): Promise<Shop> {
  const shop = await counter.environment(program());
  await shop.addMembers(writer, ['ann']);
  return shop;
}

/** A purchase of any amount: the command itself, behind the bounds of the API. */
async function buy(shop: Shop, sourceReference: string, amountMinor: number): Promise<string> {
  const input = { programId: 'coffee-club', externalCustomerId: 'ann', channel: 'web' as const };
  const purchase = { idempotencyKey: newUuid(), sourceReference, amountMinor, ...input };
  return codeOf(await writer.submit(purchaseEarn(purchase, shop.caller)));
}

async function giveBack(shop: Shop, sourceReference: string, returnAmountMinor: number): Promise<string> {
  const owner = { programId: 'coffee-club', externalCustomerId: 'ann', points: 0, rewardId: null };
  const keys = { idempotencyKey: newUuid(), returnReference: newUuid() };
  const command = recordReturn({ ...keys, sourceReference, returnAmountMinor }, owner, shop.caller);
  return isRefusal(command) ? command.code : codeOf(await writer.submit(command));
}

function amountOf(shop: Shop): Promise<number> {
  return counter.value('select purchase_amount_minor from program_profiles where environment_id = $1', [
    shop.id,
  ]);
}

test('what a member bought is exact up to 2^53-1, in whichever order it is returned', async () => {
  const part = fc.record({ order: fc.nat(3), share: fc.double({ min: 0, max: 1, noNaN: true }) });
  const amount = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.integer({ min: MOST - 3, max: MOST }),
    fc.maxSafeNat(),
  );
  const story = fc.record({
    amounts: fc.array(amount, { minLength: 4, maxLength: 4 }),
    parts: fc.array(part, { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ amounts, parts }) => {
      const shop = await openShop();
      const left = new Map<string, number>();
      const sum = () => [...left.values()].reduce((all, amountMinor) => all + BigInt(amountMinor), 0n);
      for (const [index, amountMinor] of amounts.entries()) {
        const fits = sum() + BigInt(amountMinor) <= BigInt(MOST);
        expect(await buy(shop, `order-${index}`, amountMinor)).toBe(fits ? 'done' : 'balance_limit_exceeded');
        if (fits) left.set(`order-${index}`, amountMinor);
      }
      for (const { order, share } of parts) {
        const remaining = left.get(`order-${order}`) ?? 0;
        const returned = Math.floor(remaining * share);
        if (returned === 0) continue;
        expect(await giveBack(shop, `order-${order}`, returned)).toBe('done');
        left.set(`order-${order}`, remaining - returned);
        expect(BigInt(await amountOf(shop))).toBe(sum());
      }
      expect(await counter.failedControls()).toEqual([]);
      for (const [reference, remaining] of left) {
        if (remaining > 0) expect(await giveBack(shop, reference, remaining)).toBe('done');
      }
      expect(await amountOf(shop)).toBe(0);
      expect(await counter.failedControls()).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

test('the migration mends sums that had stopped at 2^53-1, and none can fall below zero again', async () => {
  const shop = await openShop();
  await buy(shop, 'order-1', 700);
  await giveBack(shop, 'order-1', 300);
  const { adminPool } = counter.database;
  const set = (to: number) =>
    adminPool.query('update program_profiles set purchase_amount_minor = $2 where environment_id = $1', [
      shop.id,
      to,
    ]);
  await expect(set(-1)).rejects.toThrow('program_profiles_purchase_amount_check');
  await set(5);
  expect(await counter.failedControls()).toEqual(['history-equals-orders']);
  const file = new URL(
    '../../../prisma/migrations/20261122131000_purchase_amount_bounds/migration.sql',
    import.meta.url,
  );
  const [statement = ''] = (await readFile(file, 'utf8')).match(/update program_profiles[^;]+;/) ?? [];
  await adminPool.query(statement);
  expect(await amountOf(shop)).toBe(400);
  expect(await counter.failedControls()).toEqual([]);
});
