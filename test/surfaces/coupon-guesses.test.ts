import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { publishProgram } from '../../src/admin/programs/publish-program.ts';
import { CouponGuesses } from '../../src/graphql/execution/coupon-guesses.ts';
import { createRateLimiter, type RateLimiter } from '../../src/http/rate-limit.ts';
import { isRefusal } from '../../src/refusal.ts';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeWithRedis, startTestRedis } from '../support/redis.ts';
import { program } from '../support/rules/fixtures.ts';
import { startTestServer } from '../support/server.ts';
import { addMembers, Client, earn, rest } from '../support/surfaces/client.ts';
import { createWorld, type TestEnvironment, type World } from '../support/surfaces/world.ts';

describe('over the API', () => {
  let database: TestDatabase;
  let world: World;
  let server: RunningServer;
  let client: Client;
  let shop: TestEnvironment;

  beforeAll(async () => {
    database = await createTestDatabase();
    world = createWorld(database);
    shop = await world.environment();
    const document = program({ coupons: [{ code: 'GOOD', award: { bonusPoints: 10 } }] });
    expect(
      await publishProgram(world.administrator, { environmentId: shop.id, document, effectiveFrom: null }),
    ).toMatchObject({ published: true });
    server = await startTestServer(database);
    client = new Client(server.url);
    await addMembers(client, shop, ['ada', 'bob', 'cleo', 'dan']);
  });

  afterAll(async () => {
    client.close();
    await server.close();
    await database.drop();
  });

  const item = { sku: 'S', quantity: 1, unitPriceMinor: 100 };
  const preview = (externalCustomerId: string | null, couponCode?: string) =>
    client.send(
      rest(shop, 'POST', '/events/preview', {
        ...{ type: 'purchase.completed', programId: 'coffee-club', channel: 'web', amountMinor: 100 },
        ...(externalCustomerId !== null && { externalCustomerId }),
        ...(couponCode !== undefined && { couponCode }),
      }),
    );
  const offers = (externalCustomerId: string, couponCode: string) =>
    client.send(
      rest(shop, 'POST', '/offers/evaluate', {
        ...{ programId: 'coffee-club', externalCustomerId, couponCode, items: [item] },
      }),
    );

  test('ten codes of one customer that cannot be used, then 429 with the time to wait, for this customer alone', async () => {
    for (let guess = 0; guess < 5; guess++) {
      expect((await preview('ada', `GUESS-${guess}`)).status).toBe(200);
      expect((await offers('ada', `OFFER-${guess}`)).status).toBe(200);
    }
    const refused = [await preview('ada', 'GOOD'), await offers('ada', 'GUESS-1')];
    for (const { status, code, headers } of refused) {
      expect({ status, code }).toEqual({ status: 429, code: 'rate_limited' });
      expect(Number(headers['retry-after'])).toBeGreaterThan(30);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect((await preview('ada')).status).toBe(200);
    expect((await preview('bob', 'GOOD')).status).toBe(200);
    expect((await preview(null, 'GUESS-99')).status).toBe(200);
    const bought = {
      externalCustomerId: 'ada',
      amountMinor: 100,
      couponCode: 'GUESS-99',
      sourceReference: 'paid',
    };
    expect((await client.send(earn(shop, bought, 'paid'))).status).toBe(201);
  });

  test('many at once are ten too, and one code asked for again and again is one', async () => {
    for (let time = 0; time < 15; time++) expect((await preview('dan', 'AGAIN')).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, guess) => preview('dan', `ONCE-${guess}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
  });
});

describe('the wait', () => {
  /** Limiters with a clock that the test moves, in seconds. */
  function withClock() {
    const clock = { seconds: 0 };
    const guesses = new CouponGuesses(({ unitsPerWindow, windowSeconds }) => {
      const windows = new Map<string, { begun: number; taken: number }>();
      const windowOf = (name: string) => {
        const known = windows.get(name);
        return known && known.begun + windowSeconds > clock.seconds
          ? known
          : { begun: clock.seconds, taken: 0 };
      };
      const verdictOf = ({ begun, taken }: { begun: number; taken: number }) => ({
        allowed: taken <= unitsPerWindow,
        limit: unitsPerWindow,
        remaining: Math.max(0, unitsPerWindow - taken),
        resetSeconds: begun + windowSeconds - clock.seconds,
      });
      const limiter: RateLimiter = {
        async take(name) {
          const window = windowOf(name);
          window.taken += 1;
          windows.set(name, window);
          return verdictOf(window);
        },
        exhausted: () => null,
        async look(name) {
          const window = windowOf(name);
          return window.taken >= unitsPerWindow ? verdictOf(window) : null;
        },
        close: async () => undefined,
      };
      return limiter;
    });
    let codes = 0;
    const guess = async (valid = false) => {
      const couponCode = `C-${codes++}`;
      const who = { environmentId: 'e', externalCustomerId: 'ada', couponCode };
      const answer = await guesses.guard(who, async () => ({ coupon: { valid } }));
      return isRefusal(answer) ? (answer.retryAfterSeconds ?? 0) : 0;
    };
    const until = async () => {
      for (let tries = 0; ; tries++) {
        const wait = await guess();
        if (wait > 0) return [tries, wait];
      }
    };
    return { clock, guess, until };
  }

  test('is a minute, then the rest of the hour, then the rest of the day', async () => {
    const { clock, until } = withClock();
    const seen: number[][] = [];
    for (let times = 0; times < 9; times++) {
      const [tries = 0, wait = 0] = await until();
      seen.push([tries, wait]);
      clock.seconds += wait;
    }
    const hour = [
      [10, 60],
      [10, 60],
      [10, 3_600 - 120],
    ];
    expect(seen).toEqual([...hour, ...hour, ...hour.slice(0, 2), [10, 86_400 - 7_320]]);
  });

  test.each([7, 130, 400, 850])('comes as well where a code is tried every %s seconds', async (seconds) => {
    const { clock, guess } = withClock();
    let tried = 0;
    for (; clock.seconds < 86_400; clock.seconds += seconds) if ((await guess()) === 0) tried += 1;
    expect(tried).toBeLessThanOrEqual(166);
  });

  test('does not begin with codes that can be used', async () => {
    const { guess } = withClock();
    for (let tries = 0; tries < 50; tries++) expect(await guess(true)).toBe(0);
  });
});

describeWithRedis('the wait', () => {
  test('holds in every process that counts in one Redis', async () => {
    const redis = await startTestRedis();
    const openProcess = () =>
      new CouponGuesses((window) =>
        createRateLimiter({ ...window, redisUrl: redis.url, sharedTimeoutMs: 2_000 }),
      );
    const processes = Array.from({ length: 4 }, openProcess);
    try {
      const waits: number[] = [];
      for (let tries = 0; tries < 40; tries++) {
        const who = { environmentId: 'e', externalCustomerId: 'ada', couponCode: `C-${tries}` };
        const guesses = processes[tries % 4] as CouponGuesses;
        const answer = await guesses.guard(who, async () => ({ coupon: { valid: false } }));
        waits.push(isRefusal(answer) ? (answer.retryAfterSeconds ?? 0) : 0);
      }
      expect(waits.filter((seconds) => seconds === 0)).toHaveLength(10);
      expect(waits.slice(0, 10)).toEqual(Array(10).fill(0));
      expect(Math.max(...waits)).toBeLessThanOrEqual(60);
    } finally {
      await Promise.all(processes.map((each) => each.close()));
      await redis.kill();
    }
  });
});
