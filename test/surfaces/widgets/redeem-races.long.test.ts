import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../../support/server.ts';
import {
  addMembers,
  BrokenConnection,
  Client,
  earn,
  quote,
  type Received,
  readMember,
  reserve,
  type Sent,
} from '../../support/surfaces/client.ts';
import { addTestWidget, openSession, redeemInWidget } from '../../support/surfaces/widgets.ts';
import { createWorld, type TestEnvironment, type World } from '../../support/surfaces/world.ts';

const PRICE = 100;
const CLICKS = 64;
const MEMBERS = 24;

let database: TestDatabase;
let world: World;
let shop: TestEnvironment;
let deploymentId: string;
/** Two servers: within one process the commands of a member never overlap. */
let servers: ServerProcess[];
let clients: Client[];

const settings = (): Record<string, string> => ({
  ...databaseSettings(database),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  WIDGET_SESSION_RATE_LIMIT_PER_MINUTE: '1000000',
});

beforeAll(async () => {
  database = await createTestDatabase();
  world = createWorld(database);
  shop = await world.environment();
  await world.publish(shop.id, (yaml) =>
    yaml.replace('rewards:\n', `rewards:\n  - { id: cup, name: Cup, points: ${PRICE} }\n`),
  );
  deploymentId = await addTestWidget(world, shop.id);
  servers = await Promise.all([spawnServer(settings()), spawnServer(settings())]);
  clients = servers.map(({ url }) => new Client(url));
});

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await database.drop();
});

const clientAt = (index: number): Client => clients[index % clients.length] as Client;

/** Creates members with the given points each. @returns the token of a session for each */
async function withPoints(names: readonly string[], points: number): Promise<string[]> {
  await addMembers(clientAt(0), shop, names);
  return Promise.all(
    names.map(async (name) => {
      const purchase = { externalCustomerId: name, amountMinor: points * 100, sourceReference: `of ${name}` };
      const { status, text } = await clientAt(0).send(earn(shop, purchase, `earn-${name}`));
      if (status !== 201) throw new Error(text);
      return openSession(clientAt(0), shop, deploymentId, name);
    }),
  );
}

function click(token: string, idempotencyKey: string): Sent {
  return redeemInWidget(deploymentId, token, { rewardId: 'cup', idempotencyKey });
}

/** Sends all requests at the same time, to the servers in turn. */
function atOnce(sends: readonly Sent[]): Promise<Received[]> {
  return Promise.all(sends.map((sent, index) => clientAt(index).send(sent)));
}

async function balanceOf(name: string): Promise<object> {
  const { body } = await clientAt(0).send(readMember(shop, name));
  const [program] = body.programs as { balances: { available: number; reserved: number }[] }[];
  const { available, reserved } = program?.balances[0] ?? {};
  return { available, reserved };
}

function idOf({ body }: Received): string | undefined {
  return (body.redemption as { id: string } | undefined)?.id;
}

test(`${CLICKS} clicks at once with one key, on two servers: one redemption, and everybody is told of it`, async () => {
  const [token = ''] = await withPoints(['clicker'], 10 * PRICE);
  const answers = await atOnce(Array.from({ length: CLICKS }, () => click(token, 'one-intent-only')));
  expect(answers.filter(({ status }) => status === 201).length).toBe(1);
  expect(answers.filter(({ status, replayed }) => status === 200 && replayed).length).toBe(CLICKS - 1);
  expect(new Set(answers.map(idOf)).size).toBe(1);
  expect(await balanceOf('clicker')).toEqual({ available: 9 * PRICE, reserved: PRICE });
  const audited = `select count(*)::int from audit_events where action = 'redemption.reserved' and target_id = $1`;
  expect(await world.count(audited, [idOf(answers[0] as Received)])).toBe(1);
});

test('clicks with a key each, against quotes of the checkout: no point is held twice, and none is left over', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `spender-${index}`);
  const tokens = await withPoints(names, 3 * PRICE);
  const sends: Sent[] = [];
  for (const [index, name] of names.entries()) {
    for (let each = 0; each < 4; each += 1) {
      sends.push(click(tokens[index] ?? '', `${name}-intent-${each}`));
      const key = `${name}-quote-${each}`;
      const priced = await clientAt(each).send(
        quote(shop, { externalCustomerId: name, rewardId: 'cup' }, key),
      );
      sends.push(reserve(shop, (priced.body.quote as { id: string }).id, `${name}-reserve-${each}`));
    }
  }
  const answers = await atOnce(sends.toSorted(() => Math.random() - 0.5));
  const codes = new Set(answers.map(({ code }) => code));
  expect(
    [...codes].every((code) => [null, 'insufficient_points', 'reward_not_available'].includes(code)),
  ).toBe(true);
  expect(answers.filter(({ code }) => code === null).length).toBe(3 * names.length);
  for (const name of names) expect(await balanceOf(name)).toEqual({ available: 0, reserved: 3 * PRICE });
  expect(await world.failedControls()).toEqual([]);
});

test('a server is killed between request and answer: sent again under the same key, each redemption is there once', async () => {
  const names = Array.from({ length: MEMBERS }, (_, index) => `cut-${index}`);
  const tokens = await withPoints(names, 2 * PRICE);
  let cut = 0;
  const answered = new Map<string, string>();
  const send = async (client: Client, name: string, token: string): Promise<void> => {
    try {
      const answer = await client.send(click(token, `intent-of-${name}`));
      expect([200, 201]).toContain(answer.status);
      const known = answered.get(name);
      if (known !== undefined) expect(idOf(answer)).toBe(known);
      answered.set(name, idOf(answer) ?? '');
    } catch (error) {
      if (!(error instanceof BrokenConnection)) throw error;
      cut += 1;
    }
  };
  const toAll = (client: Client): Promise<void>[] =>
    names.map((name, index) => send(client, name, tokens[index] ?? ''));
  // The kill comes at the first answer: some of the others have been written by then, some have not.
  const sent = toAll(clientAt(0));
  await Promise.race(sent);
  await servers[0]?.end('SIGKILL');
  await Promise.all(sent);
  clientAt(0).close();
  servers[0] = await spawnServer(settings());
  clients[0] = new Client(servers[0].url);
  await Promise.all(toAll(clientAt(1)));
  await Promise.all(toAll(clientAt(0)));
  expect(answered.size).toBe(MEMBERS);
  expect(new Set(answered.values()).size).toBe(MEMBERS);
  for (const name of names) expect(await balanceOf(name)).toEqual({ available: PRICE, reserved: PRICE });
  expect(cut + answered.size).toBeGreaterThanOrEqual(MEMBERS);
  expect(await world.failedControls()).toEqual([]);
  expect(await world.eventFaults()).toEqual([]);
}, 240_000);
