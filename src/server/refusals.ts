import type { ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/** The error codes of responses: each is counted, and the first of a response is kept for its line in the log. */
export class Refusals {
  readonly #metrics: Pick<Metrics, 'countRefusal'>;
  readonly #codes = new WeakMap<ServerResponse, string>();

  constructor(metrics: Pick<Metrics, 'countRefusal'>) {
    this.#metrics = metrics;
  }

  /** To be called with each code of a response; a GraphQL response can have several. */
  note(response: ServerResponse, code: string): void {
    this.#metrics.countRefusal(code);
    if (!this.#codes.has(response)) this.#codes.set(response, code);
  }

  /** The first code of a response, if it has any. */
  codeOf(response: ServerResponse): string | undefined {
    return this.#codes.get(response);
  }
}
