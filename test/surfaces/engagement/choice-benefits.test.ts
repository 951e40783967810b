import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addMembers, choose, earn, enroll, unenroll } from '../../support/surfaces/client.ts';
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
  for (const id of ['ada', 'ben']) await club.client.send(brew(shop, id, `brew-${id}`));
});

afterAll(async () => {
  expect(await club.world.eventFaults()).toEqual([]);
  expect(await club.world.failedControls()).toEqual([]);
  await club.close();
});

const ada = { externalCustomerId: 'ada' };

/** Members, each with a gift to choose. */
async function addChoosers(ids: readonly string[], environment = shop): Promise<void> {
  await addMembers(club.client, environment, ids);
  await Promise.all(ids.map((id) => club.client.send(brew(environment, id, `brew-${id}`))));
}

describe('what is answered', () => {
  const cases: Answers[] = [
    { status: 201, code: null, what: 'a new choice', sent: () => choose(shop, ada, 'c-1') },
    { status: 200, code: null, what: 'the same again', sent: () => choose(shop, ada, 'c-1') },
    {
      status: 200,
      code: null,
      what: 'its reference under another key',
      sent: () => choose(shop, { ...ada, sourceReference: 'choice c-1' }, 'c-2'),
    },
    ...edgeOf(
      (credentials) => choose(credentials, ada, 'edge'),
      () => shop,
    ),
    {
      status: 404,
      code: 'member_not_found',
      what: 'nobody',
      sent: () => choose(shop, { externalCustomerId: 'nobody' }, 'c-3'),
    },
    {
      status: 404,
      code: 'member_not_found',
      what: 'a suspended member',
      sent: () => choose(shop, { externalCustomerId: 'gone' }, 'c-4'),
    },
    {
      status: 404,
      code: 'choice_set_not_found',
      what: 'an unknown choice set',
      sent: () => choose(shop, { ...ada, choiceSetId: 'extras' }, 'c-5'),
    },
    {
      status: 404,
      code: 'reward_not_found',
      what: 'a reward that the set does not have',
      sent: () => choose(shop, { ...ada, rewardId: 'car' }, 'c-6'),
    },
    {
      status: 409,
      code: 'enrollment_required',
      what: 'a customer who is enrolled nowhere',
      sent: () => choose(shop, { externalCustomerId: 'stranger' }, 'c-7'),
    },
    { status: 409, code: 'no_choice_left', what: 'no choice left', sent: () => choose(shop, ada, 'c-8') },
    {
      status: 409,
      code: 'idempotency_key_reused',
      what: 'another body',
      sent: () => choose(shop, { ...ada, rewardId: 'mug' }, 'c-1'),
    },
    {
      status: 409,
      code: 'source_reference_conflict',
      what: 'a reference of another claim',
      sent: () => choose(shop, { externalCustomerId: 'ben', sourceReference: 'choice c-1' }, 'c-9'),
    },
    { status: 409, code: 'production_locked', what: 'a lock', sent: () => choose(club.locked, ada, 'c-10') },
  ];

  test.each(cases)('$status $code: $what', async ({ status, code, sent }) => {
    const answer = await club.client.send(sent());
    expect(answer).toMatchObject({ status, code });
    if (code === null) {
      expect(answer.body).toEqual({
        id: expect.stringMatching(/^chc_[0-9a-z]{26}$/),
        state: 'fulfilled',
        requestId: expect.stringMatching(/^req_/),
        choice: {
          setId: 'gifts',
          rewardId: 'filters',
          rewardName: 'A hundred paper filters',
          choicesRemaining: 0,
        },
      });
      expect(answer.replayed).toBe(status === 200);
    }
  });

  test.each(['externalCustomerId', 'choiceSetId', 'rewardId', 'sourceReference'])(
    '422 without %s',
    async (field) => {
      const answer = await club.client.send(choose(shop, { ...ada, [field]: undefined }, 'missing'));
      expect(answer).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(answer.body.error?.details?.map(({ path }) => path)).toEqual([field]);
    },
  );

  test('403, 429 and 500', async () => {
    await addChoosers(['limit', 'broken', 'scope', 'over']);
    await expectNeed(club, (credentials, key) => choose(credentials, { externalCustomerId: key }, key));
  });
});

describe('choices', () => {
  test('are granted with the tier that a purchase leads to, and spend no points', async () => {
    await addMembers(club.client, shop, ['rich']);
    const rich = { externalCustomerId: 'rich' };
    const bought = await club.client.send(
      earn(shop, { ...rich, amountMinor: 100_000_000, sourceReference: 'rich' }, 'rich'),
    );
    expect(bought.body.member).toMatchObject({ tier: 'gold' });
    const balance = `select available + pending from program_profiles p join members m on m.id = p.member_id
      where m.external_customer_id = 'rich'`;
    const before = await club.world.count(balance);
    expect((await club.client.send(choose(shop, { ...rich, rewardId: 'mug' }, 'rich'))).status).toBe(201);
    expect(await club.world.count(balance)).toBe(before);
  });

  test('expire with the enrollment, also while Production is locked', async () => {
    const production = await club.world.environment('production');
    await addChoosers(['leaver'], production);
    await club.world.lock(production.id, true);
    expect((await club.client.send(unenroll(production, 'leaver'))).status).toBe(200);
    await club.world.lock(production.id, false);
    const leaver = { externalCustomerId: 'leaver' };
    expect((await club.client.send(choose(production, leaver, 'left'))).code).toBe('enrollment_required');
    await club.client.send(enroll(production, 'leaver', 'back'));
    expect((await club.client.send(choose(production, leaver, 'back'))).code).toBe('no_choice_left');
  });

  test('of the last seats: twelve members get one through two servers, and nobody else', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `guest-${index}`);
    const environment = await club.world.environment();
    await addChoosers(ids, environment);
    const answers = await Promise.all(
      ids.map((externalCustomerId, index) =>
        (index % 2 === 0 ? club.client : club.other).send(
          choose(environment, { externalCustomerId, rewardId: 'workshop' }, externalCustomerId),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(12);
    expect(answers.filter(({ code }) => code === 'inventory_exhausted')).toHaveLength(8);
  });

  test('of the last one: a member who asks twenty times at once chooses once', async () => {
    await addChoosers(['hasty']);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? club.client : club.other).send(
          choose(shop, { externalCustomerId: 'hasty' }, `hasty-${index}`),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'no_choice_left')).toHaveLength(19);
  });
});
