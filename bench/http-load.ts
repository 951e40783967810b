import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { type HttpScenario, textAfter } from './http-scenario.ts';
import type { Measurement } from './scenarios.ts';

const LENGTH = 'Content-Length: ';

/** How long a response may take before the measurement fails. */
const ANSWER_LIMIT_MS = 20_000;

export interface HttpLoadOptions {
  connections: number;
  seconds: number;
  /** Number of the first request. */
  first: number;
}

/**
 * Sends requests for `seconds`, or until the scenario ends, one after the other on each connection, and waits for every
 * response. It uses plain sockets, because an HTTP client would take more CPU time than the measured server.
 * @throws where a response is not what the scenario expects, or does not come; where there is nothing to send
 */
export function runHttpLoad(scenario: HttpScenario, options: HttpLoadOptions): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const run = new Run(scenario, options, resolve, reject);
    for (let index = 0; index < options.connections; index++) run.open();
  });
}

class Run {
  readonly #scenario: HttpScenario;
  readonly #resolve: (measurement: Measurement) => void;
  readonly #reject: (error: Error) => void;
  readonly #begun = performance.now();
  readonly #until: number;
  readonly #sockets = new Set<Socket>();
  readonly #micros: RecordableHistogram = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });
  readonly #watch: NodeJS.Timeout;
  #next: number;
  #answers = 0;
  #points = 0;

  constructor(
    scenario: HttpScenario,
    { seconds, first }: HttpLoadOptions,
    resolve: (measurement: Measurement) => void,
    reject: (error: Error) => void,
  ) {
    this.#scenario = scenario;
    this.#next = first;
    this.#until = this.#begun + seconds * 1000;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#watch = setTimeout(
      () => this.#fail(new Error('An answer did not come')),
      seconds * 1000 + ANSWER_LIMIT_MS,
    );
  }

  open(): void {
    const { port, steps } = this.#scenario;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#sockets.add(socket);
    let begunAt = 0;
    let number = 0;
    let step = 0;
    let gathered = '';
    const send = (answer: string): void => {
      socket.write(steps[step]?.request(number, answer) ?? '', 'latin1');
    };
    const begin = (now: number): void => {
      if (now >= this.#until || this.#next === this.#scenario.end) {
        this.#close(socket);
        return;
      }
      begunAt = now;
      number = this.#next++;
      step = 0;
      send('');
    };
    socket.on('connect', () => begin(performance.now()));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => {
      if (this.#sockets.has(socket)) this.#fail(new Error('The server closed a connection'));
    });
    socket.on('data', (chunk: Buffer) => {
      const text = gathered === '' ? chunk.toString('latin1') : gathered + chunk.toString('latin1');
      if (!isWhole(text)) {
        gathered = text;
        return;
      }
      gathered = '';
      if (!this.#isExpected(text, step)) return;
      step += 1;
      try {
        if (step < steps.length) {
          send(text);
          return;
        }
        const now = performance.now();
        this.#take(text, now - begunAt);
        begin(now);
      } catch (error) {
        this.#fail(error as Error);
      }
    });
  }

  #isExpected(text: string, index: number): boolean {
    const { statusLine = '', mark = '' } = this.#scenario.steps[index] ?? {};
    if (text.startsWith(statusLine) && text.includes(mark)) return true;
    this.#fail(
      new Error(`Not the answer that was expected (${statusLine}… ${mark}):\n${text.slice(0, 2_000)}`),
    );
    return false;
  }

  #take(text: string, milliseconds: number): void {
    const { points, take } = this.#scenario;
    this.#answers += 1;
    this.#micros.record(Math.max(1, Math.round(milliseconds * 1000)));
    if (points !== null) this.#points += Number(textAfter(text, points));
    take?.(text);
  }

  #close(socket: Socket): void {
    this.#sockets.delete(socket);
    socket.destroy();
    if (this.#sockets.size > 0) return;
    if (this.#answers === 0) {
      this.#fail(new Error('There was nothing to send: what was prepared is used up'));
      return;
    }
    clearTimeout(this.#watch);
    this.#resolve({
      requests: this.#answers,
      seconds: (performance.now() - this.#begun) / 1000,
      points: this.#points,
      ...percentilesMs(this.#micros),
    });
  }

  #fail(error: Error): void {
    clearTimeout(this.#watch);
    for (const socket of this.#sockets) {
      this.#sockets.delete(socket);
      socket.destroy();
    }
    this.#reject(error);
  }
}

/** The three percentiles of the report, from a histogram in microseconds. */
export function percentilesMs(micros: RecordableHistogram): Pick<Measurement, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  return {
    p50Ms: micros.percentile(50) / 1000,
    p95Ms: micros.percentile(95) / 1000,
    p99Ms: micros.percentile(99) / 1000,
  };
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
