import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isIPv4 } from 'node:net';

/**
 * The addresses of a name; null for no answer at all.
 * @param asked how often the name was asked for before, with this type
 */
type Answer = (type: 'A' | 'AAAA', asked: number) => readonly string[] | null;

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const HEADER_BYTES = 12;

/** A name server on 127.0.0.1, over UDP, whose answers may not be kept (their time to live is 0). */
export class NameServer {
  /** The questions so far, such as `A rebind.example`. */
  readonly questions: string[] = [];
  readonly #socket: Socket;
  readonly #names: Readonly<Record<string, Answer>>;

  private constructor(names: Readonly<Record<string, Answer>>) {
    this.#names = names;
    this.#socket = createSocket('udp4').on('message', (query, { port, address }) => {
      const answer = this.#answer(query);
      if (answer) this.#socket.send(answer, port, address);
    });
  }

  static async open(names: Readonly<Record<string, Answer>>): Promise<NameServer> {
    const server = new NameServer(names);
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** With its port, as resolvers take it. */
  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = TYPES[query.readUInt16BE(at + 1) as keyof typeof TYPES];
    const question = `${type} ${labels.join('.')}`;
    const asked = this.questions.filter((each) => each === question).length;
    this.questions.push(question);
    const answer = this.#names[labels.join('.')];
    const addresses = type && answer ? answer(type, asked) : [];
    if (addresses === null) return null;
    const header = Buffer.from(query.subarray(0, HEADER_BYTES));
    // An answer, to one question, with so many records, and no other sections.
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(HEADER_BYTES, at + 5), ...addresses.map(recordOf)]);
  }
}

/** A record of the name in the question: class IN, time to live 0. */
function recordOf(address: string): Buffer {
  const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : bytesOfV6(address);
  const head = Buffer.from('c00c000000010000000000', 'hex');
  head.writeUInt16BE(isIPv4(address) ? 1 : 28, 2);
  return Buffer.concat([head.subarray(0, 10), Buffer.from([0, bytes.length]), bytes]);
}

/** @param address with at most one `::`, and without an IPv4 part */
function bytesOfV6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::').map((part) => part);
  const groups = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
