import { connect, type Socket } from 'node:net';
import type { HttpScenario } from './http-scenario.ts';

const LENGTH = 'Content-Length: ';

/** What a connection tells of. */
export interface ConnectionListener {
  /** The answer to the last step of a request. @param response whole, with its head */
  answered(connection: HttpConnection, number: number, response: string): void;
  /** An answer was not as expected, or the connection broke. */
  failed(error: Error): void;
}

/**
 * One connection, with one request at a time. It uses a plain socket, because an HTTP client would take more CPU time
 * than the measured server.
 */
export class HttpConnection {
  readonly scenario: HttpScenario;
  readonly #listener: ConnectionListener;
  readonly #socket: Socket;
  #number = 0;
  #step = 0;
  #gathered = '';

  private constructor(scenario: HttpScenario, socket: Socket, listener: ConnectionListener) {
    this.scenario = scenario;
    this.#socket = socket;
    this.#listener = listener;
    socket.on('error', (error) => listener.failed(error));
    socket.on('close', () => listener.failed(new Error('The server closed a connection')));
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#receive(chunk.toString('latin1'));
      } catch (error) {
        listener.failed(error as Error);
      }
    });
  }

  static open(scenario: HttpScenario, listener: ConnectionListener): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: scenario.port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new HttpConnection(scenario, socket, listener));
      });
    });
  }

  /** Sends all steps of a request, one after the other. */
  send(number: number): void {
    this.#number = number;
    this.#step = 0;
    this.#write('');
  }

  close(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }

  #write(answer: string): void {
    this.#socket.write(this.scenario.steps[this.#step]?.request(this.#number, answer) ?? '', 'latin1');
  }

  #receive(text: string): void {
    const whole = this.#gathered + text;
    if (!isWhole(whole)) {
      this.#gathered = whole;
      return;
    }
    this.#gathered = '';
    const { steps } = this.scenario;
    const { statusLine = '', mark = '' } = steps[this.#step] ?? {};
    if (!whole.startsWith(statusLine) || !whole.includes(mark)) {
      throw new Error(`Not the answer that was expected (${statusLine}… ${mark}):\n${whole.slice(0, 2_000)}`);
    }
    this.#step += 1;
    if (this.#step < steps.length) this.#write(whole);
    else this.#listener.answered(this, this.#number, whole);
  }
}

/** Whether the response is complete. The servers send `Content-Length` in this spelling, and only ASCII. */
function isWhole(text: string): boolean {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const lengthAt = text.indexOf(LENGTH);
  if (lengthAt === -1 || lengthAt > headEnd) throw new Error('An answer has no Content-Length');
  const bodyLength = Number.parseInt(text.slice(lengthAt + LENGTH.length, lengthAt + LENGTH.length + 12), 10);
  return text.length >= headEnd + 4 + bodyLength;
}
