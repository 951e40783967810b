import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Arrivals } from '../../bench/arrivals.ts';
import { runHttpLoad } from '../../bench/http-load.ts';
import { type HttpScenario, OK } from '../../bench/http-scenario.ts';
import { purchaseOf } from '../../bench/purchases.ts';
import { Zipf } from '../../bench/zipf.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('arrivals at a constant rate', () => {
  test('each is scheduled after the one before by the same time, whenever they are taken', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1, maxLength: 20 }),
        (perSecond, pauses) => {
          const arrivals = new Arrivals(perSecond, 1);
          const scheduled: number[] = [];
          let now = 0;
          for (const pause of [...pauses, 2_000]) {
            now += pause;
            for (let at = arrivals.take(now); at !== null; at = arrivals.take(now)) scheduled.push(at);
            expect(scheduled.at(-1)).toBeLessThanOrEqual(now);
            expect(arrivals.untilNextMs(now) ?? 1).toBeGreaterThan(0);
          }
          expect(arrivals.ended).toBe(true);
          expect(scheduled).toHaveLength(perSecond);
          const wanted = scheduled.map((_, index) => (index * 1000) / perSecond);
          const errors = scheduled.map((at, index) => Math.abs(at - (wanted[index] as number)));
          expect(Math.max(...errors)).toBeLessThan(1e-6);
        },
      ),
    );
  });

  test('what comes while the server stands still counts with the time that it waited', async () => {
    const scenario = await serve(stillFor(400));
    const waiting = { connections: 1, seconds: 0.5, first: 0 };
    const closed = await runHttpLoad([scenario], { ...waiting, arrivalsPerSecond: null });
    const again = await serve(stillFor(400));
    const open = await runHttpLoad([again], { ...waiting, arrivalsPerSecond: 100 });
    expect(open.requests).toBe(50);
    // Of requests that wait for each other only the first one meets the pause; of those that do not, forty do.
    expect(closed.p50Ms).toBeLessThan(50);
    expect(open.p50Ms).toBeGreaterThan(100);
  });
});

describe('several environments', () => {
  test('each has its share of the connections and its own numbers', async () => {
    const asked: string[] = [];
    const scenario = await serve(async (url) => void asked.push(url));
    const named = (name: string): HttpScenario => ({
      ...scenario,
      end: 3,
      steps: [{ request: (number) => get(`/${name}/${number}`), statusLine: OK, mark: '"points":' }],
    });
    const options = { connections: 4, seconds: 5, first: 0, arrivalsPerSecond: null };
    const { requests, points, byPlace } = await runHttpLoad([named('one'), named('two')], options);
    expect(asked.sort()).toEqual(['/one/0', '/one/1', '/one/2', '/two/0', '/two/1', '/two/2']);
    expect({ requests, points }).toEqual({ requests: 6, points: 42 });
    expect(byPlace).toEqual([
      { requests: 3, points: 21 },
      { requests: 3, points: 21 },
    ]);
  });

  test('an answer that is not as expected ends the measurement', async () => {
    const scenario = await serve(async () => {});
    const wrong = { ...scenario, steps: scenario.steps.map((step) => ({ ...step, mark: '"other":' })) };
    const options = { connections: 2, seconds: 5, first: 0, arrivalsPerSecond: null };
    await expect(runHttpLoad([wrong], options)).rejects.toThrow('Not the answer that was expected');
    const unchecked = {
      ...scenario,
      take: () => {
        throw new Error('not right');
      },
    };
    await expect(runHttpLoad([unchecked], options)).rejects.toThrow('not right');
  });
});

describe('skewed members', () => {
  test('each rank is chosen in proportion to its inverse', () => {
    const zipf = new Zipf(1_000);
    const harmonic = Array.from({ length: 1_000 }, (_, index) => 1 / (index + 1)).reduce((a, b) => a + b);
    const draws = 100_000;
    const counts = new Array<number>(1_000).fill(0);
    for (let draw = 0; draw < draws; draw++) {
      const index = zipf.pick((draw + 0.5) / draws);
      counts[index] = (counts[index] as number) + 1;
    }
    for (const rank of [1, 2, 3, 10, 100]) {
      expect(Math.abs((counts[rank - 1] as number) - draws / rank / harmonic)).toBeLessThanOrEqual(1);
    }
  });

  test('every number from 0 to below 1 has a rank', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (count, uniform) => {
          const picked = new Zipf(count).pick(uniform);
          expect(picked >= 0 && picked < count).toBe(true);
        },
      ),
    );
  });

  test('a tenth of the purchases of series z are of one member, and the same number is the same purchase', () => {
    const numbers = Array.from({ length: 20_000 }, (_, number) => number);
    const bought = (series: 'b' | 'z'): number =>
      numbers.filter((number) => purchaseOf(series, number, 20_000).externalCustomerId === 'customer-0')
        .length;
    expect(bought('z')).toBeGreaterThan(1_700);
    expect(bought('z')).toBeLessThan(2_100);
    expect(bought('b')).toBeLessThan(10);
    expect(purchaseOf('z', 7, 20_000)).toEqual(purchaseOf('z', 7, 20_000));
  });
});

/** Starts a server. @param before what it waits for before it answers with 7 points */
async function serve(before: (url: string) => Promise<void>): Promise<HttpScenario> {
  const body = '{"points":7}';
  const server = createServer((request, response) => {
    void before(request.url ?? '').then(() =>
      response.writeHead(200, { 'Content-Length': body.length }).end(body),
    );
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const step = { request: () => get('/'), statusLine: OK, mark: '"points":' };
  return { port, steps: [step], end: null, points: '"points":' };
}

/** Stands still at the first request, and then no more. */
function stillFor(milliseconds: number): () => Promise<void> {
  let first = true;
  return async () => {
    if (!first) return;
    first = false;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  };
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}
