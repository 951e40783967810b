import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '../../src/http/rate-limit.ts';
import { describeWithRedis, startTestRedis, type TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describeWithRedis('rate limits in Redis', () => {
  let redis: TestRedis;
  let bystander: Redis;
  /** Two limiters with a connection each, as in two processes. */
  let limiters: [RateLimiter, RateLimiter];
  let warnings: string[];
  let keys = 0;
  let key: string;

  beforeAll(async () => {
    redis = await startTestRedis();
    bystander = new Redis(redis.url).on('error', () => {});
    const warn = (_error: Error, message: string): number => warnings.push(message);
    // On a busy machine a process may pause for longer than a request waits for Redis.
    const create = () =>
      createRateLimiter({ redisUrl: redis.url, unitsPerWindow: 4, warn, sharedTimeoutMs: 5_000 });
    limiters = [create(), create()];
  });

  beforeEach(() => {
    warnings = [];
    keys += 1;
    key = `key-${keys}`;
  });

  afterAll(async () => {
    await Promise.all(limiters.map((limiter) => limiter.close()));
    bystander.disconnect();
    await redis.kill();
  });

  const windowOf = (name: string) => bystander.pttl(`rewards:rate:${name}`);

  test('two processes share one window from their first request on', async () => {
    const [first, second] = limiters;
    expect(await first.take(key)).toEqual({ allowed: true, limit: 4, remaining: 3, resetSeconds: 60 });
    expect(await second.take(key)).toEqual({ allowed: true, limit: 4, remaining: 2, resetSeconds: 60 });
    expect(await first.take(key, 2)).toMatchObject({ allowed: true, remaining: 0 });
    expect(await second.take(key)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await second.take('another')).toMatchObject({ allowed: true, remaining: 3 });
    expect(warnings).toEqual([]);
  });

  test('of many at once through both, as many pass as there are units', async () => {
    const verdicts = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? limiters[0] : limiters[1]).take(key)),
    );
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(4);
  });

  test('the window is fixed by its first unit, and a new one begins after it', async () => {
    const [first, second] = limiters;
    await first.take(key, 4);
    expect(await windowOf(key)).toBeGreaterThan(40_000);
    await bystander.pexpire(`rewards:rate:${key}`, 30_500);
    const { allowed, resetSeconds } = await second.take(key);
    const left = await windowOf(key);
    expect(allowed).toBe(false);
    expect(resetSeconds).toBeLessThanOrEqual(31);
    expect(resetSeconds).toBeGreaterThanOrEqual(Math.ceil(left / 1_000));
    expect(left).toBeLessThanOrEqual(30_500);
    await bystander.pexpire(`rewards:rate:${key}`, 20);
    await until(async () => (await bystander.exists(`rewards:rate:${key}`)) === 0, 'the window is over');
    expect(await second.take(key)).toEqual({ allowed: true, limit: 4, remaining: 3, resetSeconds: 60 });
  });

  test('killed and started again: each process counts alone, warns once, and shares again', async () => {
    const [first, second] = limiters;
    await first.take(key, 4);
    await redis.kill();
    const begun = performance.now();
    for (const limiter of limiters) {
      expect(await limiter.take(key, 4)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await limiter.take(key)).toMatchObject({ allowed: false });
    }
    // A request waits for Redis for a fraction of a second; the client by itself would go on trying for as long as it
    // is down.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(warnings).toHaveLength(2);

    await redis.start();
    const shared = async (name: string): Promise<boolean> => {
      await first.take(name);
      return (await second.take(name)).remaining === 2;
    };
    let probe = 0;
    await until(() => shared(`probe-${keys}-${probe++}`), 'the units are shared again');
    expect(await shared(key)).toBe(true);
  });
});
