import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { Arrivals } from './arrivals.ts';
import { HttpConnection } from './http-connection.ts';
import { type HttpScenario, textAfter } from './http-scenario.ts';
import type { Measurement, OfPlace } from './scenarios.ts';

/** How long a response may take before the measurement fails. */
const ANSWER_LIMIT_MS = 20_000;

export interface HttpLoadOptions {
  /** Shared evenly by the scenarios. */
  connections: number;
  seconds: number;
  /** Number of the first request of each scenario. */
  first: number;
  /** The most requests of each scenario; absent or null: as many as it has. */
  most?: number | null;
  /** Requests that arrive in a second, answered or not; null: each connection sends when its last one was answered. */
  arrivalsPerSecond: number | null;
}

/**
 * Opens the connections, sends requests for `seconds`, or until the scenarios end, and waits for every response.
 * @param scenarios of which each has its own numbers, such as one for each environment
 * @throws where a response is not what the scenario expects, or does not come; where there is nothing to send
 */
export async function runHttpLoad(
  scenarios: readonly HttpScenario[],
  options: HttpLoadOptions,
): Promise<Measurement> {
  const run = new Run(scenarios, options);
  try {
    await run.open();
    return await run.finish();
  } finally {
    run.close();
  }
}

/** A scenario with its numbers and what was answered. */
interface Lane extends OfPlace {
  scenario: HttpScenario;
  next: number;
  /** The number at which it ends. */
  end: number;
}

class Run {
  readonly #options: HttpLoadOptions;
  readonly #lanes: readonly Lane[];
  readonly #connections = new Map<HttpConnection, Lane>();
  readonly #micros: RecordableHistogram = newHistogram();
  readonly #done = Promise.withResolvers<void>();
  /** When the request was due that a connection is busy with; connections that are not listed are idle. */
  readonly #dueAt = new Map<HttpConnection, number>();
  /** Of an open-loop run. */
  readonly #arrivals: Arrivals | null;
  readonly #idle: HttpConnection[] = [];
  readonly #waiting: number[] = [];
  #timer: NodeJS.Timeout | undefined;
  #begun = 0;

  constructor(scenarios: readonly HttpScenario[], options: HttpLoadOptions) {
    const { first, seconds, most, arrivalsPerSecond } = options;
    this.#options = options;
    this.#lanes = scenarios.map((scenario) => ({
      scenario,
      next: first,
      end: Math.min(scenario.end ?? Infinity, first + (most ?? Infinity)),
      requests: 0,
      points: 0,
    }));
    this.#arrivals = arrivalsPerSecond === null ? null : new Arrivals(arrivalsPerSecond, seconds);
    // A failure may come before `finish` waits for it.
    this.#done.promise.catch(() => {});
  }

  async open(): Promise<void> {
    const listener = {
      answered: (connection: HttpConnection, number: number, response: string) =>
        this.#answered(connection, number, response),
      failed: (error: Error) => this.#done.reject(error),
    };
    for (let index = 0; index < this.#options.connections; index++) {
      const lane = this.#lanes[index % this.#lanes.length] as Lane;
      this.#connections.set(await HttpConnection.open(lane.scenario, listener), lane);
    }
  }

  async finish(): Promise<Measurement> {
    const limit = setTimeout(
      () => this.#done.reject(new Error('An answer did not come')),
      this.#options.seconds * 1000 + ANSWER_LIMIT_MS,
    );
    this.#begun = performance.now();
    if (this.#arrivals) {
      this.#idle.push(...this.#connections.keys());
      this.#sendDue();
    } else {
      for (const connection of this.#connections.keys()) this.#sendNext(connection, this.#begun);
    }
    this.#endIfDone();
    try {
      await this.#done.promise;
    } finally {
      clearTimeout(limit);
      clearTimeout(this.#timer);
    }
    const requests = this.#lanes.reduce((sum, lane) => sum + lane.requests, 0);
    if (requests === 0) throw new Error('There was nothing to send: what was prepared is used up');
    return {
      requests,
      seconds: (performance.now() - this.#begun) / 1000,
      points: this.#lanes.reduce((sum, lane) => sum + lane.points, 0),
      byPlace: this.#lanes.map((lane) => ({ requests: lane.requests, points: lane.points })),
      ...percentilesMs(this.#micros),
    };
  }

  close(): void {
    for (const connection of this.#connections.keys()) connection.close();
  }

  #answered(connection: HttpConnection, number: number, response: string): void {
    const now = performance.now();
    const lane = this.#connections.get(connection) as Lane;
    const { points, take } = lane.scenario;
    lane.requests += 1;
    recordMs(this.#micros, now - (this.#dueAt.get(connection) ?? now));
    this.#dueAt.delete(connection);
    if (points !== null) lane.points += Number(textAfter(response, points));
    take?.(response, number);
    if (this.#arrivals) {
      this.#idle.push(connection);
      this.#sendDue();
    } else {
      this.#sendNext(connection, now);
    }
    this.#endIfDone();
  }

  /** Closed loop: sends the next request on the connection, unless the time is over. */
  #sendNext(connection: HttpConnection, now: number): void {
    if (now < this.#begun + this.#options.seconds * 1000) this.#send(connection, now);
  }

  /**
   * Open loop: takes what has arrived, and sends it on idle connections. What finds none waits, while its time counts.
   */
  #sendDue(): void {
    const arrivals = this.#arrivals as Arrivals;
    clearTimeout(this.#timer);
    const elapsed = performance.now() - this.#begun;
    for (let at = arrivals.take(elapsed); at !== null; at = arrivals.take(elapsed)) this.#waiting.push(at);
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      this.#send(this.#idle.pop() as HttpConnection, this.#begun + (this.#waiting.shift() as number));
    }
    const next = arrivals.untilNextMs(elapsed);
    if (next !== null) this.#timer = setTimeout(() => this.#sendDue(), next);
  }

  #send(connection: HttpConnection, dueAt: number): void {
    const lane = this.#connections.get(connection) as Lane;
    if (lane.next >= lane.end) return;
    this.#dueAt.set(connection, dueAt);
    connection.send(lane.next++);
  }

  #endIfDone(): void {
    const noneComes = this.#arrivals === null || (this.#arrivals.ended && this.#waiting.length === 0);
    if (noneComes && this.#dueAt.size === 0) this.#done.resolve();
  }
}

/** A histogram of latencies, in microseconds. */
export function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });
}

/** Adds a latency. */
export function recordMs(micros: RecordableHistogram, milliseconds: number): void {
  micros.record(Math.max(1, Math.round(milliseconds * 1000)));
}

/** The three percentiles of the report, from a histogram in microseconds. */
export function percentilesMs(micros: RecordableHistogram): Pick<Measurement, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
  return {
    p50Ms: micros.percentile(50) / 1000,
    p95Ms: micros.percentile(95) / 1000,
    p99Ms: micros.percentile(99) / 1000,
  };
}
