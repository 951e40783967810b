import { expect, test } from '@jest/globals';
import { issueApiKey } from '../../src/admin/keys/issue-api-key.ts';
import { rotateApiKey } from '../../src/admin/keys/rotate-api-key.ts';
import { SCOPES } from '../../src/auth/scopes.ts';
import { fixture } from '../support/fixture.ts';
import { startTestServer } from '../support/server.ts';
import { Client, readMember } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { install } from '../support/time-machine.ts';
import { useDatabase } from '../support/use-database.ts';

const DAY_MS = 86_400_000;

const used = useDatabase();
const time = fixture('the time machine', () => install(used.database.adminUrl));
const { database, world, client, shop } = useShop({ members: ['ada'] }, used);

const use = async (key: string) => (await client.send(readMember({ ...shop, key }, 'ada'))).status;

/** A key that ends so many days from now, by the database's clock. */
async function keyOf(days: number): Promise<{ keyId: string; key: string }> {
  return world.key(shop.id, SCOPES, new Date((await time.now()).getTime() + days * DAY_MS));
}

test("a key expires by the database's clock, and so does what administration says of it", async () => {
  const [short, long] = [await keyOf(1), await keyOf(3)];
  await time.travel(2 * DAY_MS);
  expect({ short: await use(short.key), long: await use(long.key) }).toEqual({ short: 401, long: 200 });
  expect(await rotateApiKey(world.administrator, short.keyId, 60)).toMatchObject({ refused: true });
  const past = new Date(Date.now() + DAY_MS);
  const wanted = { environmentId: shop.id, principal: 'shop', scopes: SCOPES, expiresAt: past };
  expect(await issueApiKey(world.administrator, wanted)).toMatchObject({ refused: true });
});

test("an old secret works for its overlap by the database's clock", async () => {
  await time.travel(10 * DAY_MS);
  const { key, keyId } = await keyOf(30);
  const rotated = await rotateApiKey(world.administrator, keyId, (2 * DAY_MS) / 1000);
  if (!('key' in rotated)) throw new Error('refused');
  await time.travel(DAY_MS);
  expect({ old: await use(key), rotated: await use(rotated.key) }).toEqual({ old: 200, rotated: 200 });
  await time.travel(DAY_MS);
  // What is remembered lasts half a minute: another server has not seen the secret yet.
  const another = await startTestServer(database);
  const its = new Client(another.url);
  const statuses = [key, rotated.key].map(
    async (each) => (await its.send(readMember({ ...shop, key: each }, 'ada'))).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 200]);
  its.close();
  await another.close();
});
