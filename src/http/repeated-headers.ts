import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../refusal.ts';

/**
 * The headers that decide who asks, and how the body is read. Node keeps the first of two such headers and a proxy may
 * keep the last, so that the two would see different requests. Two headers `Idempotency-Key` count as none (see
 * rest-adapter/request-headers.ts).
 */
const SINGLE = ['Authorization', 'Content-Type', 'Host', 'X-Environment'];

const noHost = refuse('invalid_request', 'There is no Host header, which HTTP/1.1 requires.');

/** Refuses a request that has one of these headers more than once, or no Host, with `invalid_request`. */
export function refuseRepeatedHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): Refusal | null {
  if (headers.host === undefined && httpVersion === '1.1') return noHost;
  let names = 0;
  for (const _name in headers) names += 1;
  // Names and values alternate in `rawHeaders`. If there are as many names as headers, none is repeated.
  if (names * 2 === rawHeaders.length) return null;
  const sent = rawHeaders.filter((_text, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const repeated = SINGLE.find((name) => sent.filter((each) => each === name.toLowerCase()).length > 1);
  return repeated ? refuse('invalid_request', `The header ${repeated} is given more than once.`) : null;
}
