import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';

/** How long after a stop a kept-alive connection may still bring a request: its client has not heard of the stop. */
const IDLE_MS = 250;
/** How long a connection that was just made has for its first byte. */
const SILENT_MS = 1_000;
const LOOK_EVERY_MS = 25;

/** Requests of one connection under way at once. Most clients send one at a time; few send ahead of the answers. */
const MOST_UNDER_WAY = 8;
/** Requests that are ignored on a connection whose last answer is decided, before it is cut off. */
const MOST_IGNORED = 32;
const LOOK_FOR_UNREAD_EVERY_MS = 500;

/** What is known of a connection. */
interface Connection {
  /** Answers that are not taken whole, in the order of their requests. */
  answering: Set<ServerResponse>;
  /** An answer has said, or will say, that the connection ends with it: requests that come later are not begun. */
  closing: boolean;
  ignored: number;
  /** The answer that the client is slow to take, and until when it may: in milliseconds of `performance.now()`. */
  unread: ServerResponse | null;
  unreadUntil: number;
}

export interface ConnectionLimits {
  /** How long a client may take to read an answer, however short. */
  writeTimeoutMs: number;
  /** How fast it has to read beyond that: long answers have longer. */
  slowestBytesPerSecond: number;
  /** Answers a request that is one too many. */
  refuse(response: ServerResponse): void;
}

/**
 * The connections of a server and what is being answered over them. It bounds what one connection can ask for at once
 * and how long it may leave answers unread, and lets the server stop without cutting off a request that it has taken.
 */
export class OpenConnections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Socket, Connection>();
  #draining = false;

  /**
   * To be made before the server listens.
   * @param handle answers each request that is begun
   */
  constructor(server: Server, handle: RequestListener, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
    const connections = this.#connections;
    server.on('connection', (socket: Socket) => {
      connections.set(socket, {
        answering: new Set(),
        closing: false,
        ignored: 0,
        unread: null,
        unreadUntil: 0,
      });
      // Node closes the answer that is being sent, and tells nobody of those that wait behind it.
      socket.once('close', () => connections.delete(socket));
    });
    // One function for all answers, and not one for each.
    const forget = function (this: ServerResponse): void {
      connections.get(this.req.socket)?.answering.delete(this);
    };
    server.on('request', (request, response) => {
      const connection = connections.get(request.socket);
      if (!connection || !this.#mayBegin(connection, request.socket, response)) return;
      connection.answering.add(response);
      response.on('close', forget);
      handle(request, response);
    });
    const watch = setInterval(() => this.#cutOffUnread(), LOOK_FOR_UNREAD_EVERY_MS).unref();
    server.once('close', () => clearInterval(watch));
  }

  #mayBegin(connection: Connection, socket: Socket, response: ServerResponse): boolean {
    if (connection.closing) {
      connection.ignored += 1;
      if (connection.ignored > MOST_IGNORED) socket.destroy();
      return false;
    }
    const tooMany = connection.answering.size >= MOST_UNDER_WAY;
    if (tooMany || this.#draining) {
      connection.closing = true;
      response.setHeader('Connection', 'close');
    }
    if (tooMany) this.#limits.refuse(response);
    return !tooMany;
  }

  /** What the oldest answer of a connection has left is read at a pace that is worth waiting for, or never. */
  #cutOffUnread(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#connections) {
      const [oldest] = connection.answering;
      if (!oldest?.writableEnded) continue;
      if (connection.unread !== oldest) {
        const { writeTimeoutMs, slowestBytesPerSecond } = this.#limits;
        connection.unread = oldest;
        connection.unreadUntil =
          now + writeTimeoutMs + (oldest.writableLength / slowestBytesPerSecond) * 1000;
      } else if (now > connection.unreadUntil) socket.destroy();
    }
  }

  /**
   * Takes no more connections, answers what comes over those that are there with `Connection: close`, and waits until
   * all are closed; after `limitMs` what is left is cut off.
   */
  async drain(limitMs: number): Promise<void> {
    const tooLong = AbortSignal.timeout(limitMs);
    this.#draining = true;
    for (const connection of this.#connections.values()) {
      // The last one alone: those before it would take the connection from those behind them.
      const last = Array.from(connection.answering).at(-1);
      if (!last || last.headersSent) continue;
      last.setHeader('Connection', 'close');
      connection.closing = true;
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
    for (const socket of this.#connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}
