import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { addMembers, earn, readMember, rest } from '../support/surfaces/client.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';
import { createWorld } from '../support/surfaces/world.ts';

const WRITE_TIMEOUT_SECONDS = 1;
const MIB = 2 ** 20;
/** Far less than the answers come to; what a busy heap breathes. */
const BREATH_MIB = 150;

const { database, server, client, shop } = useShopApart({
  members: ['ada'],
  env: { WRITE_TIMEOUT_SECONDS: String(WRITE_TIMEOUT_SECONDS) },
  connections: 4,
});

interface RawSocket {
  socket: Socket;
  /** Of a socket that reads: everything that came. */
  text(): string;
  /** Settles when the other side has hung up. */
  closed: Promise<void>;
}

function open({ reads }: { reads: boolean }): Promise<RawSocket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  if (reads) {
    socket.setEncoding('latin1').on('data', (piece: string) => {
      text += piece;
    });
  } else socket.pause();
  return new Promise((resolve) =>
    socket.once('connect', () => resolve({ socket, text: () => text, closed })),
  );
}

function pipelined(path: string, times: number): string {
  return `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(times);
}

function residentMib(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Whether the other side has hung up on a socket that never reads: a byte sent to it is then refused. */
async function cutOffWithin({ socket }: RawSocket, seconds: number): Promise<boolean> {
  for (let waited = 0; waited < seconds * 1000; waited += 100) {
    if (socket.destroyed) return true;
    socket.write('\r\n');
    await sleep(100);
  }
  return socket.destroyed;
}

describe('who sends and never reads', () => {
  test.each([
    ['/graphiql', 100],
    ['/openapi.json', 1_000],
  ])(
    '%s, %i times over one connection: memory stays flat, and the connection is cut off',
    async (path, times) => {
      const page = await client.send({ method: 'GET', path });
      expect(page.status).toBe(200);
      expect(page.text.length).toBeGreaterThan(MIB / 2);
      const before = residentMib();
      const attacker = await open({ reads: false });
      attacker.socket.write(pipelined(path, times));
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, residentMib());
      }, 20);
      const cut = await cutOffWithin(attacker, 60);
      clearInterval(watch);
      attacker.socket.destroy();
      expect(most - before).toBeLessThan(BREATH_MIB);
      expect(cut).toBe(true);
    },
  );
});

test('a flood of /metrics over twenty connections delays nobody else', async () => {
  const attackers = await Promise.all(Array.from({ length: 20 }, () => open({ reads: true })));
  for (const { socket } of attackers) socket.write(pipelined('/metrics', 1_000));
  await sleep(50);
  const begun = performance.now();
  const read = await client.send(readMember(shop, 'ada'));
  const milliseconds = performance.now() - begun;
  for (const { socket } of attackers) socket.destroy();
  expect(read.status).toBe(200);
  // It took sixteen seconds while each scrape was computed.
  expect(milliseconds).toBeLessThan(5_000);
});

test('pages that two keys ask for over twelve connections and never read do not fill the memory', async () => {
  const other = await createWorld(database).environment();
  await addMembers(client, other, ['grace']);
  const items = Array.from({ length: 150 }, (_, index) => ({
    ...{
      lineReference: `line-${index}`,
      sku: `SKU-${index}`,
      category: 'coffee',
      quantity: 1,
      unitPriceMinor: 100,
    },
  }));
  for (const [environment, externalCustomerId] of [
    [shop, 'ada'],
    [other, 'grace'],
  ] as const)
    for (let index = 0; index < 200; index += 1) {
      const purchase = { externalCustomerId, amountMinor: 15_000, sourceReference: `large-${index}`, items };
      const { status } = await client.send(earn(environment, purchase, `large-${index}`));
      expect(status).toBe(201);
    }
  const page = await client.send(rest(shop, 'GET', '/transactions?limit=200'));
  expect(page.text.length).toBeGreaterThan(MIB);
  const before = residentMib();
  const attackers = await Promise.all(Array.from({ length: 12 }, () => open({ reads: false })));
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentMib());
  }, 10);
  for (const [index, { socket }] of attackers.entries()) {
    const { headers } = rest(index % 2 === 0 ? shop : other, 'GET', '/transactions?limit=200');
    const head = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET /api/v1/transactions?limit=200 HTTP/1.1\r\nhost: x\r\n${head.join('')}\r\n`.repeat(8));
  }
  const slowest: number[] = [];
  for (let reads = 0; reads < 30; reads += 1) {
    const begun = performance.now();
    expect((await client.send(readMember(shop, 'ada'))).status).toBe(200);
    slowest.push(performance.now() - begun);
    await sleep(50);
  }
  clearInterval(watch);
  for (const { socket } of attackers) socket.destroy();
  const sizes = `${Math.round(page.text.length / 1000)} kB a page, ${before.toFixed(0)} MiB before, ${most.toFixed(0)} at most`;
  process.stderr.write(`${sizes}; the slowest other read took ${Math.max(...slowest).toFixed(0)} ms\n`);
  expect(most - before).toBeLessThan(BREATH_MIB);
});
