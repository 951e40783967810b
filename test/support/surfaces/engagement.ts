import { expect } from '@jest/globals';
import type { Config } from '../../../src/config.ts';
import type { RunningServer } from '../../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { startTestServer } from '../server.ts';
import { addMembers, Client, createMember, engage, type Sent } from './client.ts';
import { createWorld, type TestEnvironment, type World } from './world.ts';

/** Two server processes on one database, with environments of the demo's program. */
export interface Club {
  database: TestDatabase;
  world: World;
  client: Client;
  /** A client of another server on the same database. */
  other: Client;
  shop: TestEnvironment;
  locked: TestEnvironment;
  close(): Promise<void>;
}

/** ada and ben are enrolled in the program, stranger is a member without enrollment, gone is suspended. */
export async function openClub(): Promise<Club> {
  const database = await createTestDatabase();
  const world = createWorld(database);
  const servers: RunningServer[] = [await startTestServer(database), await startTestServer(database)];
  const [client, other] = servers.map(({ url }) => new Client(url)) as [Client, Client];
  const shop = await world.environment();
  const locked = await world.environment('production');
  await addMembers(client, shop, ['ada', 'ben', 'gone']);
  await client.send(createMember(shop, 'stranger'));
  await database.adminPool.query(
    `update members set status = 'suspended' where external_customer_id = 'gone'`,
  );
  await addMembers(client, locked, ['ada']);
  await world.lock(locked.id, true);
  return {
    database,
    world,
    client,
    other,
    shop,
    locked,
    async close() {
      for (const each of [client, other]) each.close();
      for (const server of servers) await server.close();
      await database.drop();
    },
  };
}

/** An event for a kilo of brewed coffee, which grants one of the gifts. */
export function brew(shop: TestEnvironment, externalCustomerId: string, key: string): Sent {
  return engage(shop, { type: 'brew', externalCustomerId, attributes: { grams: 1000 } }, key);
}

export interface Answers {
  status: number;
  code: string | null;
  what: string;
  sent: () => Sent;
}

/** The responses of both operations before their own rules apply: those of the edge, and 422 for a missing key. */
export function edgeOf(send: (shop: TestEnvironment) => Sent, shop: () => TestEnvironment): Answers[] {
  const good = () => send(shop());
  const withHeaders = (headers: Record<string, string | undefined>): Sent => {
    const { headers: usualHeaders, ...sent } = good();
    const all = Object.entries({ ...usualHeaders, ...headers }).filter(([, value]) => value !== undefined);
    return { ...sent, headers: Object.fromEntries(all) as Record<string, string> };
  };
  const answers: [number, string, string, () => Sent][] = [
    [400, 'invalid_json', 'no JSON', () => ({ ...good(), body: '{' })],
    [401, 'unauthorized', 'a wrong credential', () => send({ ...shop(), key: 'svc_test_none' })],
    [
      413,
      'payload_too_large',
      'a long body',
      () => ({ ...good(), body: String(good().body).padEnd(131_073) }),
    ],
    [415, 'unsupported_media_type', 'another type', () => withHeaders({ 'content-type': 'text/plain' })],
    [422, 'idempotency_key_required', 'no key', () => withHeaders({ 'idempotency-key': undefined })],
    [422, 'idempotency_key_required', 'an empty key', () => withHeaders({ 'idempotency-key': '' })],
    [422, 'validation_failed', 'nothing in the body', () => ({ ...good(), body: '{}' })],
    [422, 'validation_failed', 'an unknown field', () => ({ ...good(), body: '{"colour":"red"}' })],
  ];
  return answers.map(([status, code, what, sent]) => ({ status, code, what, sent }));
}

/** Starts a server with these settings, and sends to it with a client of its own. */
async function onServer(
  { database }: Club,
  settings: Partial<Config>,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(database, settings);
  const client = new Client(server.url);
  try {
    await work(client);
  } finally {
    client.close();
    await server.close();
  }
}

/** Checks 403, 429 and 500 of an operation. After a 500 nothing is stored, and the same key succeeds later. */
export async function expectNeed(
  club: Club,
  send: (shop: TestEnvironment, key: string) => Sent,
): Promise<void> {
  const { world, shop, client, database } = club;
  const { key } = await world.key(shop.id, ['members:read', 'members:write', 'transactions:read']);
  expect((await client.send(send({ ...shop, key }, 'scope'))).status).toBe(403);
  await onServer(club, { rateLimitPerMinute: 1 }, async (limited) => {
    const ownShop = { ...shop, ...(await world.key(shop.id)) };
    expect((await limited.send(send(ownShop, 'limit'))).status).toBe(201);
    const overLimit = await limited.send(send(ownShop, 'over'));
    expect(overLimit).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(Number(overLimit.headers['retry-after'])).toBeGreaterThan(50);
  });
  await onServer(club, { logLevel: 'silent' }, async (broken) => {
    const before = await world.countRows();
    await database.adminPool.query('revoke insert on audit_events from rewards_app');
    const failed = await broken.send(send(shop, 'broken'));
    await database.adminPool.query('grant insert on audit_events to rewards_app');
    expect(failed).toMatchObject({ status: 500, code: 'internal_error' });
    expect(await world.countRows()).toEqual(before);
    expect((await broken.send(send(shop, 'broken'))).status).toBe(201);
  });
}
