import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SecretBox, SecretNotOpened } from '../../src/auth/secret-box.ts';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

describe('a sealed secret', () => {
  test('is opened for its owner, by every box that has its key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, owner) => {
        const sealed = new SecretBox([first]).seal(secret, owner);
        for (const keys of [[first], [first, second], [second, first]]) {
          expect(new SecretBox(keys).open(sealed, owner)).toBe(secret);
        }
      }),
    );
  });

  test('is sealed with the first key, so that the others can be removed', () => {
    const sealed = new SecretBox([second, first]).seal('secret', 'endpoint');
    expect(new SecretBox([second]).open(sealed, 'endpoint')).toBe('secret');
  });

  test('says which key it was sealed with, without opening it', () => {
    const sealed = new SecretBox([second]).seal('secret', 'endpoint');
    const answers = [[second], [second, first], [first, second], [first]].map((keys) => {
      const box = new SecretBox(keys);
      return [box.has(sealed), box.isCurrent(sealed)];
    });
    expect(answers).toEqual([
      [true, true],
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test('is not opened for another owner, without its key, or with any byte changed', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('secret', 'endpoint');
    expect(() => box.open(sealed, 'another')).toThrow(SecretNotOpened);
    expect(() => new SecretBox([second]).open(sealed, 'endpoint')).toThrow(SecretNotOpened);
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, 'endpoint')).toThrow(SecretNotOpened);
    }
  });
});

test('a box has at least one key, and each has 32 bytes', () => {
  expect(() => new SecretBox([])).toThrow('needs a key');
  for (const size of [0, 31, 33]) {
    expect(() => new SecretBox([first, Buffer.alloc(size)])).toThrow('32 bytes');
  }
});

test('a code stands for a secret of one owner under one key, and does not show it', () => {
  const code = new SecretBox([first, second]).codeOf('secret', 'shop');
  expect(code).toMatch(/^[0-9a-f]{64}$/);
  expect(new SecretBox([first]).codeOf('secret', 'shop')).toBe(code);
  const others = [
    new SecretBox([first]).codeOf('other', 'shop'),
    new SecretBox([first]).codeOf('secret', 'cafe'),
    new SecretBox([second]).codeOf('secret', 'shop'),
  ];
  expect(new Set([code, ...others]).size).toBe(4);
});
