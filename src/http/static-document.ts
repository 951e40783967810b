import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Those that are compressed, best first; `identity` is the document as it is, which every client takes. */
const COMPRESSIONS = ['br', 'gzip'] as const;
type Compression = (typeof COMPRESSIONS)[number];
type Encoding = Compression | 'identity';

/** Above it the time doubles for a few percent of the size. */
const BROTLI_QUALITY = 5;

const compress: Readonly<Record<Compression, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body) => promisify(gzip)(body),
};

/**
 * A page or a document that stays the same while the process lives. Each encoding of it is made once, and every answer
 * shares its buffer: what many ask for at once takes no more memory than what one asks for.
 */
export class StaticDocument {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #hash: string;
  readonly #body: Buffer;
  readonly #compressed = new Map<Compression, Promise<Buffer>>();

  /** @param headers of every answer, Content-Type among them; `Cache-Control: no-cache` unless they say otherwise */
  constructor(text: string, headers: Readonly<Record<string, string>> & { 'Content-Type': string }) {
    this.#body = Buffer.from(text);
    this.#headers = { 'Cache-Control': 'no-cache', ...headers, Vary: 'Accept-Encoding' };
    this.#hash = createHash('sha256').update(this.#body).digest('base64url').slice(0, 22);
  }

  /** Makes every encoding now, so that the first who asks need not wait. */
  async prepare(): Promise<this> {
    for (const compression of COMPRESSIONS) await this.#compress(compression);
    return this;
  }

  /** Answers GET and HEAD in the best encoding that the client takes; 304 where it has that one already. */
  async send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    // Another encoding is another representation, with a strong tag of its own.
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

/** Whether If-None-Match names the entity tag; a weak one compares as its strong one does. */
function includesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
