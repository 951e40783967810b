import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { expect, test } from '@jest/globals';

const options = { identifier: 'file:///rejected.mjs' };
const source = 'export const answer = 42;';

async function answerOf(module: vm.SourceTextModule): Promise<unknown> {
  await module.link(() => {
    throw new Error('it imports nothing');
  });
  await module.evaluate();
  return (module.namespace as { answer?: unknown }).answer;
}

/** The module as test files load it: from the second time on with what V8 has parsed. */
const load = (): Promise<unknown> => answerOf(new vm.SourceTextModule(source, options));

test('a module whose parsed form V8 does not take back is parsed anew', async () => {
  expect([await load(), await load(), await load()]).toEqual([42, 42, 42]);
  // Node's own, which the environment of these tests has put another in the place of.
  const Original = vm.SourceTextModule.prototype.constructor as typeof vm.SourceTextModule;
  const made = new Original(source, options) as vm.SourceTextModule & { createCachedData(): Buffer };
  const cachedData = made.createCachedData();
  expect(await answerOf(new Original(source, { ...options, cachedData }))).toBe(42);
  setFlagsFromString('--stress-lazy-source-positions');
  try {
    expect(() => new Original(source, { ...options, cachedData })).toThrow(
      expect.objectContaining({ code: 'ERR_VM_MODULE_CACHED_DATA_REJECTED' }),
    );
    expect([await load(), await load()]).toEqual([42, 42]);
  } finally {
    setFlagsFromString('--no-stress-lazy-source-positions');
  }
  expect(await load()).toBe(42);
});
