import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Arrivals } from '../../../bench/arrivals.ts';
import { newHistogram, recordMs } from '../../../bench/http-load.ts';
import type { Sent } from '../surfaces/client.ts';

export interface LoadOptions {
  /** The next request. @param number from 0 */
  request(number: number): Sent;
  seconds: number;
  /** The most requests at once. What finds no idle connection waits, while its time counts. */
  connections: number;
  /**
   * Requests that arrive in a second, whether or not others were answered; null: each connection sends one after the
   * other.
   */
  perSecond: number | null;
}

/** What became of the requests of a load. */
export interface LoadResult {
  /** By status. */
  answers: ReadonlyMap<number, number>;
  /** Of the 503 those without a Retry-After. */
  withoutRetryAfter: number;
  /** Accepted requests a second. */
  acceptedPerSecond: number;
  /** From when they arrived. */
  acceptedP99Ms: number;
  /** From when they arrived. */
  refusedP99Ms: number;
  /** Of accepted requests, from when they were sent: without the time in which all connections were busy. */
  sentP99Ms: number;
}

/** Sends requests over plain sockets, because an HTTP client would take more time of the processor than the server. */
export async function runLoad(url: string, options: LoadOptions): Promise<LoadResult> {
  const connections: Connection[] = [];
  for (let index = 0; index < options.connections; index += 1) connections.push(await Connection.open(url));
  const [accepted, refused, sent] = [newHistogram(), newHistogram(), newHistogram()];
  const answers = new Map<number, number>();
  let withoutRetryAfter = 0;
  let next = 0;
  const send = async (connection: Connection, dueAt: number): Promise<void> => {
    const sentAt = performance.now();
    const answer = await connection.send(textOf(options.request(next++)));
    const isAccepted = answer.status < 400;
    recordMs(isAccepted ? accepted : refused, performance.now() - dueAt);
    if (isAccepted) recordMs(sent, performance.now() - sentAt);
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    if (answer.status === 503 && !/^retry-after: \d+\r$/im.test(answer.head)) withoutRetryAfter += 1;
  };
  const startedAt = performance.now();
  try {
    if (options.perSecond === null) {
      const until = startedAt + options.seconds * 1000;
      await Promise.all(
        connections.map(async (connection) => {
          while (performance.now() < until) await send(connection, performance.now());
        }),
      );
    } else {
      await sendArrivals(connections, new Arrivals(options.perSecond, options.seconds), send);
    }
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    ...{ answers, withoutRetryAfter },
    acceptedPerSecond: accepted.count / seconds,
    acceptedP99Ms: accepted.percentile(99) / 1000,
    refusedP99Ms: refused.count === 0 ? 0 : refused.percentile(99) / 1000,
    sentP99Ms: sent.percentile(99) / 1000,
  };
}

async function sendArrivals(
  connections: readonly Connection[],
  arrivals: Arrivals,
  send: (connection: Connection, dueAt: number) => Promise<void>,
): Promise<void> {
  const startedAt = performance.now();
  const idle = [...connections];
  const waiting: number[] = [];
  const sending = new Set<Promise<void>>();
  let failure: unknown = null;
  const sendNext = (connection: Connection): void => {
    const dueAt = waiting.shift();
    if (dueAt === undefined) return void idle.push(connection);
    const sent = send(connection, startedAt + dueAt).then(
      () => sendNext(connection),
      (error: unknown) => {
        failure = error;
      },
    );
    sending.add(sent);
    void sent.then(() => sending.delete(sent));
  };
  while (!arrivals.ended && failure === null) {
    const elapsed = performance.now() - startedAt;
    for (let at = arrivals.take(elapsed); at !== null; at = arrivals.take(elapsed)) waiting.push(at);
    for (let free = Math.min(idle.length, waiting.length); free > 0; free -= 1) {
      sendNext(idle.pop() as Connection);
    }
    await sleep(1);
  }
  while (sending.size > 0) await Promise.all(sending);
  if (failure !== null) throw failure;
}

function textOf({ method, path, headers = {}, body = '' }: Sent): string {
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/**
 * One connection, with one request at a time. Answers have a Content-Length, and only ASCII. The server may close it
 * while it is idle: as other clients do, it is opened anew then, and a request that found it closing is sent once more
 * under its key.
 */
class Connection {
  readonly #url: string;
  #socket: Socket;
  #text = '';
  #waiting: PromiseWithResolvers<{ status: number; head: string } | null> | null = null;

  private constructor(url: string, socket: Socket) {
    this.#url = url;
    this.#socket = this.#listen(socket);
  }

  static async open(url: string): Promise<Connection> {
    return new Connection(url, await connected(url));
  }

  /**
   * @throws where the server closes the connection before it has answered, and again where the request is sent once
   *   more
   */
  async send(text: string): Promise<{ status: number; head: string }> {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      if (this.#socket.destroyed) this.#socket = this.#listen(await connected(this.#url));
      this.#text = '';
      this.#waiting = Promise.withResolvers();
      this.#socket.write(text, 'latin1');
      const answer = await this.#waiting.promise;
      if (answer) return answer;
    }
    throw new Error('The server closed a connection');
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #listen(socket: Socket): Socket {
    return socket
      .setEncoding('latin1')
      .on('data', (piece: string) => this.#receive(piece))
      .on('error', () => {})
      .once('close', () => this.#waiting?.resolve(null));
  }

  #receive(piece: string): void {
    this.#text += piece;
    const headEnd = this.#text.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = this.#text.slice(0, headEnd + 2);
    const length = Number(/^content-length: (\d+)\r$/im.exec(head)?.[1] ?? Number.NaN);
    if (this.#text.length < headEnd + 4 + length) return;
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), head });
  }
}

function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
