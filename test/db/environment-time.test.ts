import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const SOURCE = fileURLToPath(new URL('../../src', import.meta.url));

/** What tells the real time in SQL. */
const CLOCK =
  /\b(?:clock|statement|transaction)_timestamp\(\)|(?:[<>=,(-]|select) ?now\(\)|\bcurrent_(?:timestamp|date)\b/g;

/**
 * Files in which SQL reads the real time: how often, and why the environment's clock does not count there. Anything
 * else of an environment goes by `ENVIRONMENT_TIME` and its like (src/db/environment-time.ts).
 */
const REAL_TIME: Readonly<Record<string, [times: number, why: string]>> = {
  'admin/shared/write-trail.ts': [1, 'keys and issuers live in the real time'],
  'auth/customer/issuer-directory.ts': [1, 'tokens of customers expire in the real time'],
  'auth/key-lookup.ts': [1, 'keys expire in the real time'],
  'auth/person/person-sessions.ts': [7, 'sessions of people live in the real time'],
  'auth/widget/database-clock.ts': [1, 'sessions of widgets expire in the real time'],
  'db/environment-time.ts': [2, "the environment's clock is told from the real time"],
  'db/migrate.ts': [2, 'migrations belong to no environment'],
  'erasure/erase-member.ts': [1, 'a lease of a process'],
  'jobs/due.ts': [1, 'how late sweeps are, where the clock is the real one'],
  'jobs/seal-audit.ts': [2, 'what is committed by then; no environment is behind the real time'],
  'ledger/closed-days/roll-up.ts': [2, 'when the work was done'],
  'ledger/feed-epochs.ts': [2, 'when an epoch of the database began, and its event is sent first'],
  'ledger/tables/environments.ts': [2, "how far the environment's clock is ahead of it"],
  'operations/operation.ts': [7, 'work of processes, and their leases'],
  'queries/environment.ts': [1, "shows it beside the environment's clock"],
  'server/service/sealed-endpoints.ts': [1, 'receivers check signatures in the real time'],
  'server/service/service.ts': [1, "what a process keeps of the database's clock is the real time"],
  'webhooks/delivery-statements.ts': [15, 'attempts of deliveries, and leases of endpoints'],
  'webhooks/replay-statements.ts': [2, 'work of a process, and its lease'],
  'webhooks/sequencer.ts': [1, 'when a delivery is attempted first'],
  'jobs/runner.ts': [2, 'when a process does a job'],
};

test('SQL goes by the clock of the environment, or says why not', () => {
  const found: Record<string, number> = {};
  for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('generated')) continue;
    const code = readFileSync(join(SOURCE, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const times = [...code.matchAll(CLOCK)].length;
    if (times > 0) found[file] = times;
  }
  const expected = Object.entries(REAL_TIME).map(([file, [times]]) => [file, times]);
  expect(found).toEqual(Object.fromEntries(expected));
});
