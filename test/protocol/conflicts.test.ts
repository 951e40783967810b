import { beforeAll, expect, test } from '@jest/globals';
import { fixture } from '../support/fixture.ts';
import {
  addMembers,
  choose,
  createMember,
  earn,
  engage,
  graphql,
  type Received,
  returnOrder,
} from '../support/surfaces/client.ts';
import { brew, openClub } from '../support/surfaces/engagement.ts';
import { programId, type TestEnvironment } from '../support/surfaces/world.ts';

/** An environment in which everything has the same names. */
let twin: TestEnvironment;

/** Ids of what exists already, by environment. */
let existing: Map<TestEnvironment, Record<'member' | 'purchase' | 'event' | 'choice' | 'returned', string>>;

const ada = { externalCustomerId: 'ada' };
const purchase = { ...ada, sourceReference: 'order', amountMinor: 1000 };

const club = fixture(
  'the club',
  () => openClub(),
  (opened) => opened.close(),
);

beforeAll(async () => {
  twin = await club.world.environment();
  await addMembers(club.client, twin, ['ada', 'ben']);
  existing = new Map();
  for (const shop of [club.shop, twin]) existing.set(shop, await fill(shop));
});

async function fill(shop: TestEnvironment) {
  const send = async (sent: ReturnType<typeof earn>): Promise<Received> => {
    const answer = await club.client.send(sent);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer;
  };
  const member = await send(createMember(shop, 'new', 'new'));
  const bought = await send(earn(shop, purchase, 'buy'));
  await send(earn(shop, { ...purchase, sourceReference: 'other order' }, 'buy-other'));
  const back = { sourceReference: 'order', returnReference: 'back', returnAmountMinor: 1 };
  const returned = await send(returnOrder(shop, back, 'return'));
  const event = await send(engage(shop, { ...ada, sourceReference: 'event' }, 'event'));
  await send(brew(shop, 'ada', 'brew-ada'));
  await send(brew(shop, 'ben', 'brew-ben'));
  const choice = await send(choose(shop, { ...ada, sourceReference: 'choice' }, 'choose'));
  return {
    member: (member.body.member as { id: string }).id,
    purchase: bought.body.id ?? '',
    returned: returned.body.id ?? '',
    event: event.body.id ?? '',
    choice: choice.body.id ?? '',
  };
}

const ben = { externalCustomerId: 'ben' };
const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';
const viaGraphql = (shop: TestEnvironment, change: object, idempotencyKey: string) =>
  graphql(shop, mutation, { input: { ...purchase, programId, channel: 'web', ...change, idempotencyKey } });

test.each([
  ['member_exists', 'member', (shop: TestEnvironment) => createMember(shop, 'new', 'again')],
  ['source_reference_conflict', 'purchase', (shop: TestEnvironment) => earn(shop, purchase, 'again')],
  ['source_reference_conflict', 'purchase', (shop: TestEnvironment) => viaGraphql(shop, {}, 'again')],
  [
    'source_reference_conflict',
    'event',
    (shop: TestEnvironment) => engage(shop, { ...ben, sourceReference: 'event' }, 'again'),
  ],
  [
    'source_reference_conflict',
    'choice',
    (shop: TestEnvironment) => choose(shop, { ...ben, sourceReference: 'choice' }, 'again'),
  ],
  [
    'return_reference_conflict',
    'returned',
    (shop: TestEnvironment) =>
      returnOrder(
        shop,
        { sourceReference: 'other order', returnReference: 'back', returnAmountMinor: 1 },
        'again',
      ),
  ],
  ['idempotency_key_reused', 'member', (shop: TestEnvironment) => createMember(shop, 'newer', 'new')],
  [
    'idempotency_key_reused',
    'purchase',
    (shop: TestEnvironment) => earn(shop, { ...purchase, amountMinor: 1 }, 'buy'),
  ],
  [
    'idempotency_key_reused',
    'purchase',
    (shop: TestEnvironment) => viaGraphql(shop, { amountMinor: 1 }, 'buy'),
  ],
] as const)('%s names the %s that exists already, of its own environment', async (code, what, send) => {
  for (const shop of [club.shop, twin]) {
    const { [what]: id } = existing.get(shop) ?? {};
    const answer = await club.client.send(send(shop));
    const error = answer.body.error ?? answer.body.errors?.[0];
    expect({ code: answer.code, message: error?.message }).toEqual({
      code,
      message: expect.stringContaining(` ${id}.`),
    });
    const other = existing.get(shop === twin ? club.shop : twin) ?? {};
    for (const foreign of Object.values(other)) expect(answer.text).not.toContain(foreign);
    if (/key|member_exists/.test(code)) expect(error?.message).toContain('Idempotency-Key');
  }
});
