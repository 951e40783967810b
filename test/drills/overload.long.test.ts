import { beforeAll, expect, test } from '@jest/globals';
import { cpuSeconds } from '../../bench/process-figures.ts';
import { type LoadResult, runLoad } from '../support/drills/open-loop.ts';
import { fixture } from '../support/fixture.ts';
import { repetitions } from '../support/repetitions.ts';
import { addMembers, Client, type Credentials, earn, type Sent } from '../support/surfaces/client.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';

const SECONDS = repetitions({ few: 3, many: 5, most: 20 });
const MEMBERS = Array.from({ length: 500 }, (_, index) => `c-${index}`);
/**
 * The goals are 0.9 of the best rate and a second, where the server has a core of its own. Here the senders of the
 * load, Postgres and whatever else runs share the cores with it, so these are the bounds.
 */
const LEAST_OF_BEST = 0.1;
const MOST_P99_MS = 20_000;
const LEAST_OF_OTHERS = 0.9;
/** How many times longer than who overloads an environment another principal of it may wait; they wait in one queue. */
const MOST_OF_OVERLOAD = 3;
const OTHERS_PER_SECOND = 20;
/**
 * So many that others never wait for a connection of their own, which is no waiting for the server: an answer may take
 * two seconds.
 */
const OTHERS_CONNECTIONS = 40;

const { world, server, shop } = useShopApart({ env: { LOG_LEVEL: 'fatal' } });
const neighbour = fixture('the neighbour', () => world.environment());

beforeAll(async () => {
  const client = new Client(server.url);
  await addMembers(client, shop, MEMBERS);
  await addMembers(client, neighbour, MEMBERS.slice(0, 4));
  client.close();
});

/** New purchases of a sender, of one member after the other. */
function purchases(name: string, credentials: Credentials, members = MEMBERS): (number: number) => Sent {
  return (number) => {
    const key = `${name}-${number}`;
    const externalCustomerId = members[number % members.length];
    return earn(credentials, { externalCustomerId, sourceReference: key, amountMinor: 1000 }, key);
  };
}

/** How many requests were refused only by the writer, after they were read. */
async function refusedLate(): Promise<number> {
  const client = new Client(server.url, 1);
  const { text } = await client.send({ method: 'GET', path: '/metrics' });
  client.close();
  const counts = text.matchAll(/^rewards_http_request_duration_seconds_count\{.*status="503".*\} (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

const micros = (seconds: number): number => Math.round(seconds * 1_000_000);

function describe({
  answers,
  acceptedPerSecond,
  acceptedP99Ms,
  sentP99Ms,
  refusedP99Ms,
}: LoadResult): string {
  const [rate, p99, sent, refused] = [acceptedPerSecond, acceptedP99Ms, sentP99Ms, refusedP99Ms].map(
    Math.round,
  );
  return (
    `${JSON.stringify([...answers])}, ${rate} accepted a second, p99 ${p99} ms ` +
    `(${sent} ms after it was sent), of refusals ${refused} ms`
  );
}

test('three times the load that can be served: what is accepted is answered soon, the rest refused at once, and others are served', async () => {
  const measure = (name: string, perSecond: number | null, connections: number) =>
    runLoad(server.url, { request: purchases(name, shop), seconds: SECONDS, connections, perSecond });
  await measure('warm', null, 64);
  const processor = async (): Promise<number> => (await cpuSeconds(server.pid)) ?? Number.NaN;
  const beforeBest = await processor();
  const best = await measure('best', null, 64);
  const beforeOverload = await processor();
  expect([...best.answers.keys()]).toEqual([201]);
  const { key } = await world.key(shop.id, undefined, null, 'another principal');
  const beside = (name: string, credentials: Credentials) =>
    runLoad(server.url, {
      request: purchases(name, credentials, MEMBERS.slice(0, 4)),
      ...{ seconds: SECONDS, connections: OTHERS_CONNECTIONS, perSecond: OTHERS_PER_SECOND },
    });
  const [overload, otherEnvironment, otherPrincipal] = await Promise.all([
    measure('overload', best.acceptedPerSecond * 3, 2_000),
    beside('neighbour', neighbour),
    beside('principal', { ...shop, key }),
  ]);
  const acceptedCpu = (beforeOverload - beforeBest) / (best.answers.get(201) ?? 1);
  const [accepted = 0, refused = 0] = [201, 503].map((status) => overload.answers.get(status));
  const refusedCpu = ((await processor()) - beforeOverload - accepted * acceptedCpu) / refused;
  const ratio = overload.acceptedPerSecond / best.acceptedPerSecond;
  process.stdout.write(
    `Best: ${describe(best)}\nThree times as much: ${describe(overload)}; ${ratio.toFixed(2)} of the best (goal 0.9, p99 1,000 ms)\n` +
      `Of the server's time an accepted purchase took ${micros(acceptedCpu)} µs, a refusal ${micros(refusedCpu)} µs; ` +
      `${Math.round((1 - (await refusedLate()) / refused) * 100)} % of the refusals came before the request was read\n` +
      `Another environment: ${describe(otherEnvironment)}\nAnother principal: ${describe(otherPrincipal)}\n`,
  );
  expect([...overload.answers.keys()].toSorted()).toEqual([201, 503]);
  expect(overload.withoutRetryAfter).toBe(0);
  expect(overload.acceptedP99Ms).toBeLessThan(MOST_P99_MS);
  expect(ratio).toBeGreaterThan(LEAST_OF_BEST);
  for (const other of [otherEnvironment, otherPrincipal]) {
    const sent = Array.from(other.answers.values()).reduce((sum, count) => sum + count);
    expect((other.answers.get(201) ?? 0) / sent).toBeGreaterThan(LEAST_OF_OTHERS);
    expect(other.acceptedP99Ms).toBeLessThan(MOST_P99_MS);
    expect(other.sentP99Ms).toBeLessThan(MOST_OF_OVERLOAD * overload.sentP99Ms);
  }
  expect(await world.failedControls()).toEqual([]);
}, 300_000);
