import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '../support/drills/until.ts';
import { fixture } from '../support/fixture.ts';
import { repetitions } from '../support/repetitions.ts';
import { databaseSettings, type ServerProcess, spawnServer } from '../support/server.ts';
import { addMembers, Client, earn, readMember } from '../support/surfaces/client.ts';
import { useDatabase } from '../support/use-database.ts';

/** As many of each of four kinds. */
const EACH = repetitions({ few: 100, many: 500, most: 2_500 });
/** What a busy machine takes for a request; alone it takes milliseconds. */
const MOST_MS = 5_000;

const { database, world } = useDatabase();
const shop = fixture('the shop', () => world.environment());

/** A connection that sends what the test says, and keeps what came. */
class Raw {
  readonly socket: Socket;
  text = '';
  closed = false;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.socket = connect({ host: hostname, port: Number(port) });
    this.socket
      .on('error', () => {})
      .once('close', () => {
        this.closed = true;
      });
    this.socket.setEncoding('latin1').on('data', (piece: string) => {
      this.text += piece;
    });
  }
}

async function openAll(url: string, count: number, first = ''): Promise<Raw[]> {
  const all: Raw[] = [];
  for (let index = 0; index < count; index += 1) {
    const raw = new Raw(url);
    if (first) raw.socket.write(first, 'latin1');
    all.push(raw);
    // The system queues a few hundred connections that are not accepted yet.
    if (index % 100 === 99) await until('connections', () => all.every(({ socket }) => !socket.connecting));
  }
  await until('connections', () => all.every(({ socket }) => !socket.connecting));
  return all;
}

function residentMib({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
const BODY = `POST /api/v1/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;

test(`${EACH * 4} connections that send nothing, stay idle, or send a byte at a time: others are served, and all but the idle ones are closed`, async () => {
  const server = await spawnServer({
    ...databaseSettings(database),
    CONNECTION_LIMIT: String(EACH * 4 + 100),
  });
  const client = new Client(server.url, 4);
  try {
    await addMembers(client, shop, ['ada']);
    const before = residentMib(server);
    const idle = await openAll(server.url, EACH, HEALTH);
    const { authorization, 'x-environment': environment } = earn(shop, {}, 'none').headers ?? {};
    const slowBodies = await openAll(
      server.url,
      EACH,
      BODY.replace(
        '\r\n\r\n',
        `\r\nauthorization: ${authorization}\r\nx-environment: ${environment}\r\nidempotency-key: slow\r\n\r\n{`,
      ),
    );
    const slowHeaders = await openAll(server.url, EACH, 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ');
    const silent = await openAll(server.url, EACH);
    const dribble = setInterval(() => {
      for (const { socket, closed } of [...slowHeaders, ...slowBodies]) if (!closed) socket.write(' ');
    }, 1_000);
    let slowest = 0;
    let served = 0;
    try {
      const timed = async (send: () => Promise<{ status: number }>): Promise<void> => {
        const begun = performance.now();
        const { status } = await send();
        slowest = Math.max(slowest, performance.now() - begun);
        expect([200, 201]).toContain(status);
        served += 1;
      };
      const unfinished = () =>
        [...slowBodies, ...slowHeaders, ...silent].filter(({ closed }) => !closed).length;
      await until('the end of what is never whole', async () => {
        const purchase = { externalCustomerId: 'ada', sourceReference: `o-${served}`, amountMinor: 1000 };
        await timed(() => client.send(earn(shop, purchase, `k-${served}`)));
        await timed(() => client.send(readMember(shop, 'ada')));
        await sleep(80);
        return unfinished() === 0;
      });
    } finally {
      clearInterval(dribble);
    }
    process.stdout.write(
      `${EACH * 4} connections: ${before} MiB before, ${residentMib(server)} MiB at the end; ` +
        `of ${served} other requests the slowest took ${Math.round(slowest)} ms\n`,
    );
    expect(slowest).toBeLessThan(MOST_MS);
    // Where a byte arrives after the connection was closed, the system resets it, and may drop an answer that was not
    // read yet.
    const answers = [...slowHeaders, ...slowBodies].flatMap(({ text }) => (text === '' ? [] : [text]));
    expect(answers.length).toBeGreaterThan(EACH);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toMatch(/^X-Request-Id: req_\w+\r$/m);
    }
    expect(idle.every(({ closed, text }) => !closed && text.startsWith('HTTP/1.1 200 '))).toBe(true);
    for (const { socket } of idle) socket.destroy();
  } finally {
    client.close();
    await server.end('SIGTERM');
  }
}, 300_000);

test('where all connections that there may be are open and idle, one more takes the place of the idlest', async () => {
  const server = await spawnServer({ ...databaseSettings(database), CONNECTION_LIMIT: '50' });
  const client = new Client(server.url, 4);
  try {
    const idle = await openAll(server.url, 49, HEALTH);
    await until('answers', () => idle.every(({ text, closed }) => text !== '' || closed));
    for (let index = 0; index < 20; index += 1)
      expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
    expect(idle.filter(({ closed }) => closed).length).toBeLessThan(10);
    for (const { socket } of idle) socket.destroy();
  } finally {
    client.close();
    await server.end('SIGTERM');
  }
});
