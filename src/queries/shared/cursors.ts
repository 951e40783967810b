import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../refusal.ts';
import type { ReadPool } from './read-pool.ts';

/** The list that a cursor belongs to. The cursor is invalid in any other list. */
export interface ListIdentity {
  environmentId: string;
  /** SDL name of the root field. */
  list: string;
  /** The filters of the list, as JSON values. The length of a page is not one of them. */
  filter: object;
}

/** Where a page ended: the values that identify its last row in the order of the list. */
export type Position = readonly string[];

const MAC_BYTES = 32;
const SECRETS_KEPT = 10_000;

const wrong = refuse(
  'invalid_cursor',
  'The cursor is not one of this list under these filters. Send page.nextCursor unchanged, with the same filters.',
);

/**
 * Makes and reads the cursors of lists. A cursor is a position with an HMAC-SHA256 over the list, its environment, its
 * filters and the position, keyed with the environment's own secret, in base64url.
 */
export class Cursors {
  readonly #reads: ReadPool;
  readonly #secrets = new LRUCache<string, Buffer>({ max: SECRETS_KEPT });

  constructor(reads: ReadPool) {
    this.#reads = reads;
  }

  async write(identity: ListIdentity, position: Position): Promise<string> {
    const payload = JSON.stringify(position);
    const mac = sign(await this.#secretOf(identity.environmentId), identity, payload);
    return Buffer.concat([mac, Buffer.from(payload)]).toString('base64url');
  }

  /** @returns `invalid_cursor` for anything that `write` has not made for this list */
  async read(identity: ListIdentity, cursor: string): Promise<Position | Refusal> {
    const bytes = Buffer.from(cursor, 'base64url');
    // Node skips characters that are not base64url. Only the canonical spelling is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return wrong;
    const payload = bytes.subarray(MAC_BYTES).toString();
    const mac = sign(await this.#secretOf(identity.environmentId), identity, payload);
    if (!timingSafeEqual(mac, bytes.subarray(0, MAC_BYTES))) return wrong;
    return JSON.parse(payload) as Position;
  }

  async #secretOf(environmentId: string): Promise<Buffer> {
    const known = this.#secrets.get(environmentId);
    if (known) return known;
    const { rows } = await this.#reads.of(environmentId).query<{ cursor_secret: Buffer }>({
      name: 'cursor_secret',
      text: 'select cursor_secret from environments where id = $1::uuid',
      values: [environmentId],
    });
    const secret = rows[0]?.cursor_secret;
    if (!secret) throw new Error(`no environment ${environmentId}: a credential outlived it`);
    this.#secrets.set(environmentId, secret);
    return secret;
  }
}

function sign(secret: Buffer, { environmentId, list, filter }: ListIdentity, payload: string): Buffer {
  const said = canonicalize([environmentId, list, filter, payload]) ?? '';
  return createHmac('sha256', secret).update(said).digest();
}
