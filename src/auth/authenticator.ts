import type { Pool } from 'pg';
import { arrayLiteral } from '../db/array-literal.ts';
import { fromTypeId } from '../ids.ts';
import { recentlyUsed } from '../recently-used.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { parseKey, secretMatches } from './api-key.ts';
import type { Credential } from './credential.ts';
import { KeyLookup, type StoredKey } from './key-lookup.ts';

/** A credential whose key was checked. Times are in milliseconds of the authenticator's clock. */
interface Proven {
  credential: Credential;
  /** When the look-up of the key began. */
  at: number;
  /** The first instant at which the proof is no longer valid, even if no change is announced. */
  until: number;
}

/** How long a proof is valid at most while changes of keys are announced to this process. */
const ANNOUNCED_MS = 30_000;
/** How long a proof is valid while they are not. */
const UNANNOUNCED_MS = 1_000;
const MOST_PROOFS = 20_000;
/** The name of an authentication scheme is case-insensitive (RFC 9110, 11.1). */
const BEARER = /^bearer /i;
const BEARER_LENGTH = 'Bearer '.length;

const noAuthorization = refuse(
  'unauthorized',
  'There is no Authorization header: send Authorization: Bearer <API_KEY>.',
);
const noBearer = refuse('unauthorized', 'The Authorization header is not of the form Bearer <API_KEY>.');
const noEnvironment = refuse(
  'unauthorized',
  "There is no X-Environment header: send the id of the key's environment, env_….",
);
/** One refusal for every wrong key or environment, so that it does not reveal which of them exist. */
const wrong = refuse(
  'unauthorized',
  'The key is not valid for this environment: send a valid key as Authorization: ' +
    'Bearer <API_KEY>, and its environment as X-Environment.',
);

// No key has these ids or this hash. With them, an unknown key takes the same look-up and comparison as a wrong secret.
const NOBODY = '00000000-0000-0000-0000-000000000000';
const NO_HASH = Buffer.alloc(32);
const NO_TIME = new Date(0);

/**
 * Checks server keys. Only successful checks (proofs) are cached. Every refused key is looked up in the database in the
 * same way, so that the time of a refusal does not reveal what was wrong. Times stored in the database are only
 * compared with the database's clock. The age of a proof is measured with this process's monotonic clock.
 */
export class Authenticator {
  readonly #pool: Pool;
  readonly #lookup: Pick<KeyLookup, 'find'>;
  readonly #now: () => number;
  readonly #proofs = recentlyUsed<Proven>(MOST_PROOFS);
  readonly #used = new Map<string, { environmentId: string; at: Date }>();
  /**
   * Number of announced changes. A look-up during which it grows may have read the old state, so its proof is not kept.
   */
  #changes = 0;
  /** Every change before this moment has been announced to this process. */
  #heardAt = Number.NEGATIVE_INFINITY;

  /**
   * @param lookup where keys are found
   * @param now a monotonic clock, in milliseconds: the same one that AdminNotices reads
   */
  constructor(
    pool: Pool,
    lookup: Pick<KeyLookup, 'find'> = new KeyLookup(pool),
    now = () => performance.now(),
  ) {
    this.#pool = pool;
    this.#lookup = lookup;
    this.#now = now;
  }

  /**
   * Checks `Authorization: Bearer svc_…` against `X-Environment: env_…`.
   * @returns unauthorized for anything but a valid key of that environment (specification, "Authentication")
   */
  async authenticate(
    authorization: string | undefined,
    environment: string | undefined,
  ): Promise<Credential | Refusal> {
    const startedAt = this.#now();
    const cached = this.proven(authorization, environment, startedAt);
    if (cached) return cached;
    if (authorization === undefined) return noAuthorization;
    if (!BEARER.test(authorization)) return noBearer;
    if (environment === undefined) return noEnvironment;

    const changes = this.#changes;
    const key = parseKey(authorization.slice(BEARER_LENGTH));
    const environmentId = fromTypeId('env', environment);
    const stored = await this.#lookup.find(environmentId ?? NOBODY, key?.keyId ?? NOBODY);
    const matches = secretMatches(
      stored?.secretHash ?? NO_HASH,
      stored?.previousSecretHash ?? null,
      stored?.previousValidUntil ?? null,
      stored?.now ?? NO_TIME,
      key?.secret ?? '',
    );
    if (!stored || !key || !matches || !isLive(stored, key.environmentKind)) return wrong;
    const credential: Credential = {
      keyId: stored.keyId,
      principal: stored.principal,
      tenantId: stored.tenantId,
      environmentId: stored.environmentId,
      environmentKind: stored.environmentKind,
      scopes: new Set(stored.scopes),
    };
    if (changes === this.#changes) {
      const proof = { credential, at: startedAt, until: startedAt + lastsMs(stored) };
      this.#proofs.set(cacheKeyOf(authorization, environment), proof);
    }
    this.#used.set(stored.keyId, { environmentId: stored.environmentId, at: stored.now });
    return credential;
  }

  /**
   * The credential of a key that was checked lately, which `authenticate` would accept without a look-up; null
   * otherwise.
   * @param now of the authenticator's clock
   */
  proven(
    authorization: string | undefined,
    environment: string | undefined,
    now = this.#now(),
  ): Credential | null {
    const proven = this.#proofs.get(cacheKeyOf(authorization, environment));
    return proven && this.#isGood(proven, now) ? proven.credential : null;
  }

  /** Drops the proofs of an environment, or of all, because something about their keys has changed. */
  forget(environmentId?: string): void {
    this.#changes += 1;
    if (environmentId === undefined) {
      this.#proofs.clear();
      return;
    }
    for (const [cacheKey, proven] of this.#proofs.entries()) {
      if (proven.credential.environmentId === environmentId) this.#proofs.delete(cacheKey);
    }
  }

  /**
   * Records that every change before a moment of the clock has been announced (see AdminNotices). A proof is valid for
   * one second after its look-up or after the last such moment, whichever is later.
   */
  onAnnouncement(at: number): void {
    this.#heardAt = at;
  }

  /**
   * Stores when keys were last used; to be called periodically. A use that a proof covers is not noted, so the stored
   * time can be half a minute before the last use.
   */
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

  #isGood({ at, until }: Proven, now: number): boolean {
    return now < until && now < Math.max(at, this.#heardAt) + UNANNOUNCED_MS;
  }
}

function cacheKeyOf(authorization: string | undefined, environment: string | undefined): string {
  return `${environment}\n${authorization}`;
}

/** The longest that a proof is valid, counted from the start of its look-up. */
function lastsMs({ expiresAt, previousValidUntil, now }: StoredKey): number {
  const ends = [expiresAt, previousValidUntil].flatMap((end) => {
    // It is not known which of the two secrets was sent, and the previous one is no longer valid after its end.
    const remainingMs = end === null ? 0 : end.getTime() - now.getTime();
    return remainingMs > 0 ? [remainingMs] : [];
  });
  return Math.min(ANNOUNCED_MS, ...ends);
}

function isLive(key: StoredKey, kind: StoredKey['environmentKind']): boolean {
  return (
    key.environmentKind === kind &&
    key.revokedAt === null &&
    (key.expiresAt === null || key.now < key.expiresAt)
  );
}
