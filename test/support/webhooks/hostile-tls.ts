import {
  createCipheriv,
  createHash,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';

// A receiver that speaks as much of TLS 1.3 (RFC 8446) as it takes to send records that no library sends. It has
// X25519, AES-128-GCM with SHA-256, and a certificate for a key of P-256. It is a process of its own, so that its CPU
// is not that of the test:
//
//   node hostile-tls.ts WHAT KEY_FILE CERTIFICATE_FILE
//
// It prints its port. Each connection gets records of WHAT, without end, once it has sent a request.

const HANDSHAKE = 22;
const APPLICATION_DATA = 23;
const [CLIENT_HELLO, SERVER_HELLO, TICKET, EXTENSIONS, CERTIFICATE, VERIFY, FINISHED, KEY_UPDATE] = [
  ...[1, 2, 4, 8, 11, 15, 20, 24],
] as const;
const BATCH_BYTES = 65_536;

const RECORDS: Readonly<Record<string, (sender: Sender) => Buffer>> = {
  'key-updates': (sender) => sender.keyUpdate(0),
  'key-updates-to-answer': (sender) => sender.keyUpdate(1),
  tickets: (sender) => sender.seal(HANDSHAKE, Buffer.concat(Array.from({ length: 600 }, ticket))),
  'padded-bytes': (sender) => sender.seal(APPLICATION_DATA, Buffer.from('\n'), 16_000),
  'single-bytes': (sender) => sender.seal(APPLICATION_DATA, Buffer.from('\n')),
};

const [, , what = '', keyFile = '', certificateFile = ''] = process.argv;

/** The records of one direction under one secret after the other. */
class Sender {
  #secret: Buffer;
  #key: Buffer = Buffer.alloc(0);
  #iv: Buffer = Buffer.alloc(0);
  #sequence = 0;

  constructor(secret: Buffer) {
    this.#secret = secret;
    this.#deriveKeys();
  }

  seal(type: number, content: Buffer, padding = 0): Buffer {
    const inner = Buffer.concat([content, Buffer.from([type]), Buffer.alloc(padding)]);
    const head = Buffer.concat([Buffer.from([APPLICATION_DATA, 3, 3]), number(inner.length + 16, 2)]);
    const nonce = Buffer.from(this.#iv);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ this.#sequence) >>> 0, 8);
    this.#sequence += 1;
    const cipher = createCipheriv('aes-128-gcm', this.#key, nonce).setAAD(head);
    return Buffer.concat([head, cipher.update(inner), cipher.final(), cipher.getAuthTag()]);
  }

  /** @param requested 1 where the other side has to change its key as well */
  keyUpdate(requested: 0 | 1): Buffer {
    const record = this.seal(HANDSHAKE, message(KEY_UPDATE, Buffer.from([requested])));
    this.#secret = expand(this.#secret, 'traffic upd', Buffer.alloc(0));
    this.#deriveKeys();
    return record;
  }

  /** The message Finished, over the hash of the messages before it. */
  finished(transcript: Buffer): Buffer {
    return message(FINISHED, hmac(expand(this.#secret, 'finished', Buffer.alloc(0)), transcript));
  }

  #deriveKeys(): void {
    this.#key = expand(this.#secret, 'key', Buffer.alloc(0), 16);
    this.#iv = expand(this.#secret, 'iv', Buffer.alloc(0), 12);
    this.#sequence = 0;
  }
}

/** Answers a ClientHello. */
function shakeHands(socket: Socket, hello: Buffer): Sender {
  const { session, share } = readHello(hello);
  const own = generateKeyPairSync('x25519');
  // The last 32 bytes of the encoding are the key.
  const encoded = own.publicKey.export({ format: 'der', type: 'spki' });
  const theirs = createPublicKey({
    key: Buffer.concat([encoded.subarray(0, -32), share]),
    format: 'der',
    type: 'spki',
  });
  const keyShare = Buffer.concat([number(0x001d, 2), vector(encoded.subarray(-32), 2)]);
  const extensions = [
    [number(43, 2), vector(number(0x0304, 2), 2)],
    [number(51, 2), vector(keyShare, 2)],
  ].flat();
  const serverHello = message(
    SERVER_HELLO,
    Buffer.concat([number(0x0303, 2), randomBytes(32), vector(session, 1), number(0x1301, 2), number(0, 1)]),
    vector(Buffer.concat(extensions), 2),
  );
  const zeros = Buffer.alloc(32);
  const nothing = hash();
  const early = hmac(zeros, zeros);
  const secret = hmac(
    expand(early, 'derived', nothing),
    diffieHellman({ privateKey: own.privateKey, publicKey: theirs }),
  );
  const sender = new Sender(expand(secret, 's hs traffic', hash(hello, serverHello)));
  const messages = [hello, serverHello, message(EXTENSIONS, number(0, 2)), certificateMessage()];
  messages.push(verifyMessage(hash(...messages)));
  messages.push(sender.finished(hash(...messages)));
  socket.write(Buffer.concat([Buffer.from([HANDSHAKE, 3, 3]), vector(serverHello, 2)]));
  for (const each of messages.slice(2)) socket.write(sender.seal(HANDSHAKE, each));
  const main = hmac(expand(secret, 'derived', nothing), zeros);
  return new Sender(expand(main, 's ap traffic', hash(...messages)));
}

/** The session's id and the key share for X25519. */
function readHello(hello: Buffer): { session: Buffer; share: Buffer } {
  if (hello[0] !== CLIENT_HELLO) throw new Error(`a message of type ${hello[0]} came first`);
  let at = 4 + 2 + 32;
  const take = (sizeBytes: 1 | 2): Buffer => {
    const begin = at + sizeBytes;
    at = begin + hello.readUIntBE(at, sizeBytes);
    return hello.subarray(begin, at);
  };
  const session = take(1);
  take(2);
  take(1);
  at += 2;
  while (at < hello.length) {
    const type = hello.readUInt16BE(at);
    at += 2;
    const end = at + 2 + hello.readUInt16BE(at);
    if (type !== 51) at = end;
    else
      for (at += 4; at < end; ) {
        const group = hello.readUInt16BE(at);
        at += 2;
        const share = take(2);
        if (group === 0x001d) return { session, share };
      }
  }
  throw new Error('no key share for X25519 came');
}

function certificateMessage(): Buffer {
  const { raw } = new X509Certificate(readFileSync(certificateFile));
  const entry = Buffer.concat([vector(raw, 3), vector(Buffer.alloc(0), 2)]);
  return message(CERTIFICATE, vector(Buffer.alloc(0), 1), vector(entry, 3));
}

function verifyMessage(transcript: Buffer): Buffer {
  const context = Buffer.from(`${' '.repeat(64)}TLS 1.3, server CertificateVerify\0`);
  const signature = sign('sha256', Buffer.concat([context, transcript]), readFileSync(keyFile, 'utf8'));
  return message(VERIFY, number(0x0403, 2), vector(signature, 2));
}

/** The smallest: lifetime, age, nonce, one byte of a ticket, no extensions. */
function ticket(): Buffer {
  const ticketBytes = vector(Buffer.from([1]), 2);
  return message(
    TICKET,
    number(7_200, 4),
    number(0, 4),
    vector(Buffer.alloc(0), 1),
    ticketBytes,
    number(0, 2),
  );
}

function message(type: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([number(type, 1), vector(Buffer.concat(parts), 3)]);
}

function vector(content: Buffer, sizeBytes: number): Buffer {
  return Buffer.concat([number(content.length, sizeBytes), content]);
}

function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

function hash(...parts: Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest();
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

/** HKDF-Expand-Label, of at most one block. */
function expand(secret: Buffer, label: string, context: Buffer, length = 32): Buffer {
  const info = [number(length, 2), vector(Buffer.from(`tls13 ${label}`), 1), vector(context, 1)];
  return hmac(secret, Buffer.concat([...info, Buffer.from([1])])).subarray(0, length);
}

function flood(socket: Socket, sender: Sender): void {
  const record = RECORDS[what];
  if (!record) throw new Error(`no records are named ${what}`);
  const more = (): void => {
    for (let full = false; !full && !socket.destroyed; ) {
      const batch: Buffer[] = [];
      for (let size = 0; size < BATCH_BYTES; size += batch.at(-1)?.length ?? 0) batch.push(record(sender));
      full = !socket.write(Buffer.concat(batch));
    }
  };
  socket.on('drain', more);
  more();
}

const server = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  let waiting = Buffer.alloc(0);
  let sender: Sender | null = null;
  let ciphertexts = 0;
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= 5 && waiting.length >= 5 + waiting.readUInt16BE(3)) {
      const record = waiting.subarray(0, 5 + waiting.readUInt16BE(3));
      waiting = waiting.subarray(record.length);
      if (record[0] === HANDSHAKE) sender = shakeHands(socket, record.subarray(5));
      if (record[0] === APPLICATION_DATA) ciphertexts += 1;
      // The first one is the client's Finished, and the second one its request.
      if (sender && record[0] === APPLICATION_DATA && ciphertexts === 2) flood(socket, sender);
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
