import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from '@jest/globals';
import { OpenConnections } from '../../src/server/connections/open-connections.ts';
import { UnsentAnswers } from '../../src/server/connections/unsent-answers.ts';
import { until } from '../support/until.ts';

const MOST_UNDER_WAY = 8;

let server: Server;
let connections: OpenConnections;
const begun: string[] = [];
let cutOff = 0;

async function serve(
  handle: RequestListener,
  {
    most = 1_000,
    requests = 100_000,
    writeTimeoutMs = 500,
    slowestBytesPerSecond = 65_536,
    unsentLimitBytes = 2 ** 30,
  } = {},
): Promise<void> {
  begun.length = 0;
  cutOff = 0;
  server = createServer();
  connections = new OpenConnections(
    server,
    (request, response) => {
      begun.push(request.url ?? '');
      handle(request, response);
    },
    {
      unsent: new UnsentAnswers({
        limitBytes: unsentLimitBytes,
        ownerOf: ({ headers }) => ({ credential: String(headers.host), environmentId: null }),
        onCutOff: () => {
          cutOff += 1;
        },
      }),
      ...{ connections: most, requestsOfOne: requests, writeTimeoutMs, slowestBytesPerSecond },
      refuse: (response) => void response.writeHead(429).end(),
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

afterEach(() => connections.drain(0));

function open(reads = true): Promise<{ socket: Socket; text(): string; closed: Promise<void> }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  if (reads) socket.on('data', (piece) => (text += piece.toString('latin1')));
  else socket.pause();
  return new Promise((resolve) =>
    socket.once('connect', () => resolve({ socket, text: () => text, closed })),
  );
}

function numbered(from: number, to: number): string {
  let text = '';
  for (let number = from; number <= to; number += 1) text += `GET /${number} HTTP/1.1\r\nhost: x\r\n\r\n`;
  return text;
}

const statuses = (text: string): string[] =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);

describe('requests sent ahead over one connection', () => {
  test('within the bound are all answered, and the connection stays', async () => {
    await serve((_request, response) => void setTimeout(() => response.end('x'), 20));
    const { socket, text } = await open();
    socket.write(numbered(1, MOST_UNDER_WAY));
    while (statuses(text()).length < MOST_UNDER_WAY) await sleep(5);
    socket.write(numbered(9, 9));
    while (statuses(text()).length < MOST_UNDER_WAY + 1) await sleep(5);
    expect(new Set(statuses(text()))).toEqual(new Set(['200']));
  });

  test('beyond it: those that were begun are answered, one more is refused, and the connection ends', async () => {
    await serve((_request, response) => void setTimeout(() => response.end('x'), 20));
    const { socket, text, closed } = await open();
    socket.write(numbered(1, MOST_UNDER_WAY + 20));
    await closed;
    expect(begun).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8']);
    expect(statuses(text())).toEqual([...Array<string>(MOST_UNDER_WAY).fill('200'), '429']);
    expect(text().match(/^connection: close/gim)).toHaveLength(1);
  });

  test('begin one after the other, each when the answer before it is sent', async () => {
    let underWay = 0;
    let most = 0;
    await serve((_request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end('x'.repeat(100_000));
      }, 5);
    });
    const { socket, text } = await open();
    socket.write(numbered(1, MOST_UNDER_WAY));
    await until(() => statuses(text()).length === MOST_UNDER_WAY, 'all are answered');
    expect(most).toBe(1);
    expect(begun).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7', '/8']);
  });

  test('do not begin while the client does not read the answer before them', async () => {
    await serve((_request, response) => void response.end(Buffer.alloc(32 * 2 ** 20)), {
      writeTimeoutMs: 60_000,
    });
    const { socket } = await open(false);
    socket.write(numbered(1, MOST_UNDER_WAY));
    await until(() => begun.length === 1, 'the first one begins');
    await sleep(200);
    expect(begun).toEqual(['/1']);
    socket.resume();
    await until(() => begun.length === MOST_UNDER_WAY, 'the others begin');
  });

  test('far beyond it: the connection is cut off at once', async () => {
    await serve(() => {});
    const { socket, closed } = await open();
    socket.write(numbered(1, 1_000));
    await closed;
    expect(begun).toEqual(['/1']);
  });
});

describe('the last request that a connection may have', () => {
  test('is answered with `Connection: close`, and what comes after it is not begun', async () => {
    await serve((_request, response) => void response.end('x'), { requests: 3 });
    const { socket, text, closed } = await open();
    socket.write(numbered(1, 1));
    while (statuses(text()).length < 1) await sleep(5);
    socket.write(numbered(2, 5));
    await closed;
    expect(begun).toEqual(['/1', '/2', '/3']);
    expect(statuses(text())).toEqual(['200', '200', '200']);
    expect(text().match(/^connection: close/gim)).toHaveLength(1);
  });
});

describe('a request that asks for another protocol', () => {
  const upgrade = (protocol: string): string =>
    `GET /upgrade HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: ${protocol}\r\n\r\n`;

  test.each(['websocket', 'h2c'])(
    'for %s is answered as any other, and the connection ends: Node has lost what was sent with it',
    async (protocol) => {
      await serve((_request, response) => void response.end('x'));
      const { socket, text, closed } = await open();
      socket.write(numbered(1, 1) + upgrade(protocol) + numbered(2, 3));
      await closed;
      expect(begun).toEqual(['/1', '/upgrade']);
      expect(statuses(text())).toEqual(['200', '200']);
      expect(text().match(/^connection: close/gim)).toHaveLength(1);
    },
  );

  test('takes no body of a request that was lost with it for a request', async () => {
    await serve((_request, response) => void response.end('x'));
    const { socket, text, closed } = await open();
    const body = numbered(3, 3);
    socket.write(`${upgrade('h2c')}POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`);
    await until(() => begun.length > 0, 'the request with Upgrade');
    if (!socket.destroyed) socket.write(body);
    await closed;
    expect(begun).toEqual(['/upgrade']);
    expect(statuses(text())).toEqual(['200']);
  });
});

describe('one connection more than there may be', () => {
  test('closes the one that has been idle longest, and none that is answered', async () => {
    await serve(() => {}, { most: 4 });
    const silent = await open();
    const answered = await open();
    answered.socket.write(numbered(1, 1));
    while (begun.length < 1) await sleep(5);
    const idle = await open();
    const fourth = await open();
    await silent.closed;
    fourth.socket.write(numbered(2, 2));
    while (begun.length < 2) await sleep(5);
    await open();
    await idle.closed;
    const destroyed = { answered: answered.socket.destroyed, fourth: fourth.socket.destroyed };
    expect(destroyed).toEqual({ answered: false, fourth: false });
  });

  test('is closed itself where all others are answered', async () => {
    await serve(() => {}, { most: 2 });
    for (const number of [1, 2]) {
      const { socket } = await open();
      socket.write(numbered(number, number));
      while (begun.length < number) await sleep(5);
    }
    await (await open()).closed;
    expect(begun).toEqual(['/1', '/2']);
  });
});

describe('an answer that is not read', () => {
  const sixteenMib = Buffer.alloc(16 * 2 ** 20);

  /** A byte sent to who has hung up is refused: the only sign of it for who does not read. */
  async function hungUpWithin(socket: Socket, milliseconds: number): Promise<boolean> {
    for (let waited = 0; waited < milliseconds && !socket.destroyed; waited += 50) {
      socket.write('\r\n');
      await sleep(50);
    }
    return socket.destroyed;
  }

  test('cuts its connection off, though bytes go on coming over it', async () => {
    let closed = 0;
    await serve(
      (_request, response) => {
        response.on('close', () => (closed += 1)).end(sixteenMib);
      },
      { slowestBytesPerSecond: Number.POSITIVE_INFINITY },
    );
    const { socket } = await open(false);
    socket.write(numbered(1, 1));
    expect(await hungUpWithin(socket, 5_000)).toBe(true);
    expect(closed).toBe(1);
  });

  test('has the longer the longer it is, and leaves a slow reader alone', async () => {
    await serve((_request, response) => void response.end(sixteenMib), { writeTimeoutMs: 100 });
    const { socket } = await open(false);
    socket.write(numbered(1, 1));
    expect(await hungUpWithin(socket, 2_000)).toBe(false);
    let bytes = 0;
    socket.on('data', (piece: Buffer) => (bytes += piece.length)).resume();
    while (bytes < sixteenMib.length) await sleep(10);
  });

  test('one that is still being made is waited for', async () => {
    await serve((_request, response) => void setTimeout(() => response.end('late'), 1_500), {
      writeTimeoutMs: 100,
    });
    const { socket, text } = await open();
    socket.write(numbered(1, 1));
    while (!text().endsWith('late')) await sleep(10);
  });
});

describe('a stop', () => {
  test('answers every request that was sent ahead, and says with the last that the connection ends', async () => {
    const answers: ServerResponse[] = [];
    await serve((_request, response) => void answers.push(response));
    const { socket, text, closed } = await open();
    socket.write(numbered(1, 3));
    await until(() => answers.length === 1, 'the first one begins');
    await sleep(50);
    const drained = connections.drain(5_000);
    socket.write(numbered(4, 4));
    await sleep(50);
    for (const count of [1, 2, 3]) {
      await until(() => answers.length === count, `${count} have begun`);
      answers[count - 1]?.end('x');
    }
    await Promise.all([closed, drained]);
    expect(statuses(text())).toEqual(['200', '200', '200']);
    expect(text().match(/^connection: close/gim)).toHaveLength(1);
    expect(begun).toHaveLength(3);
  });
});

test('nothing is kept of answers that waited behind another one when their connection broke', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const answers: WeakRef<ServerResponse>[] = [];
  await serve(() => {});
  server.on('request', (_request, response) => void answers.push(new WeakRef(response)));
  const { socket, closed } = await open();
  socket.write(numbered(1, 5));
  while (answers.length < 5) await sleep(5);
  socket.destroy();
  await closed;
  for (let tries = 0; tries < 100 && answers.some((answer) => answer.deref()); tries += 1) {
    await sleep(10);
    collect();
  }
  expect(answers.filter((answer) => answer.deref())).toHaveLength(0);
});

describe('answers that nobody reads', () => {
  const MIB = 2 ** 20;
  const ask = (host: string, mib: number): string => `GET /${mib} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

  async function serveSized(unsentLimitBytes: number): Promise<void> {
    await serve(({ url = '' }, response) => void response.end(Buffer.alloc(Number(url.slice(1)) * MIB)), {
      ...{ unsentLimitBytes, writeTimeoutMs: 60_000 },
    });
  }

  test('of one client are bounded in sum: the connection with the largest is cut off', async () => {
    await serveSized(128 * MIB);
    const sockets = await Promise.all([14, 16, 15].map(() => open(false)));
    // A quarter of the limit is a client's: 32 MiB, less what the system's buffers take.
    for (const [index, mib] of [14, 20, 15].entries()) {
      sockets[index]?.socket.write(ask('greedy', mib));
      await until(() => begun.length === index + 1, 'it begins');
      await sleep(50);
    }
    expect(cutOff).toBe(1);
    // Only who is cut off hears it without reading.
    sockets[1]?.socket.resume();
    await sockets[1]?.closed;
    for (const index of [0, 2]) expect(sockets[index]?.socket.destroyed).toBe(false);
  });

  test('of many clients are bounded too, and a client with one answer in its share is not cut off', async () => {
    await serveSized(64 * MIB);
    const modest = await open(false);
    modest.socket.write(ask('modest', 10));
    const greedy = await Promise.all(Array.from({ length: 6 }, () => open(false)));
    for (const [index, { socket }] of greedy.entries()) {
      socket.write(ask(`greedy-${index}`, 15));
      await until(() => begun.length === index + 2, 'it begins');
      await sleep(50);
    }
    expect(cutOff).toBeGreaterThan(0);
    let bytes = 0;
    modest.socket.on('data', (piece) => (bytes += piece.length)).resume();
    await until(() => bytes > 10 * MIB, 'the answer comes whole');
  });

  test('one alone is sent whole, however large and slowly read', async () => {
    await serveSized(8 * MIB);
    const { socket } = await open(false);
    socket.write(ask('slow', 60));
    await sleep(100);
    let bytes = 0;
    socket.on('data', (piece) => (bytes += piece.length)).resume();
    await until(() => bytes > 60 * MIB, 'the answer comes whole');
    expect(cutOff).toBe(0);
  });
});
