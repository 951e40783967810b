import { expect, test } from '@jest/globals';
import { localUrl } from '../../src/server/process/http-server.ts';

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4000'],
  ['0.0.0.0', 'http://127.0.0.1:4000'],
  ['::', 'http://[::1]:4000'],
  ['::1', 'http://[::1]:4000'],
  ['rewards.example', 'http://rewards.example:4000'],
])('a server that listens on %s is reached at %s', (host, url) => {
  expect(localUrl(host, 4000)).toBe(url);
});
