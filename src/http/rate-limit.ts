import cluster from 'node:cluster';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterClusterMaster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';

/** The state of a credential's window after a unit was taken, or refused. */
export interface RateVerdict {
  allowed: boolean;
  /** Units in a window. */
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
}

export interface RateLimiterOptions {
  /** Redis or Valkey that every process counts in. Without it the count is kept in memory. */
  redisUrl?: string;
  /** 600 unless told: the specification's limit for a credential. */
  unitsPerMinute?: number;
  /** The longest that a request waits for Redis; 100 unless told. */
  sharedTimeoutMs?: number;
  /** Told, at most once in ten seconds, when the shared count cannot be reached. */
  warn?: (error: Error, message: string) => void;
}

export interface RateLimiter {
  /** Takes units from the key's window of sixty seconds, which began with the first unit taken. Never throws. */
  take(keyId: string, units?: number): Promise<RateVerdict>;
  /**
   * The refusal that a key would meet now, where this process knows that nothing is left of its window. Takes nothing
   * and asks nobody, so that it can stand before any work.
   */
  exhausted(keyId: string): RateVerdict | null;
  /** Lets go of the connection to Redis, if there is one. */
  close(): Promise<void>;
}

const windowSeconds = 60;
const defaultSharedTimeoutMs = 100;
/** The longest that the first requests of a process wait for the connection to Redis to be made. */
const startMs = 1_000;
/** The longest that a request waits for the primary process. It is no network away: where it is slow, so is everything. */
const primaryTimeoutMs = 2_000;
/** After a failure the shared count is left alone for this long, so that not every request waits for it in vain. */
const sharedRestMs = 1_000;
const warnEveryMs = 10_000;
const keyPrefix = 'rewards:rate';
/** Keys that are remembered to have nothing left; the others are found out by taking a unit. */
const mostExhausted = 10_000;

/** A window with nothing left. */
interface Exhausted {
  /** Who counted it: the shared count and this process's own know different windows. */
  limiter: RateLimiterAbstract;
  /** In milliseconds of `performance.now()`. */
  until: number;
}

/**
 * Counts the units of each credential in fixed windows that begin with the first request: in Redis where a URL is
 * given, in the primary process for workers of a cluster, else in this process' memory.
 *
 * Where the shared count fails or is slow, this process counts by itself until it is back: a broken Redis neither
 * closes the service nor opens it without bounds.
 */
export function createRateLimiter(options: RateLimiterOptions = {}): RateLimiter {
  const limit = options.unitsPerMinute ?? 600;
  const sharedTimeoutMs = options.sharedTimeoutMs ?? defaultSharedTimeoutMs;
  const window = { points: limit, duration: windowSeconds, keyPrefix };
  const alone = new RateLimiterMemory(window);
  const redis = options.redisUrl ? connect(options.redisUrl, sharedTimeoutMs) : null;
  const shared = redis
    ? new RateLimiterRedis({ ...window, storeClient: redis, rejectIfRedisNotReady: true })
    : cluster.isWorker
      ? new RateLimiterCluster({ ...window, timeoutMs: primaryTimeoutMs })
      : null;

  let warnedAt = Number.NEGATIVE_INFINITY;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  function warn(error: Error): void {
    const now = performance.now();
    if (now - warnedAt < warnEveryMs) return;
    warnedAt = now;
    options.warn?.(error, 'The shared rate limit cannot be reached: this process counts alone');
  }
  // Until the first connection is made or has failed, requests wait for it: processes that start would count alone.
  let starting = redis && firstAttempt(redis);
  void starting?.then(() => {
    starting = null;
  });
  redis?.on('error', warn).on('ready', () => {
    aloneUntil = Number.NEGATIVE_INFINITY;
  });

  const windowsExhausted = new LRUCache<string, Exhausted>({ max: mostExhausted });
  const counting = (): RateLimiterAbstract =>
    shared !== null && performance.now() >= aloneUntil ? shared : alone;

  function judge(
    limiter: RateLimiterAbstract,
    keyId: string,
    result: RateLimiterRes,
    allowed: boolean,
  ): RateVerdict {
    if (result.remainingPoints <= 0) {
      windowsExhausted.set(keyId, { limiter, until: performance.now() + result.msBeforeNext });
    }
    return verdictOf(result, limit, allowed);
  }

  async function consume(limiter: RateLimiterAbstract, keyId: string, units: number): Promise<RateVerdict> {
    try {
      return judge(limiter, keyId, await limiter.consume(keyId, units), true);
    } catch (refused) {
      // The library rejects with its plain result where the limit is reached, and with an Error where it is broken.
      if (!(refused instanceof Error)) return judge(limiter, keyId, refused as RateLimiterRes, false);
      warn(refused);
      aloneUntil = performance.now() + sharedRestMs;
      return consume(alone, keyId, units);
    }
  }

  function take(keyId: string, units = 1): Promise<RateVerdict> {
    if (starting) return starting.then(() => take(keyId, units));
    return consume(counting(), keyId, units);
  }

  function exhausted(keyId: string): RateVerdict | null {
    const known = windowsExhausted.get(keyId);
    if (!known) return null;
    const leftMs = known.until - performance.now();
    if (leftMs <= 0) windowsExhausted.delete(keyId);
    if (leftMs <= 0 || known.limiter !== counting()) return null;
    return { allowed: false, limit, remaining: 0, resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)) };
  }

  return {
    take,
    exhausted,
    close: async () => redis?.disconnect(),
  };
}

/** Lets the primary process of a cluster count for its workers. To be called once, before the first worker. */
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

function connect(redisUrl: string, commandTimeout: number): Redis {
  return new Redis(redisUrl, {
    connectTimeout: 2_000,
    commandTimeout,
    // A connection that is broken already is waited for all the same when we let go of it.
    disconnectTimeout: 100,
    // A command that cannot be sent now fails now: the request is waiting for it.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 200, 5_000),
  });
}

/** Settles when the first attempt to connect has, or has taken too long. */
function firstAttempt(redis: Redis): Promise<unknown> {
  return new Promise((resolve) => {
    redis.once('ready', resolve).once('close', resolve);
    setTimeout(resolve, startMs).unref();
  });
}
