import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that went through a proxy, with the status of its answer. */
export interface Passed {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Null while there is no answer. */
  status: number | null;
}

/** An address in front of a server, where a test sees what is sent, and breaks it. */
export interface FaultyProxy {
  url: string;
  passed: Passed[];
  /**
   * Called for each request before it is passed on: `refuse` breaks the connection, `cut` does so after the server's
   * answer.
   */
  fault: (passed: Passed) => 'refuse' | 'cut' | null | Promise<'refuse' | 'cut' | null>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target);
  const proxy: FaultyProxy = {
    url: '',
    passed: [],
    fault: () => null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const passed: Passed = { method, path: url, headers, body: body.toString(), status: null };
    proxy.passed.push(passed);
    const fault = await proxy.fault(passed);
    if (fault === 'refuse') return void response.destroy();
    const sent = request({ hostname, port, method, path: url, headers }, (answer) => {
      passed.status = answer.statusCode ?? 0;
      if (fault === 'cut') {
        answer.resume().on('end', () => response.destroy());
        return;
      }
      response.writeHead(passed.status, answer.headers);
      answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    sent.end(body);
  }
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
