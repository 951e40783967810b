import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import { serveDemoShop } from '../../../src/server/pages/demo-shop.ts';

const app = express();
const noted: string[] = [];
const failures: unknown[] = [];
/** What the shop sent to the API. */
const sent: { path: string; body: unknown; key: string | undefined }[] = [];
serveDemoShop(
  app,
  { environmentId: 'env_x', apiKey: 'svc_test_x', programId: 'coffee-club', deploymentId: 'wdg_x' },
  (_response, code) => void noted.push(code),
);
app.post('/api/v1/*path', express.json(), (request, response) => {
  sent.push({ path: request.path, body: request.body, key: request.get('idempotency-key') });
  response.status(201).json({ token: 'wst_x' });
});
const failed: express.ErrorRequestHandler = (error, _request, response, _next) => {
  failures.push(error);
  response.status(500).end();
};
app.use(failed);
const server = createServer(app);
let base: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  for (const list of [noted, failures, sent]) list.length = 0;
});

interface Answer {
  status: number;
  error?: { code: string; message: string; requestId: string; details?: { path: string }[] };
}

async function post(
  action: string,
  body: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${base}/demo/widget/${action}`, {
    method: 'POST',
    headers: { origin: base, 'content-type': 'application/json', ...headers },
    ...(body !== null && { body: Buffer.from(body) }),
  });
  const text = await response.text();
  return { status: response.status, ...(text !== '' && (JSON.parse(text) as object)) };
}

const ADA = JSON.stringify({ externalCustomerId: 'customer-ada' });
const BOUGHT = JSON.stringify({ externalCustomerId: 'customer-ada', sourceReference: 'demo-1' });

test('the shop opens sessions and sends purchases', async () => {
  expect((await post('session', ADA)).status).toBe(201);
  expect((await post('purchase', BOUGHT)).status).toBe(201);
  expect(sent).toEqual([
    {
      path: '/api/v1/widgets/wdg_x/sessions',
      body: { externalCustomerId: 'customer-ada', origin: base },
      key: undefined,
    },
    {
      path: '/api/v1/events',
      body: {
        type: 'purchase.completed',
        programId: 'coffee-club',
        externalCustomerId: 'customer-ada',
        sourceReference: 'demo-1',
        amountMinor: 15_000,
        channel: 'web',
      },
      key: 'demo-1',
    },
  ]);
  expect(noted).toEqual([]);
});

describe.each(['session', 'purchase'])('a wrong request of a %s', (action) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const foreign = { origin: 'https://evil.example' };
  const nobody = JSON.stringify({
    ...JSON.parse(action === 'session' ? ADA : BOUGHT),
    externalCustomerId: 'eve',
  });

  test.each<[string, string | null, Record<string, string>, number, string]>([
    ['text', ADA, { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a form', 'externalCustomerId=customer-ada', form, 415, 'unsupported_media_type'],
    ['a compressed body', ADA, { 'content-encoding': 'gzip' }, 415, 'unsupported_media_type'],
    ['a long body', ADA + ' '.repeat(1_000), {}, 413, 'payload_too_large'],
    ['no body', null, {}, 400, 'invalid_json'],
    ['half a body', '{', {}, 400, 'invalid_json'],
    ['no object', 'null', {}, 400, 'invalid_json'],
    [
      'a doubled key',
      '{"externalCustomerId":"eve","externalCustomerId":"customer-ada"}',
      {},
      400,
      'invalid_json',
    ],
    ['no customer', '{}', {}, 422, 'validation_failed'],
    ['no text', '{"externalCustomerId":{},"sourceReference":{}}', {}, 422, 'validation_failed'],
    ['NUL', '{"externalCustomerId":"\\u0000","sourceReference":"x"}', {}, 422, 'validation_failed'],
    [
      'an unknown property',
      `${(action === 'session' ? ADA : BOUGHT).slice(0, -1)},"x":1}`,
      {},
      422,
      'validation_failed',
    ],
    ['a customer of nobody', nobody, {}, 403, 'insufficient_scope'],
    ['another origin, whatever the body', '{', foreign, 403, 'origin_not_allowed'],
    [
      'another origin with text',
      ADA,
      { ...foreign, 'content-type': 'text/plain' },
      403,
      'origin_not_allowed',
    ],
  ])('%s', async (_what, body, headers, status, code) => {
    const answer = await post(action, body, { ...headers, 'x-request-id': 'my-request' });
    expect({ status: answer.status, code: answer.error?.code, requestId: answer.error?.requestId }).toEqual({
      status,
      code,
      requestId: 'my-request',
    });
    expect({ noted, failures, sent }).toEqual({ noted: [code], failures: [], sent: [] });
  });
});

test.each([['{}'], ['""'], ['"a b"'], ['"ä"'], ['"a\\nb"'], [`"${'x'.repeat(256)}"`]])(
  'the reference %s of a purchase is refused',
  async (reference) => {
    const answer = await post('purchase', `${ADA.slice(0, -1)},"sourceReference":${reference}}`);
    expect({ status: answer.status, path: answer.error?.details?.[0]?.path }).toEqual({
      status: 422,
      path: 'sourceReference',
    });
    expect({ failures, sent }).toEqual({ failures: [], sent: [] });
  },
);
