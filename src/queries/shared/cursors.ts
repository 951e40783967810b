import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { NONCE_BYTES, SecretBox, SecretNotOpened } from '../../auth/secret-box.ts';
import { recentlyUsed } from '../../recently-used.ts';
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

/** The keys of an environment's cursors. */
interface CursorKeys {
  signing: Buffer;
  box: SecretBox;
}

const MAC_BYTES = 32;
const SECRETS_KEPT = 10_000;

const wrong = refuse(
  'invalid_cursor',
  'The cursor is not one of this list under these filters. Send page.nextCursor unchanged, with the same filters.',
);

/**
 * Makes and reads the cursors of lists. A cursor is a position, encrypted with AES-256-GCM so that the ids and instants
 * in it cannot be read, in base64url. The list, its environment and its filters are authenticated with it. The keys
 * come from the environment's own secret, so any process reads what another one has made.
 */
export class Cursors {
  readonly #reads: ReadPool;
  readonly #keys = recentlyUsed<CursorKeys>(SECRETS_KEPT);

  constructor(reads: ReadPool) {
    this.#reads = reads;
  }

  /** @returns the same cursor whenever the list and the position are the same */
  async write(identity: ListIdentity, position: Position): Promise<string> {
    const payload = JSON.stringify(position);
    const { signing, box } = await this.#keysOf(identity.environmentId);
    // A nonce must not come twice with different contents under one key, so it is derived from the contents.
    const nonce = sign(signing, identity, payload).subarray(0, NONCE_BYTES);
    return box.seal(payload, ownerOf(identity), nonce).toString('base64url');
  }

  /**
   * @param cursor null for the first page
   * @returns null for the first page; `invalid_cursor` for anything that `write` has not made for this list
   */
  async read(identity: ListIdentity, cursor: string | null): Promise<Position | Refusal | null> {
    if (cursor === null) return null;
    const bytes = Buffer.from(cursor, 'base64url');
    // Node skips characters that are not base64url. Only the canonical spelling is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return wrong;
    const { signing, box } = await this.#keysOf(identity.environmentId);
    const payload = opened(box, identity, bytes) ?? signedPayload(signing, identity, bytes);
    return payload === null ? wrong : (JSON.parse(payload) as Position);
  }

  async #keysOf(environmentId: string): Promise<CursorKeys> {
    const cached = this.#keys.get(environmentId);
    if (cached) return cached;
    const { rows } = await this.#reads.of(environmentId).query<{ cursor_secret: Buffer }>({
      name: 'cursor_secret',
      text: 'select cursor_secret from environments where id = $1::uuid',
      values: [environmentId],
    });
    const secret = rows[0]?.cursor_secret;
    if (!secret) throw new Error(`no environment ${environmentId}: a credential outlived it`);
    const box = new SecretBox([secret]).derive('rewards cursor', Buffer.alloc(0));
    const keys = { signing: secret, box };
    this.#keys.set(environmentId, keys);
    return keys;
  }
}

/** @returns null if the bytes were not encrypted for this list */
function opened(box: SecretBox, identity: ListIdentity, bytes: Buffer): string | null {
  try {
    return box.open(bytes, ownerOf(identity));
  } catch (error) {
    if (error instanceof SecretNotOpened) return null;
    throw error;
  }
}

/**
 * Reads a cursor that was made before cursors were encrypted: an HMAC-SHA256 and the position in clear. Consumers of
 * the events feed keep a cursor for as long as they like, and must not lose their place.
 * @returns null if the bytes were not signed for this list
 */
function signedPayload(key: Buffer, identity: ListIdentity, bytes: Buffer): string | null {
  const payload = bytes.subarray(MAC_BYTES).toString();
  return timingSafeEqual(sign(key, identity, payload), bytes.subarray(0, MAC_BYTES)) ? payload : null;
}

function sign(key: Buffer, { environmentId, list, filter }: ListIdentity, payload: string): Buffer {
  const signedText = canonicalize([environmentId, list, filter, payload]) ?? '';
  return createHmac('sha256', key).update(signedText).digest();
}

/** What a cursor is bound to. */
function ownerOf({ environmentId, list, filter }: ListIdentity): string {
  return canonicalize([environmentId, list, filter]) ?? '';
}
