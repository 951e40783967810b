import { beforeAll, expect, test } from '@jest/globals';
import { atEnd } from '../support/fixture.ts';
import { program } from '../support/rules/fixtures.ts';
import { earn, type Received, rest } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';

// With the salt spring: ann is in bucket 2444, customer-ada in 6158, customer-1 in 8699.
const spring = {
  ...{ id: 'spring', match: 'all', conditions: [], award: { bonusPoints: 70 } },
  ...{ caps: { totalPoints: 200 }, holdout: { percent: 50, salt: 'spring' } },
};
const document = JSON.stringify(
  program({
    campaigns: [
      spring as never,
      {
        id: 'large',
        match: 'all',
        conditions: [{ field: 'purchase.amountMinor', operator: 'gte', value: 20_000 }],
        award: { bonusPoints: 5 },
      },
    ],
  }),
);

const { world, client, shop } = useShop({
  twins: true,
  program: () => document,
  members: ['ann', 'customer-ada', 'customer-1'],
});

beforeAll(async () => {
  for (const [index, [externalCustomerId, amountMinor]] of (
    [
      ['ann', 10_000],
      ['ann', 30_000],
      ['customer-ada', 10_000],
      ['customer-ada', 10_000],
      ['customer-ada', 10_000],
      ['customer-1', 20_000],
    ] as const
  ).entries()) {
    const purchase = { externalCustomerId, amountMinor, sourceReference: `order-${index}` };
    expect((await client.send(earn(shop, purchase, `buy-${index}`))).status).toBe(201);
  }
});

atEnd(async () => expect(await world.failedControls()).toEqual([]));

function read(campaignId: string, programId = 'coffee-club'): Promise<Received> {
  return client.send(rest(shop, 'GET', `/campaigns/${campaignId}/report?programId=${programId}`));
}

test('says what the campaign has given, and how much of its cap', async () => {
  const { status, body } = await read('large');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      requestId: expect.any(String),
      ...{ programId: 'coffee-club', campaignId: 'large' },
      ...{ points: '10', members: 2, purchases: 2, amountMinor: '50000' },
      ...{ cap: null, holdout: null },
    },
  });
});

test('compares the members with it and those from whom it is withheld, also where the cap has left nothing', async () => {
  const { body } = await read('spring');
  // Ada got 70, 70 and 60; customer-1 came when the cap was used up; ann got nothing.
  expect(body).toMatchObject({ points: '200', members: 1, purchases: 3, amountMinor: '30000' });
  expect(body.cap).toEqual({ capPoints: 200, givenPoints: 200 });
  expect(body.holdout).toEqual({
    ...{ membersGiven: 2, membersHeldOut: 1 },
    purchases: { given: 2, heldOut: 2, difference: 0, low: null, high: null },
    amountMinor: { given: 25_000, heldOut: 40_000, difference: -15_000, low: null, high: null },
    // 3 × 100 + 200, and 200 + 5; of ann 100 + 300 + 5.
    points: { given: 352.5, heldOut: 405, difference: -52.5, low: null, high: null },
  });
});

test('a campaign that nobody knows is 404', async () => {
  for (const received of [await read('autumn'), await read('spring', 'tea-club')]) {
    expect({ status: received.status, error: received.body.error }).toMatchObject({
      status: 404,
      error: { code: 'program_not_found' },
    });
  }
});
