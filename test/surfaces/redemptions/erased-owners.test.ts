import { beforeAll, expect, test } from '@jest/globals';
import { eraseMember } from '../../../src/erasure/erase-member.ts';
import { isRefusal } from '../../../src/refusal.ts';
import { atEnd } from '../../support/fixture.ts';
import { Counter } from '../../support/ledger/counter.ts';
import {
  addMembers,
  earn,
  onReservation,
  quote,
  type Received,
  readMember,
  reserve,
} from '../../support/surfaces/client.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';

// A process remembers whose the quotes and reservations are that it has made. These members are erased in between.

const { database, world, client, shop } = useShop();

beforeAll(() => world.publish(shop.id));

atEnd(async () => expect(await world.failedControls()).toEqual([]));

async function withPoints(name: string): Promise<void> {
  await addMembers(client, shop, [name]);
  const purchase = { externalCustomerId: name, amountMinor: 50_000, sourceReference: `of ${name}` };
  expect((await client.send(earn(shop, purchase, `earn-${name}`))).status).toBe(201);
}

async function erase(externalCustomerId: string): Promise<void> {
  const door = new Counter(database).writer();
  const eraser = { administrator: world.administrator, pool: database.adminPool, door };
  const request = { environmentId: shop.id, externalCustomerId, reason: 'asked for it', forfeit: true };
  expect(isRefusal(await eraseMember(eraser, request))).toBe(false);
}

const outcomeOf = ({ status, code }: Received): [number, string | null] => [status, code];

async function quoted(customer: string): Promise<string> {
  const { body } = await client.send(quote(shop, { externalCustomerId: customer }, `quote-${customer}`));
  return (body.quote as { id: string }).id;
}

test('a reservation of an erased member is looked up anew, and is what it is after an erasure', async () => {
  await withPoints('ann');
  const { body } = await client.send(reserve(shop, await quoted('ann'), 'reserve-ann'));
  const { id } = body.reservation as { id: string };
  await erase('ann');
  const commit = onReservation(shop, id, 'commit', { authorizationReference: 'auth' }, 'commit-ann');
  expect(outcomeOf(await client.send(commit))).toEqual([409, 'invalid_redemption_state']);
});

test('a quote of an erased member takes nothing from another one who has its name by now', async () => {
  await withPoints('bob');
  const quoteId = await quoted('bob');
  await erase('bob');
  await addMembers(client, shop, ['bob']);
  const purchase = { externalCustomerId: 'bob', amountMinor: 50_000, sourceReference: 'of the second bob' };
  expect((await client.send(earn(shop, purchase, 'earn-second-bob'))).status).toBe(201);
  const before = (await client.send(readMember(shop, 'bob'))).body.programs;
  const refused = await client.send(reserve(shop, quoteId, 'reserve-bob'));
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.status).toBeLessThan(500);
  expect((await client.send(readMember(shop, 'bob'))).body.programs).toEqual(before);
});
