import { beforeAll, expect, test } from '@jest/globals';
import { issueKey } from '../../src/auth/api-key.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { atEnd } from '../support/fixture.ts';
import { hostileDocuments } from '../support/graphql/hostile-documents.ts';
import { Inspected } from '../support/inspected.ts';
import { graphql, readMember, rest, type Sent } from '../support/surfaces/client.ts';
import { useShopApart } from '../support/surfaces/use-shop.ts';

/** `FULL=1` repeats the flood, so that what grows without end is seen even if it grows slowly. */
const ROUNDS = process.env.FULL ? 5 : 1;
const MEBIBYTE = 2 ** 20;
const AT_ONCE = 16;

let inspected: Inspected;

const { server, client, shop } = useShopApart({
  members: ['ada'],
  env: { NODE_OPTIONS: '--inspect=127.0.0.1:0' },
});

beforeAll(async () => {
  inspected = await Inspected.attach(server.stderr());
});

atEnd(() => inspected.close());

async function sendAll(count: number, sent: (index: number) => Sent): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const { status } = await client.send(sent(index));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return statuses;
}

const hostile = Object.values(hostileDocuments);
const otherEnvironment = (): string => toTypeId('env', newUuid());
const long = (index: number): string => String(index).padEnd(128, 'x');

/** What a flood is made of: nothing of it comes twice. */
const floods: [what: string, count: number, sent: (index: number) => Sent, status: number][] = [
  [
    'documents',
    300,
    (index) => graphql(shop, hostile[index % hostile.length]?.(newUuid().slice(24)) as string),
    400,
  ],
  ['wrong keys', 1_000, () => readMember({ ...shop, key: issueKey('sandbox').key }, 'ada'), 401],
  ['keys that are none', 500, (index) => readMember({ ...shop, key: 'k'.repeat(8_000) + index }, 'ada'), 401],
  ['wrong environments', 500, () => readMember({ ...shop, environmentId: otherEnvironment() }, 'ada'), 401],
  ['unknown members', 500, (index) => readMember(shop, `nobody-${long(index)}`), 404],
  ['keys of refused commands', 500, (index) => rest(shop, 'POST', '/events', {}, `${index}`), 422],
  [
    'request ids and paths',
    500,
    (index) => ({ method: 'GET', path: `/${long(index)}`, headers: { 'x-request-id': long(index) } }),
    404,
  ],
];

test('a flood leaves little behind: caches are bounded in bytes, and refusals leave nothing', async () => {
  // What every server loads and compiles at its first requests.
  for (const [, , sent] of floods) await sendAll(20, sent);
  const before = await inspected.memory();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [what, count, sent, status] of floods) {
      expect([what, [...(await sendAll(count, sent))]]).toEqual([what, [[status, count]]]);
      if (process.env.FULL) process.stderr.write(`${what}: ${describe(await inspected.memory())}\n`);
    }
  }
  const after = await inspected.memory();
  if (process.env.FULL) process.stderr.write(`before: ${describe(before)}, after: ${describe(after)}\n`);
  // 32 MiB of documents at most, by an estimate that is high.
  expect((after.heapUsed - before.heapUsed) / MEBIBYTE).toBeLessThan(40);
  expect((after.external - before.external) / MEBIBYTE).toBeLessThan(10);
}, 600_000);

test('metrics have a bounded number of series, whatever methods and paths are sent', async () => {
  const methods = ['PURGE', 'PROPFIND', 'SEARCH', 'M-SEARCH', 'LINK', 'REPORT', 'MKCOL'];
  const series = async (): Promise<number> =>
    (await (await fetch(`${server.url}/metrics`)).text())
      .split('\n')
      .filter((line) => /^rewards_http_request_duration_seconds_count.*members/.test(line)).length;
  await client.send({ method: 'PURGE', path: '/api/v1/members/ada', headers: {} });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const before = await series();
  for (const method of methods) await client.send({ method, path: '/api/v1/members/ada', headers: {} });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await series()).toBe(before);
});

function describe(memory: Awaited<ReturnType<Inspected['memory']>>): string {
  return Object.entries(memory)
    .map(([name, bytes]) => `${name} ${(bytes / MEBIBYTE).toFixed(1)} MiB`)
    .join(', ');
}
