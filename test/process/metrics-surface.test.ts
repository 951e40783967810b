import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../src/server/process/http-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer } from '../support/server.ts';

let database: TestDatabase;
let server: RunningServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
});

afterAll(async () => {
  await server.close();
  await database.drop();
});

test('a path of somebody’s choice makes no series of its own, and stands in no metric', async () => {
  const paths = ['/api/v1/lovelace', '/api/v1/members/lovelace', '/api/v1/memberslovelace', '/lovelace'];
  for (const path of paths) await (await fetch(`${server.url}${path}`)).text();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).not.toMatch(/lovelace/);
  const surfaces = new Set(Array.from(metrics.matchAll(/surface="([^"]*)"/g), ([, surface]) => surface));
  expect(surfaces).toEqual(new Set(['other', '/api/v1/members']));
});
