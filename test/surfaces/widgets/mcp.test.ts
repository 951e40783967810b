import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { DATA_NOTICE } from '../../../src/mcp/results.ts';
import { TOOLS } from '../../../src/mcp/tools.ts';
import type { Surface } from '../../../src/widget/surface.ts';
import { atEnd } from '../../support/fixture.ts';
import { type Agent, connectOverHttp, connectOverStdio } from '../../support/surfaces/agents.ts';
import { addMembers, earn, type Received, rest } from '../../support/surfaces/client.ts';
import { HOSTILE_LABELS } from '../../support/surfaces/hostile-labels.ts';
import { useServer } from '../../support/surfaces/use-shop.ts';
import { addTestWidget, EACH_COMPONENT, WIDGET_ORIGIN } from '../../support/surfaces/widgets.ts';
import type { TestEnvironment } from '../../support/surfaces/world.ts';

const OTHER_ORIGIN = 'https://app.example';
const labels = Object.values(HOSTILE_LABELS);

let shop: TestEnvironment;
let elsewhere: TestEnvironment;
let deployment: string;
let otherDeployment: string;
let token: string;
const agents: Agent[] = [];

const { world, server, client } = useServer();

beforeAll(async () => {
  [shop, elsewhere] = [await world.environment(), await world.environment()];
  await world.publish(shop.id, (yaml) =>
    yaml.replace(
      'rewards:\n',
      `rewards:\n  - { id: cup, name: Cup, points: 10 }\n  - { id: car, name: Car, points: 900000 }\n${labels
        .map(
          (label, index) =>
            `  - { id: hostile-${index}, name: ${JSON.stringify(label.slice(0, 300))}, description: ${JSON.stringify(label.slice(0, 2000))}, points: 5 }\n`,
        )
        .join('')}`,
    ),
  );
  const origins = [WIDGET_ORIGIN, OTHER_ORIGIN];
  deployment = await addTestWidget(world, shop.id, { origins });
  otherDeployment = await addTestWidget(world, elsewhere.id);
  await addMembers(client, shop, ['ada', 'grace']);
  for (const customer of ['ada', 'grace']) {
    const purchase = {
      externalCustomerId: customer,
      amountMinor: 90_000,
      sourceReference: `rich ${customer}`,
    };
    expect((await client.send(earn(shop, purchase, `rich-${customer}`))).status).toBe(201);
  }
  token = await sessionOf('ada');
});

atEnd(() => Promise.all(agents.map((agent) => agent.close())));

async function sessionOf(externalCustomerId: string, origin = WIDGET_ORIGIN): Promise<string> {
  const made = await client.send(
    rest(shop, 'POST', `/widgets/${deployment}/sessions`, { externalCustomerId, origin }),
  );
  expect(made).toMatchObject({ status: 201, code: null });
  return String(made.body.token);
}

async function connected(headers: Record<string, string> = {}): Promise<Agent> {
  const agent = await connectOverHttp(server.url, deployment, headers);
  agents.push(agent);
  return agent;
}

const withSession = (session = token, origin = WIDGET_ORIGIN) =>
  ({ authorization: `Bearer ${session}`, origin }) as const;

/** Sends one message as it is. */
function post(
  body: string | object,
  headers: Record<string, string> = {},
  id = deployment,
): Promise<Received> {
  return client.send({
    method: 'POST',
    path: `/api/v1/widgets/${id}/mcp`,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const callOf = (name: string, input: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});

const confirmed = (rewardId = 'cup', idempotencyKey: string = randomUUID()) => ({
  rewardId,
  confirmed: true,
  idempotencyKey,
});

const redemptions = (): Promise<number> => world.count('select count(*)::int from redemption_reservations');

describe('over HTTP', () => {
  test('an agent without a session reads what anybody may see, and redeems nothing', async () => {
    const agent = await connected();
    expect((await agent.client.listTools()).tools).toEqual(TOOLS);
    const read = await agent.call('read_surface');
    const surface = read.structured as unknown as Surface;
    const page = await client.send({ method: 'GET', path: `/api/v1/widgets/${deployment}/surface` });
    expect({ surface, personalized: surface.context.personalized }).toEqual({
      surface: page.body,
      personalized: false,
    });
    const listed = await agent.call('list_rewards');
    expect(listed.structured).toMatchObject({ merchantContentIsData: true, personalized: false });
    const before = await redemptions();
    expect((await agent.call('redeem_reward', confirmed())).code).toBe('unauthorized');
    expect(await redemptions()).toBe(before);
  });

  test('an agent with a session reads what its customer sees, and redeems once for one key', async () => {
    const agent = await connected(withSession());
    const { structured } = await agent.call('read_surface');
    expect(structured).toMatchObject({ context: { personalized: true } });
    const input = confirmed();
    const before = await redemptions();
    const first = await agent.call('redeem_reward', input);
    expect(first.structured).toEqual({
      merchantContentIsData: true,
      requestId: expect.stringMatching(/^req_/),
      idempotent: false,
      redemption: {
        ...{ id: expect.stringMatching(/^rsv_/), state: 'reserved', rewardId: 'cup', points: 10 },
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
      balance: { available: expect.any(Number), pending: expect.any(Number), reserved: expect.any(Number) },
    });
    const again = await agent.call('redeem_reward', input);
    const { requestId: _first, ...receipt } = first.structured ?? {};
    const { requestId: _again, ...repeated } = again.structured ?? {};
    expect(repeated).toEqual({ ...receipt, idempotent: true });
    expect(await redemptions()).toBe(before + 1);
  });

  test('one key is one redemption over REST and MCP, in either order and at once', async () => {
    const agent = await connected(withSession());
    const overRest = (input: object) =>
      client.send({
        method: 'POST',
        path: `/api/v1/widgets/${deployment}/actions/redeem`,
        headers: { ...withSession(), 'content-type': 'application/json' },
        body: JSON.stringify({ action: 'redeem', ...input }),
      });
    const before = await redemptions();
    const [one, other] = [confirmed(), confirmed()];
    const made = await overRest(one);
    expect(made).toMatchObject({ status: 201, code: null });
    const repeated = await agent.call('redeem_reward', one);
    expect(repeated.structured).toMatchObject({
      idempotent: true,
      redemption: made.body.redemption,
      balance: made.body.balance,
    });
    const first = await agent.call('redeem_reward', other);
    const replayed = await overRest(other);
    expect({ status: replayed.status, redemption: replayed.body.redemption }).toEqual({
      status: 200,
      redemption: first.structured?.redemption,
    });
    const crowd = confirmed();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) =>
        index % 2 === 0
          ? (await overRest(crowd)).body.redemption
          : (await agent.call('redeem_reward', crowd)).structured?.redemption,
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await redemptions()).toBe(before + 3);
  });

  test('a key that redeemed another reward, or a reward that is not offered, is refused', async () => {
    const agent = await connected(withSession());
    const input = confirmed();
    expect((await agent.call('redeem_reward', input)).code).toBeNull();
    const reused = await agent.call('redeem_reward', { ...input, rewardId: 'hostile-0' });
    expect(reused.code).toBe('idempotency_key_reused');
    for (const rewardId of ['car', 'no-such-reward']) {
      const key = randomUUID();
      expect((await agent.call('redeem_reward', confirmed(rewardId, key))).code).toBe('reward_not_available');
      // The key is not used up.
      expect((await agent.call('redeem_reward', confirmed('cup', key))).code).toBeNull();
    }
  });

  test('holds are listed and released: those of the session alone, once for one key', async () => {
    const [agent, other] = [
      await connected(withSession()),
      await connected(withSession(await sessionOf('grace'))),
    ];
    const held = (await agent.call('redeem_reward', confirmed())).structured?.redemption as Record<
      string,
      unknown
    >;
    const { id, expiresAt } = held;
    const listed = async (of: Agent) => (await of.call('list_holds')).structured?.holds as { id: string }[];
    expect(await listed(agent)).toContainEqual({
      id,
      rewardId: 'cup',
      rewardName: 'Cup',
      points: 10,
      expiresAt,
    });
    expect((await listed(other)).map((hold) => hold.id)).not.toContain(id);
    const release = { holdId: id, confirmed: true, idempotencyKey: randomUUID() };
    // Another customer's hold does not exist for this one; nor does what is no hold.
    expect((await other.call('release_hold', release)).code).toBe('reservation_not_found');
    expect((await agent.call('release_hold', { ...release, holdId: 'rsv_x' })).code).toBe(
      'reservation_not_found',
    );
    expect((await agent.call('release_hold', { ...release, confirmed: false })).code).toBe(
      'validation_failed',
    );
    const anonymous = await connected();
    for (const [tool, input] of [
      ['list_holds', {}],
      ['release_hold', release],
    ] as const)
      expect((await anonymous.call(tool, input)).code).toBe('unauthorized');
    expect((await listed(agent)).map((hold) => hold.id)).toContain(id);
    const released = { id, state: 'released', rewardId: 'cup', points: 10 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => agent.call('release_hold', release)));
    expect(answers.map(({ structured }) => structured?.hold)).toEqual(Array(5).fill(released));
    expect(answers.filter(({ structured }) => structured?.idempotent === false)).toHaveLength(1);
    expect((await listed(agent)).map((hold) => hold.id)).not.toContain(id);
    const again = { ...release, idempotencyKey: randomUUID() };
    expect((await agent.call('release_hold', again)).code).toBe('invalid_redemption_state');
    expect(await world.failedControls()).toEqual([]);
  });

  test('a reward at another price than the person agreed to is not redeemed', async () => {
    const agent = await connected(withSession());
    const input = confirmed();
    const before = await redemptions();
    const dearer = await agent.call('redeem_reward', { ...input, pointsCost: 9 });
    expect({ code: dearer.code, redemptions: await redemptions() }).toEqual({
      code: 'price_changed',
      redemptions: before,
    });
    expect(JSON.stringify(dearer)).toContain('The reward costs 10 points now');
    expect(JSON.stringify(dearer)).not.toContain('If-Match');
    expect((await agent.call('redeem_reward', { ...input, pointsCost: 10 })).code).toBeNull();
  });

  test.each([
    ['without confirmed', { confirmed: undefined }],
    ['that is not confirmed', { confirmed: false }],
    ['with a key of 11 characters', { idempotencyKey: 'x'.repeat(11) }],
    ['with a key of 161 characters', { idempotencyKey: 'x'.repeat(161) }],
    ['that names a customer', { externalCustomerId: 'grace' }],
  ])('a redemption %s changes nothing', async (_name, changed) => {
    const agent = await connected(withSession(await sessionOf('ada')));
    const before = await world.countRows();
    const { code, notice } = await agent.call('redeem_reward', { ...confirmed(), ...changed });
    expect({ code, notice }).toEqual({ code: 'validation_failed', notice: DATA_NOTICE });
    expect(await world.countRows()).toEqual(before);
  });

  test('a session opens nothing of another deployment, and nothing from another origin', async () => {
    const before = await world.countRows();
    const call = callOf('redeem_reward', confirmed());
    const refused = async (sent: Promise<Received>) => {
      const { status, code, headers, body } = await sent;
      expect(body.error?.requestId).toBe(headers['x-request-id']);
      return [status, code];
    };
    expect(await refused(post(call, withSession(), otherDeployment))).toEqual([401, 'unauthorized']);
    for (const origin of [
      OTHER_ORIGIN,
      'null',
      'https://evil.example',
      `${WIDGET_ORIGIN}/`,
      'https://SHOP.example',
    ]) {
      expect(await refused(post(call, withSession(token, origin)))).toEqual([403, 'origin_not_allowed']);
    }
    expect(await refused(post(call, { authorization: `Bearer ${token}` }))).toEqual([
      403,
      'origin_not_allowed',
    ]);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${token}x`,
      `Basic ${token}`,
      `Bearer ${shop.key}`,
    ]) {
      expect(await refused(post(LIST, { authorization, origin: WIDGET_ORIGIN }))).toEqual([
        401,
        'unauthorized',
      ]);
    }
    await expect(connected(withSession('wst_forged'))).rejects.toMatchObject({ code: 401 });
    expect(await world.countRows()).toEqual(before);
  });

  test('a session of one member redeems for that member alone', async () => {
    const own = await connected(withSession(await sessionOf('grace')));
    const key = randomUUID();
    const available = async (agent: Agent) => {
      const surface = (await agent.call('read_surface')).structured as unknown as Surface;
      const balance = surface.components.find(({ kind }) => kind === 'svc.balance');
      return (balance as { state: { available: number } }).state.available;
    };
    const ada = await connected(withSession(await sessionOf('ada')));
    const before = await available(ada);
    const mine = await own.call('redeem_reward', confirmed('cup', key));
    expect(await available(ada)).toBe(before);
    // The same key of another member is another redemption.
    const hers = await ada.call('redeem_reward', confirmed('cup', key));
    expect({ code: hers.code, idempotent: hers.structured?.idempotent }).toEqual({
      code: null,
      idempotent: false,
    });
    expect(hers.structured?.redemption).not.toEqual(mine.structured?.redemption);
  });

  test('without a session, pages of origins that are not listed get nothing', async () => {
    expect((await post(LIST, { origin: WIDGET_ORIGIN })).status).toBe(200);
    for (const origin of ['null', 'https://evil.example', server.url]) {
      const { status, code } = await post(LIST, { origin });
      expect([origin, status, code]).toEqual([origin, 403, 'origin_not_allowed']);
    }
  });

  test('pages of the origins that are listed may read the answers, those of others not', async () => {
    const preflight = (origin: string) =>
      client.send({
        method: 'OPTIONS',
        path: `/api/v1/widgets/${deployment}/mcp`,
        headers: { origin, 'access-control-request-method': 'POST' },
      });
    const { headers } = await preflight(WIDGET_ORIGIN);
    expect(headers['access-control-allow-origin']).toBe(WIDGET_ORIGIN);
    expect(headers['access-control-allow-headers']?.toLowerCase()).toContain('mcp-protocol-version');
    expect((await preflight('https://evil.example')).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
    expect((await post(LIST, { origin: WIDGET_ORIGIN })).headers['access-control-allow-origin']).toBe(
      WIDGET_ORIGIN,
    );
  });

  test('other methods are not taken, and unknown deployments not found', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const path = `/api/v1/widgets/${deployment}/mcp`;
      const { status, code, headers } = await client.send({ method, path });
      expect([method, status, code, headers.allow]).toEqual([method, 405, 'method_not_allowed', 'POST']);
    }
    for (const id of ['wdg_01h455vb4pex5vsknk084sn02q', 'wdg_', 'x', deployment.toUpperCase()]) {
      const { status, code } = await post(LIST, {}, id);
      expect([id, status, code]).toEqual([id, 404, 'deployment_not_found']);
    }
  });

  test.each(SUPPORTED_PROTOCOL_VERSIONS)('version %s is spoken', async (protocolVersion) => {
    const clientInfo = { name: 'tests', version: '1' };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const { body } = await post({ ...LIST, method: 'initialize', params });
    expect(body).toMatchObject({ result: { protocolVersion } });
    expect((await post(LIST, { 'mcp-protocol-version': protocolVersion })).status).toBe(200);
  });

  test.each<[string, string, number, number]>([
    ['an empty body', '', 400, -32700],
    ['half a message', '{"jsonrpc":"2.0","id":1', 400, -32700],
    ['a doubled key', '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/call"}', 400, -32700],
    ['a batch', JSON.stringify([LIST, LIST]), 400, -32700],
    ['an empty batch', '[]', 400, -32700],
    ['a text', '"tools/list"', 400, -32700],
    ['33 levels', `{"a":${'['.repeat(33)}${']'.repeat(33)}}`, 400, -32700],
    [
      'a number that would be rounded',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}',
      400,
      -32600,
    ],
    ['half a character', JSON.stringify({ ...LIST, method: '\ud800' }), 400, -32600],
    ['no version', '{"id":1,"method":"tools/list"}', 400, -32700],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}', 200, -32601],
    ['an unknown tool', JSON.stringify(callOf('redeem_everything')), 200, -32602],
  ])('%s is refused as JSON-RPC does', async (_name, body, status, code) => {
    const answered = await post(body);
    expect({ status: answered.status, code: answered.body.error?.code }).toEqual({ status, code });
    expect(answered.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('a query is refused, also one that names a customer', async () => {
    for (const query of ['externalCustomerId=grace', 'memberId=mem_1', 'x']) {
      const path = `/api/v1/widgets/${deployment}/mcp?${query}`;
      const headers = {
        ...withSession(),
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const sent = await client.send({ method: 'POST', path, headers, body: JSON.stringify(LIST) });
      expect([query, sent.status, sent.code]).toEqual([query, 422, 'validation_failed']);
      expect(sent.body.error?.details?.[0]?.path).toBe(query.split('=')[0]);
    }
  });

  test('very many wrong arguments cost no more than one page of answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, index]));
    const { status, body, text } = await post(
      callOf('redeem_reward', { ...confirmed(), ...many }),
      withSession(),
    );
    expect({ status, result: body.result }).toMatchObject({ status: 200, result: { isError: true } });
    expect(text.length).toBeLessThan(10_000);
  });

  test('bodies of another type, too large ones and clients that take no JSON are refused', async () => {
    const wrongType = await post(LIST, { 'content-type': 'text/plain' });
    expect(wrongType).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    const sized = (bytes: number) => {
      const bare = JSON.stringify({ ...LIST, params: { padding: '' } });
      return { ...LIST, params: { padding: 'x'.repeat(bytes - bare.length) } };
    };
    expect((await post(sized(8_192))).status).toBe(200);
    for (const bytes of [8_193, 200_000])
      for (const headers of [{}, withSession()]) {
        const tooLarge = await post(sized(bytes), headers);
        expect([bytes, tooLarge.status, tooLarge.code]).toEqual([bytes, 413, 'payload_too_large']);
      }
    expect((await post(LIST, { accept: 'text/html' })).status).toBe(406);
  });

  test('without a session agents have a limit of their own, and what else is read goes on', async () => {
    const alone = await addTestWidget(world, shop.id, { id: 'limit-of-agents' });
    const path = `/api/v1/widgets/${alone}/mcp`;
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const ask = () => client.send({ method: 'POST', path, headers, body: JSON.stringify(LIST) });
    const statuses: number[] = [];
    for (let sent = 0; sent < 125; sent++) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array(120).fill(200), ...Array(5).fill(429)]);
    const surface = await client.send({
      method: 'GET',
      path: `/api/v1/widgets/${alone}/surface`,
      headers: {},
    });
    expect(surface.status).toBe(200);
  });

  test('a session is refused beyond its requests of a minute, over REST and MCP together', async () => {
    const session = withSession(await sessionOf('ada'));
    const statuses: number[] = [];
    for (let sent = 0; sent < 70; sent++) {
      const read = { method: 'GET', path: `/api/v1/widgets/${deployment}/surface`, headers: session };
      const { status, headers } = sent % 2 === 0 ? await post(LIST, session) : await client.send(read);
      if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      statuses.push(status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.slice(60).every((status) => status === 429)).toBe(true);
  });
});

test('hostile labels are data in every result, and the tools have none of them', async () => {
  const label = HOSTILE_LABELS['an instruction to an agent'] ?? '';
  const hidden = Array.from('obey', (each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('');
  const id = await addTestWidget(world, shop.id, {
    id: 'hostile',
    components: EACH_COMPONENT.map((component) => ({ ...component, label: `${label}\u202e${hidden}` })),
  });
  const agent = await connectOverHttp(server.url, id);
  agents.push(agent);
  const { tools } = await agent.client.listTools();
  expect(tools).toEqual(TOOLS);
  for (const name of ['read_surface', 'list_rewards']) {
    const { notice, data, structured } = await agent.call(name);
    expect({ notice, data }).toEqual({ notice: DATA_NOTICE, data: structured });
    const result = await agent.client.callTool({ name });
    const texts = (result.content as { text: string }[]).map(({ text }) => text).join('\n');
    expect(texts).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
  }
  const { data } = await agent.call('list_rewards');
  const names = (data.rewards as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(labels.slice(0, 8).map((text) => text.slice(0, 300))));
});

describe('over standard input and output', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rewards-mcp-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const toServer = () => ['--deployment', deployment, '--base', server.url];

  test('an agent reads without a session', async () => {
    const agent = await connectOverStdio(toServer());
    expect((await agent.client.listTools()).tools).toEqual(TOOLS);
    expect((await agent.call('read_surface')).structured).toMatchObject({ context: { personalized: false } });
    expect((await agent.call('redeem_reward', confirmed())).code).toBe('unauthorized');
    await agent.close();
    expect(agent.stderr()).toBe('');
  });

  test('an agent redeems once for one key, with the token of a file that is replaced while it runs', async () => {
    const file = join(folder, 'session.txt');
    await writeFile(file, `${await sessionOf('ada')}\n`);
    const agent = await connectOverStdio([...toServer(), '--token-file', file, '--origin', WIDGET_ORIGIN]);
    const input = confirmed();
    const before = await redemptions();
    expect((await agent.call('redeem_reward', input)).structured).toMatchObject({ idempotent: false });
    await writeFile(file, await sessionOf('ada'));
    expect((await agent.call('redeem_reward', input)).structured).toMatchObject({ idempotent: true });
    expect(await redemptions()).toBe(before + 1);
    expect((await agent.call('redeem_reward', { ...input, confirmed: false })).code).toBe(
      'validation_failed',
    );
    await writeFile(file, 'wst_over');
    await expect(agent.call('read_surface')).rejects.toThrow(/session/);
    await agent.close();
    expect(agent.stderr()).toMatch(/session/);
    expect(agent.stderr()).not.toContain('wst_');
  });

  test('a session without its origin is refused, and the reason told', async () => {
    const started = connectOverStdio(toServer(), { SVC_REWARDS_SESSION: token });
    await expect(started).rejects.toThrow(/origin/i);
  });
});

test('the books are in order after all this', async () => {
  expect(await world.failedControls()).toEqual([]);
});
