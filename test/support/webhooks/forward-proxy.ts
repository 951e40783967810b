import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A forward proxy of HTTP that makes tunnels, as far as it allows. */
export class ForwardProxy {
  /** What it was asked for: `CONNECT host:port`, or the method and the whole URL. */
  readonly asked: string[] = [];
  /** Header Proxy-Authorization of each of these. */
  readonly credentials: (string | undefined)[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(allows: (target: string) => boolean) {
    this.#server = createServer(({ method, url, headers }, response) => {
      this.#note(`${method} ${url}`, headers['proxy-authorization']);
      response.writeHead(400).end();
    });
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('connect', ({ url = '', headers }, client: Socket) => {
      this.#note(`CONNECT ${url}`, headers['proxy-authorization']);
      client.on('error', () => {});
      if (!allows(url)) return void client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      const { hostname, port } = new URL(`http://${url}`);
      const target = connect(Number(port), hostname, () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        target.pipe(client).pipe(target);
      });
      this.#sockets.add(target);
      target.on('error', () => client.destroy());
      client.on('close', () => target.destroy());
    });
  }

  static async open(allows: (target: string) => boolean): Promise<ForwardProxy> {
    const proxy = new ForwardProxy(allows);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** `host:port` */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #note(asked: string, credentials: string | undefined): void {
    this.asked.push(asked);
    this.credentials.push(credentials);
  }
}
