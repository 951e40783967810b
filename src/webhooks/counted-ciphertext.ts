import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { AnswerTooLong } from './limit-answer.ts';

/** A receiver sent more bytes of TLS than belong to a handshake or an answer. */
export class RecordsTooLong extends Error {
  override name = 'RecordsTooLong';
  readonly code = 'ERR_RECORDS_TOO_LONG';
}

/**
 * The most bytes that are no plaintext: of the handshake, and then of each answer. More than the longest chains of
 * certificates have, also those whose signatures withstand quantum computers.
 */
const RECORDS_LIMIT_BYTES = 65_536;
/** The most that TLS works on at a stretch. */
const PIECE_BYTES = 4_096;

/** What TLS has brought and taken of plaintext. */
type Plaintext = Readonly<Pick<Socket, 'bytesRead' | 'bytesWritten'>>;

/**
 * A connection below TLS. Many records have no plaintext, such as changes of the key and tickets, or one byte of it and
 * padding. A receiver that never stops them would keep TLS busy until the time limit, and nobody above it would see a
 * byte. So what comes is counted here, where it is encrypted. A socket that TLS has directly below it is read outside
 * of JavaScript, up to 2 MiB at a stretch; from this one it gets a piece in each turn of the event loop.
 */
export class CountedCiphertext extends Duplex {
  readonly #raw: Socket;
  readonly #answerLimitBytes: number;
  /** That of TLS; null until the handshake is done. */
  #tls: Socket | null = null;
  #plaintext: Plaintext = { bytesRead: 0, bytesWritten: 0 };
  #written = 0;
  #readBefore = 0;
  #bytes = 0;
  #wanted = false;

  /**
   * @param raw the connection, which may still be in the making
   * @param answerLimitBytes the most bytes for each request
   */
  constructor(raw: Socket, answerLimitBytes: number) {
    // What is counted here goes on to TLS at once: little waits in between.
    super({ readableHighWaterMark: PIECE_BYTES });
    this.#raw = raw;
    this.#answerLimitBytes = answerLimitBytes;
    raw.on('readable', () => this.#passOn());
    raw.on('end', () => this.push(null));
    raw.on('error', (error) => this.#break(error));
    raw.on('close', () => this.#break());
    // After the receiver's end it is closed by TLS, when all that came has been read.
    raw.allowHalfOpen = true;
  }

  /**
   * The handshake is done.
   * @param plaintext the socket of TLS: whenever a request is written to it, the counts begin anew
   */
  carries(plaintext: Socket): void {
    this.#tls = plaintext;
    this.#plaintext = plaintext;
    // TLS took that over from the connection below it.
    plaintext.allowHalfOpen = false;
  }

  override _read(): void {
    this.#wanted = true;
    // Of what is there already, one piece a turn. What is still to come is passed on as soon as it does.
    if (this.#raw.readableLength > 0) setImmediate(() => this.#passOn());
    else this.#raw.read(0);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#raw.write(chunk, this.#finishing(done));
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#raw.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), this.#finishing(done));
  }

  override _final(done: () => void): void {
    this.#raw.end(this.#finishing(done));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#raw.destroy();
    done(error);
  }

  #passOn(): void {
    if (!this.#wanted || this.destroyed) return;
    const piece = this.#raw.read(Math.min(this.#raw.readableLength, PIECE_BYTES)) as Buffer | null;
    if (piece === null) return;
    this.#wanted = false;
    const error = this.#count(piece.length);
    if (error) this.#break(error);
    else this.push(piece);
  }

  /**
   * Ends the connection. TLS is told itself: one that has lost what is below it says that it has closed, and then that
   * there was an error. The HTTP client has let go of the connection by then, and would throw.
   */
  #break(error?: Error): void {
    (this.#tls ?? this).destroy(error);
  }

  /** What has failed is not told to TLS as a write that failed: that would come after its close (`#break`). */
  #finishing(done: () => void): (error?: Error | null) => void {
    return (error) => {
      if (error) this.#break(error);
      else done();
    };
  }

  /** @returns what is wrong where the bytes are too many now */
  #count(bytes: number): Error | null {
    const { bytesRead, bytesWritten } = this.#plaintext;
    if (bytesWritten !== this.#written) {
      this.#written = bytesWritten;
      this.#readBefore = bytesRead;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    if (this.#bytes > this.#answerLimitBytes) {
      return new AnswerTooLong(`More than ${this.#answerLimitBytes} bytes came for one request`);
    }
    // A record of which a part came counts in full, since it has no plaintext yet.
    if (this.#bytes - (bytesRead - this.#readBefore) <= RECORDS_LIMIT_BYTES) return null;
    return new RecordsTooLong(`More than ${RECORDS_LIMIT_BYTES} bytes came that are no plaintext`);
  }
}
