import { beforeAll, expect, test } from '@jest/globals';
import { createPool, type Pool } from '../../../src/db/pool.ts';
import type { Queries } from '../../../src/queries/queries.ts';
import { createQueries } from '../../../src/queries/queries.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Surface, SurfaceReward } from '../../../src/widget/surface.ts';
import type { WidgetDeployment } from '../../../src/widget/widget-document.ts';
import { atEnd } from '../../support/fixture.ts';
import { createMember, earn, hold, redeem } from '../../support/surfaces/client.ts';
import { addTestIssuer, customerToken, loyalty, makeKey } from '../../support/surfaces/customers.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import { widgetDocument } from '../../support/surfaces/widgets.ts';
import { createWorld, programId } from '../../support/surfaces/world.ts';

const CUSTOMERS = ['poor', 'rich', 'spender', 'holder'];
const DEPLOYMENT = 'wdg_01h455vb4pex5vsknk084sn02q';

let pool: Pool;
let queries: Queries;
let deployment: WidgetDeployment;

const { database, world, client, shop } = useShop({
  program: (yaml) =>
    yaml.replace(
      'rewards:\n',
      `rewards:
  - { id: cup, name: Cup, points: 10 }
  - { id: rare, name: Rare, points: 5, inventory: 1 }
  - { id: gold, name: Gold, points: 5, eligibility: { match: all, conditions: [{ field: profile.tier, operator: equals, value: gold }] } }
  - { id: later, name: Later, points: 5, availableFrom: "2999-01-01T00:00:00Z" }
`,
    ),
  members: CUSTOMERS,
  settings: { customerRateLimitPerMinute: 1_000_000 },
});
const key = makeKey('ES256', 'one');

beforeAll(async () => {
  await addTestIssuer(world, shop.id, [key]);
  for (const customer of CUSTOMERS.slice(1)) {
    const purchase = { externalCustomerId: customer, amountMinor: 90_000, sourceReference: `of ${customer}` };
    expect((await client.send(earn(shop, purchase, `earn-${customer}`))).status).toBe(201);
  }
  await redeem(client, shop, { externalCustomerId: 'spender', rewardId: 'rare' }, 'redeem-rare');
  await hold(client, shop, { externalCustomerId: 'holder', rewardId: 'cup' }, 'hold-cup');
  pool = createPool({ url: database.serverUrl, size: 3 });
  queries = createQueries(pool);
  deployment = {
    ...{ environmentId: shop.id, deploymentId: DEPLOYMENT, version: 3, programId },
    document: widgetDocument(),
  };
});

atEnd(() => pool.end());

async function memberIdOf(customer: string): Promise<string> {
  return (await queries.member(shop.id, customer))?.member.id ?? '';
}

async function surfaceOf(customer: string): Promise<Surface> {
  const surface = await queries.surface(shop.id, deployment, await memberIdOf(customer));
  if (isRefusal(surface)) throw new Error(surface.message);
  return surface;
}

async function read<T>(customer: string, path: string): Promise<T> {
  const { status, body } = await client.send(loyalty(shop, customerToken(key, customer), 'GET', path));
  expect(status).toBe(200);
  return body as T;
}

interface Member {
  programs: {
    tier: { name: string };
    nextTier: string;
    nextTierAt: number;
    qualificationPoints: number;
    balances: object;
  }[];
}

test.each(CUSTOMERS)('shows %s what /loyalty/v1 shows', async (customer) => {
  const { context, components } = await surfaceOf(customer);
  expect(context).toMatchObject({ personalized: true, deployment: { id: DEPLOYMENT, version: 3 } });
  const [balance, tier, rewards, activity] = components;
  const [program] = (await read<Member>(customer, '/member')).programs;
  expect(balance).toMatchObject({ state: { ...program?.balances, unitName: 'points' } });
  expect(tier).toMatchObject({
    state: {
      tier: program?.tier.name,
      nextTier: program?.nextTier,
      nextTierAt: program?.nextTierAt,
      qualificationPoints: program?.qualificationPoints,
    },
  });
  const catalog = await read<{ data: (SurfaceReward & { payWithPoints: object | null })[] }>(
    customer,
    `/catalog?programId=${programId}`,
  );
  const shown = rewards?.kind === 'svc.reward_catalog' ? rewards.items : [];
  // What is paid with points has no fixed price to confirm.
  const priced = catalog.data.filter(({ payWithPoints }) => payWithPoints === null);
  expect(priced).toHaveLength(catalog.data.length - 1);
  expect(shown.map(({ actions, ...reward }) => reward)).toEqual(
    priced.slice(0, 12).map(({ id, name, description, pointsCost, available, ...rest }) => ({
      ...{ id, name, description, pointsCost, available },
      redeemable: rest.redeemable,
      eligible: rest.eligible,
      eligibilityReason: rest.eligibilityReason,
      pointsNeeded: rest.pointsNeeded,
    })),
  );
  const entries = await read<{ data: { type: string; points: number; postedAt: string }[] }>(
    customer,
    `/activity?programId=${programId}`,
  );
  expect(activity?.kind === 'svc.activity' ? activity.items : []).toEqual(
    entries.data.map(({ type, points, postedAt }) => ({ type, points, postedAt })),
  );
});

test('offers an action for what can be redeemed, and for nothing else', async () => {
  for (const customer of CUSTOMERS) {
    const { components, actions } = await surfaceOf(customer);
    const rewards = components.flatMap((one) => (one.kind === 'svc.reward_catalog' ? one.items : []));
    for (const { id, redeemable, actions: named } of rewards) {
      expect(named).toEqual(redeemable ? [`redeem:${id}`] : []);
    }
    expect(actions.map(({ id }) => id)).toEqual(rewards.flatMap((reward) => reward.actions));
    expect(actions.map(({ id }) => id).includes('redeem:cup')).toBe(customer !== 'poor');
    expect(actions.map(({ id }) => id)).not.toContain('redeem:rare');
    for (const { href } of actions) expect(href).toBe(`/api/v1/widgets/${DEPLOYMENT}/actions/redeem`);
  }
});

test('says nothing of who the member is, and nothing of the merchant but what is shown', async () => {
  for (const customer of CUSTOMERS) {
    const text = JSON.stringify(await surfaceOf(customer));
    expect(text).not.toContain(await memberIdOf(customer));
    expect(text).not.toMatch(
      /mem_|txn_|externalCustomerId|displayName|sourceReference|of rich|"(poor|rich)"/,
    );
  }
});

test('is refused for who is not enrolled, and for nobody of the environment', async () => {
  await client.send(createMember(shop, 'idle'));
  for (const memberId of [await memberIdOf('idle'), '01890000-0000-7000-8000-000000000000']) {
    expect(await queries.surface(shop.id, deployment, memberId)).toMatchObject({
      refused: true,
      code: 'enrollment_required',
    });
  }
});

test('is refused for a member of another environment, and for another program', async () => {
  const other = await createWorld(database).environment();
  const memberId = await memberIdOf('rich');
  const elsewhere = { ...deployment, environmentId: other.id };
  expect(await queries.surface(other.id, elsewhere, memberId)).toMatchObject({ code: 'enrollment_required' });
  const ofOther = { ...deployment, programId: 'other-club' };
  expect(await queries.surface(shop.id, ofOther, memberId)).toMatchObject({ code: 'program_not_found' });
});

test('answers many at once, each with its own', async () => {
  const ids = await Promise.all(CUSTOMERS.map(memberIdOf));
  const wanted = Array.from({ length: 100 }, (_, index) => ids[index % ids.length] ?? '');
  const alone = await Promise.all(CUSTOMERS.map(surfaceOf));
  const together = await Promise.all(wanted.map((id) => queries.surface(shop.id, deployment, id)));
  expect(together).toEqual(wanted.map((_id, index) => alone[index % alone.length]));
});
