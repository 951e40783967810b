import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The encodings that compress, best first. `identity` is the uncompressed document, which every client accepts. */
const COMPRESSIONS = ['br', 'gzip'] as const;
type Compression = (typeof COMPRESSIONS)[number];
type Encoding = Compression | 'identity';

/** A higher quality takes twice the time to save a few percent of the size. */
const BROTLI_QUALITY = 5;

const compress: Readonly<Record<Compression, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body) => promisify(gzip)(body),
};

/**
 * A page or a document that does not change while the process lives. Each encoding of it is made once, and all
 * responses share its buffer, so that many requests at once take no more memory than one.
 */
export class StaticDocument {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #body: Buffer;
  readonly #compressed = new Map<Compression, Promise<Buffer>>();

  /**
   * @param headers of every response, with its Content-Type; `Cache-Control` is `no-cache` unless given here, and
   *   `Vary` names Accept-Encoding after what is given here
   */
  constructor(text: string, headers: Readonly<Record<string, string>> & { 'Content-Type': string }) {
    this.#body = Buffer.from(text);
    const vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`;
    this.#headers = { 'Cache-Control': 'no-cache', ...headers, Vary: vary };
    this.#hash = createHash('sha256').update(this.#body).digest('base64url').slice(0, 22);
  }

  /** Makes every encoding now, so that the first requests do not wait for it. */
  async prepare(): Promise<this> {
    for (const compression of COMPRESSIONS) await this.#compress(compression);
    return this;
  }

  /**
   * Sends the document for GET or HEAD, in the best encoding that the client accepts; 304 if the client has that one.
   */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    // Each encoding is a different representation and needs a different strong entity tag.
    const etag = encoding === 'identity' ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const headers: Record<string, string> = { ...this.#headers, ETag: etag };
    if (includesTag(request.headers['if-none-match'], etag)) {
      response.writeHead(304, headers).end();
      return;
    }
    const body = encoding === 'identity' ? this.#body : await this.#compress(encoding);
    if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
    headers['Content-Length'] = String(body.length);
    response.writeHead(200, headers).end(body);
  }

  #compress(compression: Compression): Promise<Buffer> {
    const compressedBody = this.#compressed.get(compression) ?? compress[compression](this.#body);
    this.#compressed.set(compression, compressedBody);
    return compressedBody;
  }
}

/**
 * The encoding with the highest weight (RFC 9110, 12.5.3). Of equal weights, the one that compresses best wins. The
 * document is sent uncompressed if the client accepts no compression, or weights `identity` higher.
 */
function chooseEncoding(header: string | string[] | undefined): Encoding {
  const weights = new Map(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map(readWeight),
  );
  const others = weights.get('*');
  const weightOf = (compression: Compression): number => weights.get(compression) ?? others ?? 0;
  const [best] = COMPRESSIONS.toSorted((a, b) => weightOf(b) - weightOf(a));
  const weight = best ? weightOf(best) : 0;
  return best && weight > 0 && weight >= (weights.get('identity') ?? 0) ? best : 'identity';
}

/** Reads one entry of Accept-Encoding, such as `gzip;q=0.5`: its name and its weight, which is 0 if it is malformed. */
function readWeight(entry: string): [string, number] {
  const [name = '', ...parameters] = entry.split(';').map((each) => each.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (weight === undefined) return [name, 1];
  return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
}

/** Whether If-None-Match contains the entity tag, in its strong or its weak form. */
export function includesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
