import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SecretBox } from '../../../src/auth/secret-box.ts';
import { WidgetDirectory } from '../../../src/auth/widget/widget-directory.ts';
import { WidgetSessions } from '../../../src/auth/widget/widget-sessions.ts';
import { isRefusal } from '../../../src/refusal.ts';
import type { Surface } from '../../../src/widget/surface.ts';
import { atEnd } from '../../support/fixture.ts';
import { addMembers, earn, hold, type Received, type Sent } from '../../support/surfaces/client.ts';
import { useShop } from '../../support/surfaces/use-shop.ts';
import { addTestWidget, openSession, redeemInWidget, WIDGET_ORIGIN } from '../../support/surfaces/widgets.ts';

const SECRETS_KEY = Buffer.alloc(32, 7);

let deploymentId: string;
let customer: string;
let token: string;
let made = 0;

const { database, world, client, shop } = useShop({
  kind: 'production',
  program: (yaml) =>
    yaml.replace(
      'rewards:\n',
      `rewards:
  - { id: cup, name: Cup, points: 100 }
  - { id: rare, name: Rare, points: 5, inventory: 1 }
  - { id: car, name: Car, points: 900000 }
  - { id: later, name: Later, points: 5, availableFrom: "2999-01-01T00:00:00Z" }
  - { id: never, name: Never, points: 5, eligibility: { match: all, conditions: [{ field: profile.tier, operator: equals, value: gold }] } }
`,
    ),
  settings: { secretsKeys: [SECRETS_KEY.toString('base64')] },
});

beforeAll(async () => {
  deploymentId = await addTestWidget(world, shop.id);
});

atEnd(async () => expect(await world.eventFaults()).toEqual([]));
atEnd(async () => expect(await world.failedControls()).toEqual([]));

/** Each test has a member of its own, with 250 points, and a session of it. */
beforeEach(async () => {
  made += 1;
  customer = `customer-${made}`;
  await withPoints(customer);
  token = await openSession(client, shop, deploymentId, customer);
});

async function withPoints(name: string): Promise<void> {
  await addMembers(client, shop, [name]);
  const purchase = { externalCustomerId: name, amountMinor: 25_000, sourceReference: `of ${name}` };
  const earned = await client.send(earn(shop, purchase, `earn-${name}`));
  expect(earned).toMatchObject({ status: 201, code: null });
}

const KEY = 'intent-0001-of-the-page';

function send(body: object = {}, headers: Record<string, string | undefined> = {}): Promise<Received> {
  return client.send(request(body, headers));
}

function request(body: object = {}, headers: Record<string, string | undefined> = {}): Sent {
  return redeemInWidget(deploymentId, token, { rewardId: 'cup', idempotencyKey: KEY, ...body }, headers);
}

const outcomeOf = ({ status, code }: Received): [number, string | null] => [status, code];

async function surface(): Promise<Surface> {
  const path = `/api/v1/widgets/${deploymentId}/surface`;
  const headers = { authorization: `Bearer ${token}`, origin: WIDGET_ORIGIN };
  return JSON.parse((await client.send({ method: 'GET', path, headers })).text) as Surface;
}

describe('POST actions/redeem', () => {
  test('holds the points: 201, and 200 with the same receipt when it is sent again', async () => {
    const answer = await send();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      requestId: answer.headers['x-request-id'],
      redemption: {
        id: expect.stringMatching(/^rsv_[0-9a-z]{26}$/),
        state: 'reserved',
        rewardId: 'cup',
        points: 100,
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
      balance: { available: 150, pending: 0, reserved: 100 },
    });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': WIDGET_ORIGIN,
      'ratelimit-policy': '"default";q=60;w=60',
    });
    const again = await send();
    expect(again).toMatchObject({ status: 200, replayed: true });
    expect({ ...again.body, requestId: '' }).toEqual({ ...answer.body, requestId: '' });
    // Also with another session of the member.
    token = await openSession(client, shop, deploymentId, customer);
    const third = await send();
    expect({ status: third.status, redemption: third.body.redemption }).toEqual({
      status: 200,
      redemption: answer.body.redemption,
    });
    const count = await world.count(
      `select count(*)::int from redemption_reservations r join members m on m.environment_id = r.environment_id
         and m.id = r.member_id where m.external_customer_id = $1`,
      [customer],
    );
    expect(count).toBe(1);
  });

  test('commits at once where the document says so', async () => {
    const committing = await addTestWidget(world, shop.id, { id: 'committing', redemption: 'commit' });
    const session = await openSession(client, shop, committing, customer);
    const body = { rewardId: 'cup', idempotencyKey: KEY };
    const answer = await client.send(redeemInWidget(committing, session, body));
    expect(answer.body).toMatchObject({
      redemption: { state: 'committed', expiresAt: null },
      balance: { available: 150, pending: 0, reserved: 0 },
    });
  });

  test('takes points from as many lots as it needs', async () => {
    const collector = `collector-${customer}`;
    await addMembers(client, shop, [collector]);
    for (let order = 0; order < 12; order += 1) {
      const sourceReference = `${order} of ${collector}`;
      const purchase = { externalCustomerId: collector, amountMinor: 1_000, sourceReference };
      expect((await client.send(earn(shop, purchase, `${order}-${collector}`))).status).toBe(201);
    }
    token = await openSession(client, shop, deploymentId, collector);
    const answer = await send();
    expect({ status: answer.status, balance: answer.body.balance }).toEqual({
      status: 201,
      balance: { available: 20, pending: 0, reserved: 100 },
    });
  });

  test('is what the surface offered: its action, to the letter', async () => {
    const { actions } = await surface();
    const action = actions.find(({ id }) => id === 'redeem:cup');
    expect(actions.map(({ id }) => id)).toEqual(expect.arrayContaining(['redeem:cup', 'redeem:rare']));
    expect(actions.map(({ id }) => id)).not.toContain('redeem:car');
    expect(action?.href).toBe(request().path);
    expect((await send({ rewardId: action?.input.properties.rewardId.const })).status).toBe(201);
  });

  test.each([
    ['car', 'too few points'],
    ['later', 'not yet'],
    ['never', 'for others'],
    ['nothing', 'no such reward'],
  ])('is 409 for %s: %s; the key stays unused', async (rewardId) => {
    const refused = await send({ rewardId });
    expect(outcomeOf(refused)).toEqual([409, 'reward_not_available']);
    expect(refused.body.error?.message).not.toMatch(/gold|2999|900000/);
    expect((await send()).status).toBe(201);
  });

  test('is 409 once it is sold out, also for who saw it before', async () => {
    const other = `other-${customer}`;
    await withPoints(other);
    await hold(client, shop, { externalCustomerId: other, rewardId: 'rare' }, `hold-${other}`);
    expect(outcomeOf(await send({ rewardId: 'rare' }))).toEqual([409, 'reward_not_available']);
  });

  test('is 409 for a key that was used for something else', async () => {
    expect((await send()).status).toBe(201);
    expect(outcomeOf(await send({ rewardId: 'rare' }))).toEqual([409, 'idempotency_key_reused']);
  });

  test('gives nobody what another member did under the same key', async () => {
    const first = await send();
    const other = `other-${customer}`;
    await withPoints(other);
    token = await openSession(client, shop, deploymentId, other);
    const second = await send();
    expect({ first: first.status, second: second.status }).toEqual({ first: 201, second: 201 });
    expect(second.body.redemption).not.toEqual(first.body.redemption);
  });

  test('is 409 while Production is locked', async () => {
    await world.lock(shop.id, true);
    const locked = await send();
    await world.lock(shop.id, false);
    expect(outcomeOf(locked)).toEqual([409, 'production_locked']);
    expect((await send()).status).toBe(201);
  });

  test('is 409 to a page that has read another version, until it reads anew', async () => {
    const before = (await surface()).surface.id;
    await addTestWidget(world, shop.id, { locale: `en-${made % 2 ? 'GB' : 'US'}` });
    await until(async () => (await surface()).surface.id !== before);
    const after = (await surface()).surface.id;
    const stale = await send({}, { 'if-match': `"${before}"` });
    expect(outcomeOf(stale)).toEqual([409, 'deployment_replaced']);
    const repriced = await send({}, { 'if-match': `"${after};points=1"` });
    expect(outcomeOf(repriced)).toEqual([409, 'price_changed']);
    expect((await send({}, { 'if-match': `"${after}"` })).status).toBe(201);
    // What was done stays done, whatever the page has read.
    expect((await send({}, { 'if-match': `"${before}"` })).status).toBe(200);
  });
});

describe('what is not in the contract is refused, and changes nothing', () => {
  test.each<[string, object, string]>([
    ['not confirmed', { confirmed: false }, 'confirmed'],
    ['confirmed by a text', { confirmed: 'true' }, 'confirmed'],
    ['without a confirmation', { confirmed: undefined }, 'confirmed'],
    ['another action', { action: 'reserve' }, 'action'],
    ['no action', { action: undefined }, 'action'],
    ['no reward', { rewardId: undefined }, 'rewardId'],
    ['an empty reward', { rewardId: '' }, 'rewardId'],
    ['a reward of 201 characters', { rewardId: 'r'.repeat(201) }, 'rewardId'],
    ['a key of 11 characters', { idempotencyKey: 'k'.repeat(11) }, 'idempotencyKey'],
    ['a key of 161 characters', { idempotencyKey: 'k'.repeat(161) }, 'idempotencyKey'],
    ['no key', { idempotencyKey: undefined }, 'idempotencyKey'],
    ['NUL in the key', { idempotencyKey: 'twelve\u0000chars' }, 'idempotencyKey'],
    ['a further property', { programId: 'coffee-club' }, 'programId'],
    ['the customer in the body', { externalCustomerId: 'grace' }, 'externalCustomerId'],
    ['the deployment in the body', { deploymentId: 'wdg' }, 'deploymentId'],
  ])('%s', async (_what, body, path) => {
    const before = await world.countRows();
    const answer = await send(body);
    expect(outcomeOf(answer)).toEqual([422, 'validation_failed']);
    expect(answer.body.error?.details?.map((detail) => detail.path)).toContain(path);
    expect(await world.countRows()).toEqual(before);
  });

  test('a key in the header is none; keys of 12 and 160 characters are', async () => {
    const inHeader = await send({ idempotencyKey: undefined }, { 'idempotency-key': KEY });
    expect(outcomeOf(inHeader)).toEqual([422, 'validation_failed']);
    // Characters are code points.
    for (const idempotencyKey of ['k'.repeat(12), '🎁'.repeat(160)]) {
      expect((await send({ idempotencyKey })).status).toBe(201);
    }
  });

  test.each<[string, Partial<Sent>, number, string]>([
    ['text', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['no JSON', { body: '{"action":' }, 400, 'invalid_json'],
    ['a list', { body: '[]' }, 400, 'invalid_json'],
    ['a name twice', { body: '{"action":"redeem","action":"redeem"}' }, 400, 'invalid_json'],
    ['no body', { body: '' }, 400, 'invalid_json'],
    ['140 kB', { body: JSON.stringify({ action: 'r'.repeat(140_000) }) }, 413, 'payload_too_large'],
    ['8,193 bytes', { body: JSON.stringify({ action: 'r'.repeat(8_193 - 13) }) }, 413, 'payload_too_large'],
    ['8,192 bytes', { body: JSON.stringify({ action: 'r'.repeat(8_192 - 13) }) }, 422, 'validation_failed'],
    ['a query', { path: '?rewardId=cup' }, 422, 'validation_failed'],
  ])('%s', async (_what, changed, status, code) => {
    const sent = request();
    const answer = await client.send({
      ...sent,
      ...changed,
      path: sent.path + (changed.path ?? ''),
      headers: { ...sent.headers, ...changed.headers },
    });
    expect(outcomeOf(answer)).toEqual([status, code]);
    expect(answer.headers['access-control-allow-origin']).toBe(WIDGET_ORIGIN);
  });

  test('another method', async () => {
    const answer = await client.send({ ...request(), method: 'GET' });
    expect({ status: answer.status, allow: answer.headers.allow }).toEqual({ status: 405, allow: 'POST' });
  });
});

describe('a session that ends', () => {
  test('by time, while its page is open: what was done stays done, and a new session goes on under the same key', async () => {
    const sessions = new WidgetSessions(new SecretBox([SECRETS_KEY]), async () => now);
    const widget = await new WidgetDirectory(database.adminPool).find(deploymentId);
    if (!widget) throw new Error('there is no widget');
    let now = (await databaseTime()) - 15 * 60_000 + 4_000;
    const { rows } = await database.adminPool.query<{ id: string }>(
      'select id from members where environment_id = $1 and external_customer_id = $2',
      [shop.id, customer],
    );
    const member = { memberId: rows[0]?.id ?? '', externalCustomerId: customer };
    const minted = await sessions.mint(widget, { ...member, origin: WIDGET_ORIGIN });
    if (isRefusal(minted)) throw new Error(minted.code);
    token = minted.token;
    const first = await send();
    // On a very slow machine it may have ended already.
    if (first.status !== 401) expect(first.status).toBe(201);
    await until(async () => (await send()).status === 401);
    expect(outcomeOf(await send({ idempotencyKey: `${KEY}-2` }))).toEqual([401, 'unauthorized']);
    token = await openSession(client, shop, deploymentId, customer);
    expect((await send()).status).toBe(first.status === 201 ? 200 : 201);
    now = 0;
  });

  test('with the suspension of its member', async () => {
    await database.adminPool.query(
      `update members set status = 'suspended' where environment_id = $1 and external_customer_id = $2`,
      [shop.id, customer],
    );
    const { actions, context } = await surface();
    expect({ actions, personalized: context.personalized }).toEqual({ actions: [], personalized: true });
    expect(outcomeOf(await send())).toEqual([409, 'reward_not_available']);
  });
});

async function databaseTime(): Promise<number> {
  const { rows } = await database.adminPool.query<{ now: Date }>('select clock_timestamp() as now');
  return rows[0]?.now.getTime() ?? 0;
}

/** Waits with patience: a server hears of changes of administration, and its clock goes on. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it has not come true within a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe('60 requests a minute for each session', () => {
  test('reads and redemptions together; another session has its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 70 }, (_, index) => (index % 2 ? send({ confirmed: false }) : send())),
    );
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBe(10);
    for (const { code, headers } of limited) {
      expect(code).toBe('rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
    }
    const path = `/api/v1/widgets/${deploymentId}/surface`;
    const headers = { authorization: `Bearer ${token}`, origin: WIDGET_ORIGIN };
    const read = await client.send({ method: 'GET', path, headers });
    expect(read).toMatchObject({ status: 429, code: 'rate_limited' });
    token = await openSession(client, shop, deploymentId, customer);
    expect((await send()).status).toBe(200);
  });
});
