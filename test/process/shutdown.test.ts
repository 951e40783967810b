import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase } from '../support/database.ts';
import { fixture } from '../support/fixture.ts';
import { databaseSettings, type ServerProcess, spawnServer, startTestServer } from '../support/server.ts';
import {
  addMembers,
  type BrokenConnection,
  Client,
  earn,
  graphql,
  readMember,
} from '../support/surfaces/client.ts';
import { createWorld, programId } from '../support/surfaces/world.ts';
import { makeDataDir, removeDataDir } from '../support/temporary-cluster.ts';
import { until } from '../support/until.ts';
import { useDatabase } from '../support/use-database.ts';

const SENDERS = 48;
const CLEAN = { code: 0, signal: null };

let settings: Record<string, string>;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

beforeAll(() => {
  settings = databaseSettings(database);
});

describe('SIGTERM', () => {
  test.each([
    ['one process', {}],
    ['two workers', { WORKERS: '2' }],
  ])('under load, %s: every request that was accepted is answered', async (what, extra) => {
    const server = await spawnServer({ ...settings, ...extra });
    const prefix = what.replace(' ', '-');
    const client = new Client(server.url, SENDERS);
    await addMembers(client, shop, [prefix]);
    const load = startLoad(client, prefix);
    await load.underway;
    load.stopAt();
    const begun = performance.now();
    expect(await server.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - begun).toBeLessThan(10_000);
    const { acknowledged, inFlight, answeredAfter, broken, notTaken } = await load.ended;
    client.close();
    expect(acknowledged.size).toBeGreaterThan(SENDERS);
    // Requests in flight at the signal were accepted.
    expect(inFlight).toBeGreaterThan(0);
    expect(answeredAfter).toBeGreaterThanOrEqual(inFlight);
    expect(broken).toEqual([]);
    // One process stops listening at once. With several, the primary may accept a connection that no worker takes over.
    if (!('WORKERS' in extra)) expect(notTaken).toEqual([]);
    expect(await storedReferences(prefix)).toEqual([...acknowledged].toSorted());
    expect(await world.failedControls()).toEqual([]);
  });

  test('a body that is still being sent is waited for; idle connections are not', async () => {
    const server = await spawnServer(settings);
    const client = new Client(server.url, 1);
    await addMembers(client, shop, ['slow']);
    const idle = await open(server);
    const slow = await open(server);
    const sent = earn(
      shop,
      { externalCustomerId: 'slow', sourceReference: 'slow', amountMinor: 100 },
      'slow',
    );
    const body = String(sent.body);
    const headers = Object.entries({
      ...{ ...sent.headers, host: 'x', 'content-length': body.length },
      // The server says so when it has read them.
      expect: '100-continue',
    });
    slow.socket.write(
      `POST ${sent.path} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    );
    await until(() => slow.text().includes('100 Continue'), 'the headers are read');
    slow.socket.write(body.slice(0, 10));
    const ended = server.end('SIGTERM');
    // Node by itself would keep a connection that has sent nothing for ten seconds.
    await idle.closed;
    await expect(client.send(readMember(shop, 'slow'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    slow.socket.write(body.slice(10));
    await slow.closed;
    expect(slow.text()).toMatch(/^HTTP\/1\.1 201 /m);
    expect(slow.text()).toMatch(/^connection: close/im);
    expect(await ended).toEqual(CLEAN);
    client.close();
  });

  test('who never ends is cut off after SHUTDOWN_SECONDS', async () => {
    const server = await spawnServer({ ...settings, SHUTDOWN_SECONDS: '1' });
    const endless = await open(server);
    endless.socket.write('POST /api/v1/events HTTP/1.1\r\nhost: x\r\n');
    await sleep(50);
    const begun = performance.now();
    expect(await server.end('SIGTERM')).toEqual(CLEAN);
    expect(performance.now() - begun).toBeLessThan(20_000);
    await endless.closed;
  });
});

test('while it stops it is not ready, and says so to who is still connected', async () => {
  const server = await startTestServer(database);
  const probe = await open(server);
  const head = 'GET /readyz HTTP/1.1\r\nhost: x\r\n';
  probe.socket.write(`${head}\r\n${head}`);
  while (!probe.text().endsWith('{"status":"ready"}')) await sleep(5);
  // The second request has begun, so its connection is not idle and a stop does not close it.
  const closed = server.close();
  probe.socket.write('\r\n');
  await probe.closed;
  await closed;
  const last = probe.text().slice(probe.text().lastIndexOf('HTTP/1.1'));
  expect(last).toMatch(/^HTTP\/1\.1 503 /);
  expect(last).toMatch(/^connection: close\r$/im);
  expect(last).toMatch(/"status":"unready","problem":"The server is shutting down\."\}$/);
});

test('a second start uses what the first one made', async () => {
  const dataDir = await makeDataDir();
  const fresh = await createTestDatabase();
  const its = createWorld(fresh);
  try {
    const demos: string[] = [];
    const counts: object[] = [];
    for (let start = 0; start < 2; start += 1) {
      const server = await spawnServer({ ...databaseSettings(fresh), DATA_DIR: dataDir }, ['--demo']);
      expect(server.stdout()).toContain('curl');
      demos.push(await readFile(join(dataDir, 'demo.json'), 'utf8'));
      counts.push(await its.countRows());
      expect(await server.end('SIGINT')).toEqual(CLEAN);
    }
    expect(demos[1]).toBe(demos[0]);
    expect(counts[1]).toEqual(counts[0]);
  } finally {
    await removeDataDir(dataDir);
    await fresh.drop();
  }
});

test('the command that a start prints works as printed', async () => {
  const dataDir = await makeDataDir();
  const fresh = await createTestDatabase();
  const server = await spawnServer({ ...databaseSettings(fresh), DATA_DIR: dataDir }, ['--demo']);
  try {
    const command = server.stdout().slice(server.stdout().indexOf('curl -sS'));
    const headers = Object.fromEntries(
      Array.from(command.matchAll(/-H '([^:]+): ([^']+)'/g), ([, name = '', value = '']) => [name, value]),
    );
    const url = new URL(/curl -sS (\S+)/.exec(command)?.[1] ?? '');
    const body = /-d '([^']+)'/.exec(command)?.[1] ?? '';
    const client = new Client(url.origin);
    const answer = await client.send({ method: 'POST', path: url.pathname, headers, body });
    expect({ status: answer.status, award: answer.body.award }).toEqual({
      status: 201,
      award: { points: 12, basePoints: 12, campaignPoints: 0 },
    });
    client.close();
  } finally {
    await server.end('SIGTERM');
    await removeDataDir(dataDir);
    await fresh.drop();
  }
});

test('two workers share one rate limit, one port and one page of metrics', async () => {
  const server = await spawnServer({ ...settings, WORKERS: '2', RATE_LIMIT_PER_MINUTE: '60' });
  const client = new Client(server.url, 20);
  await world.key(shop.id);
  const { key } = await world.key(shop.id);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => client.send(readMember({ ...shop, key }, 'nobody'))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  const { text } = await client.send({ method: 'GET', path: '/metrics' });
  const count = (status: number) =>
    Number(
      new RegExp(
        `^rewards_http_request_duration_seconds_count\\{surface="/api/v1/members",method="GET",status="${status}"\\} ` +
          '(\\d+)$',
        'm',
      ).exec(text)?.[1],
    );
  expect({ 404: count(404), 429: count(429) }).toEqual({ 404: 60, 429: 40 });
  client.close();
  expect(await server.end('SIGTERM')).toEqual(CLEAN);
});

test('a worker that is killed is replaced, and the others go on', async () => {
  const server = await spawnServer({ ...settings, WORKERS: '2' });
  const client = new Client(server.url, 4);
  await addMembers(client, shop, ['survivor']);
  const children = async (): Promise<number[]> => {
    const pids = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').catch(() => '');
    return pids.trim().split(' ').filter(Boolean).map(Number);
  };
  const [victim] = await children();
  // Only Linux shows the parent of a process.
  if (victim) {
    process.kill(victim, 'SIGKILL');
    let answered = 0;
    const replaced = async (): Promise<boolean> => {
      const pids = await children();
      return pids.length === 2 && !pids.includes(victim);
    };
    await until(async () => {
      const answer = await client.send(readMember(shop, 'survivor')).catch(() => null);
      if (answer) answered += 1;
      return replaced();
    }, 'another worker');
    expect(answered).toBeGreaterThan(0);
    expect((await client.send(readMember(shop, 'survivor'))).status).toBe(200);
  }
  client.close();
  expect(await server.end('SIGTERM')).toEqual(CLEAN);
});

/** Sends purchases, through REST and GraphQL, until no connection is accepted any more. */
function startLoad(client: Client, prefix: string) {
  const acknowledged = new Set<string>();
  const broken: string[] = [];
  /** New connections after the signal from which the server never read. */
  const notTaken: string[] = [];
  const pending = new Set<string>();
  const { promise: underway, resolve } = Promise.withResolvers<void>();
  let atStop: Set<string> | null = null;
  let answeredAfter = 0;
  let refused = 0;
  const mutation = 'mutation ($input: PurchaseEarnInput!) { purchaseEarn(input: $input) { id } }';
  const send = async (sender: number): Promise<void> => {
    for (let index = 0; ; index += 1) {
      const sourceReference = `${prefix}-${sender}-${index}`;
      const purchase = { externalCustomerId: prefix, sourceReference, amountMinor: 100 };
      const input = { ...purchase, programId, channel: 'web', idempotencyKey: sourceReference };
      const sent = sender % 2 ? earn(shop, purchase, sourceReference) : graphql(shop, mutation, { input });
      pending.add(sourceReference);
      try {
        const { status, code } = await client.send(sent);
        if (status === (sender % 2 ? 201 : 200) && code === null) acknowledged.add(sourceReference);
        else broken.push(`${sourceReference} ${status} ${code}`);
        if (acknowledged.size > 4 * SENDERS) resolve();
        if (atStop?.has(sourceReference)) answeredAfter += 1;
      } catch (error) {
        const { code, reused } = error as BrokenConnection;
        if (code === 'ECONNREFUSED') {
          // It was pending, but the server stopped listening before it had a connection: it was never accepted.
          if (atStop?.has(sourceReference)) refused += 1;
          return;
        }
        const taken = reused || !atStop || atStop.has(sourceReference);
        (taken ? broken : notTaken).push(`${sourceReference} ${code}`);
      } finally {
        pending.delete(sourceReference);
      }
    }
  };
  const senders = Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return {
    /** Resolves when connections are open and kept alive, and every sender has sent several times. */
    underway,
    stopAt() {
      atStop = new Set(pending);
    },
    ended: senders.then(() => ({
      acknowledged,
      broken,
      notTaken,
      inFlight: (atStop?.size ?? 0) - refused,
      answeredAfter,
    })),
  };
}

async function storedReferences(prefix: string): Promise<string[]> {
  const { rows } = await database.adminPool.query<{ source_reference: string }>(
    'select source_reference from orders where starts_with(source_reference, $1)',
    [`${prefix}-`],
  );
  return rows.map((row) => row.source_reference).toSorted();
}

/** A raw connection, and what it receives. */
async function open({
  url,
}: Pick<ServerProcess, 'url'>): Promise<{ socket: Socket; closed: Promise<void>; text(): string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, closed, text: () => text };
}
