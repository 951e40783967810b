import { expect, jest, test } from '@jest/globals';
import { publishProgram } from '../../../src/admin/programs/publish-program.ts';
import { operator } from '../../../src/admin/shared/admin-change.ts';
import { createPrisma } from '../../../src/db/prisma.ts';
import type { ProgramDocument } from '../../../src/programs/document/program-document.ts';
import { codeOf, receiptOf } from '../../support/commands/desk.ts';
import { atEnd } from '../../support/fixture.ts';
import type { Shop } from '../../support/ledger/counter.ts';
import { useCounter } from '../../support/ledger/use-counter.ts';
import { program } from '../../support/rules/fixtures.ts';

const HOUR_MS = 3_600_000;

const counter = useCounter();

atEnd(async () => expect(await counter.failedControls()).toEqual([]));

/** A program whose one campaign may give so many points to all members together. */
function capped(id: string, totalPoints: number): ProgramDocument {
  return program({
    campaigns: [
      {
        id,
        match: 'all',
        conditions: [],
        award: { bonusPoints: 50 },
        stacking: 'stack',
        caps: { totalPoints },
      },
    ],
  });
}

/** Two purchases, one after the other, so that the second one needs the counter that the first one wrote. */
async function buyTwice(shop: Shop, customer: string): Promise<unknown[]> {
  const writer = counter.writer();
  await shop.addMembers(writer, [customer]);
  const outcomes = [await writer.submit(shop.earn(customer)), await writer.submit(shop.earn(customer))];
  expect(outcomes.map(codeOf)).toEqual(['done', 'done']);
  return outcomes.map((outcome) => {
    const { configurationVersion, campaigns } = receiptOf(outcome) as {
      configurationVersion: number;
      campaigns: { campaignId: string }[];
    };
    return [configurationVersion, campaigns.map(({ campaignId }) => campaignId)];
  });
}

test('after a publication from a machine that is an hour ahead, purchases are done under the new version', async () => {
  const shop = await counter.environment(capped('spring', 1_000));
  expect(await buyTwice(shop, 'ann')).toEqual(Array(2).fill([1, ['spring']]));
  const prisma = createPrisma(counter.database.adminPool);
  const ahead = jest
    .spyOn(Date, 'now')
    .mockImplementation(() => performance.timeOrigin + performance.now() + HOUR_MS);
  try {
    const publication = { environmentId: shop.id, document: capped('summer', 1_000), effectiveFrom: null };
    expect(await publishProgram({ prisma, actor: operator('ada') }, publication)).toMatchObject({
      version: 2,
    });
  } finally {
    ahead.mockRestore();
    await prisma.$disconnect();
  }
  expect(await buyTwice(shop, 'ben')).toEqual(Array(2).fill([2, ['summer']]));
});

test('a version that was stamped an hour ahead does not take the counters of the version in effect away', async () => {
  const shop = await counter.environment(capped('spring', 1_000));
  // Its dates say that it took effect when it was published, as where the database's clock was set back since.
  await shop.publish(capped('summer', 1_000), new Date(Date.now() + HOUR_MS));
  expect(await buyTwice(shop, 'ann')).toEqual(Array(2).fill([1, ['spring']]));
  expect(await buyTwice(shop, 'ben')).toEqual(Array(2).fill([1, ['spring']]));
  const taken =
    "select taken from shared_counters where environment_id = $1 and counter_id = 'campaign:spring'";
  expect(await counter.value(taken, [shop.id])).toBe(200);
});
