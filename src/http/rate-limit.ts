import cluster from 'node:cluster';
import type { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import { recentlyUsed } from '../recently-used.ts';

/** The state of a credential's window after units were taken, or refused. */
export interface RateVerdict {
  allowed: boolean;
  /** Units in a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

export interface RateLimiterOptions {
  /** Sets the counts of this limiter apart from those of others. Default: those of keys. */
  name?: string;
  /** The Redis or Valkey in which every process counts. Absent: units are counted in memory. */
  redisUrl?: string;
  /** Units in a window. Default 600: the specification's limit for a credential. */
  unitsPerWindow?: number;
  /** How long a window is. Default 60. */
  windowSeconds?: number;
  /** The longest that a request waits for Redis. Default 100. */
  sharedTimeoutMs?: number;
  /** Called when the shared count cannot be reached, at most once in ten seconds. */
  warn?: (error: Error, message: string) => void;
}

export interface RateLimiter {
  /** Takes units from the key's window, which begins with its first unit. Never rejects. */
  take(keyId: string, units?: number): Promise<RateVerdict>;
  /**
   * The verdict that refuses a key, if this process knows that the key's window has no unit left; else null. Takes no
   * unit and sends nothing over the network, so it can be called before any other work.
   */
  exhausted(keyId: string): RateVerdict | null;
  /**
   * The same, as the shared count knows it: also where another process has taken the last unit. Takes no unit. Never
   * rejects.
   */
  look(keyId: string): Promise<RateVerdict | null>;
  /** Closes the connection to Redis, if there is one. */
  close(): Promise<void>;
}

/** The window of a credential's limit, in seconds. */
const windowSeconds = 60;
const defaultSharedTimeoutMs = 100;
/** The longest that the first requests of a process wait for its connection to Redis. */
const startMs = 1_000;
/**
 * The longest that a request waits for the primary process. That process is on the same machine: if it is slow, so is
 * everything else.
 */
const primaryTimeoutMs = 2_000;
/** For this long after a failure, the shared count is not used, so that not every request waits for it in vain. */
const sharedRestMs = 1_000;
const warnEveryMs = 10_000;
const keyPrefix = 'rewards:rate';
/** The most keys that are remembered as exhausted. The state of any other key is only known after taking a unit. */
const mostExhausted = 10_000;

/** A window with no unit left. */
interface Exhausted {
  /** The limiter that counted it: the shared one and that of this process have different windows. */
  limiter: RateLimiterAbstract;
  /** When the window ends, in milliseconds of `performance.now()`. */
  until: number;
}

/** Makes a function that warns, at most once in `warnEveryMs`, that the shared count cannot be reached. */
function warningNowAndThen(warn: RateLimiterOptions['warn']): (error: Error) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const now = performance.now();
    if (now - warnedAt < warnEveryMs) return;
    warnedAt = now;
    warn?.(error, 'The shared rate limit cannot be reached: this process counts alone');
  };
}

/** The windows with no unit left, by key; the most recently used are kept. */
class ExhaustedWindows {
  readonly #windows = recentlyUsed<Exhausted>(mostExhausted);

  remember(keyId: string, limiter: RateLimiterAbstract, leftMs: number): void {
    this.#windows.set(keyId, { limiter, until: performance.now() + leftMs });
  }

  /** How long the key's exhausted window still lasts; null if the limiter has counted no such window for the key. */
  leftMs(keyId: string, limiter: RateLimiterAbstract): number | null {
    const window = this.#windows.get(keyId);
    if (!window) return null;
    const leftMs = window.until - performance.now();
    if (leftMs <= 0) this.#windows.delete(keyId);
    return leftMs > 0 && window.limiter === limiter ? leftMs : null;
  }
}

/**
 * Counts the units of each credential in fixed windows that begin with the first request: in Redis if a URL is given,
 * in the primary process for workers of a cluster, else in this process's memory.
 *
 * If the shared count fails or is slow, this process counts alone until the shared count works again. So a broken Redis
 * neither stops the service nor removes the limit.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const { unitsPerWindow: limit = 600, windowSeconds: duration = windowSeconds } = options;
  const sharedTimeoutMs = options.sharedTimeoutMs ?? defaultSharedTimeoutMs;
  const prefix = options.name === undefined ? keyPrefix : `${keyPrefix}:${options.name}`;
  const window = { points: limit, duration, keyPrefix: prefix };
  const alone = new RateLimiterMemory(window);
  const redis = options.redisUrl ? connect(options.redisUrl, sharedTimeoutMs) : null;
  let shared: RateLimiterAbstract | null =
    cluster.isWorker && !redis ? new RateLimiterCluster({ ...window, timeoutMs: primaryTimeoutMs }) : null;

  let aloneUntil = Number.NEGATIVE_INFINITY;
  const warn = warningNowAndThen(options.warn);
  // Requests wait until the first connection is made or has failed: otherwise a process that starts would count alone.
  let starting = redis?.then((client) => {
    shared = new RateLimiterRedis({ ...window, storeClient: client, rejectIfRedisNotReady: true });
    client.on('error', warn).on('ready', () => {
      aloneUntil = Number.NEGATIVE_INFINITY;
    });
    return firstAttempt(client);
  });
  void starting?.then(() => {
    starting = undefined;
  });

  const counter = new Counter({
    ...{ alone, limit },
    counting: () => (shared !== null && performance.now() >= aloneUntil ? shared : alone),
    rest(error) {
      warn(error);
      aloneUntil = performance.now() + sharedRestMs;
    },
  });
  return {
    take: (keyId, units = 1) =>
      starting ? starting.then(() => counter.consume(keyId, units)) : counter.consume(keyId, units),
    exhausted: (keyId) => counter.exhausted(keyId),
    look: (keyId) => (starting ? starting.then(() => counter.look(keyId)) : counter.look(keyId)),
    close: async () => (await redis)?.disconnect(),
  };
}

interface CounterOptions {
  /** The limiter of this process. */
  alone: RateLimiterAbstract;
  /** Units in a window. */
  limit: number;
  /** The limiter that counts now. */
  counting(): RateLimiterAbstract;
  /** Has this process count alone for a while, because the shared count has failed. */
  rest(error: Error): void;
}

/** Counts with the limiter of the moment; where that one fails, with the one of this process. */
class Counter {
  readonly #options: CounterOptions;
  readonly #windows = new ExhaustedWindows();

  constructor(options: CounterOptions) {
    this.#options = options;
  }

  async consume(keyId: string, units: number, limiter = this.#options.counting()): Promise<RateVerdict> {
    try {
      return this.#judge(limiter, keyId, await limiter.consume(keyId, units), true);
    } catch (refused) {
      // The library rejects with a plain result if the limit is reached, and with an Error if counting failed.
      if (!(refused instanceof Error)) return this.#judge(limiter, keyId, refused as RateLimiterRes, false);
      this.#options.rest(refused);
      return this.consume(keyId, units, this.#options.alone);
    }
  }

  exhausted(keyId: string): RateVerdict | null {
    const { counting, limit } = this.#options;
    const leftMs = this.#windows.leftMs(keyId, counting());
    if (leftMs === null) return null;
    return { allowed: false, limit, remaining: 0, resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
  }

  async look(keyId: string, limiter = this.#options.counting()): Promise<RateVerdict | null> {
    try {
      const result = await limiter.get(keyId);
      return result && result.remainingPoints <= 0 ? verdictOf(result, this.#options.limit, false) : null;
    } catch (failed) {
      const { alone, rest } = this.#options;
      if (limiter === alone || !(failed instanceof Error)) throw failed;
      rest(failed);
      return this.look(keyId, alone);
    }
  }

  #judge(limiter: RateLimiterAbstract, keyId: string, result: RateLimiterRes, allowed: boolean): RateVerdict {
    if (result.remainingPoints <= 0) this.#windows.remember(keyId, limiter, result.msBeforeNext);
    return verdictOf(result, this.#options.limit, allowed);
  }
}

/** Lets the primary process of a cluster count for its workers. To be called once, before the first worker starts. */
export function countRatesForWorkers(): void {
  new RateLimiterClusterMaster();
}

/** Value of the header `RateLimit-Policy`. */
export function rateLimitPolicyHeader(limit: number): string {
  return `"default";q=${limit};w=${windowSeconds}`;
}

/** Value of the header `RateLimit`. `Retry-After` on a 429 is the verdict's `resetSeconds`. */
export function rateLimitHeader(verdict: RateVerdict): string {
  return `"default";r=${verdict.remaining};t=${verdict.resetSeconds}`;
}

function verdictOf(result: RateLimiterRes, limit: number, allowed: boolean): RateVerdict {
  return {
    allowed,
    limit,
    remaining: result.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** Without Redis, its client is not loaded. */
async function connect(redisUrl: string, commandTimeout: number): Promise<Redis> {
  const { Redis } = await import('ioredis');
  return new Redis(redisUrl, {
    connectTimeout: 2_000,
    commandTimeout,
    // The client waits this long on closing even if its connection is broken already.
    disconnectTimeout: 100,
    // A command that cannot be sent at once fails at once, because a request waits for it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 200, 5_000),
  });
}

/** Resolves when the first attempt to connect has succeeded or failed, or has taken too long. */
function firstAttempt(redis: Redis): Promise<unknown> {
  return new Promise((resolve) => {
    redis.once('ready', resolve).once('close', resolve);
    setTimeout(resolve, startMs).unref();
  });
}
