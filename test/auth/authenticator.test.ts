import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Pool } from 'pg';
import { hashSecret, issueKey, parseKey } from '../../src/auth/api-key.ts';
import { Authenticator } from '../../src/auth/authenticator.ts';
import type { StoredKey } from '../../src/auth/key-lookup.ts';
import { newUuid, toTypeId } from '../../src/ids.ts';
import { isRefusal } from '../../src/refusal.ts';

const environmentId = newUuid();
const otherId = newUuid();
const { key, keyId } = issueKey('sandbox');
const authorization = `Bearer ${key}`;
const environment = toTypeId('env', environmentId);
/** The database's clock is nowhere near the process's: nothing may depend on that. */
const DATABASE_TIME = Date.parse('2040-02-29T12:00:00.000Z');

/** The clock of the process, in milliseconds. */
let now: number;
/** What the database holds; null where it has no such key. */
let stored: StoredKey | null;
let lookups: number;
/** Where set, look-ups that have read their row wait for it before they answer. */
let held: Promise<void> | null;
let authenticator: Authenticator;

beforeEach(() => {
  now = 1_000_000;
  lookups = 0;
  held = null;
  stored = {
    keyId,
    environmentId,
    environmentKind: 'sandbox',
    tenantId: newUuid(),
    principal: 'web-shop',
    scopes: ['events:write'],
    secretHash: hashSecret(parseKey(key)?.secret ?? ''),
    previousSecretHash: null,
    previousValidUntil: null,
    expiresAt: null,
    revokedAt: null,
    now: new Date(0),
  };
  const find = async (inside: string, wanted: string): Promise<StoredKey | null> => {
    lookups += 1;
    const there = stored?.environmentId === inside && stored.keyId === wanted ? stored : null;
    const read = there && { ...there, now: databaseTime() };
    await held;
    return read;
  };
  authenticator = new Authenticator({} as Pool, { find }, () => now);
});

function databaseTime(): Date {
  return new Date(DATABASE_TIME + now - 1_000_000);
}

/** An instant of the database, so many milliseconds from the beginning of a test. */
function inMilliseconds(milliseconds: number): Date {
  return new Date(DATABASE_TIME + milliseconds);
}

async function opens(text = authorization): Promise<boolean> {
  return !isRefusal(await authenticator.authenticate(text, environment));
}

async function messageFor(given: string | undefined, inside: string | undefined): Promise<string> {
  const answer = await authenticator.authenticate(given, inside);
  return isRefusal(answer) ? answer.message : 'opened';
}

/** Time passes, and every change is heard of all the while. */
function pass(milliseconds: number): void {
  now += milliseconds;
  authenticator.onAnnouncement(now);
}

describe('what is remembered', () => {
  test('a proof serves for thirty seconds while changes are heard of', async () => {
    expect(await opens()).toBe(true);
    pass(29_999);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(1);
    pass(1);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
  });

  test('a proof serves for a second while nothing was heard yet', async () => {
    expect(await opens()).toBe(true);
    now += 999;
    expect(await opens()).toBe(true);
    expect(lookups).toBe(1);
    now += 1;
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
  });

  test('a proof serves for a second more after the last that was heard, and again once something is', async () => {
    expect(await opens()).toBe(true);
    pass(10_000);
    stored = null;
    now += 999;
    expect(await opens()).toBe(true);
    now += 1;
    expect(await opens()).toBe(false);
    expect(lookups).toBe(2);
  });

  test('a refusal is never remembered', async () => {
    const good = stored;
    stored = null;
    expect(await opens()).toBe(false);
    stored = good;
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
  });

  test('a change of an environment forgets its proofs, and no other', async () => {
    authenticator.onAnnouncement(now);
    expect(await opens()).toBe(true);
    authenticator.forget(otherId);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(1);
    authenticator.forget(environmentId);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
    authenticator.forget();
    expect(await opens()).toBe(true);
    expect(lookups).toBe(3);
  });

  test.each([['of its environment'], ['of all']])(
    'a look-up that was under way at a change %s leaves no proof',
    async (of) => {
      authenticator.onAnnouncement(now);
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      const early = opens();
      stored = { ...(stored as StoredKey), revokedAt: databaseTime() };
      authenticator.forget(of === 'of all' ? undefined : environmentId);
      resolve();
      // It was good when it was asked for.
      expect(await early).toBe(true);
      expect(await opens()).toBe(false);
      expect(lookups).toBe(2);
    },
  );

  test('the second of a proof counts from the beginning of its look-up', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const early = opens();
    now += 900;
    resolve();
    expect(await early).toBe(true);
    now += 99;
    expect(await opens()).toBe(true);
    expect(lookups).toBe(1);
    now += 1;
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
  });
});

describe("instants, by the database's clock", () => {
  test.each([
    [-1, false],
    [0, false],
    [1, true],
  ])('a key that expires %d ms from now opens: %s', async (milliseconds, opened) => {
    stored = { ...(stored as StoredKey), expiresAt: inMilliseconds(milliseconds) };
    expect(await opens()).toBe(opened);
  });

  test('a key that is in use opens until the millisecond before it expires', async () => {
    stored = { ...(stored as StoredKey), expiresAt: inMilliseconds(5_000) };
    expect(await opens()).toBe(true);
    pass(4_999);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(1);
    pass(1);
    expect(await opens()).toBe(false);
  });

  test('the secret before a rotation opens until the instant at which it ends; the new one goes on', async () => {
    const next = issueKey('sandbox', keyId);
    stored = {
      ...(stored as StoredKey),
      secretHash: next.secretHash,
      previousSecretHash: (stored as StoredKey).secretHash,
      previousValidUntil: inMilliseconds(5_000),
    };
    expect(await opens()).toBe(true);
    expect(await opens(`Bearer ${next.key}`)).toBe(true);
    pass(4_999);
    expect(await opens()).toBe(true);
    expect(lookups).toBe(2);
    pass(1);
    expect(await opens()).toBe(false);
    expect(await opens(`Bearer ${next.key}`)).toBe(true);
    pass(29_999);
    expect(await opens(`Bearer ${next.key}`)).toBe(true);
    expect(lookups).toBe(4);
  });
});

describe('what is refused, and in which words', () => {
  test('what is absent or of another form has its own words and is not looked up', async () => {
    const words = [
      await messageFor(undefined, environment),
      await messageFor(`Basic ${key}`, environment),
      await messageFor(authorization, undefined),
    ];
    expect(words).toEqual([
      expect.stringContaining('There is no Authorization header'),
      expect.stringContaining('not of the form Bearer <API_KEY>'),
      expect.stringContaining('There is no X-Environment header'),
    ]);
    expect(await messageFor(undefined, undefined)).toBe(words[0]);
    expect(await messageFor('Bearer', environment)).toBe(words[1]);
    expect(lookups).toBe(0);
  });

  test('whatever is there and wrong has one message, and each is looked up', async () => {
    const words = new Set([
      await messageFor('Bearer x', environment),
      await messageFor(authorization, 'env_none'),
      await messageFor(`Bearer ${issueKey('sandbox', keyId).key}`, environment),
      await messageFor(authorization.replace('svc_test_', 'svc_live_'), environment),
    ]);
    stored = { ...(stored as StoredKey), revokedAt: databaseTime() };
    words.add(await messageFor(authorization, environment));
    stored = { ...stored, revokedAt: null, expiresAt: databaseTime() };
    words.add(await messageFor(authorization, environment));
    stored = null;
    words.add(await messageFor(authorization, environment));
    expect([...words]).toEqual([expect.stringContaining('not valid for this environment')]);
    expect(lookups).toBe(7);
  });

  test('the name of the scheme is taken in every case', async () => {
    expect(await opens(`bEARER ${key}`)).toBe(true);
  });

  test('a failure of the look-up is no refusal', async () => {
    held = Promise.reject(new Error('away'));
    await expect(opens()).rejects.toThrow('away');
    held = null;
    expect(await opens()).toBe(true);
  });
});

describe('what is kept', () => {
  test('nothing of keys that are refused: each is looked up again', async () => {
    const wrong = Array.from({ length: 200 }, () => `Bearer ${issueKey('sandbox').key}`);
    for (const text of [...wrong, ...wrong]) expect(await opens(text)).toBe(false);
    expect(lookups).toBe(400);
  });

  test('20,000 proofs at most: beyond that, the one that was used least recently is looked up again', async () => {
    const keys = Array.from({ length: 20_001 }, () => issueKey('sandbox'));
    const byId = new Map(keys.map((each) => [each.keyId, each.secretHash]));
    let found = 0;
    const find = async (_inside: string, wanted: string): Promise<StoredKey | null> => {
      found += 1;
      const secretHash = byId.get(wanted);
      return stored && secretHash ? { ...stored, keyId: wanted, secretHash, now: databaseTime() } : null;
    };
    authenticator = new Authenticator({} as Pool, { find }, () => now);
    const [first, ...others] = keys.map((each) => `Bearer ${each.key}`) as [string, ...string[]];
    for (const text of [first, ...others]) expect(await opens(text)).toBe(true);
    expect(found).toBe(20_001);
    expect(await opens(others.at(-1))).toBe(true);
    expect(found).toBe(20_001);
    expect(await opens(first)).toBe(true);
    expect(found).toBe(20_002);
  });
});
