import { expect, test } from '@jest/globals';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import type { Offer } from '../../src/programs/document/offer-document.ts';
import { MOST_ANSWER_BYTES } from '../../src/rules/offers/evaluation-budget.ts';
import { program } from '../support/rules/fixtures.ts';
import { line, offer, percent } from '../support/rules/offer-fixtures.ts';
import { rest } from '../support/surfaces/client.ts';
import { useServer } from '../support/surfaces/use-shop.ts';
import type { TestEnvironment } from '../support/surfaces/world.ts';

const { world, client } = useServer();

const stacking = (count: number): Offer[] =>
  Array.from({ length: count }, (_, index) => offer(`offer-${index}`, percent(10), { scope: 'environment' }));

const items = Array.from({ length: 500 }, (_, index) => ({
  ...line(`sku-${index}`, 1_000_000 + index),
  lineReference: `line-${index}`,
}));

async function withOffers(offersOf: Readonly<Record<string, number>>): Promise<TestEnvironment> {
  const shop = await world.environment();
  for (const [id, count] of Object.entries(offersOf)) {
    const document = program({ id, offers: stacking(count) });
    const outcome = await publishProgram(world.administrator, {
      environmentId: shop.id,
      document,
      effectiveFrom: null,
    });
    expect(outcome).toMatchObject({ published: true });
  }
  return shop;
}

test('four programs of 500 stacking offers refuse a cart of 500 lines, in few bytes, and take a small one', async () => {
  const shop = await withOffers({ a: 500, b: 500, c: 500, d: 500 });
  const ask = (lines: number) =>
    client.send(rest(shop, 'POST', '/offers/evaluate', { items: items.slice(0, lines) }));
  const refused = await ask(500);
  expect(refused).toMatchObject({ status: 422, code: 'cart_too_large' });
  expect(refused.body.error).toMatchObject({
    message: 'The answer would be larger than 1000000 bytes. Send fewer lines, or ask without `explain`.',
    details: [{ path: 'items', message: 'has too many lines for the offers that apply to them' }],
  });
  expect(refused.text.length).toBeLessThan(1_000);
  const taken = await ask(1);
  expect(taken.status).toBe(200);
  expect(taken.text.length).toBeLessThan(MOST_ANSWER_BYTES + 1_000);
});

test('the largest answer is within the budget, and one more offer is beyond it', async () => {
  const answers: [number, boolean][] = [];
  for (const count of [26, 27]) {
    const shop = await withOffers({ a: count });
    const { status, text } = await client.send(rest(shop, 'POST', '/offers/evaluate', { items }));
    answers.push([status, Buffer.byteLength(text) > MOST_ANSWER_BYTES * 0.95]);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_ANSWER_BYTES + 1_000);
  }
  expect(answers).toEqual([
    [200, true],
    [422, false],
  ]);
});
