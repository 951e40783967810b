import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A listener on every address of this machine that nothing should connect to. */
export class Canary {
  /** How many connections were made. */
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  }

  static async open(): Promise<Canary> {
    const canary = new Canary();
    // Of IPv6 and IPv4, where the machine has both.
    canary.#server.listen(0);
    await once(canary.#server, 'listening');
    return canary;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Whether ::1 is listened on too. */
  get takesV6(): boolean {
    return (this.#server.address() as AddressInfo).family === 'IPv6';
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
