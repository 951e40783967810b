/** The share of an environment: how many turns it has, and what waits for one, in its order. */
interface Share {
  held: number;
  waiting: Set<() => void>;
}

/** As long as a statement may take: a turn at a database that answers ends by then. */
const MOST_WAIT_MS = 10_000;
/** The SQLSTATE of a server that has no connection to give. */
const TOO_MANY_CONNECTIONS = '53300';

/** A turn did not come in time, because those who had theirs before got no answer. It counts as unavailability. */
export class NoTurnError extends Error {
  override name = 'NoTurnError';
  readonly code = TOO_MANY_CONNECTIONS;
}

export interface TurnsOptions {
  /** The most turns at once. */
  most: number;
  /** The most that one environment has of them. */
  mostOfOne: number;
  /** How long one waits for a turn. Default: 10,000. */
  mostWaitMs?: number;
}

/**
 * Shares what there is a few of, such as connections, among environments. Where some wait, the environment that has the
 * fewest turns is served next.
 */
export class Turns {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #mostWaitMs: number;
  #held = 0;
  #waiting = 0;
  /**
   * By environment, in the order in which they were last served. Environments that use and wait for nothing are absent.
   */
  readonly #shares = new Map<string, Share>();

  constructor({ most, mostOfOne, mostWaitMs = MOST_WAIT_MS }: TurnsOptions) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
    this.#mostWaitMs = mostWaitMs;
  }

  /** How many of an environment wait. */
  waitingOf(environmentId: string): number {
    return this.#shares.get(environmentId)?.waiting.size ?? 0;
  }

  /** Whether `take` would give a connection at once. */
  hasSpare(environmentId: string): boolean {
    const share = this.#shares.get(environmentId);
    return this.#held < this.#most && (share?.held ?? 0) < this.#mostOfOne;
  }

  /**
   * Takes a turn, until `giveBack`.
   * @returns null where it is granted at once, else a promise to wait for, which rejects with NoTurnError
   */
  take(environmentId: string): Promise<void> | null {
    let share = this.#shares.get(environmentId);
    if (!share) {
      share = { held: 0, waiting: new Set() };
      this.#shares.set(environmentId, share);
    }
    if (this.hasSpare(environmentId)) {
      share.held += 1;
      this.#held += 1;
      return null;
    }
    this.#waiting += 1;
    const { waiting } = share;
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(turn);
        this.#waiting -= 1;
        this.#forgetIdle(environmentId);
        reject(new NoTurnError('No connection became free in time.'));
      }, this.#mostWaitMs).unref();
      waiting.add(turn);
    });
  }

  #forgetIdle(environmentId: string): void {
    const share = this.#shares.get(environmentId);
    if (share?.held === 0 && share.waiting.size === 0) this.#shares.delete(environmentId);
  }

  giveBack(environmentId: string): void {
    const share = this.#shares.get(environmentId);
    if (!share) throw new Error(`environment ${environmentId} has no turn`);
    share.held -= 1;
    this.#held -= 1;
    this.#forgetIdle(environmentId);
    if (this.#waiting > 0) this.#serveNext();
  }

  #serveNext(): void {
    let next: [environmentId: string, share: Share] | null = null;
    for (const entry of this.#shares) {
      const [, { held, waiting }] = entry;
      if (waiting.size > 0 && held < this.#mostOfOne && held < (next?.[1].held ?? Infinity)) next = entry;
    }
    if (!next) return;
    const [environmentId, share] = next;
    const [turn] = share.waiting;
    if (!turn) return;
    this.#shares.delete(environmentId);
    this.#shares.set(environmentId, share);
    share.held += 1;
    this.#held += 1;
    this.#waiting -= 1;
    share.waiting.delete(turn);
    turn();
  }
}
