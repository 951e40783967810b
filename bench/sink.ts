import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// Where deliveries go: a process of its own, as receivers are. It answers 204, but for three paths: /silent is never
// answered, /slow after ten seconds, /behind after twenty milliseconds.

/** A message to the sink. */
export type SinkMessage =
  /** Tell the rate at which so many requests come, from now on. */
  | { kind: 'count'; requests: number }
  /** Remember what is received, until `receipts`. */
  | { kind: 'watch' }
  | { kind: 'receipts' }
  /** Break the connections that wait for an answer. */
  | { kind: 'drop' };

/** A request as it came. */
export interface ReceivedPost {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type SinkAnswer =
  | { kind: 'listening'; port: number }
  /** @param perSecond between the first tenth of the requests and the last one @param samples some of them */
  | { kind: 'counted'; perSecond: number; samples: readonly ReceivedPost[] }
  /** Of all paths but /silent and /slow: the id, and when it was received, in ms since 1970. */
  | { kind: 'receipts'; receipts: readonly (readonly [id: string, at: number])[] };

const SLOW_MS = 10_000;
const BEHIND_MS = 20;
const SAMPLES = 1_000;
/** The part of the requests at the beginning, and at the end, that the rate leaves out. */
const LEFT_OUT = 0.1;

let wanted = 0;
let counted = 0;
let beganAt = 0;
let samples: ReceivedPost[] = [];
let receipts: [string, number][] | null = null;
const waiting = new Set<ServerResponse>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = request.url ?? '';
    const headers = request.headers as Record<string, string>;
    if (path === '/silent' || path === '/slow') return wait(path, response);
    receipts?.push([headers['webhook-id'] ?? '', performance.timeOrigin + performance.now()]);
    if (counted < wanted) count({ path, headers, body: Buffer.concat(chunks).toString() });
    if (path === '/behind') setTimeout(() => response.writeHead(204).end(), BEHIND_MS);
    else response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () =>
  tell({ kind: 'listening', port: (server.address() as AddressInfo).port }),
);

process.on('message', (message: SinkMessage) => {
  switch (message.kind) {
    case 'count':
      wanted = message.requests;
      counted = 0;
      samples = [];
      break;
    case 'watch':
      receipts = [];
      break;
    case 'receipts':
      tell({ kind: 'receipts', receipts: receipts ?? [] });
      receipts = null;
      break;
    case 'drop':
      for (const response of waiting) response.destroy();
  }
});
process.on('disconnect', () => process.exit(0));

function count(post: ReceivedPost): void {
  counted += 1;
  if (samples.length < SAMPLES) samples.push(post);
  const from = Math.ceil(wanted * LEFT_OUT);
  const to = Math.floor(wanted * (1 - LEFT_OUT));
  if (counted === from) beganAt = performance.now();
  if (counted === to) {
    tell({ kind: 'counted', perSecond: ((to - from) / (performance.now() - beganAt)) * 1000, samples });
  }
}

function wait(path: string, response: ServerResponse): void {
  waiting.add(response);
  response.on('close', () => waiting.delete(response));
  if (path === '/slow') setTimeout(() => response.writeHead(204).end(), SLOW_MS).unref();
}

function tell(answer: SinkAnswer): void {
  process.send?.(answer);
}
