import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Identifies the key in a sealed secret, so that the right one of the list opens it. */
const KEY_ID_BYTES = 4;

/** A sealed secret that no key of SECRETS_KEY opens. */
export class SecretNotOpened extends Error {
  override name = 'SecretNotOpened';
  /** What the secret belongs to. */
  readonly owner: string;

  constructor(message: string, owner: string, options?: ErrorOptions) {
    super(message, options);
    this.owner = owner;
  }
}

interface BoxKey {
  id: Buffer;
  key: Buffer;
}

/**
 * Encrypts secrets that are needed again, with AES-256-GCM. The first key of the list encrypts, all decrypt, so that a
 * key can be replaced. Each secret is bound to what it belongs to: a sealed secret that was copied to another row is
 * refused.
 */
export class SecretBox {
  readonly #keys: readonly BoxKey[];

  /** @param keys each of 32 bytes in base64, as in SECRETS_KEY */
  static ofKeys(keys: readonly string[]): SecretBox {
    return new SecretBox(keys.map((key) => Buffer.from(key, 'base64')));
  }

  /** @param keys each of 32 bytes; at least one */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0) throw new Error('a secret box needs a key');
    this.#keys = keys.map((key) => {
      if (key.length !== KEY_BYTES) throw new Error(`a key has ${KEY_BYTES} bytes`);
      return { key, id: Buffer.from(hkdfSync('sha256', key, '', 'rewards key id', KEY_ID_BYTES)) };
    });
  }

  /**
   * A box with a key derived from each of this one's (HKDF with SHA-256): what is sealed by either, the other cannot
   * open.
   */
  derive(purpose: string, salt: Buffer): SecretBox {
    return new SecretBox(
      this.#keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, salt, purpose, KEY_BYTES))),
    );
  }

  /**
   * @param owner what the secret belongs to, such as the id of a webhook endpoint
   * @param nonce of 12 bytes, never the same for another secret or owner
   */
  seal(secret: string, owner: string, nonce: Buffer = randomBytes(NONCE_BYTES)): Buffer {
    const { id, key } = this.#keys[0] as BoxKey;
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws SecretNotOpened where no key fits, or the secret was sealed for another owner or changed */
  open(sealed: Buffer, owner: string): string {
    const sealingKey = this.#keyOf(sealed);
    if (!sealingKey) {
      throw new SecretNotOpened('a secret was encrypted with a key that SECRETS_KEY does not have', owner);
    }
    const nonce = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + NONCE_BYTES);
    const body = sealed.subarray(KEY_ID_BYTES + NONCE_BYTES);
    try {
      const decipher = createDecipheriv(ALGORITHM, sealingKey.key, nonce)
        .setAAD(Buffer.from(owner))
        .setAuthTag(body.subarray(0, TAG_BYTES));
      return Buffer.concat([decipher.update(body.subarray(TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretNotOpened('a secret was changed, or belongs to something else', owner, { cause });
    }
  }

  /**
   * A code that stands for a secret where it is only compared, such as in a fingerprint: HMAC-SHA-256 under a key that
   * is derived from the one that encrypts. With a new such key the codes are others.
   * @param owner what the secret belongs to
   * @returns hex
   */
  codeOf(secret: string, owner: string): string {
    const { key } = this.#keys[0] as BoxKey;
    const derived = Buffer.from(hkdfSync('sha256', key, owner, 'rewards code of a secret', KEY_BYTES));
    return createHmac('sha256', derived).update(secret).digest('hex');
  }

  /** Whether it has the key that a secret was sealed with. */
  has(sealed: Buffer): boolean {
    return this.#keyOf(sealed) !== undefined;
  }

  /** Whether a secret was sealed with the key that encrypts, so that no other key is needed to open it. */
  isCurrent(sealed: Buffer): boolean {
    return this.#keyOf(sealed) === this.#keys[0];
  }

  #keyOf(sealed: Buffer): BoxKey | undefined {
    return this.#keys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
  }
}
