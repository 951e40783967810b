import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createNameResolver } from '../../src/webhooks/name-resolver.ts';
import { OutgoingAgents } from '../../src/webhooks/outgoing-agents.ts';
import { NameServer } from '../support/webhooks/name-server.ts';

let names: NameServer;

beforeAll(async () => {
  const silent = () => null;
  names = await NameServer.open({
    'both.example': (type) => (type === 'A' ? ['192.0.2.1', '192.0.2.2'] : ['2d00::1']),
    'half.example': (type) => (type === 'A' ? ['192.0.2.1'] : null),
    ...Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`shop${index}.example`, () => ['192.0.2.1']]),
    ),
    ...Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`silent${index}.example`, silent])),
  });
});

afterAll(() => names.close());

function find(lookup: LookupFunction, name: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found as LookupAddress[]),
    );
  });
}

const resolver = (options: Partial<Parameters<typeof createNameResolver>[0]> = {}) =>
  createNameResolver({ asksSystem: false, servers: [names.address], ...options });

describe('a look-up', () => {
  test('finds the addresses of both families, the older one first', async () => {
    const lookup = resolver();
    expect(await find(lookup, 'both.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '2d00::1', family: 6 },
    ]);
    const one = promisify<string, object, string>((name, options, done) =>
      lookup(name, options, done as never),
    );
    expect(await one('both.example', {})).toBe('192.0.2.1');
  });

  test('is shared by those who want the same name at once', async () => {
    const before = names.questions.length;
    const lookup = resolver();
    await Promise.all(Array.from({ length: 30 }, () => find(lookup, 'both.example')));
    expect(names.questions.slice(before).toSorted()).toEqual(['A both.example', 'AAAA both.example']);
  });

  test('is made for every endpoint that an environment may have, at once', async () => {
    const lookup = resolver();
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, index) => find(lookup, `shop${index}.example`)),
    );
    expect(found.every(({ length }) => length > 0)).toBe(true);
  });

  test('fails where the name has no address, and where it has no dot', async () => {
    const lookup = resolver();
    for (const name of ['none.example', 'localhost', 'intranet']) {
      await expect(find(lookup, name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    }
    expect(names.questions).not.toContain('A intranet');
  });

  test('uses the addresses of one family where the name server is silent about the other', async () => {
    expect(await find(resolver({ timeoutMs: 60_000 }), 'half.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
    ]);
  }, 60_000);

  test('asks the system for what the name servers do not have, where that is allowed', async () => {
    const found = await find(resolver({ asksSystem: true }), 'localhost');
    expect(found.map(({ address }) => address)).toContain('127.0.0.1');
  });

  test('has a time limit', async () => {
    const begun = performance.now();
    await expect(find(resolver({ timeoutMs: 100 }), 'silent0.example')).rejects.toMatchObject({
      code: 'EAI_AGAIN',
    });
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('names whose name servers are silent', () => {
  test('hold none of the threads that look-ups of the system and files use', async () => {
    const lookup = resolver({ timeoutMs: 3_000 });
    const order: string[] = [];
    // More than there are threads.
    const silent = Array.from({ length: 12 }, (_, index) =>
      find(lookup, `silent${index}.example`).catch(() => order.push('silent')),
    );
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        await promisify(systemLookup)('localhost');
        order.push('system');
      }),
    );
    expect(order).toEqual(Array(8).fill('system'));
    await Promise.all(silent);
  });

  test('are bounded in number: one more fails at once, and a known name of another resolver is found', async () => {
    const lookup = resolver({ timeoutMs: 2_000 });
    const silent = Array.from({ length: 64 }, (_, index) =>
      find(lookup, `silent${index}.example`).catch(({ code }) => code),
    );
    await expect(find(lookup, 'both.example')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
    expect(await find(resolver(), 'both.example')).toHaveLength(3);
    expect(await Promise.all(silent)).toEqual(Array(64).fill('EAI_AGAIN'));
    expect(await find(lookup, 'both.example')).toHaveLength(3);
  });
});

test('each environment has an agent of its own, and a Sandbox another one for private addresses', async () => {
  const agents = new OutgoingAgents({
    webhookAllowPrivate: true,
    webhookProxy: null,
    connectionsPerOrigin: 2,
  });
  const [first, again, other, live] = await Promise.all([
    agents.of('one', true),
    agents.of('one', true),
    agents.of('two', true),
    agents.of('one', false),
  ]);
  expect(again).toBe(first);
  expect(new Set([first, other, live]).size).toBe(3);
  await agents.destroy();
});
