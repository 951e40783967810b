import { beforeAll, expect, test } from '@jest/globals';
import { runCli } from '../support/cli/run-cli.ts';
import { searchDatabase } from '../support/erasure/search-database.ts';
import { createMember, earn, enroll, type Received } from '../support/surfaces/client.ts';
import { useShop } from '../support/surfaces/use-shop.ts';
import { addTestWidget, openSession, redeemInWidget } from '../support/surfaces/widgets.ts';

const CUSTOMER = 'lin-of-the-harbour';

let deploymentIds: [string, string];

const { database, world, client, shop } = useShop({ kind: 'production', members: [CUSTOMER] });

beforeAll(async () => {
  deploymentIds = [
    await addTestWidget(world, shop.id),
    await addTestWidget(world, shop.id, { id: 'committing', redemption: 'commit' }),
  ];
});

/** @param key by default one into which the page has typed the customer's id */
function redeem(deploymentId: string, token: string, key = `intent-of-${CUSTOMER}`): Promise<Received> {
  const body = { rewardId: 'free-coffee', idempotencyKey: key };
  return client.send(redeemInWidget(deploymentId, token, body));
}

test('of an erased member’s redemptions in widgets nothing is left that names it, and its sessions are over', async () => {
  const purchase = { externalCustomerId: CUSTOMER, amountMinor: 100_000, sourceReference: 'one' };
  expect((await client.send(earn(shop, purchase, 'one'))).status).toBe(201);
  const [reserving] = deploymentIds;
  const tokens = await Promise.all(deploymentIds.map((id) => openSession(client, shop, id, CUSTOMER)));
  const [token = '', another = ''] = tokens;
  expect((await redeem(reserving, token)).status).toBe(201);
  const body = { rewardId: 'free-coffee', idempotencyKey: `other-of-${CUSTOMER}` };
  const committed = await client.send(redeemInWidget(deploymentIds[1], another, body));
  expect(committed.body.redemption).toMatchObject({ state: 'committed' });
  const erasure = await runCli(database.adminUrl, [
    ...['member', 'erase', CUSTOMER, '--reason', 'asked', '-e', shop.environmentId, '--forfeit'],
  ]);
  expect(erasure).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await searchDatabase(database.adminPool, [CUSTOMER])).toEqual([]);
  const over = await redeem(reserving, token, 'another-intent');
  expect(over).toMatchObject({ status: 401, code: 'unauthorized' });
  const used = await redeem(reserving, token);
  expect(used).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
  // Nor does the session reach the next customer of that id.
  await client.send(createMember(shop, CUSTOMER, 'again'));
  await client.send(enroll(shop, CUSTOMER, 'again'));
  expect((await client.send(earn(shop, { ...purchase, sourceReference: 'two' }, 'two'))).status).toBe(201);
  const strangers = await redeem(reserving, token, 'another-intent');
  expect(strangers).toMatchObject({ status: 401, code: 'unauthorized' });
  expect((await redeem(reserving, await openSession(client, shop, reserving, CUSTOMER))).status).toBe(201);
});
