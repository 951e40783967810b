import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errorMessage, sendError } from './send-error.ts';

interface Fault {
  status: string;
  code: string;
  message: string;
}

/** What Node's parser could not read, by the code of its error. */
const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'invalid_request',
    message: 'The headers are longer than 16 KiB.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'payload_too_large',
    message: 'The extensions of a chunk are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'invalid_request',
    message: 'The request did not arrive in time: its headers within 10 s, all of it within 30 s.',
  },
};
const NO_HTTP: Fault = {
  status: '400 Bad Request',
  code: 'invalid_request',
  message: 'What was sent is no HTTP/1.1 request.',
};
const NO_PROXY: Fault = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'CONNECT asks a proxy for a tunnel, and this is none.',
};

export interface MalformedOptions {
  /** Whether what came last on a connection may be answered; if not, the connection is closed in time. */
  mayAnswer(socket: Socket): boolean;
  /** Called with the code of each answer. */
  countRefusal(code: string): void;
}

/**
 * Answers what Node answers by itself with a bare status, in the form and with the headers of every other error:
 * requests that its parser could not read, or that did not arrive in time, and those that expect something else than
 * `100-continue`.
 */
export function answerMalformed(server: Server, options: MalformedOptions): void {
  const { mayAnswer, countRefusal } = options;
  const answer = (socket: Socket, { status, code, message }: Fault): void => {
    if (!mayAnswer(socket)) return;
    countRefusal(code);
    const { headers, body } = errorMessage(code, message);
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    socket.write(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
    socket.destroySoon();
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) =>
    answer(socket, FAULTS[error.code ?? ''] ?? NO_HTTP),
  );
  // Without a listener Node closes the connection, also before earlier requests on it are answered. With one it leaves
  // the socket to that, and its errors too.
  server.on('connect', (_request, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    answer(socket, NO_PROXY);
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    countRefusal('invalid_request');
    // The client may leave out the body that it has announced: what comes next could be either.
    response.setHeader('Connection', 'close');
    sendError(response, 417, 'invalid_request', 'Of the header Expect, only 100-continue is understood.');
  });
}
