/** How long the server may work on a request in all. The time that a client takes for its body does not count. */
const WORK_LIMIT_MS = 15_000;

/** The server has worked on a request for as long as it may. What it began may still happen. */
export class WorkLimitPassed extends Error {
  override name = 'WorkLimitPassed';
  /** As of a connection: it is the database that has not answered. */
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The server has worked on the request for as long as it may.');
  }
}

/**
 * The time that is left for a request, over all that it waits for: each wait for the database has a limit of its own,
 * but a request may have several of them.
 */
export class WorkLimit {
  #leftMs: number;

  /** @param limitMs Default: 15 seconds */
  constructor(limitMs = WORK_LIMIT_MS) {
    this.#leftMs = limitMs;
  }

  /**
   * Waits for work, for as long as the request has left. Work goes on where nobody waits for it any more.
   * @throws WorkLimitPassed
   */
  async wait<T>(work: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        timer = setTimeout(() => reject(new WorkLimitPassed()), Math.max(0, this.#leftMs));
        work.then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#leftMs -= performance.now() - startedAt;
    }
  }
}
