import type { ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/** The error codes that answers carry: counted as they are made, and kept for the line of the log. */
export class Refusals {
  readonly #metrics: Pick<Metrics, 'countRefusal'>;
  readonly #codes = new WeakMap<ServerResponse, string>();

  constructor(metrics: Pick<Metrics, 'countRefusal'>) {
    this.#metrics = metrics;
  }

  /** To be told of each code; an answer of GraphQL can carry several. */
  note(response: ServerResponse, code: string): void {
    this.#metrics.countRefusal(code);
    if (!this.#codes.has(response)) this.#codes.set(response, code);
  }

  /** The first code of an answer, where it has any. */
  codeOf(response: ServerResponse): string | undefined {
    return this.#codes.get(response);
  }
}
