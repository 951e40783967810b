import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '../refusal.ts';

/**
 * How many times the limit is read and discarded, so that a client can read its response, before the connection is
 * closed.
 */
const DISCARDED_LIMITS = 8;

const JSON_ALONE: readonly string[] = ['application/json'];

/** What may follow a media type: nothing but UTF-8. */
const parametersOfType = /^[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)?$/i;

const truncated = refuse('invalid_json', 'The body ended before it was complete.');

/**
 * Checks that a request declares a body of one of the media types in UTF-8, without a content encoding.
 * @returns unsupported_media_type for another or no Content-Type, another charset, or a Content-Encoding
 */
function checkContentType(request: IncomingMessage, mediaTypes: readonly string[]): Refusal | null {
  const type = request.headers['content-type'];
  const isOne = (mediaType: string): boolean =>
    type === mediaType ||
    (type !== undefined &&
      type.slice(0, mediaType.length).toLowerCase() === mediaType &&
      parametersOfType.test(type.slice(mediaType.length)));
  if (!mediaTypes.some(isOne)) {
    return refuse('unsupported_media_type', `Send Content-Type: ${mediaTypes.join(' or ')}, in UTF-8.`);
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    return refuse('unsupported_media_type', 'Send the body without a Content-Encoding.');
  }
  return null;
}

/**
 * Reads a body of at most `limitBytes` bytes, with or without a Content-Length.
 * @param mediaTypes those that it may have, in lower case. Default: that of JSON alone
 * @returns unsupported_media_type, before anything is read; payload_too_large; or invalid_json if the client
 * disconnected before the end. Never rejects. The rest of a body that is too large is read and discarded, up to a
 * limit.
 */
export function readJsonBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
  mediaTypes = JSON_ALONE,
): Promise<Buffer | Refusal> {
  const wrongType = checkContentType(request, mediaTypes);
  if (wrongType) {
    discardBody(request, response, limitBytes);
    return Promise.resolve(wrongType);
  }
  const announcedBytes = Number(request.headers['content-length'] ?? 0);
  if (announcedBytes > limitBytes) {
    discardBody(request, response, limitBytes);
    return Promise.resolve(tooLarge(limitBytes));
  }
  // The client has disconnected already: its events have been emitted and would not come again.
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
 * Reads and discards the rest of a body, so that the client can read its response and go on using the
 * connection. If the body is, or may be, longer than is read, the response has `Connection: close`. To be called
 * before the response is sent; it does nothing the second time, or if the body is already complete.
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
 * Makes a response the connection's last. Node closes the connection as soon as such a response ends, and a client
 * whose connection is closed while it sends may never see the response. So the response is sent at once, but ended only
 * with the body, or after `mostBytes` of it.
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
