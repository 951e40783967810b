import type { IncomingMessage } from 'node:http';

/**
 * The host names under which what is only for this machine is served. A site can make its own host name resolve to this
 * machine (DNS rebinding), and its pages can then read what is served under that name.
 */
const ownHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;
const loopback = /^(?:::ffff:)?127\.|^::1$/;
/** The headers that proxies add. */
const ofProxies = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip)$/;

/**
 * Whether a request comes from this machine: its connection is from a loopback address, which cannot be forged, and its
 * Host names this machine. A request with a header of a proxy counts as coming from elsewhere.
 */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false;
  if (Object.keys(headers).some((name) => ofProxies.test(name))) return false;
  return headers.host !== undefined && ownHost.test(headers.host);
}
