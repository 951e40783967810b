import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Two workers take four units each of one key that has six; each prints how many it was allowed. */
const program = (serves: boolean) => `
  import cluster from 'node:cluster';
  import { countRatesForWorkers, createRateLimiter } from ${JSON.stringify(new URL('../../src/http/rate-limit.ts', import.meta.url).href)};
  if (cluster.isPrimary) {
    ${serves ? 'countRatesForWorkers();' : ''}
    cluster.fork();
    cluster.fork();
  } else {
    const limiter = createRateLimiter({ unitsPerWindow: 6, warn: () => {} });
    let allowed = 0;
    for (let unit = 0; unit < 4; unit += 1) if ((await limiter.take('key')).allowed) allowed += 1;
    console.log(allowed);
    process.exit(0);
  }
`;

async function allowedByWorkers(serves: boolean): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rate-limit-'));
  try {
    const file = join(folder, 'workers.mjs');
    await writeFile(file, program(serves));
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file]);
    return stdout.trim().split('\n').map(Number);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

test('the workers of a cluster share one count, kept by the primary', async () => {
  expect(sum(await allowedByWorkers(true))).toBe(6);
});

test('a worker whose primary does not count, counts alone', async () => {
  expect(await allowedByWorkers(false)).toEqual([4, 4]);
});
