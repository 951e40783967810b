import { describe, test } from '@jest/globals';

/** Declares a test, or a group of tests, under its name. */
type Declare<Body> = (name: string, body: Body, timeoutMs?: number) => void;

/**
 * `describe` where what the tests need is there, and otherwise one that skips them and says in their names why. The
 * names of skipped tests are the last that a CI run prints before its count.
 * @param missing such as `no redis-server`
 */
export function describeWhere(isThere: boolean, missing: string): Declare<() => void> {
  return isThere ? describe : (name, body) => describe.skip(skippedName(name, missing), body);
}

/** `test` in the same way. */
export function testWhere(isThere: boolean, missing: string): Declare<() => void | Promise<void>> {
  return isThere ? test : (name, body) => test.skip(skippedName(name, missing), body);
}

function skippedName(name: string, missing: string): string {
  return `${name} (skipped: ${missing})`;
}
