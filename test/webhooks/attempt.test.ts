import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { type AttemptResult, attempt } from '../../src/webhooks/attempt.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';
import { ForwardProxy } from '../support/webhooks/forward-proxy.ts';
import { describeWhere } from '../support/where.ts';

// One attempt, over a real socket.

let server: Server;
let agent: Dispatcher;
let answer: (response: ServerResponse) => void;
let requests: number;

beforeEach(async () => {
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => answer(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  agent = createAgent({ connectionsPerOrigin: 1, allowPrivate: true, proxyUrl: null });
});

afterEach(async () => {
  await agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const never = new AbortController().signal;

function send(stopping = never): Promise<AttemptResult> {
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?a=b`);
  return attempt({ url, headers: { 'content-type': 'application/json' }, body: '{}' }, agent, stopping);
}

test('keeps the first 1,000 characters of an answer, and nothing that a database cannot store', async () => {
  answer = (response) => response.writeHead(503, { 'retry-after': '7' }).end(`\u0000${'ä€😀'.repeat(2_000)}`);
  const { durationMs, ...result } = await send();
  expect(durationMs).toBeGreaterThanOrEqual(0);
  expect(result).toEqual({
    delivered: false,
    responseStatus: 503,
    responseExcerpt: `\ufffd${'ä€😀'.repeat(333)}`,
    error: 'The receiver answered 503.',
    retryAfter: '7',
  });
});

test('is over when the answer is: interim answers and an empty body are none of it', async () => {
  answer = (response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(204).end();
  };
  expect(await send()).toMatchObject({
    ...{ delivered: true, responseStatus: 204, responseExcerpt: '', error: null, retryAfter: null },
  });
});

test('reads no more than 64 KiB, and closes the connection of an answer that goes on', async () => {
  let closed = false;
  answer = (response) => {
    response.on('close', () => {
      closed = true;
    });
    response.writeHead(200);
    const more = (): void => {
      while (!closed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  };
  expect(await send()).toMatchObject({ delivered: true, responseExcerpt: 'x'.repeat(1_000) });
  while (!closed) await new Promise((resolve) => setTimeout(resolve, 5));
});

test('has failed where an answer breaks off, whatever its status was', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.destroy(), 20);
  };
  expect(await send()).toMatchObject({ delivered: false, responseStatus: null, responseExcerpt: null });
});

test('ends at once when the process stops, also while it waits for a connection, and is not sent then', async () => {
  const stop = new AbortController();
  answer = () => {};
  const running = send(stop.signal);
  while (requests === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  // The only connection is taken.
  const waiting = send(stop.signal);
  stop.abort();
  const stopped = {
    ...{ delivered: false, responseStatus: null, error: 'This process stopped before an answer came.' },
  };
  expect(await Promise.all([running, waiting, send(stop.signal)])).toMatchObject([stopped, stopped, stopped]);
  answer = (response) => response.writeHead(204).end();
  expect(await send()).toMatchObject({ delivered: true });
  expect(requests).toBe(2);
});

describe('receivers that never stop their head', () => {
  const crlf = '\r\n';
  /** What comes first, and what then comes again and again. */
  const endless: [string, string, string][] = [
    ['interim answers', '', `HTTP/1.1 103 Early Hints${crlf}link: </a>${crlf}${crlf}`],
    ['a reason phrase', 'HTTP/1.1 200 ', 'O'.repeat(1_000)],
    [
      'extensions of a chunk',
      `HTTP/1.1 200 OK${crlf}transfer-encoding: chunked${crlf}${crlf}5`,
      `;a=${'b'.repeat(1_000)}`,
    ],
    ['empty lines', '', crlf.repeat(500)],
  ];

  let proxy: ForwardProxy;
  let proxied: ReturnType<typeof createAgent>;
  beforeAll(async () => {
    proxy = await ForwardProxy.open(() => true);
    proxied = createAgent({ connectionsPerOrigin: 1, allowPrivate: true, proxyUrl: `http://${proxy.host}` });
  });
  afterAll(async () => {
    await proxied.destroy();
    await proxy.close();
  });

  test.each(
    endless.flatMap(([what, ...rest]) => [
      [what, false, ...rest] as const,
      [`${what}, through a proxy`, true, ...rest] as const,
    ]),
  )('%s: the attempt ends after 256 KiB, and costs little CPU', async (_what, throughProxy, first, again) => {
    let sent = 0;
    const raw = createRawServer((socket) => {
      socket.on('error', () => undefined);
      const piece = Buffer.from(again.repeat(20));
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece)) sent += piece.length;
        sent += piece.length;
      };
      socket.on('drain', more).once('data', () => {
        socket.write(first);
        more();
      });
    });
    raw.listen(0, '127.0.0.1');
    await once(raw, 'listening');
    const url = new URL(`http://127.0.0.1:${(raw.address() as AddressInfo).port}/`);
    const begun = performance.now();
    const result = await attempt({ url, headers: {}, body: '{}' }, throughProxy ? proxied : agent, never);
    expect(result.delivered).toBe(false);
    // Interim answers and phrases end by the count; undici itself refuses some of the others.
    expect(result.error).toMatch(/longer than 256 KiB|HPE_|headers of the answer|UND_ERR/);
    expect(performance.now() - begun).toBeLessThan(10_000);
    // What the system's buffers take comes on top.
    expect(sent).toBeLessThan(32 * 2 ** 20);
    await new Promise((resolve) => raw.close(resolve));
  });

  test('eight answers of 60 kB over one connection are each counted anew', async () => {
    answer = (response) => void response.writeHead(200).end('x'.repeat(60_000));
    for (let count = 0; count < 8; count += 1) expect(await send()).toMatchObject({ delivered: true });
    expect(requests).toBe(8);
  });
});

describeWhere(spawnSync('openssl', ['version']).status === 0, 'no openssl')(
  'a receiver that offers HTTP/2',
  () => {
    test('is spoken to in HTTP/1.1, where the bytes of its answer are counted', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'rewards-h2-'));
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const subject = ['-subj', '/CN=localhost', '-days', '2'];
      const files = ['-keyout', key, '-out', cert];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
        stdio: 'ignore',
      });
      let offered: readonly string[] = [];
      const secure = createTlsServer({
        ...{ key: readFileSync(key), cert: readFileSync(cert) },
        ALPNCallback: ({ protocols }) => {
          offered = protocols;
          return 'http/1.1';
        },
      });
      secure.on('tlsClientError', () => undefined);
      secure.listen(0, '127.0.0.1');
      await once(secure, 'listening');
      try {
        // It does not trust the certificate. What it offers comes before that.
        const url = new URL(`https://127.0.0.1:${(secure.address() as AddressInfo).port}/`);
        expect(await attempt({ url, headers: {}, body: '{}' }, agent, never)).toMatchObject({
          delivered: false,
        });
        expect(offered).toEqual(['http/1.1']);
      } finally {
        await new Promise((resolve) => secure.close(resolve));
        rmSync(folder, { recursive: true });
      }
    });
  },
);
