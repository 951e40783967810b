import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createRateLimiter, rateLimitHeader, rateLimitPolicyHeader } from '../../src/http/rate-limit.ts';

afterEach(() => {
  jest.useRealTimers();
});

describe('rate limiter', () => {
  test('allows the units of a window and no more, for each key by itself', async () => {
    const limiter = createRateLimiter({ unitsPerWindow: 2 });
    expect(await limiter.take('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    expect(await limiter.take('a')).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 60 });
    expect(await limiter.take('a')).toMatchObject({ allowed: false, remaining: 0 });
    expect(await limiter.take('b')).toMatchObject({ allowed: true, remaining: 1 });
  });

  test('allows 600 a minute by default', async () => {
    const limiter = createRateLimiter();
    expect(await limiter.take('a', 600)).toMatchObject({ allowed: true, limit: 600, remaining: 0 });
    expect(await limiter.take('a')).toMatchObject({ allowed: false });
  });

  test('begins a fixed window with the first unit', async () => {
    jest.useFakeTimers({ now: 0 });
    const limiter = createRateLimiter({ unitsPerWindow: 2 });
    await limiter.take('a');
    jest.setSystemTime(59_001);
    expect(await limiter.take('a')).toMatchObject({ allowed: true, resetSeconds: 1 });
    expect(await limiter.take('a')).toMatchObject({ allowed: false, resetSeconds: 1 });
    jest.setSystemTime(60_000);
    expect(await limiter.take('a')).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  test('knows without asking when nothing is left, until the window ends', async () => {
    jest.useFakeTimers({ now: 0 });
    const limiter = createRateLimiter({ unitsPerWindow: 2 });
    expect(limiter.exhausted('a')).toBeNull();
    await limiter.take('a');
    expect(limiter.exhausted('a')).toBeNull();
    await limiter.take('a');
    await jest.advanceTimersByTimeAsync(20_000);
    expect(limiter.exhausted('a')).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 40 });
    expect(limiter.exhausted('b')).toBeNull();
    await jest.advanceTimersByTimeAsync(40_000);
    expect(limiter.exhausted('a')).toBeNull();
    expect(await limiter.take('a')).toMatchObject({ allowed: true, remaining: 1 });
  });

  test('counts alone, in bounded time and with one warning, while Redis cannot be reached', async () => {
    const warnings: string[] = [];
    const limiter = createRateLimiter({
      redisUrl: 'redis://127.0.0.1:1',
      unitsPerWindow: 1,
      warn: (_error, message) => warnings.push(message),
    });
    const started = performance.now();
    expect(await limiter.take('a')).toMatchObject({ allowed: true, remaining: 0 });
    expect(await limiter.take('a')).toMatchObject({ allowed: false });
    // A request waits for Redis for a fraction of a second; the client by itself would go on trying for as long as it
    // is down.
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(warnings).toHaveLength(1);
    await limiter.close();
  });

  test('writes its headers as structured fields', () => {
    expect(rateLimitPolicyHeader(600)).toBe('"default";q=600;w=60');
    expect(rateLimitHeader({ allowed: true, limit: 600, remaining: 599, resetSeconds: 42 })).toBe(
      '"default";r=599;t=42',
    );
  });
});

test('10,000 exhausted keys are remembered at most; of any other the count is asked', async () => {
  const limiter = createRateLimiter({ unitsPerWindow: 1 });
  for (let key = 0; key <= 10_000; key += 1) await limiter.take(`key-${key}`);
  expect(limiter.exhausted('key-0')).toBeNull();
  expect(limiter.exhausted('key-10000')).toMatchObject({ allowed: false });
  expect(await limiter.take('key-0')).toMatchObject({ allowed: false });
});
