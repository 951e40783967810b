import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../refusal.ts';

/** How many times the limit is read and thrown away, so that a client can read its answer, before we hang up. */
const DISCARDED_LIMITS = 8;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)?$/i;

const truncated = refuse('invalid_json', 'The body ended before it was complete.');

/**
 * Checks that a request announces JSON in UTF-8, as it stands on the wire.
 * @returns unsupported_media_type for another or no Content-Type, another charset, or a Content-Encoding
 */
export function checkContentType(request: IncomingMessage): Refusal | null {
  const type = request.headers['content-type'];
  if (type === undefined || (type !== 'application/json' && !jsonType.test(type))) {
    return refuse('unsupported_media_type', 'Send Content-Type: application/json, in UTF-8.');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return refuse('unsupported_media_type', 'Send the body without a Content-Encoding.');
  }
  return null;
}

/**
 * Reads a JSON body's bytes: exactly `limitBytes` pass, one more does not, whether the length was announced or not.
 * @returns unsupported_media_type before anything is read, else payload_too_large; invalid_json where the client
 * went away halfway. Never rejects. What is left of a body too large is read and thrown away, within bounds.
 */
export function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<Buffer | Refusal> {
  const wrongType = checkContentType(request);
  if (wrongType) {
    discardBody(request, response, limitBytes);
    return Promise.resolve(wrongType);
  }
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  if (announcedBytes > limitBytes) {
    discardBody(request, response, limitBytes);
    return Promise.resolve(tooLarge(limitBytes));
  }
  // Who went away before we came to read has had its events already.
  if (request.destroyed) return Promise.resolve(truncated);
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (result: Buffer | Refusal): void => {
      request.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      chunks = [];
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > limitBytes) {
        settle(tooLarge(limitBytes));
        discardBody(request, response, limitBytes);
      } else {
        chunks.push(chunk);
      }
    };
    const onEnd = (): void => {
      const [only] = chunks;
      settle(chunks.length === 1 && only ? only : Buffer.concat(chunks, bytes));
    };
    const onBroken = (): void => settle(truncated);
    request.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function tooLarge(limitBytes: number): Refusal {
  return refuse('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
}

const discarded = new WeakSet<IncomingMessage>();

/**
 * Reads and throws away what is left of a body, so that the client can read its answer and go on over the same
 * connection. Where the body is, or may be, longer than we read, the answer says `Connection: close`. To be called
 * before the answer is sent; a second time, or for a body that is here already, it does nothing.
 */
export function discardBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): void {
  if (request.complete || discarded.has(request)) return;
  discarded.add(request);
  request.on('error', () => {});
  const mostBytes = limitBytes * DISCARDED_LIMITS;
  const chunked = request.headers['transfer-encoding'] !== undefined;
  if (chunked || Number(request.headers['content-length'] ?? 0) > mostBytes) {
    endWithBody(request, response, mostBytes);
  } else {
    request.resume();
  }
}

/**
 * Makes an answer the connection's last. Node hangs up as soon as such an answer ends, and a client that is hung up on
 * while it sends may never see what came before. So the answer goes out at once, and ends with the body or after
 * `mostBytes` of it.
 */
function endWithBody(request: IncomingMessage, response: ServerResponse, mostBytes: number): void {
  const end = response.end.bind(response);
  let leftBytes = mostBytes;
  let answered = false;
  const settle = (): void => {
    request.off('data', onData).off('end', settle).off('close', settle).pause();
    response.end = end;
    if (answered) end();
  };
  const onData = (chunk: Buffer): void => {
    leftBytes -= chunk.length;
    if (leftBytes < 0) settle();
  };
  response.setHeader('Connection', 'close');
  response.end = ((text?: string | Buffer) => {
    answered = true;
    if (text?.length) response.write(text);
    else response.flushHeaders();
    return response;
  }) as typeof response.end;
  request.on('data', onData).on('end', settle).on('close', settle);
}
