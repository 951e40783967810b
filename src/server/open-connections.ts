import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';

/** How long after a stop a kept-alive connection may still bring a request: its client has not heard of the stop. */
const IDLE_MS = 250;
/** How long a connection that was just made has for its first byte. */
const SILENT_MS = 1_000;
const LOOK_EVERY_MS = 25;

/** The connections and answers of a server, so that it can stop without cutting off a request that it has taken. */
export class OpenConnections {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #answering = new Set<ServerResponse>();
  #draining = false;

  /** To be made before the server listens. */
  constructor(server: Server) {
    this.#server = server;
    const sockets = this.#sockets;
    const answering = this.#answering;
    // One function for all of them, and not one for each request.
    const forget = function (this: ServerResponse): void {
      answering.delete(this);
    };
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    server.prependListener('request', (_request, response) => {
      if (this.#draining) response.setHeader('Connection', 'close');
      else answering.add(response.on('close', forget));
    });
  }

  /**
   * Takes no more connections, answers what comes over those that are there with `Connection: close`, and waits until
   * all are closed; after `limitMs` what is left is cut off.
   */
  async drain(limitMs: number): Promise<void> {
    const tooLong = AbortSignal.timeout(limitMs);
    this.#draining = true;
    for (const response of this.#answering) {
      if (!response.headersSent) response.setHeader('Connection', 'close');
    }
    // Connections that the system has taken for us, and we have not yet, would be reset: so right after taking them.
    await afterReading();
    let open = true;
    const closed = new Promise<void>((resolve) => {
      // The one of HTTP would close idle connections at once, into which clients may just be writing.
      NetServer.prototype.close.call(this.#server, () => {
        open = false;
        resolve();
      });
    });
    const begun = performance.now();
    while (open && !tooLong.aborted) {
      await Promise.race([closed, sleep(LOOK_EVERY_MS)]);
      const elapsedMs = performance.now() - begun;
      if (elapsedMs > IDLE_MS) this.#server.closeIdleConnections();
      if (elapsedMs > SILENT_MS) this.#closeSilent();
    }
    if (open) this.#server.closeAllConnections();
    await closed;
    // What is left of HTTP's own closing: its timer.
    this.#server.close();
  }

  /** Node itself takes a connection that has never sent anything for a busy one. */
  #closeSilent(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
