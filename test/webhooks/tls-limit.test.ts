import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Dispatcher, request } from 'undici';
import { type AttemptResult, attempt } from '../../src/webhooks/attempt.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';
import { ForwardProxy } from '../support/webhooks/forward-proxy.ts';
import { OwnCertificate } from '../support/webhooks/own-certificate.ts';
import { describeWhere } from '../support/where.ts';

// What a receiver may send over TLS. Most of what is sent here has no plaintext, so nobody above TLS sees it.

const never = new AbortController().signal;
const TOO_MUCH_TLS = 'More than 64 KiB of TLS came besides the answer.';
/** What is taken at most: 64 KiB that count, and what a socket reads ahead. */
const MOST_TAKEN_BYTES = 262_144;

describeWhere(spawnSync('openssl', ['version']).status === 0, 'no openssl')('over TLS', () => {
  let certificate: OwnCertificate;
  let proxy: ForwardProxy;
  /** The connections that agents made. */
  let opened: Socket[] = [];
  /** Ends what a test has begun. */
  let endings: (() => unknown)[] = [];

  async function endAll(): Promise<void> {
    for (const end of endings.reverse()) await end();
    endings = [];
  }

  const noteOpened = (message: unknown): void => void opened.push((message as { socket: Socket }).socket);

  beforeAll(async () => {
    certificate = new OwnCertificate();
    proxy = await ForwardProxy.open(() => true);
  });

  beforeEach(() => {
    opened = [];
    subscribe('net.client.socket', noteOpened);
  });

  afterEach(async () => {
    unsubscribe('net.client.socket', noteOpened);
    await endAll();
  });

  afterAll(async () => {
    await proxy.close();
    certificate.remove();
  });

  function agentFor(throughProxy: boolean, answerLimitBytes?: number): Dispatcher {
    const agent = createAgent({
      ...{ connectionsPerOrigin: 1, allowPrivate: true },
      proxyUrl: throughProxy ? `http://${proxy.host}` : null,
      ...(answerLimitBytes && { answerLimitBytes }),
    });
    endings.push(() => agent.destroy());
    return agent;
  }

  async function listen(server: Server | HttpsServer): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    endings.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
  }

  /** A receiver of HTTP that answers with that many characters. */
  async function harmless(characters: number): Promise<{ port: number; connections: Set<unknown> }> {
    const connections = new Set<unknown>();
    const server = createHttpsServer(certificate.pems, (received, response) => {
      connections.add(received.socket);
      received.resume().on('end', () => response.end('x'.repeat(characters)));
    });
    return { port: await listen(server), connections };
  }

  async function hostile(what: string): Promise<number> {
    const file = join(import.meta.dirname, '../support/webhooks/hostile-tls.ts');
    const child: ChildProcess = spawn(
      process.execPath,
      [file, what, certificate.keyFile, certificate.certificateFile],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    endings.push(async () => {
      child.kill();
      await once(child, 'exit');
    });
    const [printed] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer];
    return Number(printed.toString());
  }

  const send = (port: number, agent: Dispatcher): Promise<AttemptResult> =>
    attempt({ url: new URL(`https://127.0.0.1:${port}/`), headers: {}, body: '{}' }, agent, never);

  /** The bytes that came over the connections of the agent, to the receiver or to its proxy. */
  function takenBytes(throughProxy: boolean): number {
    // The proxy is in this process too. It connects to the receiver after the agent has connected to it.
    const own = throughProxy ? opened.slice(0, 1) : opened;
    return own.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  }

  const withAndWithoutProxy = (names: readonly string[]): [string, string, boolean][] =>
    names.flatMap((name) => [
      [name, name, false],
      [`${name}, through a proxy`, name, true],
    ]);

  describe('receivers that never stop', () => {
    /** Milliseconds of CPU for 1,000 harmless exchanges. */
    let harmlessMs: number;

    beforeAll(async () => {
      const { port } = await harmless(2);
      const agent = agentFor(false);
      for (let count = 0; count < 50; count += 1) await send(port, agent);
      const begun = process.cpuUsage();
      for (let count = 0; count < 250; count += 1) await send(port, agent);
      harmlessMs = 4 * milliseconds(process.cpuUsage(begun));
      await endAll();
    });

    test.each(
      withAndWithoutProxy([
        'key-updates',
        'key-updates-to-answer',
        'tickets',
        'padded-bytes',
        'single-bytes',
      ]),
    )(
      '%s: the attempt ends after 64 KiB, with less CPU than 1,000 harmless ones',
      async (_name, what, throughProxy) => {
        const port = await hostile(what);
        const begun = process.cpuUsage();
        const { delivered, error } = await send(port, agentFor(throughProxy));
        expect({ delivered, error }).toEqual({ delivered: false, error: TOO_MUCH_TLS });
        expect(milliseconds(process.cpuUsage(begun))).toBeLessThan(harmlessMs);
        expect(takenBytes(throughProxy)).toBeGreaterThan(0);
        expect(takenBytes(throughProxy)).toBeLessThan(MOST_TAKEN_BYTES);
      },
    );

    test.each(withAndWithoutProxy(['a handshake']))(
      '%s: the attempt ends after 64 KiB',
      async (_name, _what, throughProxy) => {
        // A HelloRequest is four zeros. TLS skips it while it shakes hands.
        const requests = Buffer.concat([Buffer.from([22, 3, 3, 0x40, 0]), Buffer.alloc(16_384)]);
        const server = createServer((socket) => {
          const more = (): void => {
            while (!socket.destroyed && socket.write(requests));
          };
          socket.on('error', () => undefined).on('drain', more);
          socket.once('data', more).resume();
        });
        const port = await listen(server);
        const { delivered, error } = await send(port, agentFor(throughProxy));
        expect({ delivered, error }).toEqual({ delivered: false, error: TOO_MUCH_TLS });
        expect(takenBytes(throughProxy)).toBeLessThan(MOST_TAKEN_BYTES);
      },
    );

    test('interim answers: the attempt ends after 256 KiB', async () => {
      const server = createTlsServer(certificate.pems, (socket) => {
        const more = (): void => {
          while (
            !socket.destroyed &&
            socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(300))
          );
        };
        socket.on('error', () => undefined).on('drain', more);
        socket.once('data', more).resume();
      });
      const { error } = await send(await listen(server), agentFor(false));
      expect(error).toBe('The answer, with its head, is longer than 256 KiB.');
      expect(takenBytes(false)).toBeLessThan(2 * MOST_TAKEN_BYTES);
    });
  });

  test('a receiver that asks for another handshake is refused it', async () => {
    const renegotiated: unknown[] = [];
    const options = { ...certificate.pems, maxVersion: 'TLSv1.2' as const };
    const server = createTlsServer(options, (socket) => {
      socket.once('data', () => socket.renegotiate({}, (error) => renegotiated.push(error)));
      socket.on('error', ({ code }: NodeJS.ErrnoException) => {
        renegotiated.push(code);
        socket.destroy();
      });
    });
    expect((await send(await listen(server), agentFor(false))).delivered).toBe(false);
    expect(renegotiated).toEqual(['ERR_SSL_NO_RENEGOTIATION']);
  });

  test.each(withAndWithoutProxy(['a harmless receiver']))(
    '%s: each of 20 answers over one connection is counted anew',
    async (_name, _what, throughProxy) => {
      const { port, connections } = await harmless(60_000);
      const agent = agentFor(throughProxy);
      for (let count = 0; count < 20; count += 1) {
        expect(await send(port, agent)).toMatchObject({ delivered: true, responseStatus: 200, error: null });
      }
      expect(connections.size).toBe(1);
      expect(takenBytes(throughProxy)).toBeGreaterThan(20 * 60_000);
    },
  );

  test.each(['keep-alive', 'close'])(
    'a long answer (%s) comes whole where the limit allows it, however slowly it is read',
    async (connection) => {
      const server = createHttpsServer(certificate.pems, (_received, response) => {
        response.writeHead(200, { connection }).end('x'.repeat(900_000));
      });
      const url = `https://127.0.0.1:${await listen(server)}/`;
      const { body } = await request(url, { dispatcher: agentFor(false, 1_048_576) });
      let read = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        read += chunk.length;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(read).toBe(900_000);
    },
  );

  test.each(withAndWithoutProxy(['a receiver that resets connections']))(
    '%s: its attempts fail, and nothing else does',
    async (_name, _what, throughProxy) => {
      let connection: Socket | null = null;
      const server = createHttpsServer(certificate.pems, (received, response) => {
        received.resume().on('end', () => response.end('ok'));
      });
      server.on('connection', (socket: Socket) => {
        connection = socket.on('error', () => undefined);
      });
      const port = await listen(server);
      const agent = agentFor(throughProxy);
      // Some of these resets are noticed by what is written next, some by what is read next.
      for (let count = 0; count < 40; count += 1) {
        expect((await send(port, agent)).delivered).toBe(true);
        for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
        (connection as unknown as Socket).resetAndDestroy();
        expect((await send(port, agent)).error).toMatch(/^The connection was (?:reset|closed)/);
      }
    },
  );

  test('an answer of single characters, each in a record of its own, is read', async () => {
    const answer = `HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n${'x'.repeat(500)}`;
    const server = createTlsServer(certificate.pems, (socket) => {
      socket.once('data', async () => {
        for (const character of answer) await new Promise((resolve) => socket.write(character, resolve));
      });
    });
    const answered = await send(await listen(server), agentFor(false));
    expect(answered).toMatchObject({ delivered: true, responseExcerpt: 'x'.repeat(500) });
    // A record has 22 bytes of its own.
    expect(takenBytes(false)).toBeGreaterThan(23 * answer.length);
  });

  test('why no connection was made is known as before', async () => {
    const refused = createServer();
    const closed = await listen(refused);
    await (endings.pop() as () => Promise<void>)();
    expect((await send(closed, agentFor(false))).error).toBe('The connection was refused.');
    const silent = createServer((socket) => socket.once('data', () => socket.end()));
    expect((await send(await listen(silent), agentFor(false))).error).toBe('The connection was reset.');
    const unencrypted = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad\r\n\r\n')),
    );
    expect((await send(await listen(unencrypted), agentFor(false))).error).toMatch(/^TLS failed: ERR_SSL_/);
  });
});

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
