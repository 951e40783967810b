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
 * A page or a document that does not change while the process lives. Each encoding of it is made once, and all responses
 * share its buffer, so that many requests at once take no more memory than one.
 */
export class StaticDocument {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #body: Buffer;
  readonly #compressed = new Map<Compression, Promise<Buffer>>();

  /** @param headers of every response, with its Content-Type; `Cache-Control` is `no-cache` unless given here */
  constructor(text: string, headers: Readonly<Record<string, string>> & { 'Content-Type': string }) {
    this.#body = Buffer.from(text);
    this.#headers = { 'Cache-Control': 'no-cache', ...headers, Vary: 'Accept-Encoding' };
    this.#hash = createHash('sha256').update(this.#body).digest('base64url').slice(0, 22);
  }

  /** Makes every encoding now, so that the first requests do not wait for it. */
  async prepare(): Promise<this> {
    for (const compression of COMPRESSIONS) await this.#compress(compression);
    return this;
  }

  /** Sends the document for GET or HEAD, in the best encoding that the client accepts; 304 if the client has that one. */
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
    const made = this.#compressed.get(compression) ?? compress[compression](this.#body);
    this.#compressed.set(compression, made);
    return made;
  }
}

function chooseEncoding(header: string | string[] | undefined): Encoding {
  if (header === undefined) return 'identity';
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (const part of String(header).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    const never = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    (never ? refused : taken).add(name);
  }
  const chosen = COMPRESSIONS.find((encoding) =>
    taken.has('*') ? !refused.has(encoding) : taken.has(encoding),
  );
  return chosen ?? 'identity';
}

/** Whether If-None-Match contains the entity tag, in its strong or its weak form. */
function includesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
