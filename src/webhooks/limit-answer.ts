import type { Socket } from 'node:net';

/** A receiver sent more bytes than an answer may have. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
  readonly code = 'ERR_ANSWER_TOO_LONG';
}

/**
 * Ends a connection that brings more bytes for one request than an answer may have. An HTTP client counts what it
 * passes on, the body and the headers; a receiver that never stops its interim answers, its reason phrase or the
 * extensions of its chunks would keep the parser busy until the time limit. So the bytes are counted where the socket
 * hands them out.
 * @param limitBytes for each request: the count begins anew when something is written
 */
export function limitAnswer(socket: Socket, limitBytes: number): void {
  const push = socket.push.bind(socket);
  let written = socket.bytesWritten;
  let bytes = 0;
  socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      bytes = 0;
    }
    bytes += chunk?.length ?? 0;
    if (bytes <= limitBytes) return push(chunk, encoding);
    socket.destroy(new AnswerTooLong(`More than ${limitBytes} bytes came for one request`));
    return false;
  };
}
