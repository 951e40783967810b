import { describe, expect, test } from '@jest/globals';
import { AnnouncedCache } from '../../src/auth/announced-cache.ts';

interface Value {
  of: string;
  number: number;
}

/** A cache with a clock that the test moves, and a count of reads. */
function open(announcedMs = 30_000) {
  let now = 1_000_000;
  let reads = 0;
  const cache = new AnnouncedCache<Value>({ max: 3, announcedMs, now: () => now });
  const read = (of = 'a') => cache.get(of, async () => ({ of, number: ++reads }));
  return {
    cache,
    read,
    /** Time goes by; changes are announced until the end of it where `heard`. */
    wait(milliseconds: number, heard: boolean): void {
      now += milliseconds;
      if (heard) cache.onAnnouncement(now);
    },
  };
}

const numberOf = async (reading: Promise<Value>): Promise<number> => (await reading).number;

describe('a value is kept', () => {
  test('while changes are announced, until its time is over', async () => {
    const { read, wait } = open();
    expect(await numberOf(read())).toBe(1);
    for (let seconds = 0; seconds < 29; seconds += 1) {
      wait(1_000, true);
      expect(await numberOf(read())).toBe(1);
    }
    wait(1_001, true);
    expect(await numberOf(read())).toBe(2);
  });

  test('for a second while they are not', async () => {
    const { read, wait } = open();
    await read();
    wait(999, false);
    expect(await numberOf(read())).toBe(1);
    wait(1, false);
    expect(await numberOf(read())).toBe(2);
  });

  test('until it is forgotten, or its key is dropped', async () => {
    const { cache, read } = open();
    await Promise.all([read('a'), read('b')]);
    cache.forget(({ of }) => of === 'a');
    expect({ a: await numberOf(read('a')), b: await numberOf(read('b')) }).toEqual({ a: 3, b: 2 });
    cache.drop('b');
    expect({ a: await numberOf(read('a')), b: await numberOf(read('b')) }).toEqual({ a: 3, b: 4 });
    cache.forget();
    expect({ a: await numberOf(read('a')), b: await numberOf(read('b')) }).toEqual({ a: 5, b: 6 });
  });

  test('among the most recent alone', async () => {
    const { read } = open();
    for (const key of ['a', 'b', 'c', 'd', 'a']) await read(key);
    expect(await numberOf(read('a'))).toBe(5);
    expect(await numberOf(read('d'))).toBe(4);
  });
});

describe('a read', () => {
  test('is shared by those who come while it is under way, and gets what was kept before', async () => {
    const { cache, wait } = open();
    const seen: (Value | undefined)[] = [];
    let answer: (value: Value) => void = () => {};
    const read = () =>
      cache.get('a', (before) => {
        seen.push(before);
        return new Promise((resolve) => {
          answer = resolve;
        });
      });
    const both = [read(), read()];
    answer({ of: 'a', number: 1 });
    expect(await Promise.all(both)).toEqual([
      { of: 'a', number: 1 },
      { of: 'a', number: 1 },
    ]);
    wait(2_000, false);
    const later = read();
    answer({ of: 'a', number: 2 });
    await later;
    expect(seen).toEqual([undefined, { of: 'a', number: 1 }]);
  });

  test('during which a change is announced is not kept, and not joined by those who come after the change', async () => {
    const { cache, read } = open();
    let answer: (value: Value) => void = () => {};
    const old = cache.get(
      'a',
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    cache.forget();
    const fresh = read();
    answer({ of: 'a', number: 100 });
    expect({ old: await numberOf(old), fresh: await numberOf(fresh) }).toEqual({ old: 100, fresh: 1 });
    expect(await numberOf(read())).toBe(1);
  });

  test('that fails is not kept', async () => {
    const { cache, read } = open();
    await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await numberOf(read())).toBe(1);
  });
});
