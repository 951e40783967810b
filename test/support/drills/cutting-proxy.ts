import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** What a connection of the writer was doing when it was cut. */
export type Phase = 'begin and load' | 'load more' | 'flush and commit';
/** How much had got through. */
const EXTENTS = ['nothing', 'part of the request', 'the request', 'part of the answer'] as const;
type Extent = (typeof EXTENTS)[number];

/** A proxy in front of Postgres that cuts connections of the writer at random. */
export interface CuttingProxy {
  /** The same database and login, through the proxy. */
  through(url: string): string;
  /** How often connections were cut, by the phase and by what had got through. */
  readonly cuts: ReadonlyMap<`${Phase}: ${Extent}`, number>;
  /** The chance that a message is cut, from 0 to 1. Before it is set nothing is cut. */
  chance: number;
  close(): Promise<void>;
}

/** @param databaseUrl of the server behind it, which it reaches by TCP */
export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const cuts = new Map<`${Phase}: ${Extent}`, number>();
  const sockets = new Set<Socket>();
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    carry(
      client,
      server,
      () => self.chance,
      (phase, extent) => {
        const name = `${phase}: ${extent}` as const;
        cuts.set(name, (cuts.get(name) ?? 0) + 1);
      },
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const ownPort = (proxy.address() as AddressInfo).port;
  const self: CuttingProxy = {
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(ownPort);
      changed.search = '';
      return changed.href;
    },
    cuts,
    chance: 0,
    async close() {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return self;
}

/** Carries bytes both ways until one side ends, or the connection is cut. */
function carry(
  client: Socket,
  server: Socket,
  chance: () => number,
  note: (phase: Phase, extent: Extent) => void,
): void {
  let isWriter = false;
  let cutAnswer: ((answer: Buffer) => void) | null = null;
  const cut = (): void => {
    client.destroy();
    server.destroy();
  };
  client.on('data', (chunk) => {
    // The first message of a session names its application.
    if (chunk.includes('rewards writer\0')) isWriter = true;
    const phase = isWriter ? phaseOf(chunk) : null;
    if (phase === null || cutAnswer || Math.random() >= chance()) return void server.write(chunk);
    const extent = EXTENTS[Math.floor(Math.random() * EXTENTS.length)] as Extent;
    note(phase, extent);
    if (extent === 'nothing') return cut();
    if (extent === 'part of the request') return void server.write(partOf(chunk), cut);
    cutAnswer = (answer) => {
      if (extent === 'the request') cut();
      else client.write(partOf(answer), cut);
    };
    server.write(chunk);
  });
  server.on('data', (chunk) => {
    if (cutAnswer) cutAnswer(chunk);
    else client.write(chunk);
  });
  client.once('close', () => server.destroy());
  server.once('close', () => client.destroy());
}

/** Null where a message is none of a batch, such as the login. */
function phaseOf(chunk: Buffer): Phase | null {
  if (chunk.includes('commit\0')) return 'flush and commit';
  if (chunk.includes('begin isolation')) return 'begin and load';
  // Bind, of a prepared statement.
  return chunk[0] === 0x42 || chunk[0] === 0x50 ? 'load more' : null;
}

function partOf(chunk: Buffer): Buffer {
  return chunk.subarray(0, Math.floor(Math.random() * chunk.length));
}
