import { expect, jest, test } from '@jest/globals';
import { parse } from 'graphql';
import { newUuid } from '../../../src/ids.ts';

type Traced = object & { traces?: number };

/** The number of this test file among those of the process that have loaded the package. */
const number = ((parse as Traced).traces ?? 0) + 1;
(parse as Traced).traces = number;

test(`file ${number} finds nothing of another file but packages, and leaves traces of all kinds`, () => {
  expect(Date.now()).toBeGreaterThan(0);
  expect(setTimeout.name).toBe('setTimeout');
  for (const own of [globalThis, process, process.env, newUuid] as Traced[]) {
    expect(own.traces).toBeUndefined();
    own.traces = number;
  }
  globalThis.Date = class extends Date {
    static override now = () => 0;
  } as typeof Date;
  jest.useFakeTimers({ doNotFake: ['Date'] });
});
