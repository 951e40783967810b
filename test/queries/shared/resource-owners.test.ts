import { beforeAll, describe, expect, test } from '@jest/globals';
import { quoteRedemption } from '../../../src/commands/redemptions/quote-redemption.ts';
import { createPool } from '../../../src/db/pool.ts';
import { fromTypeId, newUuid } from '../../../src/ids.ts';
import { ResourceOwners } from '../../../src/queries/shared/resource-owners.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { atEnd } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const MUG = { id: 'mug', name: 'Mug', points: 10 };

let shop: Shop;
let other: Shop;
let pool: ReturnType<typeof createPool>;
const quoteOf: Record<string, string> = {};

const counter = useCounter();

beforeAll(async () => {
  pool = createPool({ url: counter.database.serverUrl, size: 4 });
  const writer = counter.writer();
  shop = await counter.environment(program({ rewards: [MUG] }));
  other = await counter.environment(program({ rewards: [MUG] }));
  for (const each of [shop, other]) await each.addMembers(writer, ['ann', 'bob']);
  for (const customer of ['ann', 'bob']) {
    await writer.submit(shop.earn(customer, { sourceReference: `order of ${customer}, "1"` }));
    const outcome = await writer.submit(
      quoteRedemption(
        {
          idempotencyKey: newUuid(),
          programId: 'coffee-club',
          externalCustomerId: customer,
          sourceReference: `checkout-${customer}`,
          rewardId: 'mug',
        },
        shop.caller,
      ),
    );
    if (isRefusal(outcome)) throw new Error(outcome.code);
    const { quote } = outcome.receipt as { quote: { id: string } };
    quoteOf[customer] = fromTypeId('quo', quote.id) ?? '';
  }
  await writer.submit(other.earn('bob', { sourceReference: 'order of ann, "1"' }));
});

atEnd(() => pool.end());

/** The same, with the names of the statements that it sends. */
function watched(): { owners: ResourceOwners; sent: string[] } {
  const sent: string[] = [];
  const connections = {
    connect: () => pool.connect(),
    query: (statement: { name: string; text: string; values: unknown[] }) => {
      sent.push(statement.name);
      return pool.query(statement);
    },
  };
  return { owners: new ResourceOwners({ of: () => connections as never }), sent };
}

describe('owners that are wanted at the same time', () => {
  test('are read by one statement of each kind, and each is that of its own resource', async () => {
    const { owners, sent } = watched();
    const order = (sourceReference: string) => owners.find(shop.id, { kind: 'order', sourceReference });
    const quote = (id = '') => owners.find(shop.id, { kind: 'quote', id });
    const found = await Promise.all([
      order('order of bob, "1"'),
      order('none'),
      quote(quoteOf.ann),
      order('order of ann, "1"'),
      quote(newUuid()),
      quote(quoteOf.bob),
      order('order of bob, "1"'),
    ]);
    expect(found.map((owner) => owner?.externalCustomerId ?? null)).toEqual([
      'bob',
      null,
      'ann',
      'ann',
      null,
      'bob',
      'bob',
    ]);
    expect(found[0]).toEqual({
      programId: 'coffee-club',
      externalCustomerId: 'bob',
      points: 100,
      rewardId: null,
    });
    expect(found[2]).toEqual({
      programId: 'coffee-club',
      externalCustomerId: 'ann',
      points: 10,
      rewardId: 'mug',
    });
    expect(sent.toSorted()).toEqual(['owners_by_order', 'owners_by_quote']);
  });

  test('are those of their environment', async () => {
    const { owners, sent } = watched();
    const reference = { kind: 'order', sourceReference: 'order of ann, "1"' } as const;
    const found = await Promise.all([
      owners.find(shop.id, reference),
      owners.find(other.id, reference),
      owners.find(other.id, { kind: 'quote', id: quoteOf.ann ?? '' }),
    ]);
    expect(found.map((owner) => owner?.externalCustomerId ?? null)).toEqual(['ann', 'bob', null]);
    expect(sent).toHaveLength(3);
  });
});
