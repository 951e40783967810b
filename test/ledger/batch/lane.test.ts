import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { Lane, type LaneOptions } from '../../../src/ledger/batch/lane.ts';
import type { Command } from '../../../src/ledger/command.ts';
import type { ProgramCatalog } from '../../../src/programs/published/program-catalog.ts';

let nowMs: number;

beforeEach(() => {
  nowMs = 1_000;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A lane whose commands all fail. @param connect of its pool */
function failingLane(connect: () => Promise<PoolClient>, options: Partial<LaneOptions> = {}) {
  const lane = new Lane({
    pool: { connect } as Pool,
    // The first thing that a batch does on its connection: it fails.
    catalog: {
      knows: () => false,
      refresh: () => Promise.reject(new Error('no programs')),
    } as unknown as ProgramCatalog,
    maxBatch: 2,
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxQueuedMs: Number.POSITIVE_INFINITY,
    onBatch: () => {},
    onRetry: () => {},
    onIdle: () => {},
    ...options,
  });
  const command = { environmentId: 'e', actor: { type: 'api_key', id: 'a' } } as Command;
  /** Adds so many commands at once. @returns what each is rejected with */
  const send = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<string>((resolve, reject) =>
            lane.add({
              command,
              since: nowMs,
              resolve: () => reject(new Error('it has not failed')),
              reject: (error) => resolve((error as Error).message),
            }),
          ),
      ),
    );
  return { lane, send };
}

test('a full batch tells what the next ones take, whether it was faster or slower', async () => {
  let takesMs = 0;
  const { lane, send } = failingLane(
    async () => {
      nowMs += takesMs;
      throw new Error('no database');
    },
    { maxBatch: 1 },
  );
  takesMs = 10;
  await send(1);
  // As long as the one in flight, or the last one, and then the next one.
  expect(lane.expectedWaitMs).toBeCloseTo(2 * 38, 6);
  takesMs = 138;
  await send(1);
  expect(lane.expectedWaitMs).toBeCloseTo(138 + 68, 6);
});

test('a batch that is not full tells only that a full one takes no less', async () => {
  let takesMs = 10;
  const { lane, send } = failingLane(
    async () => {
      nowMs += takesMs;
      throw new Error('no database');
    },
    { maxBatch: 2 },
  );
  await send(1);
  expect(lane.expectedWaitMs).toBe(2 * 50);
  takesMs = 150;
  await send(1);
  expect(lane.expectedWaitMs).toBe(150 + 80);
});

test('after a lost connection the commands of a batch are tried again together, and after another failure apart', async () => {
  const failures = [Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), new Error('wrong')];
  const causes: string[] = [];
  let connections = 0;
  const { send } = failingLane(
    async () => {
      connections += 1;
      throw failures.shift() ?? new Error(`alone ${connections}`);
    },
    { onRetry: (cause) => causes.push(cause) },
  );
  expect(await send(2)).toEqual(['alone 3', 'alone 4']);
  expect(causes).toEqual(['connection', 'error']);
});
