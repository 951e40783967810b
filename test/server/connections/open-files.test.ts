import { expect, test } from '@jest/globals';
import { connectionsWithin } from '../../../src/server/connections/open-files.ts';

const settings = { connectionLimit: 10_000, databasePoolSize: 10 };

test('where the system allows enough open files, there are as many connections as are set, and no warning', () => {
  const warnings: object[] = [];
  const logger = { warn: (line: object) => void warnings.push(line) };
  expect(connectionsWithin(settings, logger, Number.POSITIVE_INFINITY)).toBe(10_000);
  expect(connectionsWithin(settings, logger, 10_210)).toBe(10_000);
  expect(warnings).toEqual([]);
});

test('where it allows fewer, some are left for the database, and a warning says so', () => {
  const warnings: object[] = [];
  const logger = { warn: (line: object) => void warnings.push(line) };
  expect(connectionsWithin(settings, logger, 1_024)).toBe(814);
  expect(connectionsWithin(settings, logger, 64)).toBe(1);
  expect(warnings).toEqual([
    { openFiles: 1_024, connectionLimit: 10_000, connections: 814 },
    { openFiles: 64, connectionLimit: 10_000, connections: 1 },
  ]);
});
