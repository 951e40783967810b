import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Surface } from '../../../src/widget/surface.ts';
import { fixture } from '../../support/fixture.ts';
import { startTestServer } from '../../support/server.ts';
import {
  addMembers,
  Client,
  createMember,
  earn,
  type Received,
  unenroll,
} from '../../support/surfaces/client.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import {
  addTestWidget,
  openSession,
  redeemInWidget,
  session,
  WIDGET_ORIGIN,
  widgetDocument,
} from '../../support/surfaces/widgets.ts';

const OTHER_ORIGIN = 'https://other.example';

let deploymentId: string;
let second: string;
let elsewhere: string;

const { database, world, client, shop } = useShop({
  members: ['ada', 'grace'],
  settings: { widgetSessionRateLimitPerMinute: 1_000 },
});
const other = fixture('the other shop', () => world.environment('production', shop.tenantId));

beforeAll(async () => {
  const origins = [WIDGET_ORIGIN, OTHER_ORIGIN];
  deploymentId = await addTestWidget(world, shop.id, { origins });
  second = await addTestWidget(world, shop.id, { id: 'second', origins });
  elsewhere = await addTestWidget(world, other.id, { origins });
  await addMembers(client, other, ['ada']);
  const purchase = { externalCustomerId: 'ada', amountMinor: 900_000, sourceReference: 'rich' };
  expect((await client.send(earn(shop, purchase, 'rich'))).status).toBe(201);
});

function readSurface(
  token: string,
  headers: Record<string, string> = { origin: WIDGET_ORIGIN },
  id = deploymentId,
): Promise<Received> {
  const path = `/api/v1/widgets/${id}/surface`;
  return client.send({ method: 'GET', path, headers: { authorization: `Bearer ${token}`, ...headers } });
}

describe('POST sessions', () => {
  test('gives a token for fifteen minutes, and stores nothing', async () => {
    const before = await world.countRows();
    const answer = await client.send(session(shop, deploymentId));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      requestId: answer.headers['x-request-id'],
      token: expect.stringMatching(/^wst_[\w-]+$/),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
    const seconds = await world.count(
      'select extract(epoch from $1::timestamptz - clock_timestamp())::integer',
      [answer.body.expiresAt],
    );
    expect(seconds).toBeGreaterThan(800);
    expect(seconds).toBeLessThanOrEqual(900);
    expect(await world.countRows()).toEqual(before);
  });

  test('is 404 for a deployment of another environment, and for an unknown one', async () => {
    for (const id of [elsewhere, 'wdg_01jz8k2v9xe6tr8p2w4y6z8abc', 'nothing']) {
      const { status, code } = await client.send(session(shop, id));
      expect([id, status, code]).toEqual([id, 404, 'deployment_not_found']);
    }
  });

  test.each<[string, object, number, string]>([
    ['an origin that the widget does not list', { origin: 'https://evil.example' }, 422, 'validation_failed'],
    ['an origin with a path', { origin: `${WIDGET_ORIGIN}/` }, 422, 'validation_failed'],
    ['no origin', { origin: undefined }, 422, 'validation_failed'],
    ['the origin null', { origin: 'null' }, 422, 'validation_failed'],
    ['no customer', { externalCustomerId: undefined }, 422, 'validation_failed'],
    ['a further property', { memberId: 'mem' }, 422, 'validation_failed'],
    ['an unknown customer', { externalCustomerId: 'nobody' }, 404, 'member_not_found'],
  ])('is refused for %s', async (_what, body, status, code) => {
    const answer = await client.send(session(shop, deploymentId, body));
    expect(answer).toMatchObject({ status, code });
  });

  test('is 409 for a member who is not enrolled', async () => {
    expect((await client.send(createMember(shop, 'linus'))).status).toBe(201);
    const { status, code } = await client.send(session(shop, deploymentId, {}, 'linus'));
    expect({ status, code }).toEqual({ status: 409, code: 'enrollment_required' });
  });

  test('is 503 on a server without SECRETS_KEY, which says what is missing', async () => {
    const bare = await startTestServer(database, { secretsKeys: [] });
    const itsClient = new Client(bare.url);
    const token = await openSession(client, shop, deploymentId);
    const answer = await itsClient.send(session(shop, deploymentId));
    const used = await itsClient.send(redeemInWidget(deploymentId, token, {}));
    itsClient.close();
    await bare.close();
    expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
    expect(answer.body.error?.message).toContain('SECRETS_KEY');
    expect(used).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});

describe('a session', () => {
  test('shows the member its own widget, which no cache may keep', async () => {
    const answer = await readSurface(await openSession(client, shop, deploymentId));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'access-control-allow-origin': WIDGET_ORIGIN,
      'ratelimit-policy': '"default";q=1000;w=60',
    });
    const { context, components } = JSON.parse(answer.text) as Surface;
    expect(context.personalized).toBe(true);
    expect(components[0]).toMatchObject({ state: { available: expect.any(Number), unitName: 'points' } });
    expect(answer.text).not.toMatch(/ada|mem_|env_/);
  });

  /** What the session is sent with: its own deployment and origin, or others. */
  const cases: [string, () => string, Record<string, string>, number, string | null][] = [
    ['as it was made', () => deploymentId, { origin: WIDGET_ORIGIN }, 200, null],
    ['another deployment', () => second, { origin: WIDGET_ORIGIN }, 401, 'unauthorized'],
    ['a deployment of another environment', () => elsewhere, { origin: WIDGET_ORIGIN }, 401, 'unauthorized'],
    ['an unknown deployment', () => 'wdg_x', { origin: WIDGET_ORIGIN }, 404, 'deployment_not_found'],
    [
      'another origin of the deployment',
      () => deploymentId,
      { origin: OTHER_ORIGIN },
      403,
      'origin_not_allowed',
    ],
    ['an unknown origin', () => deploymentId, { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
    ['the origin null', () => deploymentId, { origin: 'null' }, 403, 'origin_not_allowed'],
    ['no origin', () => deploymentId, {}, 403, 'origin_not_allowed'],
    [
      'X-Environment, which does not matter',
      () => deploymentId,
      { origin: WIDGET_ORIGIN, 'x-environment': 'e' },
      200,
      null,
    ],
  ];

  test.each(cases)('with %s', async (_with, idOf, headers, status, code) => {
    const token = await openSession(client, shop, deploymentId);
    const read = await readSurface(token, headers, idOf());
    expect(read).toMatchObject({ status, code });
    const body = { rewardId: 'no-such-reward', idempotencyKey: 'key-of-twelve' };
    const sent = redeemInWidget(idOf(), token, body, { origin: undefined, ...headers });
    const redeemed = await client.send(sent);
    // As it was made it is let in, and the reward is not there.
    const expected = status === 200 ? { status: 409, code: 'reward_not_available' } : { status, code };
    expect(redeemed).toMatchObject(expected);
  });

  test('is no server key, and a server key is no session', async () => {
    const token = await openSession(client, shop, deploymentId);
    const asKey = await client.send(session({ ...shop, key: token }, deploymentId));
    expect(asKey).toMatchObject({ status: 401, code: 'unauthorized' });
    const member = await client.send({
      method: 'GET',
      path: '/api/v1/members/ada',
      headers: { authorization: `Bearer ${token}`, 'x-environment': shop.environmentId },
    });
    expect(member).toMatchObject({ status: 401, code: 'unauthorized' });
    const read = await readSurface(shop.key);
    expect(read).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  test('is never the anonymous surface where it is bad', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer wst_', 'Basic YTpi', 'bearer wst_AAAA']) {
      const headers = { authorization, origin: WIDGET_ORIGIN };
      const path = `/api/v1/widgets/${deploymentId}/surface`;
      const { status, code } = await client.send({ method: 'GET', path, headers });
      expect([authorization, status, code]).toEqual([authorization, 401, 'unauthorized']);
    }
  });

  test('ends with the enrollment, and with the origin', async () => {
    const token = await openSession(client, shop, deploymentId, 'grace');
    const left = await client.send(unenroll(shop, 'grace'));
    expect(left).toMatchObject({ status: 200, code: null });
    const read = await readSurface(token);
    expect(read).toMatchObject({ status: 409, code: 'enrollment_required' });
    const body = { rewardId: 'free-coffee', idempotencyKey: 'key-of-twelve' };
    const redeemed = await client.send(redeemInWidget(deploymentId, token, body));
    expect(redeemed).toMatchObject({ status: 409, code: 'enrollment_required' });

    const third = await addTestWidget(world, shop.id, { id: 'third', origins: [WIDGET_ORIGIN] });
    const before = await openSession(client, shop, third);
    expect((await readSurface(before, { origin: WIDGET_ORIGIN }, third)).status).toBe(200);
    await addTestWidget(world, shop.id, widgetDocument({ id: 'third', origins: [OTHER_ORIGIN] }));
    await patiently(async () => {
      const { status, code, headers } = await readSurface(before, { origin: WIDGET_ORIGIN }, third);
      expect({ status, code }).toEqual({ status: 403, code: 'origin_not_allowed' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });
});

/** Waits until a server has heard of a change of administration. */
async function patiently(check: () => Promise<void>): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
