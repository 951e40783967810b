import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { toTypeId } from '../../src/ids.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, BrokenConnection, Client, earn } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment } from '../support/surfaces/world.ts';
import { type Received, Receiver } from '../support/webhooks/receiver.ts';
import { webhookRequests } from '../support/webhooks/requests.ts';

// Two processes write and deliver, and one after the other is killed and started again, under load, while the receiver
// answers at random. `FULL=1 npm test -- test/process/webhook-kills` kills twenty times.

const KILLS = process.env.FULL === '1' ? 20 : 4;
const SENDERS = 6;
const MEMBERS = 6;
const TYPES = ['points.earned', 'member.enrolled'];
/** A receiver that has been asked so often says yes: the tenth failure would end the delivery. */
const MOST_REFUSALS = 5;
const PATIENCE_MS = 240_000;

interface Endpoint {
  /** UUID. */
  id: string;
  path: string;
  secret: string;
}

test(`kill -9 of one of two processes, ${KILLS} times: every committed event arrives, and no other`, async () => {
  const database = await createTestDatabase();
  const world = createWorld(database);
  const shop = await world.environment();
  const receiver = await Receiver.open();
  const settings = {
    ...databaseSettings(database),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  const servers = [await spawnServer(settings), await spawnServer(settings)];
  const ended = new AbortController();
  const work: Promise<void>[] = [];
  try {
    const client = new Client(servers[0]?.url ?? '');
    const endpoints = [await addEndpoint(client, shop, database, `${receiver.url}/one`)];
    endpoints.push(await addEndpoint(client, shop, database, `${receiver.url}/two`));
    await addMembers(client, shop, memberIds());
    client.close();
    const unverified: string[] = [];
    const verify = ({ path, body, headers }: Received): void => {
      const secret = endpoints.find((endpoint) => endpoint.path === path)?.secret ?? '';
      try {
        new Webhook(secret).verify(body, headers);
      } catch (error) {
        unverified.push(String(error));
      }
    };
    answerAtRandom(receiver, verify);
    work.push(retryAtOnce(database, ended.signal));
    const sent = new Set<string>();
    let cut = 0;
    for (const index of servers.keys()) {
      work.push(
        buy(
          () => servers[index] as ServerProcess,
          shop,
          sent,
          ended.signal,
          () => (cut += 1),
        ),
      );
    }
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = receiver.received.length;
      await until(() => receiver.received.length > before + 10, 'deliveries go on');
      await sleep(Math.random() * 300);
      await servers[kill % 2]?.end('SIGKILL');
      // Most of the time a lease ends as it would twenty seconds later: who is alive loses its own as well, and takes
      // one over.
      if (kill % 4 < 3)
        await database.adminPool.query('update webhook_leases set owned_until = clock_timestamp()');
      servers[kill % 2] = await spawnServer(settings);
    }
    // A kill that cuts nothing off shows nothing.
    await until(() => cut >= KILLS, 'requests were cut off');
    receiver.answer = (received, response) => {
      verify(received);
      response.writeHead(Math.random() < 0.2 ? 500 : 200).end();
    };
    ended.abort();
    await Promise.all(work.slice(1));
    const retries = new AbortController();
    work.push(retryAtOnce(database, retries.signal));
    await until(async () => (await waiting(database)) === 0, 'everything is delivered');
    retries.abort();

    const committed = await purchases(database, sent);
    expect({ unknown: committed.unknown, unverified }).toEqual({ unknown: 0, unverified: [] });
    for (const endpoint of endpoints)
      await expectComplete(database, endpoint, receiver.received, committed.ids);
    await expectPositions(database);
    expect(await world.failedControls()).toEqual([]);
    for (const server of servers) expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    tell(
      `${KILLS} kills: ${sent.size} purchases sent, ${committed.ids.size} committed, ` +
        `${cut} cut off, ${receiver.received.length} attempts received`,
    );
  } finally {
    ended.abort();
    await Promise.allSettled(work);
    for (const server of servers) await server.end('SIGKILL');
    await receiver.close();
    await database.drop();
  }
}, 900_000);

async function addEndpoint(
  client: Client,
  shop: TestEnvironment,
  { adminPool }: TestDatabase,
  url: string,
): Promise<Endpoint> {
  const path = new URL(url).pathname;
  const made = await client.send(
    webhookRequests.create(shop, { url, eventTypes: TYPES }, `create-${path.slice(1)}`),
  );
  const { id: shown } = made.body.endpoint as { id: string };
  await client.send(webhookRequests.patch(shop, shown, { status: 'active' }, `activate-${path.slice(1)}`));
  const { rows } = await adminPool.query<{ id: string }>('select id from webhook_endpoints where url = $1', [
    url,
  ]);
  return { id: rows[0]?.id ?? '', path, secret: made.body.signingSecret as string };
}

/** 200, 500, a reset before or after the headers, and now and then no answer at all. */
function answerAtRandom(receiver: Receiver, verify: (received: Received) => void): void {
  const seen = new Map<string, number>();
  receiver.answer = (received, response: ServerResponse) => {
    verify(received);
    const id = received.headers['webhook-id'] ?? '';
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    const chance = count > MOST_REFUSALS ? 1 : Math.random();
    if (chance < 0.15) response.writeHead(500).end('broken');
    else if (chance < 0.22) response.socket?.resetAndDestroy();
    else if (chance < 0.27) {
      response.writeHead(200, { 'content-length': '10' }).write('cut');
      setTimeout(() => response.socket?.resetAndDestroy(), 5);
    } else if (chance >= 0.28) response.writeHead(200).end();
  };
}

/** Makes what has failed due again, in place of its schedule. */
async function retryAtOnce({ adminPool }: TestDatabase, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await adminPool.query(
      `update webhook_deliveries set next_attempt_at = clock_timestamp()
       where status = 'failed' and next_attempt_at > clock_timestamp()`,
    );
    await sleep(200);
  }
}

/** Sends purchases to whichever process stands in a place, until the signal. */
async function buy(
  server: () => ServerProcess,
  shop: TestEnvironment,
  sent: Set<string>,
  signal: AbortSignal,
  onCut: () => void,
): Promise<void> {
  const send = async (sender: number): Promise<void> => {
    let number = 0;
    while (!signal.aborted) {
      const { url, pid } = server();
      const client = new Client(url, 1);
      for (let alive = true; alive && !signal.aborted; ) {
        const key = `${pid}-${sender}-${number}`;
        number += 1;
        sent.add(key);
        const purchase = {
          externalCustomerId: `c-${sender % MEMBERS}`,
          sourceReference: key,
          amountMinor: 1_000,
        };
        const answer = await client.send(earn(shop, purchase, key)).catch((error: BrokenConnection) => error);
        if (answer instanceof BrokenConnection) {
          // What was not sent to anybody is not in doubt.
          if (answer.code === 'ECONNREFUSED') sent.delete(key);
          else onCut();
          alive = false;
        } else expect([201, 503]).toContain(answer.status);
        // The receiver is slower than the purchases.
        await sleep(100);
      }
      client.close();
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
}

async function waiting({ adminPool }: TestDatabase): Promise<number> {
  const { rows } = await adminPool.query<{ count: number }>(
    `select (select count(*) from events where position is null)
       + (select count(*) from webhook_deliveries where status in ('pending', 'failed')) as count`,
  );
  return rows[0]?.count ?? 0;
}

/** The ids of the purchases that were committed; `unknown` counts those that nobody sent. */
async function purchases({ adminPool }: TestDatabase, sent: ReadonlySet<string>) {
  const { rows } = await adminPool.query<{ id: string; reference: string }>(
    `select id, source_reference as reference from transactions where event_type = 'purchase.completed'`,
  );
  return {
    ids: new Set(rows.map(({ id }) => toTypeId('txn', id))),
    unknown: rows.filter(({ reference }) => !sent.has(reference)).length,
  };
}

/** Each event once in the sequence of the endpoint, and received at least once, with one id and one body. */
async function expectComplete(
  { adminPool }: TestDatabase,
  { id, path }: Endpoint,
  all: readonly Received[],
  committed: ReadonlySet<string>,
): Promise<void> {
  const { rows: events } = await adminPool.query<{ id: string }>(
    'select id from events where type = any ($1) order by position',
    [TYPES],
  );
  const { rows: deliveries } = await adminPool.query<{ event: string; sequence: number; status: string }>(
    'select event_id as event, sequence, status from webhook_deliveries where endpoint_id = $1 order by sequence',
    [id],
  );
  // Every event once, in the order of the commits, without a gap.
  expect(deliveries.map(({ event }) => event)).toEqual(events.map((event) => event.id));
  expect(deliveries.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']));

  const received = all.filter((each) => each.path === path);
  const bodies = new Map(received.map(({ headers, body }) => [headers['webhook-id'], body]));
  expect(received.filter(({ headers, body }) => bodies.get(headers['webhook-id']) !== body)).toEqual([]);
  const sequences = [...bodies.values()].map((body) => (JSON.parse(body) as Received['message']).sequence);
  expect(sequences.toSorted((one, other) => one - other)).toEqual(deliveries.map(({ sequence }) => sequence));
  const earned = received.filter(({ message }) => message.type === 'points.earned');
  const ids = new Set(earned.map(({ message }) => (message.data as { transactionId: string }).transactionId));
  expect(ids).toEqual(committed);
}

async function expectPositions({ adminPool }: TestDatabase): Promise<void> {
  const { rows } = await adminPool.query(
    'select count(*) as events, count(distinct position) as positions, max(position) as last from events',
  );
  expect(rows).toEqual([{ events: rows[0].last, positions: rows[0].last, last: rows[0].last }]);
}

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`never: ${what}`);
    await sleep(50);
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

function memberIds(): string[] {
  return Array.from({ length: MEMBERS }, (_, index) => `c-${index}`);
}
