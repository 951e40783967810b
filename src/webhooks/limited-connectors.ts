import { constants } from 'node:crypto';
import { type LookupFunction, connect as openSocket, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';
import { CountedCiphertext } from './counted-ciphertext.ts';
import { limitAnswer } from './limit-answer.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_PROBE_MS = 60_000;
const HTTPS_PORT = '443';

/**
 * Connects to receivers themselves.
 * @param answerLimitBytes the most bytes of the connection for each request, with all that HTTP and TLS add
 */
export function directConnector(lookup: LookupFunction, answerLimitBytes: number): buildConnector.connector {
  const options = { allowH2: false, timeout: CONNECT_TIMEOUT_MS, lookup };
  const connectPlain = limited(buildConnector(options), answerLimitBytes);
  const beginTls = tlsStarter(answerLimitBytes);
  return (target, callback) => {
    if (target.protocol !== 'https:') return connectPlain(target, callback);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    const port = Number(target.port || HTTPS_PORT);
    const keepAlive = { keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS };
    beginTls(openSocket({ host, port, lookup, noDelay: true, ...keepAlive }), target, callback);
  };
}

/**
 * Connects to receivers through the tunnels of a proxy.
 * @param connect makes a tunnel, and begins TLS in it where the receiver is to be spoken to over TLS
 */
export function tunnelConnector(
  connect: buildConnector.connector,
  answerLimitBytes: number,
): buildConnector.connector {
  const connectPlain = limited(connect, answerLimitBytes);
  const beginTls = tlsStarter(answerLimitBytes);
  return (target, callback) => {
    if (target.protocol !== 'https:') return connectPlain(target, callback);
    const { hostname, host = hostname, port } = target;
    const address = port ? { host, port } : { host: `${host}:${HTTPS_PORT}`, port: HTTPS_PORT };
    // As if it were for HTTP: so the tunnel itself is handed over, without TLS in it.
    connect({ ...target, ...address, protocol: 'http:' }, (...connected) => {
      const [error, tunnel] = connected;
      if (error === null) beginTls(tunnel, target, callback);
      else callback(...connected);
    });
  };
}

type BeginTls = (raw: Socket, target: buildConnector.Options, callback: buildConnector.Callback) => void;

/** Makes what begins TLS on a connection, of which every byte is counted. It remembers the sessions. */
function tlsStarter(answerLimitBytes: number): BeginTls {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    // In TLS 1.2 a receiver could ask for one handshake after the other.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  });
  return (raw, target, callback) => {
    const ciphertext = new CountedCiphertext(raw, answerLimitBytes);
    const httpSocket: Duplex = ciphertext;
    connect({ ...target, httpSocket: httpSocket as Socket }, (...connected) => {
      const [error, plaintext] = connected;
      if (error === null) ciphertext.carries(plaintext);
      callback(...connected);
    });
  };
}

/** Connects without TLS, so that the bytes of each answer are counted. */
function limited(connect: buildConnector.connector, answerLimitBytes: number): buildConnector.connector {
  return (target, callback) => {
    connect(target, (...connected) => {
      const [error, socket] = connected;
      if (error === null) limitAnswer(socket, answerLimitBytes);
      callback(...connected);
    });
  };
}
