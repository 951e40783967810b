import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validateEvent } from './validate-event.ts';

export interface Received {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  message: { type: string; timestamp: string; environmentId: string; sequence: number; data: object };
  at: number;
}

type Answer = (received: Received, response: ServerResponse) => void;

/** A receiver of webhooks on a real socket. It answers 204 unless told otherwise. */
export class Receiver {
  readonly received: Received[] = [];
  /** Where a body was not as the contract says. */
  readonly faults: string[] = [];
  answer: Answer = (_received, response) => response.writeHead(204).end();
  /** The most requests that were open at once. */
  mostAtOnce = 0;
  readonly #server: Server;
  #open = 0;

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#open);
    response.on('close', () => {
      this.#open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const received = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body,
      message: JSON.parse(body),
      at: performance.now(),
    };
    this.received.push(received);
    this.faults.push(...validateEvent(received.message));
    this.answer(received, response);
  }
}
