import { beforeAll, expect, test } from '@jest/globals';
import { atEnd } from '../support/fixture.ts';
import {
  createMember,
  earn,
  engage,
  graphql,
  quote,
  readMember,
  reserve,
  rest,
} from '../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../support/surfaces/customers.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { programId } from '../support/surfaces/world.ts';

// Of the demo's club: bronze from 0, silver from 1,000 and gold from 5,000 in a calendar year; a choice of gifts for
// gold and for a kilo of coffee within 30 days; three reviews in a month, again and again; a coffee for 150 points. One
// challenge is for members with a tag alone.

const SECRET = `challenges:
  - id: secret-society
    name: Secret society
    eventType: brew
    match: all
    conditions: []
    goal: { count: 1 }
    audiences: [friends]
    award: { points: 1 }
`;

const { world, client, shop } = useShop({
  program: (yaml) => yaml.replace(/^challenges:\n/m, SECRET),
  members: ['ada', 'ben'],
});
const key = makeKey('ES256', 'one');

beforeAll(async () => {
  await addTestIssuer(world, shop.id, [key]);
  await client.send(createMember(shop, 'idle'));
  await client.send(rest(shop, 'PUT', '/members/ada/tags/vip-tag', undefined, 'tag'));
  await client.send(
    rest(shop, 'POST', '/lists/secret-list/members', { externalCustomerIds: ['ada'] }, 'list'),
  );
  // 2,000 qualification points: silver.
  const bought = { externalCustomerId: 'ada', amountMinor: 200_000, sourceReference: 'order-1' };
  expect((await client.send(earn(shop, bought, 'order-1'))).status).toBe(201);
  for (const [index, grams] of [1000, 250].entries()) {
    const brewed = { type: 'brew', externalCustomerId: 'ada', attributes: { grams } };
    await client.send(engage(shop, { ...brewed, sourceReference: `brew-${index}` }, `brew-${index}`));
  }
  for (let review = 0; review < 4; review++) {
    const reviewed = { type: 'review', externalCustomerId: 'ada', attributes: { sku: 'beans', stars: 5 } };
    await client.send(engage(shop, { ...reviewed, sourceReference: `r-${review}` }, `r-${review}`));
  }
  const asked = { externalCustomerId: 'ada', rewardId: 'free-coffee', sourceReference: 'checkout-secret' };
  const quoted = await client.send(quote(shop, asked, 'quote'));
  const { id } = quoted.body.quote as { id: string };
  expect((await client.send(reserve(shop, id, 'reserve'))).status).toBe(201);
});

atEnd(async () => expect(await world.failedControls()).toEqual([]));

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

function asCustomer(customer: string, path: string) {
  return client.send(loyalty(shop, customerToken(key, customer), 'GET', path));
}

test('the details show tags, lists, and all that a member has and is on the way to', async () => {
  const { status, headers, body } = await client.send(rest(shop, 'GET', '/members/ada/details'));
  expect({ status, 'cache-control': headers['cache-control'] }).toEqual({
    status: 200,
    'cache-control': 'no-store',
  });
  const read = await client.send(readMember(shop, 'ada'));
  const [plain] = read.body.programs as { balances: { available: number; reserved: number }[] }[];
  const balance = plain?.balances[0];
  expect(body.member).toEqual({ ...(read.body.member as object), tags: ['vip-tag'], lists: ['secret-list'] });
  expect(body.programs).toEqual([
    {
      ...plain,
      tier: 'silver',
      qualificationPoints: 2000,
      nextTier: { tier: 'gold', name: 'Gold', threshold: 5000, missing: 3000 },
      // The points of this year suffice for silver, so it falls at the end of the next one.
      tierUntil: expect.stringMatching(`^${new Date().getUTCFullYear() + 2}-01-01T`),
      challenges: [
        expect.objectContaining({ challengeId: 'secret-society', open: false, reached: 0, goal: 1 }),
        {
          challengeId: 'critic',
          name: 'Critic of the month',
          open: true,
          reached: 1,
          goal: 3,
          completions: 1,
          windowStart: instant,
          windowEnd: instant,
        },
        expect.objectContaining({ challengeId: 'home-barista', reached: 1000, goal: 1000, completions: 1 }),
      ],
      choices: [
        {
          id: expect.stringMatching(/^cgr_/),
          choiceSetId: 'gifts',
          name: 'A gift from the shelf',
          grantedBy: expect.stringMatching(/^challenge:home-barista#1@/),
          choices: 1,
          remaining: 1,
          grantedAt: instant,
          expiresAt: instant,
        },
      ],
      holds: [
        {
          reservationId: expect.stringMatching(/^rsv_/),
          rewardId: 'free-coffee',
          rewardName: 'A coffee of your choice',
          sourceReference: 'checkout-secret',
          points: 150,
          reservedAt: instant,
          expiresAt: instant,
        },
      ],
      lots: [
        expect.objectContaining({ reserved: 150 }),
        expect.objectContaining({ granted: 30, available: 30 }),
      ],
      hasMoreLots: false,
      expirations: [{ points: balance?.available, at: instant }],
    },
  ]);
  expect(balance?.reserved).toBe(150);
});

test('one who is in no program has none of it, and nobody is 404', async () => {
  const idle = await client.send(rest(shop, 'GET', '/members/idle/details'));
  expect({ status: idle.status, programs: idle.body.programs }).toEqual({ status: 200, programs: [] });
  const nobody = await client.send(rest(shop, 'GET', '/members/nobody/details'));
  expect(nobody).toMatchObject({ status: 404, code: 'member_not_found' });
});

test('a new member lacks all of the next tier, and keeps the first one for ever', async () => {
  const { body } = await client.send(rest(shop, 'GET', '/members/ben/details'));
  expect(body.programs).toMatchObject([
    {
      nextTier: { tier: 'silver', missing: 1000 },
      tierUntil: null,
      choices: [],
      holds: [],
      lots: [],
      expirations: [],
    },
  ]);
});

test('GraphQL reads the same where it is selected, through fragments too, and within its limits', async () => {
  const details = await client.send(rest(shop, 'GET', '/members/ada/details'));
  const [program] = details.body.programs as {
    tierUntil: string;
    lots: { id: string; available: number }[];
  }[];
  const query = `query ($id: String!) {
    member(externalCustomerId: $id) { member { tags lists } programs { ...progress } }
  }
  fragment progress on ProgramProfile { tierUntil nextTier { tier missing } lots { id available } challenges { challengeId reached } }`;
  const answer = await client.send(graphql(shop, query, { id: 'ada' }));
  expect(answer.body.data?.member).toMatchObject({
    member: { tags: ['vip-tag'], lists: ['secret-list'] },
    programs: [
      {
        tierUntil: program?.tierUntil,
        nextTier: { tier: 'gold', missing: 3000 },
        lots: program?.lots.map(({ id, available }) => ({
          id,
          available,
        })),
      },
    ],
  });
  // Each field counts, however many of it there are: 30 aliases, and 500 selections.
  const many = Array.from({ length: 31 }, (_, index) => `l${index}: lots { id }`).join(' ');
  const greedy = `{ member(externalCustomerId: "ada") { programs { ${many} } } }`;
  expect(await client.send(graphql(shop, greedy))).toMatchObject({ status: 400, code: 'budget_exceeded' });
});

test('the standing answer of a member has no more fields than before', async () => {
  const { body } = await client.send(readMember(shop, 'ada'));
  expect(Object.keys(body.member as object)).not.toContain('tags');
  const [program] = body.programs as object[];
  expect(Object.keys(program ?? {})).toEqual([
    'programId',
    'tier',
    'status',
    'qualificationPoints',
    'referralCode',
    'profileVersion',
    'balances',
  ]);
});

test('a customer sees its own progress, and nothing of the merchant', async () => {
  const { status, body, text } = await asCustomer('ada', '/member/details');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      requestId: expect.any(String),
      programs: [
        {
          programId,
          pointsToNextTier: 3000,
          tierUntil: expect.any(String),
          challenges: [
            {
              id: 'critic',
              name: 'Critic of the month',
              reached: 1,
              goal: 3,
              completions: 1,
              windowEnd: instant,
            },
            {
              id: 'home-barista',
              name: 'Home barista',
              reached: 1000,
              goal: 1000,
              completions: 1,
              windowEnd: instant,
            },
          ],
          choices: [
            { choiceSetId: 'gifts', name: 'A gift from the shelf', remaining: 1, expiresAt: instant },
          ],
          holds: [
            {
              rewardId: 'free-coffee',
              rewardName: 'A coffee of your choice',
              points: 150,
              expiresAt: instant,
            },
          ],
          expirations: [{ points: expect.any(Number), at: instant }],
        },
      ],
    },
  });
  // Neither ids of the service but the request's, nor tags, lists, references and who else is targeted.
  const rest = text.replace(String(body.requestId), '');
  expect(rest).not.toMatch(/\b(mem|txn|lot|rsv|quo|cgr|evt|env|req)_[0-9a-z]/);
  expect(rest).not.toMatch(/ada|vip-tag|secret|friends|order-1|audience|granted|reference/i);
  expect((await asCustomer('idle', '/member/details')).body.programs).toEqual([]);
  expect(await asCustomer('nobody', '/member/details')).toMatchObject({
    status: 404,
    code: 'member_not_found',
  });
});

test('whoever gets the tag sees the challenge that it opens', async () => {
  await client.send(rest(shop, 'PUT', '/members/ben/tags/friend', undefined, 'friend'));
  const { body } = await asCustomer('ben', '/member/details');
  const [program] = body.programs as { challenges: { id: string }[] }[];
  expect(program?.challenges.map(({ id }) => id)).toEqual(['secret-society', 'critic', 'home-barista']);
});

test('all of it goes by the clock of the Sandbox: a hold that is over gives its points back to its lot', async () => {
  const moved = await client.send(
    rest(shop, 'POST', '/sandbox/clock', { action: 'advance', seconds: 1801 }, 'half-an-hour'),
  );
  expect(moved).toMatchObject({ status: 200, code: null });
  const { body } = await client.send(rest(shop, 'GET', '/members/ada/details'));
  const [program] = body.programs as { holds: object[]; lots: { reserved: number }[] }[];
  expect({ holds: program?.holds, lots: program?.lots.map(({ reserved }) => reserved) }).toEqual({
    holds: [],
    lots: [0, 0],
  });
  expect((await asCustomer('ada', '/member/details')).body.programs).toMatchObject([{ holds: [] }]);
});
