import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as afterReading, setTimeout as sleep } from 'node:timers/promises';
import type { UnsentAnswers } from './unsent-answers.ts';

/**
 * How long after a stop a kept-alive connection stays open: its client does not know of the stop and may send a
 * request.
 */
const IDLE_MS = 250;
/** How long after a stop a connection that has not sent a byte stays open. */
const SILENT_MS = 1_000;
const LOOK_EVERY_MS = 25;

/** The most unfinished requests of one connection. Most clients send one at a time; few pipeline requests. */
const MOST_UNDER_WAY = 8;
/** The most requests that are ignored on a connection that is closing. With one more, it is cut off. */
const MOST_IGNORED = 32;
const LOOK_FOR_UNREAD_EVERY_MS = 500;

/** The state of a connection. */
interface Connection {
  /** Responses that are not sent completely, in the order of their requests. */
  answering: Set<ServerResponse>;
  /** Handles the requests behind the one that is being answered, in their order. */
  held: (() => void)[];
  /** That of the request whose body arrives, or is to arrive next; null once it has come whole and is answered. */
  last: ServerResponse | null;
  /** Whether one of the responses has, or will have, `Connection: close`. Later requests are then ignored. */
  closing: boolean;
  /** The requests so far. */
  requests: number;
  ignored: number;
  /** Since when it has had no whole headers of an unanswered request, in milliseconds of `performance.now()`. */
  idleSince: number;
  /** The oldest response, if it is ended but the client has not read all of it. */
  unread: ServerResponse | null;
  /** When the client must have read `unread`, in milliseconds of `performance.now()`. */
  unreadUntil: number;
}

export interface ConnectionLimits {
  /** The most open connections. */
  connections: number;
  /** The most requests of one connection. The last one is answered with `Connection: close`. */
  requestsOfOne: number;
  /** How long a client may take to read a response of any length. */
  writeTimeoutMs: number;
  /** The time that a long response gets in addition: its length divided by this. */
  slowestBytesPerSecond: number;
  /** The answers of all connections that their clients have not read. */
  unsent: Pick<UnsentAnswers, 'note' | 'forget'>;
  /** Sends the response to a request beyond the limit of its connection. */
  refuse(response: ServerResponse): void;
}

/**
 * The connections of a server with their unfinished responses. It limits their number, the unfinished requests of each,
 * which are handled one after the other, and the time that a client may leave a response unread. It also stops the
 * server without cutting off accepted requests.
 */
export class OpenConnections {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #connections = new Map<Socket, Connection>();
  #draining = false;

  /**
   * To be created before the server listens; limits how many connections it has.
   * @param handle called for each request that is not refused or ignored
   */
  constructor(server: Server, handle: RequestListener, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
    const connections = this.#connections;
    // One fewer is kept open, so that there is always room for the next one. Where none is idle, Node closes that at
    // once.
    server.maxConnections = limits.connections;
    server.on('connection', (socket: Socket) => {
      if (connections.size + 1 >= limits.connections) this.#closeIdlest();
      connections.set(socket, {
        answering: new Set(),
        held: [],
        last: null,
        closing: false,
        requests: 0,
        ignored: 0,
        idleSince: performance.now(),
        unread: null,
        unreadUntil: 0,
      });
      // When a connection closes, Node emits `close` only for the response that is being sent, not for those queued
      // behind it.
      socket.once('close', () => connections.delete(socket));
    });
    const { unsent } = limits;
    // One function for all responses, so that none is allocated for each.
    const forget = function (this: ServerResponse): void {
      unsent.forget(this);
      const connection = connections.get(this.req.socket);
      if (!connection) return;
      connection.answering.delete(this);
      if (connection.last === this && this.req.complete) connection.last = null;
      connection.idleSince = performance.now();
      connection.held.shift()?.();
    };
    const note = function (this: ServerResponse): void {
      unsent.note(this);
    };
    server.on('request', (request, response) => {
      const connection = connections.get(request.socket);
      if (!connection || !this.#mayBegin(connection, request, response)) return;
      connection.answering.add(response);
      connection.last = response;
      response.on('close', forget);
      response.on('prefinish', note);
      // What is sent ahead begins when the answer before it is sent: one connection has no more than one answer in
      // memory.
      if (connection.answering.size > 1) connection.held.push(() => handle(request, response));
      else handle(request, response);
    });
    const watch = setInterval(() => this.#cutOffUnread(), LOOK_FOR_UNREAD_EVERY_MS).unref();
    server.once('close', () => clearInterval(watch));
  }

  #mayBegin(connection: Connection, request: IncomingMessage, response: ServerResponse): boolean {
    if (connection.closing) {
      connection.ignored += 1;
      if (connection.ignored > MOST_IGNORED) request.socket.destroy();
      return false;
    }
    connection.requests += 1;
    const tooMany = connection.answering.size >= MOST_UNDER_WAY;
    const isLast = connection.requests >= this.#limits.requestsOfOne || asksForOtherProtocol(request);
    if (tooMany || isLast || this.#draining) {
      connection.closing = true;
      response.setHeader('Connection', 'close');
    }
    if (tooMany) this.#limits.refuse(response);
    return !tooMany;
  }

  /**
   * Whether what a client sent last, which is no HTTP, may be answered now. Not where it belongs to a request that has
   * its answer already, or a part of it: the connection is closed then. Nor before the answers to earlier requests: a
   * client would take it for one of these. The connection then closes after them.
   */
  mayAnswerMalformed(socket: Socket): boolean {
    const connection = this.#connections.get(socket);
    if (!connection) return socket.writable;
    const { answering, last } = connection;
    const broken = last?.req.complete === false ? last : null;
    const earlier = Array.from(answering).filter((response) => response !== broken);
    const closing = earlier.at(-1);
    if (closing) {
      connection.closing = true;
      if (!closing.headersSent) closing.setHeader('Connection', 'close');
      closing.once('close', () => socket.destroySoon());
      // What comes after it is of no use, and each piece of it would be an error again.
      socket.pause();
      return false;
    }
    if (socket.writable && (!broken || (answering.has(broken) && !broken.headersSent))) return true;
    socket.destroySoon();
    return false;
  }

  /** Cuts off the connections whose client has not read the oldest response in time. */
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
   * Stops taking connections. The last response of each open connection gets `Connection: close`. Waits until all
   * connections are closed; after `limitMs`, cuts off the rest.
   */
  async drain(limitMs: number): Promise<void> {
    const tooLong = AbortSignal.timeout(limitMs);
    this.#draining = true;
    for (const connection of this.#connections.values()) {
      // Only the last response may have the header: an earlier one would close the connection before the later ones.
      const last = Array.from(connection.answering).at(-1);
      if (!last || last.headersSent) continue;
      last.setHeader('Connection', 'close');
      connection.closing = true;
    }
    // Closing the server resets connections that the system has accepted and Node has not. So Node accepts them first.
    await afterReading();
    let open = true;
    const closed = new Promise<void>((resolve) => {
      // `close` of an HTTP server would close idle connections at once, to which clients may be sending a request.
      NetServer.prototype.close.call(this.#server, () => {
        open = false;
        resolve();
      });
    });
    const startedAt = performance.now();
    while (open && !tooLong.aborted) {
      await Promise.race([closed, sleep(LOOK_EVERY_MS)]);
      const elapsedMs = performance.now() - startedAt;
      if (elapsedMs > IDLE_MS) this.#server.closeIdleConnections();
      if (elapsedMs > SILENT_MS) this.#closeSilent();
    }
    if (open) this.#server.closeAllConnections();
    await closed;
    // This stops the timer of the HTTP server, which `close` of the net server has left running.
    this.#server.close();
  }

  /** Makes room for another connection. What is being answered, or has begun to send a body, is left alone. */
  #closeIdlest(): void {
    let idlest: { socket: Socket; since: number } | null = null;
    for (const [socket, { answering, idleSince }] of this.#connections) {
      if (answering.size === 0 && idleSince < (idlest?.since ?? Number.POSITIVE_INFINITY))
        idlest = { socket, since: idleSince };
    }
    idlest?.socket.destroy();
  }

  /** Closes the connections that have never sent a byte: `closeIdleConnections` does not count them as idle. */
  #closeSilent(): void {
    for (const socket of this.#connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Whether a request asks for another protocol. Node then drops what it has read behind the request, be it half of
 * another one, whose rest it would take for a request of its own. So nothing that comes after it is read, although
 * clients that would rather speak HTTP/2 (`h2c`) may ask for it with every request.
 */
function asksForOtherProtocol({ headers: { upgrade } }: IncomingMessage): boolean {
  return upgrade !== undefined;
}
