import { expect, test } from '@jest/globals';
import type { Pool } from '../../../src/db/pool.ts';
import { Health } from '../../../src/server/service/health.ts';

/** A pool whose database never answers. */
const silent = { query: () => new Promise(() => {}) } as unknown as Pool;

test('while the database does not answer, the state and the warning about its standby come within seconds', async () => {
  const health = new Health(silent, { requireStandby: true });
  const begun = performance.now();
  expect(await Promise.all([health.problem(), health.warning()])).toEqual([
    'The database does not answer.',
    null,
  ]);
  expect(performance.now() - begun).toBeLessThan(10_000);
});
