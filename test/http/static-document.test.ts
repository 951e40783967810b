import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StaticDocument } from '../../src/http/static-document.ts';

const text = 'Ünïcödé '.repeat(10_000);
let server: Server;

beforeAll(async () => {
  const document = new StaticDocument(text, { 'Content-Type': 'text/plain; charset=utf-8' });
  server = createServer((req, res) => void document.send(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.close();
});

function get(headers: Record<string, string>, method = 'GET') {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}

describe('a static document', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, *', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
    ['gzip;q=1.0, br;q=0.2', 'gzip'],
    ['br;q=0.5, gzip;q=0.9, identity;q=0.1', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip;q=0.1, *;q=0.5', 'br'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['br;q=2, gzip;q=0.001', 'gzip'],
    ['br;q=high', undefined],
    ['gzip ; Q=0.7 , br; q=0.3', 'gzip'],
  ])('for Accept-Encoding %j is encoded as %s', async (accepted, encoding) => {
    const { status, headers, body } = await get({ 'accept-encoding': accepted });
    expect({ status, 'content-encoding': headers['content-encoding'] }).toEqual({
      status: 200,
      'content-encoding': encoding,
    });
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(headers.vary).toBe('Accept-Encoding');
    const decode =
      { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? ((bytes: Buffer) => bytes);
    expect(decode(body).toString()).toBe(text);
  });

  test('has another entity tag in every encoding, and is not sent to who has it', async () => {
    const tags: string[] = [];
    for (const accepted of ['br', 'gzip', 'identity']) {
      const { etag = '' } = (await get({ 'accept-encoding': accepted })).headers;
      tags.push(etag);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get({ 'accept-encoding': accepted, 'if-none-match': known });
        expect({ status: again.status, body: again.body.length, etag: again.headers.etag }).toEqual({
          status: 304,
          body: 0,
          etag,
        });
      }
    }
    expect(new Set(tags).size).toBe(3);
    const other = await get({ 'accept-encoding': 'br', 'if-none-match': tags[1] ?? '' });
    expect(other.status).toBe(200);
  });

  test('answers HEAD with the head alone', async () => {
    const { status, headers, body } = await get({}, 'HEAD');
    expect({ status, 'content-length': Number(headers['content-length']), body: body.length }).toEqual({
      status: 200,
      'content-length': Buffer.byteLength(text),
      body: 0,
    });
  });
});
