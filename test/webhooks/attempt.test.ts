import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Dispatcher } from 'undici';
import { type AttemptResult, attempt } from '../../src/webhooks/attempt.ts';
import { createAgent } from '../../src/webhooks/guarded-agent.ts';

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
