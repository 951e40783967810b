import type { RateLimiter } from '../../http/rate-limit.ts';
import { recentlyUsed } from '../../recently-used.ts';
import { isRefusal, type Refusal, refuse } from '../../refusal.ts';

/** What a read is asked about a coupon code, and for whom. */
interface Guess {
  environmentId: string;
  /** Null or absent where the read is about nobody in particular: such reads have no limit of their own. */
  externalCustomerId?: string | null | undefined;
  couponCode?: string | null | undefined;
}

/** What a read says about the code. */
interface Answer {
  coupon: { valid: boolean } | null;
}

/** Makes a limiter that counts apart from all others. */
type OpenLimiter = (window: { name: string; unitsPerWindow: number; windowSeconds: number }) => RateLimiter;

/** How many codes that cannot be used a customer may try in a minute. */
const CODES_PER_MINUTE = 10;
/** Fewer than its minutes would have: so the wait grows. Every code counts, or nine in each minute would never end. */
const CODES_PER_HOUR = 30;
const CODES_PER_DAY = 90;
/**
 * So many codes in an hour count as one for the day. A window of a day stays in memory for a day, also that of a
 * customer who does not exist: it has to cost more than one request.
 */
const STEP = 5;

/** Codes that were counted a short while ago: a page that asks about one cart again and again tries no new code. */
const MOST_COUNTED = 50_000;
const COUNTED_MS = 3_600_000;

/**
 * Keeps customers from guessing coupon codes by asking what a cart or a purchase with one would get. Ten codes that
 * cannot be used are a minute's share; whoever has tried 30 in an hour waits until the hour has ended, and after 90 in
 * a day, until the day has. Purchases are never refused for it.
 */
export class CouponGuesses {
  readonly #limiters: readonly [minute: RateLimiter, hour: RateLimiter, day: RateLimiter];
  readonly #counted = recentlyUsed<true>(MOST_COUNTED, { ttl: COUNTED_MS });
  /**
   * The last read of each customer, by whom the next one waits: else many at once would be asked before one is counted.
   */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(open: OpenLimiter) {
    this.#limiters = [
      open({ name: 'coupons-minute', unitsPerWindow: CODES_PER_MINUTE, windowSeconds: 60 }),
      open({ name: 'coupons-hour', unitsPerWindow: CODES_PER_HOUR, windowSeconds: 3_600 }),
      open({ name: 'coupons-day', unitsPerWindow: CODES_PER_DAY / STEP, windowSeconds: 86_400 }),
    ];
  }

  /**
   * Reads what a cart or a purchase with a code gets, where the customer may still try one.
   * @returns what was read, or the refusal `rate_limited`
   */
  guard<Result extends Answer>(
    { environmentId, externalCustomerId, couponCode }: Guess,
    read: () => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const code = couponCode?.trim();
    if (!code || externalCustomerId === undefined || externalCustomerId === null) return read();
    const name = `${environmentId} ${externalCustomerId}`;
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(() => this.#try(name, code, read));
    const ended = turn.then(ignore, ignore).finally(() => {
      if (this.#turns.get(name) === ended) this.#turns.delete(name);
    });
    this.#turns.set(name, ended);
    return turn;
  }

  async close(): Promise<void> {
    await Promise.all(this.#limiters.map((limiter) => limiter.close()));
  }

  async #try<Result extends Answer>(
    name: string,
    code: string,
    read: () => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const full = await Promise.all(this.#limiters.map((limiter) => limiter.look(name)));
    const retryAfterSeconds = Math.max(...full.map((window) => window?.resetSeconds ?? 0));
    if (retryAfterSeconds > 0) return tooMany(retryAfterSeconds);
    const result = await read();
    if (!isRefusal(result) && result.coupon?.valid === false) await this.#count(name, code);
    return result;
  }

  async #count(name: string, code: string): Promise<void> {
    const tried = `${name} ${code}`;
    if (this.#counted.get(tried)) return;
    this.#counted.set(tried, true);
    const [minute, hour, day] = this.#limiters;
    const [, { allowed, remaining }] = await Promise.all([minute.take(name), hour.take(name)]);
    if (allowed && remaining % STEP === 0) await day.take(name);
  }
}

function ignore(): void {}

function tooMany(retryAfterSeconds: number): Refusal {
  const message =
    'Too many coupon codes of this customer could not be used: wait as Retry-After says, or send it without a code.';
  return { ...refuse('rate_limited', message), retryAfterSeconds };
}
