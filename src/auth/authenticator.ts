import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import { fromTypeId } from '../ids.ts';
import { parseKey, secretMatches } from './api-key.ts';
import type { Credential } from './credential.ts';
import { KeyLookup, type StoredKey } from './key-lookup.ts';

interface Proven {
  credential: Credential;
  /** Until when the proof is good without another look. */
  until: number;
}

/** How long a proof is good while changes of keys are being announced to this process, and while they are not. */
const ANNOUNCED_MS = 30_000;
const UNANNOUNCED_MS = 1_000;
const MOST_PROOFS = 20_000;
/** The name of a scheme is the same in every case (RFC 9110, 11.1). */
const BEARER = /^bearer /i;
const BEARER_LENGTH = 'Bearer '.length;

// Nothing has these ids or this hash: an unknown key costs the same look-up and the same comparison as a wrong secret.
const NOBODY = '00000000-0000-0000-0000-000000000000';
const NO_HASH = Buffer.alloc(32);

/**
 * Checks server keys. Only proofs are remembered: every refusal takes the same way through the database, so that its
 * time does not tell what was wrong.
 */
export class Authenticator {
  readonly #lookup: KeyLookup;
  readonly #pool: Pool;
  readonly #proofs = new LRUCache<string, Proven>({ max: MOST_PROOFS });
  readonly #used = new Map<string, { environmentId: string; at: Date }>();
  /** Whether changes are being announced (see AdminNotices): without that, proofs are kept for a second alone. */
  announced = false;

  constructor(pool: Pool) {
    this.#pool = pool;
    this.#lookup = new KeyLookup(pool);
  }

  /**
   * Checks `Authorization: Bearer svc_…` against `X-Environment: env_…`.
   * @returns null for anything but a valid key of that environment (specification, "Authentication")
   */
  async authenticate(
    authorization: string | undefined,
    environment: string | undefined,
  ): Promise<Credential | null> {
    const cacheKey = `${environment}\n${authorization}`;
    const proven = this.#proofs.get(cacheKey);
    const now = Date.now();
    if (proven && now < proven.until) return proven.credential;

    const key =
      authorization && BEARER.test(authorization) ? parseKey(authorization.slice(BEARER_LENGTH)) : null;
    const environmentId = environment === undefined ? null : fromTypeId('env', environment);
    const stored = await this.#lookup.find(environmentId ?? NOBODY, key?.keyId ?? NOBODY);
    const at = new Date(now);
    const matches = secretMatches(
      stored?.secretHash ?? NO_HASH,
      stored?.previousSecretHash ?? null,
      stored?.previousValidUntil ?? null,
      at,
      key?.secret ?? '',
    );
    if (!stored || !key || !matches || !isLive(stored, key.environmentKind, at)) return null;
    const credential: Credential = {
      keyId: stored.keyId,
      principal: stored.principal,
      tenantId: stored.tenantId,
      environmentId: stored.environmentId,
      environmentKind: stored.environmentKind,
      scopes: new Set(stored.scopes),
    };
    this.#proofs.set(cacheKey, { credential, until: this.#goodUntil(stored, now) });
    this.#used.set(stored.keyId, { environmentId: stored.environmentId, at });
    return credential;
  }

  /** Forgets what was proven for an environment, or for all: something about their keys has changed. */
  forget(environmentId?: string): void {
    if (environmentId === undefined) {
      this.#proofs.clear();
      return;
    }
    for (const [cacheKey, proven] of this.#proofs.entries()) {
      if (proven.credential.environmentId === environmentId) this.#proofs.delete(cacheKey);
    }
  }

  /** Writes down when keys were last used. Call it now and then; it is exact to the half minute. */
  async recordUse(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#used.clear();
    await this.#pool.query({
      name: 'record_key_use',
      text: `update api_keys k
        set last_used_at = greatest(k.last_used_at, used.at)
        from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as used(environment_id, id, at)
        where k.environment_id = used.environment_id and k.id = used.id`,
      values: [
        arrayLiteral(used.map(([, use]) => use.environmentId)),
        arrayLiteral(used.map(([keyId]) => keyId)),
        arrayLiteral(used.map(([, use]) => use.at)),
      ],
    });
  }

  #goodUntil(key: StoredKey, now: number): number {
    const remembered = now + (this.announced ? ANNOUNCED_MS : UNANNOUNCED_MS);
    return Math.min(
      remembered,
      key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      // Which of the two secrets it was is not known: from then on only the present one is good.
      key.previousValidUntil && key.previousValidUntil.getTime() > now
        ? key.previousValidUntil.getTime()
        : Number.POSITIVE_INFINITY,
    );
  }
}

function isLive(key: StoredKey, kind: StoredKey['environmentKind'], now: Date): boolean {
  return (
    key.environmentKind === kind && key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt)
  );
}
