import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { expressMessages } from '../../../src/server/requests/express-messages.ts';

test('Express finds its own prototypes on requests and responses, and leaves them alone', async () => {
  const app = express();
  const seen: unknown[] = [];
  app.get('/', (request, response) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    response.json({ path: request.path, app: request.app === app });
  });
  const server = createServer(expressMessages(app), (request, response) => {
    seen.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response));
    app(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
  expect(await answer.json()).toEqual({ path: '/', app: true });
  const [request, response, ...later] = seen;
  expect(later[0] === request && later[1] === response).toBe(true);
  expect(request === app.request && response === app.response).toBe(true);
  server.close();
});
