import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { bundle } from '../../src/server/widgets/bundle.ts';
import { useServer } from '../support/surfaces/use-shop.ts';

const MOST_BYTES_COMPRESSED = 20_000;

const { server } = useServer();

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers });

interface Manifest {
  path: string;
  integrity: string;
  bytes: number;
}

const readManifest = async (): Promise<Manifest> =>
  (await (await get('/widgets/manifest.json')).json()) as Manifest;

test('the script of the widget is one module for the pages of every site', async () => {
  const response = await get('/widgets/svc-rewards.js', { origin: 'https://shop.example' });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  const script = await response.text();
  expect(script).not.toMatch(/\bimport\s*[("'{*]|\bfrom\s*["']/);
  // Nothing in it makes code or elements of text, or names another host.
  expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/);
  expect(script).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie/);
  expect(script).not.toMatch(/https?:\/\//);
  const etag = response.headers.get('etag') ?? '';
  expect((await get('/widgets/svc-rewards.js', { 'if-none-match': etag })).status).toBe(304);
});

test('the path with its hash never changes, and the manifest names the integrity of what is there', async () => {
  const { path, integrity, bytes } = await readManifest();
  const response = await get(path);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const script = Buffer.from(await response.arrayBuffer());
  expect(script.length).toBe(bytes);
  expect(`sha384-${createHash('sha384').update(script).digest('base64')}`).toBe(integrity);
  expect(script.toString()).toBe(await (await get('/widgets/svc-rewards.js')).text());
  for (const other of ['/widgets/svc-rewards.0000000000000000.js', '/widgets/', '/widgets/element.ts']) {
    expect((await get(other)).status).toBe(404);
  }
});

test('the same sources give the same script', async () => {
  expect(await bundle('web/widget/svc-rewards.ts')).toBe(await (await get('/widgets/svc-rewards.js')).text());
});

test(`it has at most ${MOST_BYTES_COMPRESSED} bytes, compressed`, async () => {
  const script = await bundle('web/widget/svc-rewards.ts');
  expect(gzipSync(script, { level: 9 }).length).toBeLessThanOrEqual(MOST_BYTES_COMPRESSED);
});
