import { expect, test } from '@jest/globals';
import { useServer } from '../support/surfaces/use-shop.ts';

const { server } = useServer();

test('a path of somebody’s choice makes no series of its own, and stands in no metric', async () => {
  const paths = ['/api/v1/lovelace', '/api/v1/members/lovelace', '/api/v1/memberslovelace', '/lovelace'];
  for (const path of paths) await (await fetch(`${server.url}${path}`)).text();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).not.toMatch(/lovelace/);
  const surfaces = new Set(Array.from(metrics.matchAll(/surface="([^"]*)"/g), ([, surface]) => surface));
  expect(surfaces).toEqual(new Set(['other', '/api/v1/members']));
});
