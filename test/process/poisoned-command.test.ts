import { expect, test } from '@jest/globals';
import { earn, graphql, returnOrder, type Sent } from '../support/surfaces/client.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';

const NEIGHBOURS = 60;
const ROUNDS = 3;

const { database, world, server, client, shop } = useShopApart({
  members: ['ada', 'ben', 'poisoned'],
  connections: NEIGHBOURS + 2,
});

function purchase(externalCustomerId: string, key: string): Sent {
  return earn(shop, { externalCustomerId, sourceReference: key, amountMinor: 1000 }, key);
}

const MUTATION = 'mutation ($input: RecordReturnInput!) { recordReturn(input: $input) { id } }';

test('a command that makes the service throw: it alone is answered 500, and its error is logged once', async () => {
  expect((await client.send(purchase('poisoned', 'spoilt'))).status).toBe(201);
  // Nothing that a client sends does this: a balance that is damaged by hand stands for a fault of the service.
  await database.adminPool.query(
    `update program_profiles set available = 0 where member_id =
      (select id from members where external_customer_id = 'poisoned')`,
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    const returned = { sourceReference: 'spoilt', returnReference: `r-${round}`, returnAmountMinor: 1000 };
    const input = { ...returned, returnReference: `g-${round}`, idempotencyKey: `g-${round}` };
    const [poisoned, overGraphql, ...others] = await Promise.all([
      client.send(returnOrder(shop, returned, `p-${round}`)),
      client.send(graphql(shop, MUTATION, { input })),
      ...Array.from({ length: NEIGHBOURS }, (_, index) =>
        client.send(purchase(index % 2 ? 'ada' : 'ben', `n-${round}-${index}`)),
      ),
    ]);
    expect(others.map(({ status }) => status)).toEqual(Array(NEIGHBOURS).fill(201));
    for (const answer of [poisoned, overGraphql]) {
      const id = answer?.headers['x-request-id'];
      expect({ status: answer?.status, code: answer?.code }).toEqual({ status: 500, code: 'internal_error' });
      expect(answer?.text).not.toMatch(/posting|\.ts\b/);
      const told = answer?.body.error?.requestId ?? answer?.body.errors?.[0]?.extensions.requestId;
      expect(told).toBe(id);
      const lines = server
        .stderr()
        .split('\n')
        .filter((line) => line.includes(String(id)));
      expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([50]);
    }
  }
  expect(server.stderr().trim().split('\n')).toHaveLength(ROUNDS * 2);
  expect(await world.count('select count(*) from returns')).toBe(0);
});
