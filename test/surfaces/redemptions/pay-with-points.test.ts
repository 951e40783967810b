import { beforeAll, expect, test } from '@jest/globals';
import { documents } from '../../../rest-adapter/generated/documents.ts';
import { Random } from '../../../simulator/random.ts';
import { newUuid } from '../../../src/ids.ts';
import { atEnd } from '../../support/fixture.ts';
import {
  type Client,
  earn,
  graphql,
  onReservation,
  quote,
  readMember,
  redeem,
  rest,
} from '../../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../../support/surfaces/customers.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';

// The demo's reward: 100 points for a dollar, in steps of 50 from 100 on, for up to half of an order.

const rewardId = 'points-at-checkout';
/** How many clients reverse parts of one redemption at the same time. */
const CLIENTS = 64;

const { world, client, shop } = useShop({
  program: (yaml) =>
    yaml.replace(
      'rewards:\n',
      'rewards:\n  - { id: thirds, name: Thirds, payWithPoints: { pointsPerUnit: 3, unitMinor: 7 } }\n',
    ),
  members: ['ada', 'grace', 'racer'],
});
const key = makeKey('ES256', 'one');

beforeAll(async () => {
  await addTestIssuer(world, shop.id, [key]);
  for (const externalCustomerId of ['ada', 'grace', 'racer']) {
    // 3,000 points each, in lots of 500.
    for (const lot of [1, 2, 3, 4, 5, 6]) {
      const sourceReference = `${externalCustomerId}-${lot}`;
      await sent(earn(shop, { externalCustomerId, sourceReference, amountMinor: 50_000 }, sourceReference));
    }
  }
});

atEnd(async () => expect(await world.failedControls()).toEqual([]));
atEnd(async () => expect(await world.eventFaults()).toEqual([]));

/** The body of an answer that is no refusal. */
async function sent(request: Parameters<Client['send']>[0]) {
  const { status, body, text } = await client.send(request);
  if (status >= 300) throw new Error(text);
  return body;
}

async function available(externalCustomerId: string): Promise<number> {
  const { programs } = await sent(readMember(shop, externalCustomerId));
  const [program] = programs as { balances: { available: number }[] }[];
  return program?.balances[0]?.available ?? -1;
}

const paying = (externalCustomerId: string, payment: object) =>
  quote(shop, { externalCustomerId, rewardId, ...payment }, newUuid());

/** Pays with points for an order. @returns the id of the committed reservation */
const paid = (externalCustomerId: string, payment: object): Promise<string> =>
  redeem(client, shop, { externalCustomerId, rewardId, ...payment }, newUuid());

test('through REST: a quote by amount, the reservation, parts of a reversal', async () => {
  const { quote: quoted } = await sent(paying('ada', { amountMinor: 1_234, orderAmountMinor: 5_000 }));
  expect(quoted).toMatchObject({
    points: 1_200,
    terms: { discountMinor: 1_200, currency: 'USD', orderAmountMinor: 5_000 },
  });
  const id = await paid('ada', { points: 1_200, orderAmountMinor: 5_000 });
  const before = await available('ada');
  const { reservation } = await sent(
    onReservation(shop, id, 'reverse', { reason: 'r', amountMinor: 401 }, newUuid()),
  );
  expect(reservation).toMatchObject({
    state: 'committed',
    discount: {
      amountMinor: 1_200,
      currency: 'USD',
      orderAmountMinor: 5_000,
      reversedMinor: 401,
      reversedPoints: 401,
    },
  });
  expect(await available('ada')).toBe(before + 401);
  expect((await sent(rest(shop, 'GET', `/redemptions/${id}`))).reservation).toEqual(reservation);
  expect((await sent(rest(shop, 'GET', '/redemptions?externalCustomerId=ada'))).data).toContainEqual(
    reservation,
  );
  const last = await sent(onReservation(shop, id, 'reverse', { reason: 'r' }, newUuid()));
  expect(last.reservation).toMatchObject({
    state: 'reversed',
    discount: { reversedMinor: 1_200, reversedPoints: 1_200 },
  });
  expect(await available('ada')).toBe(before + 1_200);
});

test('through GraphQL: the same', async () => {
  const input = {
    ...{ programId: 'coffee-club', externalCustomerId: 'ada', rewardId, sourceReference: 'g' },
    ...{ idempotencyKey: newUuid(), points: 150, orderAmountMinor: 300 },
  };
  const { data } = await sent(graphql(shop, documents.quoteRedemption, { input }));
  expect(data).toMatchObject({ quoteRedemption: { quote: { points: 150, terms: { discountMinor: 150 } } } });
  const id = await paid('ada', { points: 150, orderAmountMinor: 300 });
  const part = { reservationId: id, idempotencyKey: newUuid(), reason: 'r', amountMinor: 151 };
  const tooMuch = await client.send(graphql(shop, documents.reverseRedemption, { input: part }));
  expect(tooMuch.body.errors?.[0]?.extensions).toMatchObject({
    code: 'reversal_exceeds_remaining',
    httpStatus: 409,
  });
});

test.each<[number, string, object]>([
  [422, 'quote_form_invalid', { points: 100 }],
  [422, 'quote_form_invalid', { orderAmountMinor: 1_000 }],
  [422, 'quote_form_invalid', { points: 100, amountMinor: 100, orderAmountMinor: 1_000 }],
  [422, 'quote_form_invalid', { rewardId: 'free-coffee', points: 150 }],
  [422, 'points_out_of_range', { points: 125, orderAmountMinor: 1_000 }],
  [422, 'points_out_of_range', { points: 550, orderAmountMinor: 1_000 }],
  [409, 'insufficient_points', { points: 5_000, orderAmountMinor: 100_000 }],
  [422, 'validation_failed', { points: 0, orderAmountMinor: 1_000 }],
  [422, 'validation_failed', { amountMinor: 1.5, orderAmountMinor: 1_000 }],
])('a quote is refused: %i %s, %j', async (status, code, payment) => {
  const refused = await client.send(paying('grace', payment));
  expect(refused).toMatchObject({ status, code });
});

test('a customer finds it in the catalog, and pays with points', async () => {
  const own = (method: 'GET' | 'POST', path: string, body?: object) =>
    loyalty(shop, customerToken(key, 'grace'), method, path, body, newUuid());
  const { data } = await sent(own('GET', '/catalog?programId=coffee-club'));
  const shown = (data as unknown as { id: string }[]).find(({ id }) => id === rewardId);
  expect(shown).toMatchObject({
    pointsCost: 100,
    redeemable: true,
    payWithPoints: {
      ...{
        pointsPerUnit: 100,
        unitMinor: 100,
        currency: 'USD',
        step: 50,
        minimumPoints: 100,
        maximumPoints: null,
      },
      maximumShareOfOrder: { numerator: 1, denominator: 2 },
    },
  });
  const asked = { programId: 'coffee-club', rewardId, amountMinor: 700, orderAmountMinor: 1_000 };
  expect((await sent(own('POST', '/redemptions/quote', asked))).quote).toEqual({
    id: expect.stringMatching(/^quo_/),
    points: 500,
    expiresAt: expect.any(String),
    discountMinor: 500,
  });
});

test(`${CLIENTS} clients reverse parts of one redemption at once: never more than it, and to the point`, async () => {
  const random = new Random(64);
  const start = await available('racer');
  for (const points of [2_949, 999, 99]) {
    const discount = (points / 3) * 7;
    const id = await paid('racer', { rewardId: 'thirds', points });
    expect(await available('racer')).toBe(start - points);
    const amounts = Array.from({ length: CLIENTS }, () => random.between(1, Math.ceil(discount / 16)));
    const answers = await Promise.all(
      amounts.map((amountMinor) =>
        client.send(onReservation(shop, id, 'reverse', { reason: 'r', amountMinor }, newUuid())),
      ),
    );
    const codes = new Set(answers.map(({ code }) => code));
    for (const code of codes) {
      expect([null, 'reversal_exceeds_remaining', 'invalid_redemption_state']).toContain(code);
    }
    // Together they ask for more than there is: some are too late.
    expect(codes.size).toBeGreaterThan(1);
    const reversed = amounts.reduce(
      (sum, amount, index) => sum + (answers[index]?.code === null ? amount : 0),
      0,
    );
    expect(reversed).toBeLessThanOrEqual(discount);
    const reversedPoints = Math.floor((6 * reversed + 7) / 14);
    const { reservation } = await sent(rest(shop, 'GET', `/redemptions/${id}`));
    expect(reservation).toMatchObject({ discount: { reversedMinor: reversed, reversedPoints } });
    expect(await available('racer')).toBe(start - points + reversedPoints);
    if (reversed < discount) await sent(onReservation(shop, id, 'reverse', { reason: 'r' }, newUuid()));
    expect(await available('racer')).toBe(start);
  }
});
