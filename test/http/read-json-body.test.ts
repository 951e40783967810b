import { once } from 'node:events';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readJsonBody } from '../../src/http/read-json-body.ts';
import { isRefusal } from '../../src/refusal.ts';

const LIMIT_BYTES = 1000;
let server: Server;
let port: number;
let outcomes: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void readJsonBody(request, response, LIMIT_BYTES).then((body) => {
      const outcome = isRefusal(body) ? body.code : `${body.length} bytes`;
      outcomes.push(outcome);
      response.setHeader('Content-Length', outcome.length).end(outcome);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

interface Sent {
  headers?: Record<string, string>;
  chunks?: (string | Buffer)[];
}

function send({ headers = {}, chunks = [] }: Sent): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve(text));
    });
    request.on('error', reject);
    for (const chunk of chunks) request.write(chunk);
    request.end();
  });
}

const head = (framing: string) =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;

/** A raw connection that has sent the headers of a request, and what it received. */
function open(framing: string) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece;
  });
  socket.on('error', () => {});
  socket.write(head(framing));
  return { socket, text: () => received };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const json = { 'content-type': 'application/json' };
const body = (bytes: number) => 'x'.repeat(bytes);

describe('size', () => {
  test.each([0, 1, 999, 1000])('%d bytes pass, announced', async (bytes) => {
    const headers = { ...json, 'content-length': String(bytes) };
    expect(await send({ headers, chunks: bytes ? [body(bytes)] : [] })).toBe(`${bytes} bytes`);
  });

  test.each([1001, 5000])('%d bytes do not, announced', async (bytes) => {
    const headers = { ...json, 'content-length': String(bytes) };
    expect(await send({ headers, chunks: [body(bytes)] })).toBe('payload_too_large');
  });

  test('1000 bytes pass in chunks, 1001 do not', async () => {
    expect(await send({ headers: json, chunks: [body(400), body(600)] })).toBe('1000 bytes');
    expect(await send({ headers: json, chunks: [body(400), body(600), body(1)] })).toBe('payload_too_large');
  });

  test('what is too large is not read without end', async () => {
    const { socket, text } = open('Transfer-Encoding: chunked');
    const timer = setInterval(() => socket.write(`3e8\r\n${body(1000)}\r\n`), 1);
    await once(socket, 'close');
    clearInterval(timer);
    expect(text()).toContain('payload_too_large');
  });

  test('longer than we read: the answer comes at once and is the last, and then the connection is cut', async () => {
    const { socket, text } = open('Content-Length: 100000');
    await until(() => text().endsWith('payload_too_large'));
    expect(text()).toMatch(/^Connection: close\r$/m);
    for (let sent = 0; sent < 8; sent += 1) socket.write(body(1000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.closed).toBe(false);
    socket.write(body(1000));
    await once(socket, 'close');
  });

  test('in chunks, nobody knows how long: the answer is the last, and the connection ends with the body', async () => {
    const { socket, text } = open('Transfer-Encoding: chunked');
    socket.write(`3e9\r\n${body(1001)}\r\n`);
    await until(() => text().endsWith('payload_too_large'));
    expect(text()).toMatch(/^Connection: close\r$/m);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(socket.readableEnded).toBe(false);
    socket.write('0\r\n\r\n');
    await once(socket, 'end');
  });

  test('what we read to its end leaves the connection as it was', async () => {
    const { socket, text } = open('Content-Length: 8000');
    socket.write(body(8000));
    await until(() => text().endsWith('payload_too_large'));
    socket.write(`${head('Content-Length: 2')}{}`);
    await until(() => text().endsWith('2 bytes'));
    expect(text()).not.toMatch(/^Connection: close/m);
    socket.destroy();
  });

  test('a client that goes away halfway is no crash', async () => {
    outcomes = [];
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"a',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    while (outcomes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(outcomes).toEqual(['invalid_json']);
  });
});

describe('content type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('%s is taken', async (type) => {
    expect(await send({ headers: { 'content-type': type }, chunks: ['{}'] })).toBe('2 bytes');
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; boundary=x',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'text/plain, application/json',
    '',
  ])('%p is not', async (type) => {
    expect(await send({ headers: { 'content-type': type }, chunks: ['{}'] })).toBe('unsupported_media_type');
  });

  test('none is not, and it comes before the size', async () => {
    expect(await send({ chunks: [body(5000)] })).toBe('unsupported_media_type');
  });

  test('an encoding is not, but identity is', async () => {
    const encoded = { ...json, 'content-encoding': 'gzip' };
    expect(await send({ headers: encoded, chunks: ['{}'] })).toBe('unsupported_media_type');
    expect(await send({ headers: { ...json, 'content-encoding': 'identity' }, chunks: ['{}'] })).toBe(
      '2 bytes',
    );
  });
});
