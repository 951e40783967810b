import { beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../support/surfaces/customers.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';

const LIMIT = 12;
const SENT = 40;
/** If the machine pauses for a moment, a worker may count alone for a second: then the test tries again. */
const MOST_ROUNDS = 5;

const key = makeKey('EdDSA', 'one');

const { world, server, shop } = useShopApart({
  env: { WORKERS: '2', CUSTOMER_RATE_LIMIT_PER_MINUTE: String(LIMIT) },
});

beforeAll(() => addTestIssuer(world, shop.id, [key]));

/** Sends requests of a customer over as many connections, which both workers take. @returns how many were allowed */
async function allowed(customer: string, tokens: readonly string[]): Promise<number> {
  const client = new Client(server.url, SENT);
  const answers = await Promise.all(
    Array.from({ length: SENT }, (_, index) =>
      client.send(loyalty(shop, tokens[index % tokens.length] ?? '', 'GET', '/member')),
    ),
  );
  client.close();
  const through = answers.filter(({ status }) => status === 404).length;
  const refused = answers.filter(({ status, code }) => status === 429 && code === 'rate_limited').length;
  expect([customer, through + refused]).toEqual([customer, SENT]);
  return through;
}

test('the workers of a server share the limit of a customer, whatever its tokens', async () => {
  let through = 0;
  for (let round = 0; round < MOST_ROUNDS && through !== LIMIT; round++) {
    const customer = `nobody-${round}`;
    const tokens = [customerToken(key, customer), customerToken(key, customer, { jti: 'another' })];
    through = await allowed(customer, tokens);
  }
  expect(through).toBe(LIMIT);
  // Another customer has a limit of its own.
  expect(await allowed('other', [customerToken(key, 'other')])).toBeGreaterThanOrEqual(LIMIT);
});
