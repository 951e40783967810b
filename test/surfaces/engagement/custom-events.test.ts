import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addMembers, engage, readMember, rest } from '../../support/surfaces/client.ts';
import {
  type Answers,
  brew,
  type Club,
  edgeOf,
  expectNeed,
  openClub,
} from '../../support/surfaces/engagement.ts';
import type { TestEnvironment } from '../../support/surfaces/world.ts';

let club: Club;
let shop: TestEnvironment;

beforeAll(async () => {
  club = await openClub();
  shop = club.shop;
});

afterAll(async () => {
  expect(await club.world.eventFaults()).toEqual([]);
  expect(await club.world.failedControls()).toEqual([]);
  await club.close();
});

const ada = { externalCustomerId: 'ada' };
const stars = (count: unknown) => ({ ...ada, attributes: { sku: 'house-blend', stars: count } });

describe('what is answered', () => {
  const cases: Answers[] = [
    { status: 201, code: null, what: 'a new event', sent: () => engage(shop, ada, 'e-1') },
    { status: 200, code: null, what: 'the same again', sent: () => engage(shop, ada, 'e-1') },
    {
      status: 200,
      code: null,
      what: 'its reference under another key',
      sent: () => engage(shop, { ...ada, sourceReference: 'event e-1' }, 'e-2'),
    },
    {
      status: 201,
      code: null,
      what: 'an event of a customer who is enrolled nowhere',
      sent: () => engage(shop, { externalCustomerId: 'stranger' }, 'e-3'),
    },
    ...edgeOf(
      (credentials) => engage(credentials, ada, 'edge'),
      () => shop,
    ),
    {
      status: 404,
      code: 'event_definition_not_found',
      what: 'an undefined type',
      sent: () => engage(shop, { ...ada, type: 'sneeze' }, 'e-4'),
    },
    {
      status: 404,
      code: 'event_definition_not_found',
      what: 'a type that is switched off',
      sent: () => engage(shop, { ...ada, type: 'newsletter-signup' }, 'e-5'),
    },
    {
      status: 404,
      code: 'member_not_found',
      what: 'nobody',
      sent: () => engage(shop, { externalCustomerId: 'nobody' }, 'e-6'),
    },
    {
      status: 404,
      code: 'member_not_found',
      what: 'a suspended member',
      sent: () => engage(shop, { externalCustomerId: 'gone' }, 'e-7'),
    },
    {
      status: 409,
      code: 'idempotency_key_reused',
      what: 'another body',
      sent: () => engage(shop, stars(1), 'e-1'),
    },
    {
      status: 409,
      code: 'source_reference_conflict',
      what: 'a reference of another member',
      sent: () => engage(shop, { externalCustomerId: 'ben', sourceReference: 'event e-1' }, 'e-8'),
    },
    { status: 409, code: 'production_locked', what: 'a lock', sent: () => engage(club.locked, ada, 'e-9') },
    {
      status: 422,
      code: 'attributes_invalid',
      what: 'six stars',
      sent: () => engage(shop, stars(6), 'e-10'),
    },
    {
      status: 422,
      code: 'validation_failed',
      what: 'an event of the future',
      sent: () => engage(shop, { ...ada, occurredAt: '2999-01-01T00:00:00Z' }, 'e-11'),
    },
    {
      status: 422,
      code: 'validation_failed',
      what: 'a time that is none',
      sent: () => engage(shop, { ...ada, occurredAt: 'yesterday' }, 'e-12'),
    },
    {
      status: 422,
      code: 'validation_failed',
      what: 'attributes that are no object',
      sent: () => engage(shop, { ...ada, attributes: [1] }, 'e-13'),
    },
  ];

  test.each(cases)('$status $code: $what', async ({ status, code, sent }) => {
    const answer = await club.client.send(sent());
    expect(answer).toMatchObject({ status, code });
    if (code === null) {
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
        status: 'accepted',
        requestId: expect.stringMatching(/^req_/),
        awards: [],
      });
      expect(answer.replayed).toBe(status === 200);
    }
  });

  test.each(['type', 'externalCustomerId', 'sourceReference'])('422 without %s', async (field) => {
    const answer = await club.client.send(engage(shop, { ...ada, [field]: undefined }, 'missing'));
    expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
    expect(answer.body.error?.details?.map(({ path }) => path)).toEqual([field]);
  });

  test('422 names each violation of the attributes', async () => {
    const sent = engage(shop, { ...ada, attributes: { stars: 'five' } }, 'details');
    expect((await club.client.send(sent)).body.error?.details).toEqual([
      { path: 'attributes.sku', message: "must have required property 'sku'" },
      { path: 'attributes.stars', message: 'must be integer' },
    ]);
  });

  test('403, 429 and 500', () => expectNeed(club, (credentials, key) => engage(credentials, ada, key)));
});

describe('challenges', () => {
  test('the third review of a month earns 30 points, which transactions and the member show', async () => {
    await addMembers(club.client, shop, ['critic']);
    const critic = { externalCustomerId: 'critic' };
    for (const key of ['c-1', 'c-2']) {
      expect((await club.client.send(engage(shop, critic, key))).body.awards).toEqual([]);
    }
    const third = await club.client.send(engage(shop, critic, 'c-3'));
    const transactionId = expect.stringMatching(/^txn_/);
    expect(third.body.awards).toEqual([
      { programId: 'coffee-club', challengeId: 'critic', transactionId, points: 30, choiceSetId: null },
    ]);
    const [award] = third.body.awards as { transactionId: string }[];
    const read = await club.client.send(rest(shop, 'GET', `/transactions/${award?.transactionId}`));
    expect(read.body.transaction).toMatchObject({
      type: 'challenge',
      eventType: 'challenge.awarded',
      externalCustomerId: 'critic',
      sourceReference: 'event c-3',
      points: 30,
    });
    const listed = await club.client.send(
      rest(shop, 'GET', '/transactions?eventType=challenge.awarded&externalCustomerId=critic'),
    );
    expect(listed.body.data).toMatchObject([{ id: award?.transactionId }]);
    const { body } = await club.client.send(readMember(shop, 'critic'));
    expect(body.programs).toMatchObject([{ balances: [{ available: 30 }] }]);
  });

  test('a kilo of coffee grants a gift', async () => {
    await addMembers(club.client, shop, ['barista']);
    const brewed = await club.client.send(brew(shop, 'barista', 'brew'));
    expect(brewed.body.awards).toEqual([
      {
        programId: 'coffee-club',
        challengeId: 'home-barista',
        transactionId: null,
        points: 0,
        choiceSetId: 'gifts',
      },
    ]);
  });

  test('one event sent fifty times through two servers is recorded once', async () => {
    await addMembers(club.client, shop, ['racer']);
    const racer = { externalCustomerId: 'racer', sourceReference: 'race' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? club.client : club.other).send(engage(shop, racer, `race-${index}`)),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status, replayed }) => status === 200 && replayed)).toHaveLength(49);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('thirty reviews through two servers complete the challenge ten times', async () => {
    await addMembers(club.client, shop, ['writer']);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? club.client : club.other).send(
          engage(shop, { externalCustomerId: 'writer' }, `writer-${index}`),
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201));
    expect(answers.flatMap(({ body }) => body.awards)).toHaveLength(10);
    const { body } = await club.client.send(readMember(shop, 'writer'));
    expect(body.programs).toMatchObject([{ balances: [{ available: 300 }] }]);
  });
});
