import { beforeAll, expect, test } from '@jest/globals';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import type { Condition } from '../../src/programs/document/document-values.ts';
import type { ProgramDocument } from '../../src/programs/document/program-document.ts';
import { program, rule } from '../support/rules/fixtures.ts';
import { addMembers, earn, graphql, rest } from '../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../support/surfaces/customers.ts';
import { useShop } from '../support/surfaces/use-shop.ts';

/** As many rules and campaigns on lines as a document may have, each with some conditions. */
function document(conditionsOfEach: number): ProgramDocument {
  const conditions: Condition[] = Array.from({ length: conditionsOfEach }, () => ({
    ...{ field: 'items.unitPriceMinor' as const, operator: 'gt' as const, value: 0 },
  }));
  const lines = { match: 'all' as const, conditions };
  const last: Condition = { field: 'items.sku', operator: 'equals', value: 'nothing' };
  return program({
    earn: {
      rules: [
        ...Array.from({ length: 99 }, (_, index) => ({
          ...rule(`r-${index}`),
          lines: { match: 'all' as const, conditions: [last] },
        })),
        rule('base'),
      ],
    },
    campaigns: Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `c-${index}`, match: 'all' as const, conditions: [], lines, award: { bonusPoints: 10 } },
    })),
  });
}

const publish = (conditions: number) =>
  publishProgram(world.administrator, {
    ...{ environmentId: shop.id, document: document(conditions), effectiveFrom: null },
  });

function bought(lines: number, name: string) {
  const items = Array.from({ length: lines }, (_, index) => ({
    ...{ lineReference: `l-${index}`, sku: 'S', quantity: 1, unitPriceMinor: 100 },
  }));
  return { externalCustomerId: 'ada', amountMinor: lines * 100, sourceReference: name, items };
}

const { world, client, shop } = useShop();

beforeAll(async () => {
  expect(await publish(1)).toMatchObject({ published: true });
  await addMembers(client, shop, ['ada']);
});

test('a purchase of a thousand lines is refused at once, stores nothing, and a smaller one has the key', async () => {
  const begun = process.cpuUsage();
  const refused = await client.send(earn(shop, bought(1_000, 'large'), 'large'));
  const { user, system } = process.cpuUsage(begun);
  expect(refused).toMatchObject({ status: 422, code: 'cart_too_large' });
  expect(refused.text.length).toBeLessThan(1_000);
  // Client and server are in this process. Without a budget it took 495 ms, and an answer of 10 MB.
  expect((user + system) / 1_000).toBeLessThan(300);
  const taken = await client.send(earn(shop, bought(80, 'large'), 'large'));
  expect(taken).toMatchObject({ status: 201, code: null });
  expect(taken.text.length).toBeLessThan(1_010_000);
  expect(await world.failedControls()).toEqual([]);
});

test('the preview of a purchase, and GraphQL, refuse it alike', async () => {
  const { sourceReference: _none, ...previewed } = bought(1_000, 'previewed');
  const body = { type: 'purchase.completed', programId: 'coffee-club', channel: 'web', ...previewed };
  const preview = await client.send(rest(shop, 'POST', '/events/preview', body));
  expect(preview).toMatchObject({ status: 422, code: 'cart_too_large' });
  const query = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';
  const input = {
    ...bought(600, 'graphql'),
    idempotencyKey: 'graphql',
    programId: 'coffee-club',
    channel: 'web',
  };
  const { body: answered } = await client.send(graphql(shop, query, { input }));
  expect(answered.errors?.[0]?.extensions).toMatchObject({ code: 'cart_too_large', httpStatus: 422 });
});

test('a customer is refused it too', async () => {
  const key = makeKey('ES256', 'one');
  await addTestIssuer(world, shop.id, [key]);
  const { items } = bought(500, 'of a customer');
  const body = { programId: 'coffee-club', channel: 'web', amountMinor: 50_000, items };
  const token = customerToken(key, 'ada');
  const refused = await client.send(loyalty(shop, token, 'POST', '/purchases/preview', body));
  expect(refused).toMatchObject({ status: 422, code: 'cart_too_large' });
});

test('a document under which purchases of a hundred lines take too many steps is not published', async () => {
  const refused = await publish(10);
  expect(refused).toMatchObject({ code: 'validation_failed', details: [{ path: 'earn.rules' }] });
});
