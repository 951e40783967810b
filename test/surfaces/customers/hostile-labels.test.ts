import { beforeAll, expect, test } from '@jest/globals';
import { addMembers, type Received, updateMember } from '../../support/surfaces/client.ts';
import {
  addTestIssuer,
  customerToken,
  type IssuerKey,
  loyalty,
  makeKey,
} from '../../support/surfaces/customers.ts';
import { HOSTILE_LABELS } from '../../support/surfaces/hostile-labels.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import { programId } from '../../support/surfaces/world.ts';

let key: IssuerKey;

const labels = Object.values(HOSTILE_LABELS);

const { world, client, shop } = useShop();

beforeAll(async () => {
  const rewards = labels.map(
    (label, index) =>
      `  - { id: hostile-${index}, name: ${JSON.stringify(label.slice(0, 300))}, ` +
      `description: ${JSON.stringify(label.slice(0, 2000))}, points: 5 }\n`,
  );
  await world.publish(shop.id, (yaml) =>
    yaml
      .replace('rewards:\n', `rewards:\n${rewards.join('')}`)
      .replace('name: Bronze', `name: ${JSON.stringify(labels[0])}`),
  );
  key = makeKey('ES256', 'one');
  await addTestIssuer(world, shop.id, [key], { origins: ['https://shop.example'] });
  await addMembers(client, shop, ['ada']);
});

function get(path: string): Promise<Received> {
  return client.send(loyalty(shop, customerToken(key, 'ada'), 'GET', path));
}

/** No browser takes the response for anything but data. */
function expectData({ status, headers }: Received): void {
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  });
}

test('labels of rewards and tiers come as they were written, as data', async () => {
  const catalog = await get(`/catalog?programId=${programId}`);
  expectData(catalog);
  const shown = catalog.body.data as unknown as { id: string; name: string; description: string }[];
  for (const [index, label] of labels.entries()) {
    expect(shown.find(({ id }) => id === `hostile-${index}`)).toMatchObject({
      name: label.slice(0, 300),
      description: label.slice(0, 2000),
    });
  }
  const member = await get('/member');
  expectData(member);
  expect(member.body.programs).toMatchObject([{ tier: { name: labels[0] } }]);
});

test('so does the name of a customer', async () => {
  for (const [index, label] of labels.entries()) {
    const displayName = label.slice(0, 200);
    const { status } = await client.send(updateMember(shop, 'ada', `rename-${index}`, { displayName }));
    // What cannot be a name is refused, never changed.
    expect([200, 422]).toContain(status);
    if (status !== 200) continue;
    const member = await get('/member');
    expectData(member);
    expect(member.body.member).toMatchObject({ displayName });
  }
});
