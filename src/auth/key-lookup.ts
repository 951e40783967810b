import type { Pool } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';

/** A key as it is stored, with its environment. */
export interface StoredKey {
  keyId: string;
  environmentId: string;
  environmentKind: 'sandbox' | 'production';
  tenantId: string;
  principal: string;
  scopes: string[];
  secretHash: Buffer;
  previousSecretHash: Buffer | null;
  previousValidUntil: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The database's time when the key was read, to compare the times above with. */
  now: Date;
}

interface KeyRow {
  ordinal: number;
  id: string;
  environment_id: string;
  kind: StoredKey['environmentKind'];
  tenant_id: string;
  principal: string;
  scopes: string[];
  secret_hash: Buffer;
  previous_secret_hash: Buffer | null;
  previous_valid_until: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  now: Date;
}

interface WaitingLookup {
  environmentId: string;
  keyId: string;
  resolve(key: StoredKey | null): void;
  reject(error: unknown): void;
}

/** Looks up keys in the database. Look-ups of the same turn of the event loop share one statement. */
export class KeyLookup {
  readonly #pool: Pool;
  #waiting: WaitingLookup[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** @returns null if the environment has no such key */
  find(environmentId: string, keyId: string): Promise<StoredKey | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ environmentId, keyId, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const { rows } = await this.#pool.query<KeyRow>({
        name: 'load_api_keys',
        text: `select wanted.ordinal::integer, k.id, k.environment_id, e.kind, e.tenant_id, k.principal, k.scopes,
            k.secret_hash, k.previous_secret_hash, k.previous_valid_until, k.expires_at, k.revoked_at,
            clock_timestamp() as now
          from unnest($1::uuid[], $2::uuid[]) with ordinality as wanted(environment_id, id, ordinal)
          join api_keys k on k.environment_id = wanted.environment_id and k.id = wanted.id
          join environments e on e.id = k.environment_id`,
        values: [
          arrayLiteral(waiting.map((each) => each.environmentId)),
          arrayLiteral(waiting.map((each) => each.keyId)),
        ],
      });
      const rowByOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
      waiting.forEach((each, index) => {
        const row = rowByOrdinal.get(index + 1);
        each.resolve(row ? keyOf(row) : null);
      });
    } catch (error) {
      for (const each of waiting) each.reject(error);
    }
  }
}

function keyOf(row: KeyRow): StoredKey {
  return {
    keyId: row.id,
    environmentId: row.environment_id,
    environmentKind: row.kind,
    tenantId: row.tenant_id,
    principal: row.principal,
    scopes: row.scopes,
    secretHash: row.secret_hash,
    previousSecretHash: row.previous_secret_hash,
    previousValidUntil: row.previous_valid_until,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    now: row.now,
  };
}
