import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { runBridge } from '../../src/mcp/stdio-bridge.ts';

interface Asked {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let service: Server;
let endpoint: string;
let asked: Asked[] = [];
let answer: (response: ServerResponse, body: string) => void;

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      asked.push({ url: request.url, headers: request.headers, body });
      answer(response, body);
    });
  });
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/mcp`;
});

afterAll(() => {
  service.closeAllConnections();
  service.close();
});

beforeEach(() => {
  asked = [];
});

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value, null, 2));
}

/** Answers each message with a result that has its id. */
function echo(response: ServerResponse, body: string): void {
  const { id } = JSON.parse(body) as { id?: number };
  if (id === undefined) response.writeHead(202).end();
  else json(response, 200, { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });
}

/** Runs the bridge with an input. @returns the lines that it wrote, parsed, and its warnings */
async function run(
  chunks: readonly (string | Buffer)[],
  { readToken = async () => null, origin = null }: Partial<Parameters<typeof runBridge>[0]> = {},
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const warnings: string[] = [];
  const ended = runBridge({
    endpoint,
    origin,
    readToken,
    input,
    output,
    warn: (text) => warnings.push(text),
  });
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await ended;
  const text = String(output.read() ?? '');
  const lines = text === '' ? [] : text.trimEnd().split('\n');
  return { answers: lines.map((line) => JSON.parse(line) as Record<string, unknown>), warnings };
}

const call = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });

test('each line is one request and each answer one line, wherever the input was cut', async () => {
  answer = echo;
  const text = `${call(1)}\r\n\n${call(2)}\n${JSON.stringify({ jsonrpc: '2.0', method: 'x', at: 'a\u2028b\u00e9' })}\n`;
  const bytes = Buffer.from(text);
  for (const cut of [1, 7, bytes.indexOf(0xc3) + 1, bytes.length]) {
    asked = [];
    const { answers, warnings } = await run([bytes.subarray(0, cut), bytes.subarray(cut)]);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(warnings).toEqual([]);
    expect(asked.map(({ body }) => body.trim()).sort()).toEqual(
      text
        .trim()
        .split(/\r?\n\r?\n?/)
        .sort(),
    );
  }
});

test('a last line without its end is taken', async () => {
  answer = echo;
  expect((await run([call(3)])).answers).toMatchObject([{ id: 3 }]);
});

test('the token is read for every request, and goes with the origin', async () => {
  answer = echo;
  let read = 0;
  const readToken = async () => `wst_${read++}`;
  await run([`${call(1)}\n${call(2)}\n`], { readToken, origin: 'https://shop.example' });
  expect(asked.map(({ headers }) => headers.authorization).sort()).toEqual(['Bearer wst_0', 'Bearer wst_1']);
  expect(asked.every(({ headers }) => headers.origin === 'https://shop.example')).toBe(true);
});

test('without a session neither is sent', async () => {
  answer = echo;
  await run([call(1)]);
  expect(asked[0]?.headers).not.toHaveProperty('authorization');
  expect(asked[0]?.headers).not.toHaveProperty('origin');
});

test('the version that was agreed on is sent from then on', async () => {
  answer = echo;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = runBridge({
    ...{ endpoint, origin: null, input, output },
    readToken: async () => null,
    warn: () => {},
  });
  for (const id of [1, 2]) {
    input.write(`${call(id)}\n`);
    await new Promise((resolve) => output.once('data', resolve));
  }
  input.end();
  await ended;
  expect(asked.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([undefined, '2025-11-25']);
});

test('what the service refuses as a whole is an error of the request, and nothing of a notification', async () => {
  const error = { code: 'origin_not_allowed', message: 'Not from there.', requestId: 'req_1' };
  answer = (response) => json(response, 403, { error });
  const refused = await run([`${call(1)}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`]);
  expect(refused.answers).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32000,
        message: 'Not from there.',
        data: { code: 'origin_not_allowed', requestId: 'req_1', status: 403 },
      },
    },
  ]);
  expect(refused.warnings).toEqual(['Not from there.', 'Not from there.']);
  answer = (response) =>
    json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No message.' } });
  expect((await run([call(2)])).answers).toEqual([
    { jsonrpc: '2.0', id: 2, error: { code: -32600, message: 'No message.' } },
  ]);
  answer = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<p>Bad gateway');
  expect((await run([call(3)])).answers).toMatchObject([
    { id: 3, error: { message: 'The service answered with status 502.' } },
  ]);
});

test('a redirect is not followed: the token is for the named service alone', async () => {
  answer = (response) => response.writeHead(307, { location: `${endpoint}/elsewhere` }).end();
  const { answers } = await run([call(1)], { readToken: async () => 'wst_secret' });
  expect(asked).toHaveLength(1);
  expect(answers).toMatchObject([{ id: 1, error: { message: expect.stringContaining('did not answer') } }]);
});

test('a service that is not there, an unreadable token and a line that is no JSON are told, and the next is tried', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const warnings: string[] = [];
  const ended = runBridge({
    ...{ endpoint: 'http://127.0.0.1:1/mcp', origin: null, input, output },
    readToken: async () => null,
    warn: (text) => warnings.push(text),
  });
  input.end(`{\n${call(1)}\n`);
  await ended;
  const answers = String(output.read())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(answers).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: 1, error: { message: expect.stringMatching(/same idempotencyKey/) } },
  ]);
  answer = echo;
  let fails = true;
  const readToken = async () => {
    if (!fails) return 'wst_1';
    fails = false;
    throw new Error('session.txt cannot be read');
  };
  const { answers: later } = await run([`${call(1)}\n${call(2)}\n`], { readToken });
  expect(later.toSorted((a, b) => Number(a.id) - Number(b.id))).toMatchObject([
    { id: 1, error: { message: 'session.txt cannot be read' } },
    { id: 2, result: {} },
  ]);
});

test('a line without an end is refused before it fills the memory', async () => {
  answer = echo;
  await expect(run(['x'.repeat(2_000_000)])).rejects.toThrow('longer than 1048576 characters');
});
